import type { ReportAsk } from './report-sql.ts';
import type { ExportFormat } from '../../domain/report-text.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** A report that a flow writes to a file, or has written. */
export interface ExportRow {
  id: number;
  accountId: number;
  ask: ReportAsk;
  format: ExportFormat;
  fileName: string;
  status: 'WRITING' | 'READY' | 'FAILED' | 'EXPIRED';
  file: string | null;
  expiresAt: Date | null;
}

/** JSON has no dates: those of the parts are texts in the row. */
type StoredAsk = Omit<ReportAsk, 'parts'> & {
  parts: { source: ReportAsk['parts'][number]['source']; from: string; to: string }[];
};

interface Raw {
  id: string;
  account_id: string;
  ask: StoredAsk;
  format: ExportFormat;
  file_name: string;
  status: ExportRow['status'];
  file: string | null;
  expires_at: Date | null;
}

const asExport = (raw: Raw): ExportRow => ({
  id: Number(raw.id),
  accountId: Number(raw.account_id),
  ask: {
    ...raw.ask,
    parts: raw.ask.parts.map(({ source, from, to }) => ({
      source,
      from: new Date(from),
      to: new Date(to),
    })),
  },
  format: raw.format,
  fileName: raw.file_name,
  status: raw.status,
  file: raw.file,
  expiresAt: raw.expires_at,
});

const COLUMNS = 'id, account_id, ask, format, file_name, status, file, expires_at';

export async function findExport(sql: SqlRunner, id: number): Promise<ExportRow | undefined> {
  const { rows } = await sql.query<Raw>(`SELECT ${COLUMNS} FROM report_exports WHERE id = $1`, [
    id,
  ]);
  return rows.map(asExport)[0];
}

/** A file that its owner may load now. Undefined: none, another's, not written, or expired. */
export async function findReadyExport(
  sql: SqlRunner,
  key: { id: number; accountId: number; now: Date },
): Promise<ExportRow | undefined> {
  const { rows } = await sql.query<Raw>(
    `SELECT ${COLUMNS} FROM report_exports
     WHERE id = $1 AND account_id = $2 AND status = 'READY' AND expires_at > $3`,
    [key.id, key.accountId, key.now.toISOString()],
  );
  return rows.map(asExport)[0];
}
