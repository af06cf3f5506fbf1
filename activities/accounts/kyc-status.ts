import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { readKycStatus } from '../../db/queries/kyc.ts';
import { moveRows, moveSql, NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import { type AccountRow, accounts } from '../../db/tables/account.ts';
import { kycApplications } from '../../db/tables/kyc-application.ts';
import { conflict } from '../../domain/errors.ts';
import type { kycLifecycle } from '../../domain/lifecycle/kyc.ts';
import { recordOwn } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';
import type { MailKind } from './mail-letters.ts';
import { queueMail } from './mails.ts';
import { notify } from './notifications.ts';

const LETTER_LIVES_MS = 7 * 86_400_000;
/** Per transaction; the next round of upkeep takes the rest. */
const EXPIRED_AT_ONCE_MAX = 500;

const EXPIRED = select(columnsOf(kycApplications, 'kyc_applications', ['accountId']));

/** News of the verification; a week later the console has shown it anyway. */
export async function queueKycLetter(
  deps: ActivityDeps,
  tx: Transaction,
  accountId: number,
  kind: MailKind,
): Promise<void> {
  const expiresAt = new Date(deps.clock().getTime() + LETTER_LIVES_MS);
  await queueMail(deps, tx, { kind, accountId, expiresAt });
}

/** The caller holds the account, or the only task that may move it. Raises state_conflict with the status. */
export async function moveKycStatus(
  deps: ActivityDeps,
  tx: Transaction,
  move: { accountId: number; action: keyof (typeof kycLifecycle)['moves'] },
): Promise<void> {
  const { accountId, action } = move;
  const sql = runner(deps.db, tx);
  const where = { id: accountId };
  const set = { version: NEXT_VERSION, updatedAt: NOW };
  const moved = await moveRows(sql, accounts, { state: 'kycStatus', action, where, set });
  const [account] = moved;
  if (account !== undefined) {
    await recordOwn(deps.db, tx, {
      accountId,
      ...(action === 'submit' ? {} : { by: { operatorId: null } }),
      action: `kyc.${action}`,
      subject: { type: account.kind.toLowerCase(), id: accountId },
    });
    await notifyKyc(deps, tx, account);
    return;
  }
  const status = await readKycStatus(sql, accountId);
  throw conflict(`Not possible while the verification is ${status}.`, { kyc_status: status });
}

const DECISIONS = { approved: 'approved', rejected: 'rejected' } as const;

/** What somebody decided, or time did; a submission is the owner's own. */
async function notifyKyc(
  deps: ActivityDeps,
  tx: Transaction,
  { id, kind, kycStatus: status }: Pick<AccountRow, 'id' | 'kind' | 'kycStatus'>,
): Promise<void> {
  if (status === 'pending' || status === 'none') return;
  const decision = status === 'expired' ? {} : { decision: DECISIONS[status] };
  const subject = { type: kind.toLowerCase(), id };
  await notify(deps, tx, {
    accountId: id,
    kind: 'kyc_decided',
    subject,
    params: { status, ...decision },
  });
}

/** Approvals whose time is over; harmless twice. Answers how many ended. */
export async function expireKyc(deps: ActivityDeps): Promise<number> {
  return await inTransaction(deps.db, async (tx) => await expireDue(deps, tx));
}

async function expireDue(deps: ActivityDeps, tx: Transaction): Promise<number> {
  const { set, only } = moveSql(kycApplications, 'status', 'expire');
  const expired = await readRows(
    runner(deps.db, tx),
    EXPIRED,
    `UPDATE kyc_applications SET ${set}
     WHERE id IN (SELECT id FROM kyc_applications WHERE ${only} AND expires_at <= $1
                  ORDER BY expires_at LIMIT ${EXPIRED_AT_ONCE_MAX} FOR UPDATE SKIP LOCKED)
     RETURNING ${EXPIRED.list}`,
    [deps.clock()],
  );
  for (const { accountId } of expired) {
    await moveKycStatus(deps, tx, { accountId, action: 'expire' });
    await queueKycLetter(deps, tx, accountId, 'kyc_expired');
  }
  return expired.length;
}
