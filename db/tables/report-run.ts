import { day, id, ref, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const reportRuns = table('report_runs', {
  id: id(),
  scheduleId: ref(),
  dueAt: time(),
  startDate: day(),
  endDate: day(),
  exportId: ref().orNull(),
  sentAt: time().orNull(),
  /** A token of domain/errors.ts, or why nobody was written to. */
  failure: text().orNull(),
  createdAt: time().byDefault(),
});
export type ReportRunRow = Row<typeof reportRuns>;
