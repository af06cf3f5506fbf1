import type { ReportQuery } from '../../domain/report.ts';
import { columnsOf, readRow, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { type ReportExportRow, reportExports } from '../tables/report-export.ts';

/** A report that a flow writes to a file, or has written. */
export type ReportExport = Omit<ReportExportRow, 'query'> & { query: ReportQuery };

const EXPORT = select(columnsOf(reportExports, 'e'));

/** JSON has no dates: those of the parts are texts in the row. */
function exportOf(row: ReportExportRow | undefined): ReportExport | undefined {
  if (row === undefined) return undefined;
  const parts = row.query.parts.map(({ source, from, to }) => ({
    source,
    from: new Date(from),
    to: new Date(to),
  }));
  return { ...row, query: { ...row.query, parts } };
}

export async function findExport(sql: SqlRunner, id: number): Promise<ReportExport | undefined> {
  const statement = `SELECT ${EXPORT.list} FROM report_exports e WHERE e.id = $1`;
  return exportOf(await readRow(sql, EXPORT, statement, [id]));
}

/** A file that its owner may load now. Undefined: none, another's, not written, or expired. */
export async function findReadyExport(
  sql: SqlRunner,
  key: { id: number; accountId: number; now: Date },
): Promise<ReportExport | undefined> {
  const statement = `SELECT ${EXPORT.list} FROM report_exports e
    WHERE e.id = $1 AND e.account_id = $2 AND e.status = 'READY' AND e.expires_at > $3`;
  return exportOf(
    await readRow(sql, EXPORT, statement, [key.id, key.accountId, key.now.toISOString()]),
  );
}
