import { presentAmount } from './money.ts';
import {
  HELD_COUNTS,
  type HeldCount,
  isFinal,
  ratesOf,
  type ReportCounts,
} from './report-counts.ts';
import type { Dimension, ReportRow, ReportSide } from './report.ts';

/** One value of a report's line: text, a number, or not counted at this breakdown. */
export type Cell = string | number | boolean | null;
export type Line = Record<string, Cell>;

const PLAIN: ReadonlySet<string> = new Set<Dimension>([
  'date',
  'country',
  'device',
  'os',
  'browser',
  'page_host',
]);

/** Things are named by id and name, hours as numbers 0 to 23. */
const columnsOfDimension = (dimension: Dimension): string[] =>
  PLAIN.has(dimension) || dimension === 'hour'
    ? [dimension]
    : [`${dimension}_id`, `${dimension}_name`];

/** What the cells of a column are. */
export type ColumnKind = 'date' | 'number' | 'text';

export function columnKind(column: string): ColumnKind {
  if (column === 'date') return 'date';
  const isText = PLAIN.has(column) || STATE_COLUMNS.includes(column);
  return isText || column.endsWith('_name') ? 'text' : 'number';
}

const EVENTS = ['impressions', 'viewable', 'views', 'clicks', 'conversions', 'removed'] as const;
const COUNTED = ['requests', ...EVENTS] as const;
const RATES = ['ctr', 'cvr', 'ecpm'] as const;

/** What lists of a side's things can be ordered by, as its reports name it; advertisers are not asked for ads. */
export const FIGURES = {
  advertiser: ['spend', ...EVENTS, ...RATES],
  publisher: ['revenue', ...COUNTED, ...RATES],
} as const satisfies Record<ReportSide, readonly string[]>;
export type Figure = (typeof FIGURES)[ReportSide][number];

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
export const fileState = (state: FileState, row: ReportRow): Line => ({
  timezone: state.timezone,
  as_of: state.settledAt?.toISOString() ?? null,
  is_final: isFinal(state, row.counts),
});

/** Columns of a report in their order, the same in every format (interface 4.5). */
const reportColumns = (groupBy: readonly Dimension[], side: ReportSide): string[] => [
  ...groupBy.flatMap(columnsOfDimension),
  ...COUNTED,
  MONEY_OF[side],
  ...RATES,
  ...HELD_COUNTS.map((name) => `${name}_conversions`),
  ...HELD_COUNTS.map((name) => `${name}_${MONEY_OF[side]}`),
];

/** interface 4.5: an advertiser spends, a publisher earns. */
const MONEY_OF = { advertiser: 'spend', publisher: 'revenue' } as const;

interface CountedLine extends Record<`${HeldCount}_conversions`, number> {
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
type MoneyName = 'spend' | 'revenue';
type MoneyLine = Partial<Record<MoneyName | `${HeldCount}_${MoneyName}`, number>>;

/** Money as on the wire. */
export function countsLine(counts: ReportCounts, side: ReportSide): CountedLine & MoneyLine {
  const { ctr, cvr, ecpmNanos } = ratesOf(counts);
  const { moneyNanos, held, ...counted } = counts;
  const money = MONEY_OF[side];
  return {
    ...counted,
    [money]: presentAmount(moneyNanos),
    ctr,
    cvr,
    ecpm: presentAmount(ecpmNanos),
    pending_conversions: held.pending.conversions,
    approved_conversions: held.approved.conversions,
    rejected_conversions: held.rejected.conversions,
    ...Object.fromEntries(
      HELD_COUNTS.map((name) => [`${name}_${money}`, presentAmount(held[name].moneyNanos)]),
    ),
  };
}

/** Values of a line's dimensions, and the names of what they are ids of. */
interface Keyed {
  keys: Readonly<Partial<Record<string, string>>>;
  names: Readonly<Partial<Record<string, string>>>;
}

/** The dimensions of one line, of a tenant's report or the operators': `campaign_id`, `campaign_name`, `hour`, `country`. */
export function keysLine({ keys, names }: Keyed): Line {
  const line: Line = {};
  for (const [dimension, value] of Object.entries(keys)) {
    if (value === undefined) continue;
    if (PLAIN.has(dimension)) line[dimension] = value;
    else if (dimension === 'hour') line['hour'] = Number(value);
    else {
      line[`${dimension}_id`] = Number(value);
      line[`${dimension}_name`] = names[dimension] ?? null;
    }
  }
  return line;
}

export const reportLine = (row: ReportRow, side: ReportSide): Line => ({
  ...keysLine(row),
  ...countsLine(row.counts, side),
});
