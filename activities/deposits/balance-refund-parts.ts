import type { Transaction } from 'sequelize';
import type { RecordOf } from '../../db/schema/models.ts';
import { notFound } from '../../domain/errors.ts';
import { balanceRefundReleased, balanceRefundSent } from '../../domain/ledger/refund-postings.ts';
import type { balanceRefundLifecycle } from '../../domain/lifecycle/balance-refund.ts';
import { presentAmount } from '../../domain/money.ts';
import { forgetLowBalance, notify } from '../accounts/notifications.ts';
import type { ActivityDeps } from '../deps.ts';
import { recordOwn, statusChange } from '../core/history.ts';
import { PLATFORM_CURRENCY, postEntries } from '../core/ledger.ts';
import { moveRecord } from '../core/move-record.ts';
import { publishInventory } from '../core/outbox.ts';
import { moveRefund } from './deposit-refund-rows.ts';

type Refund = RecordOf<'depositRefunds'>;
export type BalanceRefund = RecordOf<'balanceRefunds'>;

/** Puts what is decided of one request, and the ends of its parts, in a line. */
export async function lockRequest(
  deps: ActivityDeps,
  tx: Transaction,
  id: number,
): Promise<BalanceRefund> {
  const request = await deps.db.models.balanceRefunds.findByPk(id, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (request === null) throw notFound();
  return request;
}

/** A part of which the provider, or a person, has said that it was sent; its row says so already. */
export async function partSent(
  deps: ActivityDeps,
  tx: Transaction,
  { refund, receipt }: { refund: Refund; receipt: RecordOf<'depositReceipts'> },
  operatorId: number | null,
): Promise<void> {
  const request = await lockRequest(deps, tx, Number(refund.balanceRefundId));
  const part = { ...partOf(request, refund), provider: receipt.provider };
  await postEntries(deps.db, tx, balanceRefundSent(part));
  await endWithItsLast(deps, tx, request, operatorId);
}

/** A part that is not sent: it is its advertiser's to spend again. */
export async function partReleased(
  deps: ActivityDeps,
  tx: Transaction,
  refund: Refund,
  operatorId: number | null = null,
): Promise<void> {
  const request = await lockRequest(deps, tx, Number(refund.balanceRefundId));
  await moveRefund(deps, tx, { record: refund, action: 'release' });
  await postEntries(deps.db, tx, balanceRefundReleased(partOf(request, refund)));
  await forgetLowBalance(deps, tx, request.advertiserId);
  await publishInventory(deps.outbox, tx, { topic: 'advertiser', id: request.advertiserId });
  await endWithItsLast(deps, tx, request, operatorId);
}

/** Tells its owner that a part was sent, or not, by the way it came. */
export async function tellOfPart(
  deps: ActivityDeps,
  tx: Transaction,
  told: {
    refund: Refund;
    deposit: RecordOf<'deposits'>;
    kind: 'balance_refund_sent' | 'balance_refund_kept';
  },
): Promise<void> {
  const { refund, deposit, kind } = told;
  await notify(deps, tx, {
    accountId: deposit.advertiserId,
    kind,
    subject: { type: 'deposit', id: deposit.id },
    params: {
      name: deposit.reference,
      method: deposit.paymentMethod,
      amount: presentAmount(refund.amountNanos),
      currency: PLATFORM_CURRENCY,
    },
  });
}

/** Tells its owner that all of it is held to go back, or nobody's but theirs again. */
export async function tellOfRequest(
  deps: ActivityDeps,
  tx: Transaction,
  request: BalanceRefund,
  kind: 'balance_refund_begun' | 'balance_refund_kept',
): Promise<void> {
  await notify(deps, tx, {
    accountId: request.advertiserId,
    kind,
    subject: { type: 'balance_refund', id: request.id },
    params: { amount: presentAmount(request.amountNanos), currency: PLATFORM_CURRENCY },
  });
}

const partOf = (request: BalanceRefund, { id, amountNanos }: Refund) => ({
  balanceRefundId: request.id,
  advertiserId: request.advertiserId,
  refundId: id,
  amountNanos,
});

async function endWithItsLast(
  deps: ActivityDeps,
  tx: Transaction,
  request: BalanceRefund,
  operatorId: number | null,
): Promise<void> {
  const parts = await deps.db.models.depositRefunds.findAll({
    where: { balanceRefundId: request.id },
    transaction: tx,
  });
  if (parts.some(({ state }) => state !== 'SENT' && state !== 'RELEASED')) return;
  await moveRequest(deps, tx, request, {
    action: parts.some(({ state }) => state === 'SENT') ? 'end' : 'keep',
    operatorId,
    endedAt: deps.clock(),
  });
}

/** The request's status, and its line in the account's history. */
export async function moveRequest(
  deps: ActivityDeps,
  tx: Transaction,
  request: BalanceRefund,
  {
    action,
    operatorId,
    requestId,
    ...set
  }: {
    action: keyof (typeof balanceRefundLifecycle)['moves'];
    operatorId: number | null;
    requestId?: string;
    approvedAt?: Date;
    endedAt?: Date;
  },
): Promise<void> {
  const before = request.status;
  await moveRecord(deps.db, tx, 'balanceRefunds', {
    record: request,
    state: 'status',
    action,
    set,
  });
  await recordOwn(deps.db, tx, {
    accountId: request.advertiserId,
    by: { operatorId },
    action: `balance_refund.${action}`,
    subject: { type: 'balance_refund', id: request.id },
    changes: statusChange(before, request.status),
    requestId,
  });
}
