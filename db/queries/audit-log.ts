import { text } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import { auditLog } from '../tables/audit-entry.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

const ENTRY = select({
  ...columnsOf(auditLog, 'l'),
  /** Username of the actor, when it still exists. */
  actorName: text().orNull().of('COALESCE(o.username, a.username)'),
  memberName: text().orNull().of('m.name'),
  memberEmail: text().orNull().of('m.email'),
});
export type AuditEntry = RowOf<typeof ENTRY>;

export interface AuditFilter {
  actorId?: number | undefined;
  action?: string | undefined;
  subjectType?: string | undefined;
  subjectId?: number | undefined;
  /** What this account did, and what was done about it. */
  ofAccount?: { id: number; noun: 'advertiser' | 'publisher' } | undefined;
  /** Rows before this id: how a reader goes on without being moved by new rows. */
  before?: number | undefined;
  limit: number;
  offset: number;
}

const FILTER = `($1::bigint IS NULL OR l.actor_id = $1) AND ($2::text IS NULL OR l.action = $2)
  AND ($3::text IS NULL OR l.subject_type = $3) AND ($4::bigint IS NULL OR l.subject_id = $4)
  AND ($5::bigint IS NULL OR l.id < $5)
  AND ($6::bigint IS NULL OR (l.actor_type = 'ACCOUNT' AND l.actor_id = $6)
    OR (l.subject_type = $7::text AND l.subject_id = $6) OR (l.subject_type = 'approval' AND l.account_id = $6))`;

/** Newest first. */
export async function listAudit(
  sql: SqlRunner,
  filter: AuditFilter,
): Promise<{ items: AuditEntry[]; total: number }> {
  const bound = [
    filter.actorId ?? null,
    filter.action ?? null,
    filter.subjectType ?? null,
    filter.subjectId ?? null,
    filter.before ?? null,
    filter.ofAccount?.id ?? null,
    filter.ofAccount?.noun ?? null,
  ];
  const items = await readRows(
    sql,
    ENTRY,
    `SELECT ${ENTRY.list}
     FROM (SELECT * FROM audit_log l WHERE ${FILTER} ORDER BY l.id DESC LIMIT $8 OFFSET $9) l
     LEFT JOIN operators o ON l.actor_type = 'OPERATOR' AND o.id = l.actor_id
     LEFT JOIN accounts a ON l.actor_type = 'ACCOUNT' AND a.id = l.actor_id
     LEFT JOIN members m ON l.actor_type = 'ACCOUNT' AND m.id = l.member_id
     ORDER BY l.id DESC`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM audit_log l WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}
