import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { readKycStatus } from '../../db/queries/kyc.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRows, NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import { accounts } from '../../db/tables/account.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { kycLifecycle } from '../../domain/lifecycle/kyc.ts';
import type { NotificationKind, NotificationParams } from '../../domain/notifications.ts';
import { recordOwn } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';
import { notify } from './notifications.ts';

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
    return;
  }
  const status = await readKycStatus(sql, accountId);
  throw conflict(`Not possible while the verification is ${status}.`, { kyc_status: status });
}

/** Tells its owner how a proof of identity stands, in the transaction of what happened. */
export async function tellOfKyc(
  deps: ActivityDeps,
  tx: Transaction,
  { id, accountId }: { id: number; accountId: number },
  news: { kind: NotificationKind; params?: NotificationParams; dedupeKey?: string },
): Promise<void> {
  await notify(deps, tx, { accountId, subject: { type: 'kyc', id }, params: {}, ...news });
}

/** Held before any of its rounds: whoever submits, decides or ends one waits in a line. Raises not_found. */
export async function lockAccount(
  { db }: ActivityDeps,
  tx: Transaction,
  accountId: number,
): Promise<RecordOf<'accounts'>> {
  const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
  const account = await db.models.accounts.findByPk(accountId, lock);
  if (account === null) throw notFound();
  return account;
}
