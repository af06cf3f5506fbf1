import { presentAmount } from './money.ts';
import {
  type Dimension,
  ratesOf,
  type ReportCounts,
  type ReportRow,
  type ReportSide,
} from './report.ts';

/** One value of a report's line: text, a number, or not counted at this breakdown. */
export type Cell = string | number | boolean | null;
export type Line = Record<string, Cell>;

const PLAIN = new Set<Dimension>(['date', 'country', 'device', 'os', 'browser', 'page_host']);

/** Things are named by id and name, hours as numbers 0 to 23. */
const columnsOfDimension = (dimension: Dimension): string[] =>
  PLAIN.has(dimension) || dimension === 'hour'
    ? [dimension]
    : [`${dimension}_id`, `${dimension}_name`];

/** What the cells of a column are. */
export type ColumnKind = 'date' | 'number' | 'text';

export function columnKind(column: string): ColumnKind {
  if (column === 'date') return 'date';
  const isText = PLAIN.has(column as Dimension) || STATE_COLUMNS.includes(column);
  return isText || column.endsWith('_name') ? 'text' : 'number';
}

const COUNTED = [
  'requests',
  'impressions',
  'viewable',
  'views',
  'clicks',
  'conversions',
  'removed',
] as const;

/** Beside each line of a file, which is read where nobody can ask the report any more (interface 4.5). */
const STATE_COLUMNS: readonly string[] = ['timezone', 'as_of', 'is_final'];

/** How far settlement had come when a file was begun, and when the last of its days ends. */
export interface FileState {
  timezone: string;
  settledAt: Date | null;
  endsAt: Date;
}

export const fileColumns = (groupBy: readonly Dimension[], side: ReportSide): string[] => [
  ...reportColumns(groupBy, side),
  ...STATE_COLUMNS,
];

/** A report says its state once, a file in each of its lines. */
export const fileState = ({ timezone, settledAt, endsAt }: FileState): Line => ({
  timezone,
  as_of: settledAt?.toISOString() ?? null,
  is_final: settledAt !== null && settledAt >= endsAt,
});

/** Columns of a report in their order, the same in every format (interface 4.5). */
const reportColumns = (groupBy: readonly Dimension[], side: ReportSide): string[] => [
  ...groupBy.flatMap(columnsOfDimension),
  ...COUNTED,
  side === 'advertiser' ? 'spend' : 'revenue',
  'ctr',
  'cvr',
  'ecpm',
];

interface CountedLine {
  requests: number | null;
  impressions: number;
  viewable: number;
  views: number;
  clicks: number;
  conversions: number;
  removed: number;
  ctr: number;
  cvr: number;
  ecpm: number;
}

/** interface 4.5: an advertiser spends, a publisher earns. Money as on the wire. */
export function countsLine(
  counts: ReportCounts,
  side: ReportSide,
): CountedLine & { spend?: number; revenue?: number } {
  const { ctr, cvr, ecpmNanos } = ratesOf(counts);
  const { moneyNanos, ...counted } = counts;
  const money = presentAmount(moneyNanos);
  return {
    ...counted,
    ...(side === 'advertiser' ? { spend: money } : { revenue: money }),
    ctr,
    cvr,
    ecpm: presentAmount(ecpmNanos),
  };
}

/** The dimensions of one line: `campaign_id`, `campaign_name`, `hour`, `country`. */
export function keysLine(row: ReportRow): Line {
  const line: Line = {};
  for (const [dimension, value] of Object.entries(row.keys) as [Dimension, string][]) {
    if (PLAIN.has(dimension)) line[dimension] = value;
    else if (dimension === 'hour') line['hour'] = Number(value);
    else {
      line[`${dimension}_id`] = Number(value);
      line[`${dimension}_name`] = row.names[dimension] ?? null;
    }
  }
  return line;
}

export const reportLine = (row: ReportRow, side: ReportSide): Line => ({
  ...keysLine(row),
  ...countsLine(row.counts, side),
});
