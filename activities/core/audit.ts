import type { Transaction } from 'sequelize';
import { type Db, runner } from '../../db/postgres.ts';

export interface AuditRecord {
  /** Null id for the system itself. */
  actor: { type: 'OPERATOR' | 'ACCOUNT' | 'SYSTEM'; id: number | null };
  /** `noun.verb`, such as `advertiser.suspend`. */
  action: string;
  subject: { type: string; id: number | null };
  /** What changed; never a password, token or full account number. */
  detail?: Record<string, unknown> | undefined;
  requestId?: string | undefined;
}

/** One row of the append-only audit log, in the transaction of the write that it records. */
export async function recordAudit(db: Db, tx: Transaction, entry: AuditRecord): Promise<void> {
  await runner(db, tx).query(
    `INSERT INTO audit_log (actor_type, actor_id, action, subject_type, subject_id, detail, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      entry.actor.type,
      entry.actor.id,
      entry.action,
      entry.subject.type,
      entry.subject.id,
      JSON.stringify(entry.detail ?? {}),
      entry.requestId ?? null,
    ],
  );
}
