import { inTransaction, runner } from '../../db/postgres.ts';
import type { PersonKey } from '../../db/queries/accounts.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';

export interface OperatorLogin {
  /** operators.id */
  id: number;
  /** Why it was refused; null when it was not. */
  refused: 'bad_credentials' | 'account_suspended' | null;
  requestId: string;
}

export interface Logout {
  tokenId: string;
  expiresAt: Date;
  /** Null for an account, whose logout nobody audits. */
  operatorId: number | null;
  requestId: string;
}

export function createSessionActivities({ db, clock }: Pick<ActivityDeps, 'db' | 'clock'>) {
  return {
    /** Every try with an operator's name is in the audit log; names that nobody has are not. */
    async recordOperatorLogin({ id, refused, requestId }: OperatorLogin): Promise<void> {
      await inTransaction(db, async (tx) => {
        await recordAudit(db, tx, {
          // Whoever was refused may be anybody.
          actor: refused === null ? { type: 'OPERATOR', id } : { type: 'SYSTEM', id: null },
          action: refused === null ? 'operator.login' : 'operator.login_refused',
          subject: { type: 'operator', id },
          detail: refused === null ? {} : { refused },
          requestId,
        });
      });
    },

    /** When somebody of an account last came in; operators' logins are in the audit log. */
    async recordLogin({ kind, id, memberId }: PersonKey): Promise<void> {
      if (kind === 'OPERATOR') return;
      const isOwner = memberId === undefined || memberId === null;
      await runner(db).query(
        isOwner
          ? 'UPDATE accounts SET last_login_at = $1 WHERE kind = $2 AND id = $3'
          : 'UPDATE members SET last_login_at = $1 WHERE kind = $2 AND account_id = $3 AND id = $4',
        [clock(), kind, id, ...(isOwner ? [] : [memberId])],
      );
    },

    /** Revokes one token until it would have expired anyway. Twice is harmless. */
    async recordLogout({ tokenId, expiresAt, operatorId, requestId }: Logout): Promise<void> {
      await inTransaction(db, async (tx) => {
        const { rows } = await runner(db, tx).query(
          `INSERT INTO revoked_tokens (jti, expires_at) VALUES ($1, $2)
           ON CONFLICT (jti) DO NOTHING RETURNING jti`,
          [tokenId, expiresAt],
        );
        if (operatorId === null || rows.length === 0) return;
        await recordAudit(db, tx, {
          actor: { type: 'OPERATOR', id: operatorId },
          action: 'operator.logout',
          subject: { type: 'operator', id: operatorId },
          requestId,
        });
      });
    },
  };
}
