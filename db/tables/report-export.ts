import { reportExportLifecycle } from '../../domain/lifecycle/report-export.ts';
import { EXPORT_FORMATS } from '../../domain/report-text.ts';
import { id, json, ref, state, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const reportExports = table('report_exports', {
  id: id(),
  accountId: ref(),
  ask: json<object>(),
  askHash: text(),
  format: word(EXPORT_FORMATS),
  fileName: text(),
  status: state(reportExportLifecycle).byDefault(),
  operationId: ref().orNull(),
  file: text().orNull(),
  bytes: ref().orNull(),
  rows: ref().orNull(),
  expiresAt: time().orNull(),
  createdAt: time().byDefault(),
});
export type ReportExportRow = Row<typeof reportExports>;
