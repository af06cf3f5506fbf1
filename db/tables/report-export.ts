import { reportExportLifecycle } from '../../domain/lifecycle/report-export.ts';
import { EXPORT_FORMATS } from '../../domain/report-text.ts';
import { id, json, ref, state, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { StoredReportQuery } from './json.ts';

export const reportExports = table('report_exports', {
  id: id(),
  accountId: ref(),
  query: json<StoredReportQuery>().named('ask'),
  /** Of the query and the format: one export of an account is under way for each. */
  queryHash: text().named('ask_hash'),
  format: word(EXPORT_FORMATS),
  fileName: text(),
  status: state(reportExportLifecycle).byDefault(),
  operationId: ref().orNull(),
  file: text().orNull(),
  bytes: ref().orNull(),
  rows: ref().orNull(),
  expiresAt: time().orNull(),
  createdAt: time().byDefault(),
  /** When its first attempt found the two below. */
  begunAt: time().orNull(),
  /** Until when events are settled, as every line of the file says; null: not known. */
  settledAt: time().orNull(),
  /** Counted before the first line; null: not counted. */
  linesExpected: ref().orNull(),
});
export type ReportExportRow = Row<typeof reportExports>;
