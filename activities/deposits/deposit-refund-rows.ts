import type { Transaction } from 'sequelize';
import type { RecordOf } from '../../db/schema/models.ts';
import { isRail, refundKey, sendsBack } from '../../domain/deposit-terms.ts';
import { notFound } from '../../domain/errors.ts';
import type { refundLifecycle } from '../../domain/lifecycle/deposit.ts';
import {
  refundWorkflowId,
  suspenseWorkflowId,
  type WayBackInput,
} from '../../workflows/contracts/deposit.ts';
import type { ActivityDeps } from '../deps.ts';
import { moveRecord } from '../core/move-record.ts';
import type { DepositProvider, RefundOrder } from '../providers/deposit-port.ts';
import { lockReceipt } from './deposit-receipts.ts';
import { lockDeposit } from './deposits.ts';

type Refund = RecordOf<'depositRefunds'>;
export type Receipt = RecordOf<'depositReceipts'>;
type Deposit = RecordOf<'deposits'>;

/** A receipt, or a part of one, on its way back, as its rows say. */
export interface Standing {
  receipt: Receipt;
  refund: Refund;
  deposit: Deposit;
  provider: DepositProvider | undefined;
}

/** Of a whole receipt, that is its number. */
export const refundIdOf = (way: WayBackInput): number =>
  'refundId' in way ? way.refundId : way.receiptId;

/** The flow that its questions are of. */
export const flowOfRefund = ({ id, balanceRefundId }: Refund): string =>
  balanceRefundId === null ? suspenseWorkflowId(id) : refundWorkflowId(id);

/** Raises not_found where nothing is on its way back. */
export async function readRefund(
  deps: ActivityDeps,
  refundId: number,
  tx?: Transaction,
): Promise<Standing> {
  const at = tx === undefined ? {} : { transaction: tx };
  const refund = await deps.db.models.depositRefunds.findByPk(refundId, at);
  if (refund === null) throw notFound();
  const receipt = await deps.db.models.depositReceipts.findByPk(refund.receiptId, at);
  if (receipt === null) throw notFound();
  const deposit = await deps.db.models.deposits.findByPk(receipt.depositId, at);
  if (deposit === null) throw notFound();
  const { paymentMethod: method } = deposit;
  const provider =
    isRail(method) && sendsBack(method) ? deps.providers.rails.provider(method) : undefined;
  return { receipt, refund, deposit, provider };
}

/** In the order of all locks of an order. */
export async function lockRefund(
  deps: ActivityDeps,
  tx: Transaction,
  refundId: number,
): Promise<Omit<Standing, 'provider'>> {
  const found = await readRefund(deps, refundId, tx);
  const deposit = await lockDeposit(deps, tx, found.deposit.id);
  const receipt = await lockReceipt(deps, tx, found.receipt.id);
  const refund = await deps.db.models.depositRefunds.findByPk(refundId, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (refund === null) throw notFound();
  return { deposit, receipt, refund };
}

export const moveRefund = async (
  deps: ActivityDeps,
  tx: Transaction,
  {
    record,
    action,
    ...set
  }: { record: Refund; action: keyof (typeof refundLifecycle)['moves'] } & Partial<
    Pick<Refund, 'answer' | 'askedAt' | 'attempt' | 'reference' | 'sentBy' | 'sentAt'>
  >,
): Promise<void> =>
  await moveRecord(deps.db, tx, 'depositRefunds', { record, state: 'state', action, set });

/** As its provider knows it by now: the key is the same until a try was refused for good. */
export function lastTry(
  { id, attempt, payNanos, paidNanos, payCurrency }: Refund,
  deposit: Deposit,
): RefundOrder {
  const sum = payNanos ?? 0n;
  return {
    key: refundKey(deposit.reference, id, attempt),
    orderNo: deposit.reference,
    refundNanos: sum,
    paidNanos: paidNanos ?? sum,
    currency: payCurrency ?? '',
  };
}
