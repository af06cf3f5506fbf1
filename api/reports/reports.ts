import type { RequestHandler } from 'express';
import * as yup from 'yup';
import { planReportQuery, type ReportRequest } from '../../activities/reports/report-plan.ts';
import { runner } from '../../db/postgres.ts';
import { eventReader } from '../../db/events/event-reader.ts';
import { readReport, REPORT_ROWS_MAX } from '../../db/queries/reports.ts';
import { invalid } from '../../domain/errors.ts';
import { sumCounts } from '../../domain/report-counts.ts';
import { countsRequests, type ReportFilter, type ReportSide } from '../../domain/report.ts';
import type { ConsoleDeps } from '../deps.ts';
import { presentReport, type PresentedReport, reportShapeOf } from '../present/report.ts';
import { paramsOf, reportFields } from './report-request.ts';
import { route } from '../http/route.ts';

/** What one answer may count event by event: about a second of one connection. */
export const REPORT_EVENTS_MAX = 1_000_000;

/**
 * interface 2.1 and 4.5. Raises not_found when a filter names a foreign thing, 422 for what is not
 * known, no longer kept, or more than an answer should carry.
 */
async function reportOf<Side extends ReportSide>(
  deps: Pick<ConsoleDeps, 'db' | 'clock'>,
  request: ReportRequest<Side>,
): Promise<PresentedReport<Side>> {
  const sql = runner(deps.db);
  const { query, range, endsAt } = await planReportQuery(deps, request, REPORT_EVENTS_MAX);
  // Read before the numbers, so that they can only be newer than what is claimed of them.
  const settledAt = await eventReader.settledUntil(sql, deps.clock());
  const rows = await readReport(sql, query);
  if (rows.length > REPORT_ROWS_MAX) {
    const message = `more than ${REPORT_ROWS_MAX} rows; choose fewer days or dimensions, or export it`;
    throw invalid({ field: 'group_by', code: 'too_many_rows', message });
  }
  const totals = sumCounts(
    rows.map((row) => row.counts),
    { requests: countsRequests(query.parts) },
  );
  return presentReport(
    { rows, totals, ...range, groupBy: [...query.groupBy], settledAt, endsAt },
    request.side,
  );
}

/** `GET /{things}/{id}/stats`: the report narrowed to one thing of the caller's (interface 4.5). */
export const statsRoute = <Side extends ReportSide>(
  deps: Pick<ConsoleDeps, 'db' | 'clock'>,
  {
    side,
    dimension,
    called,
    rule,
  }: { side: Side; dimension: keyof ReportFilter; called: string; rule: string },
): RequestHandler =>
  route(
    {
      summary: `Numbers of ${called}`,
      rule: `${rule}, 4.5`,
      query: yup.object(reportFields),
      answer: reportShapeOf(side) as yup.AnySchema,
    },
    async ({ id, query, caller }) =>
      await reportOf(deps, {
        side,
        ownerId: caller.id,
        params: paramsOf(query),
        filter: { [dimension]: id },
      }),
  );

/** A named report: the one report with a grouping of its own (interface 4.5, 4.11). */
export const presetRoute = <Side extends ReportSide, Query extends yup.AnyObjectSchema>(
  deps: Pick<ConsoleDeps, 'db' | 'clock'>,
  preset: {
    side: Side;
    defaultGroupBy: string;
    summary: string;
    rule: string;
    query: Query;
    filterOf: (query: yup.InferType<Query>) => ReportFilter;
  },
): RequestHandler =>
  route(
    {
      summary: preset.summary,
      rule: preset.rule,
      query: preset.query,
      answer: reportShapeOf(preset.side) as yup.AnySchema,
      refusals: ['not_found'],
    },
    async ({ query, caller }) =>
      await reportOf(deps, {
        side: preset.side,
        ownerId: caller.id,
        params: paramsOf(query),
        filter: preset.filterOf(query),
        defaultGroupBy: preset.defaultGroupBy,
      }),
  );

export { reportFields };
