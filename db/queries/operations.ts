import type { Json, TimelineEntry } from '../models/json.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** A long flow that a caller started, as its rows tell it (decisions 3). */
export interface OperationRow {
  id: number;
  kind: string;
  subjectType: string | null;
  subjectId: number | null;
  status: string;
  phase: string | null;
  progress: Json | null;
  result: Json | null;
  error: Json | null;
  timeline: TimelineEntry[];
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = `id, kind, subject_type AS "subjectType", subject_id AS "subjectId", status, phase,
  progress, result, error, timeline, created_at AS "createdAt", updated_at AS "updatedAt"`;

type Raw = { [Key in keyof OperationRow]: unknown };

const asOperation = (raw: Raw): OperationRow =>
  ({
    ...raw,
    id: Number(raw.id),
    subjectId: raw.subjectId === null ? null : Number(raw.subjectId),
  }) as OperationRow;

export async function findOperation(
  sql: SqlRunner,
  key: { id: number; accountId: number },
): Promise<OperationRow | undefined> {
  const { rows } = await sql.query<Raw>(
    `SELECT ${COLUMNS} FROM operations WHERE id = $1 AND account_id = $2`,
    [key.id, key.accountId],
  );
  return rows.map(asOperation)[0];
}

export async function listOperations(
  sql: SqlRunner,
  filter: { accountId: number; kind?: string | undefined; status?: string | undefined },
  window: { limit: number; offset: number },
): Promise<{ rows: OperationRow[]; total: number }> {
  const where = `account_id = $1 AND ($2::text IS NULL OR kind = $2) AND ($3::text IS NULL OR status = $3)`;
  const values = [filter.accountId, filter.kind ?? null, filter.status ?? null];
  const counted = await sql.query<{ total: string }>(
    `SELECT count(*) AS total FROM operations WHERE ${where}`,
    values,
  );
  const { rows } = await sql.query<Raw>(
    `SELECT ${COLUMNS} FROM operations WHERE ${where} ORDER BY id DESC LIMIT $4 OFFSET $5`,
    [...values, window.limit, window.offset],
  );
  return { rows: rows.map(asOperation), total: Number(counted.rows[0]?.total ?? 0) };
}
