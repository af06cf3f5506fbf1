import { createHash, randomBytes } from 'node:crypto';
import { inTransaction, runner } from '../../db/postgres.ts';
import type { AccountKind } from '../../db/queries/accounts.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { accounts } from '../../db/tables/account.ts';
import { requireStrongPassword } from '../../domain/accounts.ts';
import { type DomainError, invalid } from '../../domain/errors.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { queueMail } from './mails.ts';
import type { Passwords } from './passwords.ts';

const TOKEN_BYTES = 32;
const TOKEN_LIVES_MS = 3_600_000;

export interface ForgottenPassword {
  kind: AccountKind;
  email: string;
}

export interface ResetPassword {
  kind: AccountKind;
  /** As the letter has it. */
  token: string;
  newPassword: string;
  requestId: string;
}

const OWNER = select(columnsOf(accounts, 'a', ['id', 'email', 'username']));

/** 256 bits of randomness need no slow hash: nobody guesses them from it. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The password was set: letters that are still on their way, or unread, open nothing any more. */
export async function endPasswordResets(sql: SqlRunner, accountId: number): Promise<void> {
  await sql.query(
    `UPDATE password_resets SET ended_at = now()
     WHERE account_id = $1 AND ended_at IS NULL RETURNING id`,
    [accountId],
  );
}

export function createPasswordResetActivities(deps: ActivityDeps, passwords: Passwords) {
  return {
    /**
     * Writes a token that works once, for an hour, and the letter that carries it. Does nothing for
     * an address that no active account of this kind has, and does not say so.
     */
    async requestPasswordReset({ kind, email }: ForgottenPassword): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const account = await readRow(
          runner(deps.db, tx),
          OWNER,
          `SELECT ${OWNER.list} FROM accounts a
           WHERE kind = $1 AND lower(email) = lower($2) AND status = 'ACTIVE'`,
          [kind, email],
        );
        if (account === undefined) return;
        const accountId = account.id;
        const token = randomBytes(TOKEN_BYTES).toString('base64url');
        const expiresAt = new Date(deps.clock().getTime() + TOKEN_LIVES_MS);
        await deps.db.models.passwordResets.create(
          { accountId, tokenHash: hashOf(token), expiresAt },
          { transaction: tx },
        );
        await queueMail(deps, tx, { kind: 'password_reset', accountId, detail: token, expiresAt });
      });
    },

    /**
     * Uses the token up, sets the password and ends every session. Raises validation_failed on
     * `token` when it is unknown, of another realm, used or too old, without saying which.
     */
    async resetPassword(input: ResetPassword): Promise<void> {
      const { kind, token, newPassword, requestId } = input;
      const owner = await findOwner(runner(deps.db), { kind, token, now: deps.clock() });
      if (owner === undefined) throw badToken();
      requireStrongPassword('new_password', newPassword, owner);
      // Outside the transaction: it takes long on purpose.
      const passwordHash = await passwords.hash(newPassword);
      await inTransaction(deps.db, async (tx) => {
        const sql = runner(deps.db, tx);
        // The row that says whether it was used is locked by its own update: of two, one wins.
        const { rows } = await sql.query(
          `UPDATE password_resets SET ended_at = now()
           WHERE token_hash = $1 AND ended_at IS NULL AND expires_at > $2 RETURNING id`,
          [hashOf(token), deps.clock()],
        );
        if (rows.length === 0) throw badToken();
        const account = await deps.db.models.accounts.findByPk(owner.id, {
          transaction: tx,
          lock: tx.LOCK.UPDATE,
          rejectOnEmpty: true,
        });
        const tokenVersion = account.tokenVersion + 1;
        await account.update({ passwordHash, tokenVersion }, { transaction: tx });
        await endPasswordResets(sql, owner.id);
        await recordAudit(deps.db, tx, {
          actor: { type: 'ACCOUNT', id: owner.id },
          action: 'password.reset',
          subject: { type: kind.toLowerCase(), id: owner.id },
          requestId,
        });
      });
    },
  };
}

async function findOwner(
  sql: SqlRunner,
  { kind, token, now }: { kind: AccountKind; token: string; now: Date },
): Promise<RowOf<typeof OWNER> | undefined> {
  return await readRow(
    sql,
    OWNER,
    `SELECT ${OWNER.list} FROM password_resets r JOIN accounts a ON a.id = r.account_id
     WHERE r.token_hash = $1 AND r.ended_at IS NULL AND r.expires_at > $2 AND a.kind = $3`,
    [hashOf(token), now, kind],
  );
}

const badToken = (): DomainError =>
  invalid({ field: 'token', code: 'not_valid', message: 'is used, too old, or not ours' });
