import { runner } from '../../db/postgres.ts';
import { countEventsOf, isReportedOwner, readBounds } from '../../db/queries/reports.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { ExportFormat } from '../../domain/report-text.ts';
import {
  countsEvents,
  planReport,
  readGroupBy,
  readOnly,
  readRange,
  type ReportFilter,
  type ReportQuery,
  type ReportRange,
  type ReportSide,
  requireKept,
} from '../../domain/report.ts';
import type { ActivityDeps } from '../deps.ts';

/** What a flow may count event by event. */
export const EXPORT_EVENTS_MAX = 20_000_000;

export interface ReportRequest<Side extends ReportSide = ReportSide> {
  side: Side;
  /** The account whose numbers these are; nobody else's row is ever read. */
  ownerId: number;
  params: {
    startDate?: string | undefined;
    endDate?: string | undefined;
    groupBy?: string | undefined;
    timezone?: string | undefined;
    ids?: string | undefined;
  };
  filter?: ReportFilter | undefined;
  /** What `group_by` is when the caller does not say; `date` by the interface. */
  defaultGroupBy?: string | undefined;
}

export interface PlannedReport {
  query: ReportQuery;
  range: ReportRange;
  /** The first moment after the last day. */
  endsAt: Date;
  /** How many events are counted one by one. */
  events: number;
}

/**
 * What is read for a caller's request. `eventsMax`: how many events may be counted one by one where
 * no rollup holds the breakdown. Raises not_found when a filter names a foreign thing, and 422 for
 * what is not known, no longer kept, or too much.
 */
export async function planReportQuery(
  deps: Pick<ActivityDeps, 'db' | 'clock'>,
  { side, ownerId, params, filter = {}, defaultGroupBy }: ReportRequest,
  eventsMax: number,
): Promise<PlannedReport> {
  const sql = runner(deps.db);
  const now = deps.clock();
  const range = readRange(params, now);
  const groupBy = readGroupBy(params.groupBy ?? defaultGroupBy ?? 'date', side);
  const only = params.ids === undefined ? undefined : readOnly(params.ids, groupBy, side);
  for (const [dimension, id] of Object.entries(filter) as [keyof ReportFilter, number][]) {
    if (!(await isReportedOwner(sql, { dimension, id, ownerId }))) throw notFound();
  }
  const bounds = await readBounds(sql, range);
  const parts = planReport(side, { groupBy, filter, timezone: range.timezone }, bounds);
  requireKept(parts, now);
  const query = { side, ownerId, groupBy, filter, only, timezone: range.timezone, parts };
  const events = await countEventsOf(sql, query, parts.filter(countsEvents));
  if (events > eventsMax) {
    const message = `these dimensions, or these in this time zone, are counted event by event, at most ${eventsMax}: choose fewer days`;
    throw invalid({ field: 'group_by', code: 'too_many_events', message });
  }
  return { query, range, endsAt: bounds.to, events };
}

/** What its file is called. */
export const fileNameOf = ({ query, range }: PlannedReport, format: ExportFormat): string =>
  `report_${range.startDate}_${range.endDate}_${query.groupBy.join('-')}.${format}`;
