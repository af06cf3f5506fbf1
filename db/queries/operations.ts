import type { OperationStatus } from '../../domain/lifecycle/operation.ts';
import type { Json, TimelineEntry } from '../tables/json.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

/** A long flow that a caller started, as its rows stand (interface 5.3). */
export interface OperationRow {
  id: number;
  /** Null for the platform's own. */
  accountId: number | null;
  kind: string;
  subjectType: string | null;
  subjectId: number | null;
  workflowId: string;
  status: OperationStatus;
  phase: string | null;
  progress: Json | null;
  result: Json | null;
  error: Json | null;
  timeline: TimelineEntry[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** `accountId` null: an operator, who sees every account's. */
export interface OperationScope {
  accountId: number | null;
}

const COLUMNS = `id, account_id AS "accountId", kind, subject_type AS "subjectType",
  subject_id AS "subjectId", workflow_id AS "workflowId", status, phase, progress, result, error,
  timeline, version, created_at AS "createdAt", updated_at AS "updatedAt"`;

type Raw = { [Key in keyof OperationRow]: unknown };

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

const asOperation = (raw: Raw): OperationRow =>
  ({
    ...raw,
    id: Number(raw.id),
    accountId: numberOrNull(raw.accountId),
    subjectId: numberOrNull(raw.subjectId),
  }) as OperationRow;

/** Undefined: there is none, or it is another account's. */
export async function findOperation(
  sql: SqlRunner,
  key: OperationScope & { id: number },
): Promise<OperationRow | undefined> {
  const { rows } = await sql.query<Raw>(
    `SELECT ${COLUMNS} FROM operations
     WHERE id = $1 AND ($2::bigint IS NULL OR account_id = $2)`,
    [key.id, key.accountId],
  );
  return rows.map(asOperation)[0];
}

/** Newest first. */
export async function listOperations(
  sql: SqlRunner,
  filter: OperationScope & { kind?: string | undefined; status?: string | undefined },
  window: { limit: number; offset: number },
): Promise<{ rows: OperationRow[]; total: number }> {
  const values: unknown[] = [];
  const where = ['TRUE'];
  for (const [column, value] of [
    ['account_id', filter.accountId],
    ['kind', filter.kind],
    ['status', filter.status],
  ] as const) {
    if (value === undefined || value === null) continue;
    values.push(value);
    where.push(`${column} = $${values.length}`);
  }
  const condition = where.join(' AND ');
  const { rows } = await sql.query<Raw>(
    `SELECT ${COLUMNS} FROM operations WHERE ${condition} ORDER BY id DESC
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, window.limit, window.offset],
  );
  const total = await totalOf(
    sql,
    { ...window, rows: rows.length },
    { text: `SELECT count(*) AS total FROM operations WHERE ${condition}`, values: values },
  );
  return { rows: rows.map(asOperation), total };
}

/** The present version of each, by primary key; ids that are gone are missing. */
export async function operationVersions(
  sql: SqlRunner,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql.query<{ id: string; version: number }>(
    'SELECT id, version FROM operations WHERE id = ANY($1::bigint[])',
    [ids],
  );
  return new Map(rows.map(({ id, version }) => [Number(id), version]));
}
