import type { ReportRequest } from '../../activities/reports/report-plan.ts';
import { day, text } from '../http/fields.ts';

/** Query parameters that every report, every stats route and every export takes. */
export const reportFields = {
  start_date: day(),
  end_date: day(),
  group_by: text(100).meta({ kind: 'word' }),
  timezone: text(64).meta({ kind: 'word' }),
};

/** Of a report or export, but not of one thing's numbers. */
export const onlyField = { ids: text(2_000).meta({ kind: 'word' }) };

/** The question as it is planned. */
export const paramsOf = (query: {
  start_date?: string | undefined;
  end_date?: string | undefined;
  group_by?: string | undefined;
  timezone?: string | undefined;
  ids?: string | undefined;
}): ReportRequest['params'] => ({
  startDate: query.start_date,
  endDate: query.end_date,
  groupBy: query.group_by,
  timezone: query.timezone,
  ids: query.ids,
});
