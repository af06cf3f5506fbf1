import type { Held, HeldCount } from '../../domain/report-counts.ts';
import type {
  Dimension,
  ReportFilter,
  ReportPart,
  ReportQuery,
  ReportRow,
} from '../../domain/report.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { eventCountStatement, lineCountStatement, reportStatement } from './report-sql.ts';
import { beginOfDay } from './zone-days.ts';

/** A longer answer is refused: it would be an export. */
export const REPORT_ROWS_MAX = 10_000;

export async function readReport(sql: SqlRunner, query: ReportQuery): Promise<ReportRow[]> {
  const { text, values } = reportStatement(query, REPORT_ROWS_MAX + 1);
  const { rows } = await sql.query<RawReportRow>(text, values);
  return rows.map((row) => asReportRow(row, query.groupBy));
}

/** How many lines a report has, counted no further than `limit`. */
export async function countLines(
  sql: SqlRunner,
  query: ReportQuery,
  limit: number,
): Promise<number> {
  const { text, values } = lineCountStatement(query, limit);
  const { rows } = await sql.query<{ lines: string }>(text, values);
  return Number(rows[0]?.lines ?? 0);
}

/** How many events those parts would have to read. */
export async function countEventsOf(
  sql: SqlRunner,
  query: ReportQuery,
  parts: readonly ReportPart[],
): Promise<number> {
  if (parts.length === 0) return 0;
  const { text, values } = eventCountStatement(query, parts);
  const { rows } = await sql.query<{ events: string }>(text, values);
  return Number(rows[0]?.events ?? 0);
}

/** Keys and names are text or BIGINT, which arrives as text; sums are NUMERIC, text as well. */
export type RawReportRow = Record<string, string | number | null>;

export function asReportRow(row: RawReportRow, groupBy: readonly Dimension[]): ReportRow {
  const keys: ReportRow['keys'] = {};
  const names: ReportRow['names'] = {};
  for (const [at, dimension] of groupBy.entries()) {
    const key = row[`k${at}`];
    const name = row[`n${at}`];
    if (key !== undefined && key !== null) keys[dimension] = String(key);
    if (name !== undefined && name !== null) names[dimension] = String(name);
  }
  return {
    keys,
    names,
    counts: {
      requests: row['requests'] === null ? null : Number(row['requests']),
      impressions: Number(row['impressions']),
      viewable: Number(row['viewable']),
      views: Number(row['views']),
      clicks: Number(row['clicks']),
      conversions: Number(row['conversions']),
      removed: Number(row['removed']),
      moneyNanos: BigInt(row['money'] ?? 0),
      held: {
        pending: heldOf(row, 'pending'),
        approved: heldOf(row, 'approved'),
        rejected: heldOf(row, 'rejected'),
      },
    },
  };
}

const heldOf = (row: RawReportRow, name: HeldCount): Held => ({
  conversions: Number(row[name]),
  moneyNanos: BigInt(row[`${name}_money`] ?? 0),
});

/** The first moment of a day of a time zone, and the first one after another. */
export async function readBounds(
  sql: SqlRunner,
  range: { startDate: string; endDate: string; timezone: string },
): Promise<{ from: Date; to: Date }> {
  const { rows } = await sql.query<{ from: Date; to: Date }>(
    `SELECT ${beginOfDay('$1::date', '$3::text')} AS "from",
       ${beginOfDay('($2::date + 1)', '$3::text')} AS "to"`,
    [range.startDate, range.endDate, range.timezone],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a query without rows');
  return row;
}

const OWNERS: Readonly<Record<keyof ReportFilter, string>> = {
  campaign: 'campaigns n WHERE n.advertiser_id',
  adgroup: 'ad_groups n WHERE n.advertiser_id',
  ad: 'ads n WHERE n.advertiser_id',
  site: 'sites n WHERE n.publisher_id',
  zone: 'zones n WHERE n.publisher_id',
};

/** Whether the owner of a report owns the thing that it is narrowed to; archived ones keep their history. */
export async function isReportedOwner(
  sql: SqlRunner,
  thing: { dimension: keyof ReportFilter; id: number; ownerId: number },
): Promise<boolean> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT n.id FROM ${OWNERS[thing.dimension]} = $2 AND n.id = $1`,
    [thing.id, thing.ownerId],
  );
  return rows.length > 0;
}

/** The first moment after a day of a time zone. */
export async function readDayEnd(sql: SqlRunner, day: string, timezone: string): Promise<Date> {
  return (await readBounds(sql, { startDate: day, endDate: day, timezone })).to;
}
