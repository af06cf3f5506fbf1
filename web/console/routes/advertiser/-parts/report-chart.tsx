import { useMemo } from 'react';
import { Chart, type Series } from '../../../parts/chart.tsx';
import { type Language, usePreferences } from '../../../parts/preferences.tsx';
import { useTexts } from '../../../parts/texts.ts';
import type { Report } from '../../../queries/advertiser/report.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { reportTexts } from '../../../texts/advertiser/report.ts';
import { daysFrom } from './days.ts';
import { figureOf, formatMetric, type Metric } from './metrics.ts';
import { keyOf, labelOf } from './report-table.tsx';
import type { ReportDimension } from './report-search.ts';

const BARS_MAX = 25;

interface Props {
  report: Report;
  before: Report | undefined;
  dimensions: readonly ReportDimension[];
  metric: Metric;
}

/** Days as a line with the days before behind it; anything else as bars of its greatest. */
export function ReportChart({ report, before, dimensions, metric }: Props) {
  const t = useTexts(reportTexts);
  const i = useTexts(inventory);
  const { language } = usePreferences();
  const isByDay = dimensions.length === 1 && dimensions[0] === 'date';
  const drawn = useMemo(() => {
    const names = { now: i.metrics[metric], before: t.before };
    return isByDay
      ? linesOf(report, before, metric, names)
      : barsOf(report, dimensions, { metric, name: names.now, language });
  }, [report, before, metric, isByDay, dimensions, i, t, language]);
  const format = useMemo(
    () => (value: number) => formatMetric(metric, value, language),
    [metric, language],
  );
  return (
    <Chart
      label={i.metrics[metric]}
      at={drawn.at}
      series={drawn.series}
      kind={isByDay ? 'line' : 'bar'}
      format={format}
    />
  );
}

function linesOf(
  report: Report,
  before: Report | undefined,
  metric: Metric,
  names: { now: string; before: string },
): { at: string[]; series: Series[] } {
  const at = daysFrom(report.start_date, report.end_date);
  const valuesOf = (each: Report): (number | null)[] => {
    const byDay = new Map(each.items.map((row) => [row.date, row]));
    const days = daysFrom(each.start_date, each.end_date);
    return days.map((day) => figureOf(byDay.get(day), metric));
  };
  const series: Series[] = [{ name: names.now, values: valuesOf(report) }];
  if (before !== undefined) {
    series.push({ name: names.before, values: valuesOf(before), isComparison: true });
  }
  return { at, series };
}

function barsOf(
  report: Report,
  dimensions: readonly ReportDimension[],
  { metric, name, language }: { metric: Metric; name: string; language: Language },
): { at: string[]; series: Series[] } {
  const rows = report.items
    .toSorted((one, other) => other[metric] - one[metric])
    .slice(0, BARS_MAX)
    .toSorted((one, other) =>
      dimensions[0] === 'date' || dimensions[0] === 'hour'
        ? keyOf(one, dimensions[0]).localeCompare(keyOf(other, dimensions[0]))
        : 0,
    );
  return {
    at: rows.map((row) => dimensions.map((each) => labelOf(row, each, language)).join(' · ')),
    series: [{ name, values: rows.map((row) => row[metric]) }],
  };
}
