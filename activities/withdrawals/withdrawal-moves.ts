import type { Transaction } from 'sequelize';
import type { ReviewReason } from '../../db/tables/json.ts';
import { runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { type Move, moveRows, NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import { tasks } from '../../db/tables/task.ts';
import type { withdrawals } from '../../db/tables/withdrawal.ts';
import { notFound } from '../../domain/errors.ts';
import { withdrawalPosted, withdrawalVoided } from '../../domain/ledger/payout-postings.ts';
import type { WithdrawalAction } from '../../domain/lifecycle/withdrawal.ts';
import { presentAmount } from '../../domain/money.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import { notify } from '../accounts/notifications.ts';
import { postEntries } from '../core/ledger.ts';
import { recordOwn, statusChange } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import { type OperationReport, reportOperation } from '../core/operations.ts';
import type { ActivityDeps } from '../deps.ts';

/** Its `status` follows the moves made of it. */
export type LockedWithdrawal = RecordOf<'withdrawals'>;

/** A publisher's requests and changes of bank cards wait in a line behind this lock. */
export async function lockPublisher(
  deps: ActivityDeps,
  tx: Transaction,
  publisherId: number,
): Promise<RecordOf<'accounts'>> {
  const publisher = await deps.db.models.accounts.findOne({
    where: { id: publisherId, kind: 'PUBLISHER' },
    transaction: tx,
    lock: tx.LOCK.NO_KEY_UPDATE,
  });
  if (publisher === null) throw notFound();
  return publisher;
}

/**
 * The row's lock puts cancels, decisions, payouts and their outcomes in a line; it is taken before
 * any task's. Raises not_found, also for another publisher's when one is given.
 */
export async function lockWithdrawal(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawalId: id, publisherId }: { withdrawalId: number; publisherId?: number },
): Promise<LockedWithdrawal> {
  const withdrawal = await deps.db.models.withdrawals.findOne({
    where: publisherId === undefined ? { id } : { id, publisherId },
    transaction: tx,
    lock: tx.LOCK.NO_KEY_UPDATE,
  });
  if (withdrawal === null) throw notFound();
  return withdrawal;
}

const TOLD: Readonly<Partial<Record<WithdrawalAction, NotificationKind>>> = {
  flag_risk: 'withdrawal_held',
  approve: 'withdrawal_approved',
  begin: 'withdrawal_begun',
  pay: 'withdrawal_sent',
  reject: 'withdrawal_failed',
  fail: 'withdrawal_failed',
  return: 'withdrawal_failed',
  cancel: 'withdrawal_cancelled',
};

/** Tells its owner, with the account that is paid masked; in the transaction of what happened. */
export async function tellOfWithdrawal(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  kind: NotificationKind,
): Promise<void> {
  const { id, accountMasked, notBefore, status } = withdrawal;
  await notify(deps, tx, {
    accountId: withdrawal.publisherId,
    kind,
    subject: { type: 'withdrawal', id },
    params: {
      amount: presentAmount(withdrawal.amountNanos),
      arrival: presentAmount(withdrawal.arrivalNanos),
      currency: withdrawal.currency,
      status,
      reasons: withdrawal.reasons,
      ...(accountMasked === null ? {} : { destination: accountMasked }),
      ...(status !== 'APPROVED' || notBefore === null ? {} : { until: notBefore.toISOString() }),
    },
  });
}

/** Moves it, and writes the columns that are named beside the action. Raises state_conflict for an illegal move. */
export async function moveWithdrawal(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  { action, ...set }: { action: WithdrawalAction } & Move<typeof withdrawals, 'status'>['set'],
): Promise<void> {
  const before = withdrawal.status;
  await moveRecord(deps.db, tx, 'withdrawals', {
    record: withdrawal,
    state: 'status',
    action,
    set: { ...set, version: NEXT_VERSION, updatedAt: deps.clock() },
  });
  // Its owner's own move is written down by who makes it, with the request's id.
  if (action !== 'cancel') {
    await recordOwn(deps.db, tx, {
      accountId: withdrawal.publisherId,
      by: { operatorId: null },
      action: `withdrawal.${action}`,
      subject: { type: 'withdrawal', id: withdrawal.id },
      changes: statusChange(before, withdrawal.status),
    });
  }
  const kind = TOLD[action];
  if (kind !== undefined) await tellOfWithdrawal(deps, tx, withdrawal, kind);
}

/** Paid: what was held leaves for the publisher's account, the fee and the tax with it. */
export async function postWithdrawal(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  providerReference: string | null,
): Promise<void> {
  await moveWithdrawal(deps, tx, withdrawal, {
    action: 'pay',
    paidAt: deps.clock(),
    providerReference: providerReference ?? undefined,
  });
  await postEntries(deps.db, tx, withdrawalPosted(withdrawal));
  await endFlow(deps, tx, withdrawal, {
    status: 'succeeded',
    phase: 'paid',
    result: { withdrawal_id: withdrawal.id, status: withdrawal.status },
  });
}

export interface VoidedWithdrawal {
  action: 'cancel' | 'reject' | 'fail';
  /** Shown to the publisher. */
  reasons?: ReviewReason[];
  report: OperationReport;
}

/** Ended without being paid: all of the hold is the publisher's to withdraw again. */
export async function voidWithdrawal(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  { action, reasons, report }: VoidedWithdrawal,
): Promise<void> {
  await moveWithdrawal(deps, tx, withdrawal, { action, reasons });
  await postEntries(deps.db, tx, withdrawalVoided(withdrawal));
  await endFlow(deps, tx, withdrawal, report);
}

/** Its open questions have no answer any more. */
async function endFlow(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  report: OperationReport,
): Promise<void> {
  const workflowId = withdrawalWorkflowId(withdrawal.id);
  await moveRows(runner(deps.db, tx), tasks, {
    state: 'status',
    action: 'void',
    where: { workflowId },
    set: { decidedAt: NOW },
  });
  await reportOperation(deps, tx, workflowId, report);
}
