import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { report as words } from '../texts/report.ts';
import { chosenMetrics } from './column-choice.tsx';
import type { FileFigures } from './list-file.ts';
import type { Column, ListQuery } from './list-page.tsx';
import { usePreferences } from './preferences.tsx';
import { decimalsIn, figureOf, formatMetric, type Line, type Metric } from './report-cells.ts';
import type { Dimension } from './report-controls.tsx';
import type { ReportAsk, ReportQuery } from './report-page.tsx';
import { daysOfSearch } from './report-search.ts';
import type { Reported } from './report-view.tsx';
import type { FiguresSearch } from './row-figures-search.ts';
import { useTexts } from './texts.ts';

/** What the rows of a list brought: which of their figures can be shown, and where they are read. */
export interface RowFigures {
  /** What a row is, as reports name it. */
  by: Dimension;
  /** In the order of their columns. */
  metrics: readonly Metric[];
  /** While nobody has chosen. */
  usual: readonly Metric[];
  read: (ask: ReportAsk & { ids: string }) => ReportQuery;
  /** Where all of it stands. */
  report: string;
}

export const shownMetrics = (
  { metrics, usual }: RowFigures,
  { figures }: FiguresSearch,
): readonly Metric[] => chosenMetrics(metrics, usual, figures);

/** Whose days the figures are of: the address's, else the reader's own. */
export function useFigureZone({ zone_name: named }: FiguresSearch): string {
  const { timeZone } = usePreferences();
  return named ?? timeZone;
}

export interface ShownFigures<Row, T> {
  columns: readonly Column<Row, T>[];
  timeZone: string;
  report: Reported | undefined;
  error: Error | null;
  again: () => void;
  /** The same for the list's file; undefined where none is shown. */
  file: FileFigures | undefined;
}

/** The columns of a list with those of its figures, which are read beside its rows, for these alone. */
export function useRowFigures<Row extends { id: number }, T>(
  of: RowFigures,
  {
    query,
    columns,
    search = {},
  }: {
    query: ListQuery<Row>;
    columns: readonly Column<Row, T>[];
    search?: FiguresSearch | undefined;
  },
): ShownFigures<Row, T> {
  const t = useTexts(words);
  const { language } = usePreferences();
  const timeZone = useFigureZone(search);
  const metrics = shownMetrics(of, search);
  const { data: page } = useQuery({ ...query, placeholderData: keepPreviousData });
  const ids = (page?.items ?? []).map(({ id }) => id).join(',');
  const ask = (some: string): ReportQuery =>
    of.read({
      ...daysOfSearch(search, timeZone),
      group_by: of.by,
      timezone: timeZone,
      ids: some,
    });
  const read = useQuery({
    ...ask(ids),
    enabled: ids !== '' && metrics.length > 0,
  });
  const { data: report, error } = read;
  const key = metrics.join(',');
  const all = useMemo(() => {
    const lines = new Map(
      (report?.items as readonly Line[] | undefined)?.map((line) => [line[`${of.by}_id`], line]),
    );
    const figures = key.split(',').filter((each) => each !== '') as Metric[];
    const added = figures.map((metric): Column<Row, T> => {
      const decimals = decimalsIn(metric, lines.values());
      return {
        key: metric,
        title: () => t.metrics[metric],
        sort: metric,
        isNumber: true,
        cell: ({ id }) =>
          report === undefined
            ? '…'
            : formatMetric(metric, figureOf(lines.get(id), metric), language, decimals),
      };
    });
    // What a row can be done with stays its last.
    const end = columns.findIndex(({ key: name }) => name === 'actions');
    return columns.toSpliced(end < 0 ? columns.length : end, 0, ...added);
  }, [columns, report, key, of.by, t, language]);
  const file = metrics.length === 0 ? undefined : { by: of.by, metrics, ask };
  return { columns: all, timeZone, report, error, file, again: () => void read.refetch() };
}
