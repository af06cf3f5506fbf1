import type { Transaction } from 'sequelize';
import { actingMember } from '../../db/acting-member.ts';
import type { Db } from '../../db/postgres.ts';
import type { AuditEntryRow } from '../../db/tables/audit-entry.ts';

export interface AuditRecord {
  /**
   * Null id for the system itself. `memberId` says who of the account when it was not its owner;
   * left out, it is whoever asks.
   */
  actor: {
    type: AuditEntryRow['actorType'];
    id: number | null;
    memberId?: number | null | undefined;
  };
  /** `noun.verb`, such as `advertiser.suspend`. */
  action: string;
  subject: { type: string; id: number | null };
  /** What changed; never a password, token or full account number. */
  detail?: AuditEntryRow['detail'] | undefined;
  requestId?: string | undefined;
  /** Whose history it belongs to; the actor's own when the account itself acted. */
  accountId?: number | undefined;
}

/** One row of the append-only audit log, in the transaction of the write that it records. */
export async function recordAudit(db: Db, tx: Transaction, entry: AuditRecord): Promise<void> {
  await db.models.auditLog.create(
    {
      actorType: entry.actor.type,
      actorId: entry.actor.id,
      memberId: memberOf(entry.actor),
      action: entry.action,
      subjectType: entry.subject.type,
      subjectId: entry.subject.id,
      detail: entry.detail ?? {},
      requestId: entry.requestId ?? null,
      accountId: entry.accountId ?? (entry.actor.type === 'ACCOUNT' ? entry.actor.id : null),
    },
    { transaction: tx },
  );
}

function memberOf({ type, memberId }: AuditRecord['actor']): number | null {
  if (memberId !== undefined) return memberId;
  return type === 'ACCOUNT' ? (actingMember.getStore() ?? null) : null;
}
