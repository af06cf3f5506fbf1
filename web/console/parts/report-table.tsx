import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { report } from '../texts/report.ts';
import { usePreferences } from './preferences.tsx';
import {
  decimalsIn,
  formatMetric,
  keyOf,
  labelOf,
  type Line,
  type Metric,
  NAMED,
} from './report-cells.ts';
import type { Dimension } from './report-controls.tsx';
import classes from './report.module.css';
import { useTexts } from './texts.ts';

const ROWS_MAX = 500;

interface ReportTableProps {
  lines: readonly Line[];
  totals: Line;
  by: readonly Dimension[];
  metrics: readonly Metric[];
  /** A column's name, `-` before it for the largest first. */
  sort: string | undefined;
  onSort: (by: string) => void;
  cell?: DimensionCell | undefined;
  /** The hour of a line, in words. */
  hourWords: (line: Line, hour: string) => string;
}

/** What stands in place of a dimension's words, such as a link; given these. */
export type DimensionCell = (line: Line, dimension: Dimension, words: string) => ReactNode;

/** The figures of a report, and their sums first; scrolls sideways by itself. */
export function ReportTable(props: ReportTableProps) {
  const { lines, totals, by, metrics, sort, onSort, cell = asWords, hourWords } = props;
  const t = useTexts(report);
  const { language } = usePreferences();
  const shown = sorted(lines, sort).slice(0, ROWS_MAX);
  const figures = metrics.map((metric) => {
    const decimals = decimalsIn(metric, [totals, ...shown]);
    const of = (line: Line): string =>
      formatMetric(metric, line[metric] as number | null, language, decimals);
    return { metric, of };
  });
  const wordsOf = (line: Line, dimension: Dimension): string => {
    const label = labelOf(line, dimension, t, language);
    return dimension === 'hour' ? hourWords(line, label) : label;
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways */}
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label={t.figures}>
        <Table striped highlightOnHover stickyHeader={false} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              {by.map((each) => (
                <Head key={each} {...{ sort, onSort }} column={columnOf(each)}>
                  {t.dimensions[each]}
                </Head>
              ))}
              {metrics.map((each) => (
                <Head key={each} {...{ sort, onSort }} column={each} isNumber>
                  {t.metrics[each]}
                </Head>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr fw={600} data-total>
              <Table.Th scope="row" colSpan={by.length}>
                {t.total}
              </Table.Th>
              {figures.map(({ metric, of }) => (
                <Table.Td key={metric} className="number">
                  {of(totals)}
                </Table.Td>
              ))}
            </Table.Tr>
            {shown.map((line) => (
              <Table.Tr key={keyOf(line, by)}>
                {by.map((each) => (
                  <Table.Td key={each}>{cell(line, each, wordsOf(line, each))}</Table.Td>
                ))}
                {figures.map(({ metric, of }) => (
                  <Table.Td key={metric} className="number">
                    {of(line)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {lines.length > shown.length && (
        <Text size="sm" c="dimmed">
          {t.rows(shown.length, lines.length)}
        </Text>
      )}
    </>
  );
}

const asWords: DimensionCell = (_line, _dimension, words) => words;

const columnOf = (dimension: Dimension): string =>
  NAMED.has(dimension) ? `${dimension}_name` : dimension;

function Head({
  column,
  sort,
  onSort,
  isNumber = false,
  children,
}: {
  column: string;
  sort: string | undefined;
  onSort: (by: string) => void;
  isNumber?: boolean;
  children: string;
}) {
  const order = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined;
  return (
    <Table.Th scope="col" className={isNumber ? 'number' : undefined} aria-sort={order}>
      <button
        type="button"
        className={classes['sort']}
        // Largest first is what is asked of figures.
        onClick={() =>
          onSort(
            sort === `-${column}` || (!isNumber && order === undefined) ? column : `-${column}`,
          )
        }
      >
        {children}
        <span aria-hidden>{order === undefined ? '' : order === 'ascending' ? ' ↑' : ' ↓'}</span>
      </button>
    </Table.Th>
  );
}

function sorted(lines: readonly Line[], sort: string | undefined): readonly Line[] {
  if (sort === undefined) return lines;
  const column = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  return lines.toSorted((one, other) => sign * compared(one[column], other[column]));
}

function compared(one: Line[string], other: Line[string]): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one ?? '').localeCompare(String(other ?? ''));
}
