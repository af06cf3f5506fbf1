import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

export interface AuditRow {
  id: number;
  actorType: 'OPERATOR' | 'ACCOUNT' | 'SYSTEM';
  actorId: number | null;
  /** Username of the actor, when it still exists. */
  actorName: string | null;
  action: string;
  subjectType: string;
  subjectId: number | null;
  detail: Record<string, unknown>;
  requestId: string | null;
  createdAt: Date;
}

export interface AuditFilter {
  actorId?: number | undefined;
  action?: string | undefined;
  subjectType?: string | undefined;
  subjectId?: number | undefined;
  /** Rows before this id: how a reader goes on without being moved by new rows. */
  before?: number | undefined;
  limit: number;
  offset: number;
}

interface StoredAudit extends Omit<AuditRow, 'id' | 'actorId' | 'subjectId'> {
  id: string;
  actorId: string | null;
  subjectId: string | null;
}

const FILTER = `($1::bigint IS NULL OR l.actor_id = $1) AND ($2::text IS NULL OR l.action = $2)
  AND ($3::text IS NULL OR l.subject_type = $3) AND ($4::bigint IS NULL OR l.subject_id = $4)
  AND ($5::bigint IS NULL OR l.id < $5)`;

/** Newest first. */
export async function listAudit(
  sql: SqlRunner,
  filter: AuditFilter,
): Promise<{ items: AuditRow[]; total: number }> {
  const bound = [
    filter.actorId ?? null,
    filter.action ?? null,
    filter.subjectType ?? null,
    filter.subjectId ?? null,
    filter.before ?? null,
  ];
  const { rows } = await sql.query<StoredAudit>(
    `SELECT l.id, l.actor_type AS "actorType", l.actor_id AS "actorId", l.action,
            l.subject_type AS "subjectType", l.subject_id AS "subjectId", l.detail,
            l.request_id AS "requestId", l.created_at AS "createdAt",
            COALESCE(o.username, a.username) AS "actorName"
     FROM (SELECT * FROM audit_log l WHERE ${FILTER} ORDER BY l.id DESC LIMIT $6 OFFSET $7) l
     LEFT JOIN operators o ON l.actor_type = 'OPERATOR' AND o.id = l.actor_id
     LEFT JOIN accounts a ON l.actor_type = 'ACCOUNT' AND a.id = l.actor_id
     ORDER BY l.id DESC`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    { text: `SELECT count(*) AS total FROM audit_log l WHERE ${FILTER}`, values: bound },
  );
  return {
    items: rows.map((row) => ({
      ...row,
      id: Number(row.id),
      actorId: row.actorId === null ? null : Number(row.actorId),
      subjectId: row.subjectId === null ? null : Number(row.subjectId),
    })),
    total,
  };
}
