import { runner } from '../../db/postgres.ts';
import {
  countsRequests,
  ownsReported,
  readDayEnd,
  readReport,
  readSettledAt,
  REPORT_ROWS_MAX,
} from '../../db/queries/reports.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import {
  chooseRollup,
  type ReportFilter,
  type ReportSide,
  readGroupBy,
  readRange,
  sumCounts,
} from '../../domain/report.ts';
import type { ConsoleDeps } from '../deps.ts';
import { presentCounts, presentReportRow } from '../present/report.ts';
import { day, text } from './fields.ts';

/** Query parameters that every report and every stats route takes. */
export const reportFields = {
  start_date: day(),
  end_date: day(),
  group_by: text(100),
  timezone: text(64),
};

export interface ReportAsk {
  side: ReportSide;
  /** The account whose numbers these are; nobody else's row is ever read. */
  ownerId: number;
  query: {
    start_date?: string | undefined;
    end_date?: string | undefined;
    group_by?: string | undefined;
    timezone?: string | undefined;
  };
  filter?: ReportFilter | undefined;
  /** What `group_by` is when the caller does not say; `date` by the interface. */
  defaultGroupBy?: string | undefined;
}

/**
 * decisions 2 and 11: `{items, totals, start_date, end_date, group_by, timezone, as_of, is_final}`.
 * Raises not_found when a filter names a foreign thing, 422 for what no rollup holds.
 */
export async function reportOf(deps: Pick<ConsoleDeps, 'db' | 'clock'>, ask: ReportAsk) {
  const sql = runner(deps.db);
  const { side, ownerId, query, filter = {} } = ask;
  const range = readRange(
    { startDate: query.start_date, endDate: query.end_date, timezone: query.timezone },
    deps.clock(),
  );
  const groupBy = readGroupBy(query.group_by ?? ask.defaultGroupBy ?? 'date', side);
  const rollup = chooseRollup(side, { groupBy, filter, timezone: range.timezone });
  for (const [dimension, id] of Object.entries(filter) as [keyof ReportFilter, number][]) {
    if (!(await ownsReported(sql, { dimension, id, ownerId }))) throw notFound();
  }
  // Asked before the numbers, so that they can only be newer than what is claimed of them.
  const settledAt = await readSettledAt(sql, deps.clock());
  const rows = await readReport(sql, { rollup, ownerId, groupBy, filter, ...range });
  if (rows.length > REPORT_ROWS_MAX) {
    const message = `more than ${REPORT_ROWS_MAX} rows; choose fewer days or dimensions`;
    throw invalid({ field: 'group_by', code: 'too_many_rows', message });
  }
  const endsAt = await readDayEnd(sql, range.endDate, range.timezone);
  const totals = sumCounts(
    rows.map((row) => row.counts),
    { requests: countsRequests(rollup) },
  );
  return {
    items: rows.map((row) => presentReportRow(row, side)),
    totals: presentCounts(totals, side),
    start_date: range.startDate,
    end_date: range.endDate,
    group_by: groupBy,
    timezone: range.timezone,
    as_of: settledAt?.toISOString() ?? null,
    is_final: settledAt !== null && settledAt >= endsAt,
  };
}
