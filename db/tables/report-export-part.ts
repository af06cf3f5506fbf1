import { json, ref, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** Lines of an export that lie written, until all of them are put together. */
export const reportExportParts = table('report_export_parts', {
  exportId: ref(),
  part: whole(),
  file: text(),
  lines: whole(),
  /** Keys of its last line: what follows is asked for behind them. */
  lastKeys: json<(string | null)[]>(),
  createdAt: time().byDefault(),
});
export type ReportExportPartRow = Row<typeof reportExportParts>;
