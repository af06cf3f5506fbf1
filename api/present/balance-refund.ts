import type * as yup from 'yup';
import type {
  RefundableReceipt,
  ShownBalanceRefund,
  ShownRefundPart,
} from '../../db/queries/balance-refunds.ts';
import type { RefundPart } from '../../domain/balance-refund.ts';
import { BALANCE_REFUND_STATUSES } from '../../domain/lifecycle/balance-refund.ts';
import { DEPOSIT_METHODS, REFUND_STATES } from '../../domain/lifecycle/deposit.ts';
import { sendsBack } from '../../domain/deposit-terms.ts';
import { type Nanos, presentAmount } from '../../domain/money.ts';
import {
  idOf,
  idOrNullOf,
  listOf,
  money,
  moneyOrNull,
  oneOf,
  record,
  time,
  timeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

/** By a machine of its provider's, or by a person. */
const WAYS = ['PROVIDER', 'BY_HAND'] as const;
const wayOf = (method: ShownRefundPart['method']): (typeof WAYS)[number] =>
  sendsBack(method) ? 'PROVIDER' : 'BY_HAND';

const refundFields = {
  id: idOf(),
  advertiser_id: idOf(),
  advertiser_name: wordsOrNull(),
  amount: money(),
  currency: words(),
  reason: words(),
  status: oneOf(BALANCE_REFUND_STATUSES),
  /** Of the amount: not to be spent, sent to whoever paid it, and to be spent again. */
  held: money(),
  sent: money(),
  released: money(),
  made_by: words(),
  /** Where a second person decides, or has decided. */
  approval_id: idOrNullOf(),
  created_at: time(),
  approved_at: timeOrNull(),
  ended_at: timeOrNull(),
};
export const balanceRefundShape = record(refundFields, 'BalanceRefund');

const partShape = record(
  {
    id: idOf(),
    deposit_id: idOf(),
    /** Of the order that its receipt is of. */
    reference: words(),
    payment_method: oneOf(DEPOSIT_METHODS),
    way: oneOf(WAYS),
    amount: money(),
    /** In the payer's currency, once that is known. */
    pay_amount: moneyOrNull(),
    pay_currency: wordsOrNull(),
    state: oneOf(REFUND_STATES),
    /** The provider's last word, or the reference of whoever sent it. */
    answer: wordsOrNull(),
    sent_reference: wordsOrNull(),
    sent_by: wordsOrNull(),
    sent_at: timeOrNull(),
    /** The open question to an operator. */
    task_id: idOrNullOf(),
  },
  'BalanceRefundPart',
);
export const balanceRefundPageShape = record(
  { ...refundFields, parts: listOf(partShape) },
  'BalanceRefundPage',
);

export const balanceRefundPreviewShape = record(
  {
    currency: words(),
    available: money(),
    /** What held conversions may cost yet. */
    pending_conversions: money(),
    /** The most that can go back: what is there beside that, of what was paid in. */
    refundable: money(),
    amount: money(),
    /** Newest receipts first; none where the amount is more than can go back. */
    parts: listOf(
      record(
        {
          deposit_id: idOf(),
          reference: words(),
          payment_method: oneOf(DEPOSIT_METHODS),
          way: oneOf(WAYS),
          received_at: time(),
          amount: money(),
        },
        'BalanceRefundPlan',
      ),
    ),
  },
  'BalanceRefundPreview',
);

export const presentBalanceRefund = (
  row: ShownBalanceRefund,
  currency: string,
): yup.InferType<typeof balanceRefundShape> => ({
  id: row.id,
  advertiser_id: row.advertiserId,
  advertiser_name: row.advertiserName,
  amount: presentAmount(row.amountNanos),
  currency,
  reason: row.reason,
  status: row.status,
  held: presentAmount(row.heldNanos),
  sent: presentAmount(row.sentNanos),
  released: presentAmount(row.releasedNanos),
  made_by: row.maker,
  approval_id: row.approvalId,
  created_at: row.createdAt.toISOString(),
  approved_at: row.approvedAt?.toISOString() ?? null,
  ended_at: row.endedAt?.toISOString() ?? null,
});

export const presentBalanceRefundPage = (
  row: ShownBalanceRefund,
  parts: readonly ShownRefundPart[],
  currency: string,
): yup.InferType<typeof balanceRefundPageShape> => ({
  ...presentBalanceRefund(row, currency),
  parts: parts.map((part) => ({
    id: part.id,
    deposit_id: part.depositId,
    reference: part.orderReference,
    payment_method: part.method,
    way: wayOf(part.method),
    amount: presentAmount(part.amountNanos),
    pay_amount: part.payNanos === null ? null : presentAmount(part.payNanos),
    pay_currency: part.payCurrency,
    state: part.state,
    answer: part.answer,
    sent_reference: part.reference,
    sent_by: part.sender,
    sent_at: part.sentAt?.toISOString() ?? null,
    task_id: part.taskId,
  })),
});

export function presentRefundPreview({
  balanceNanos,
  pendingNanos,
  refundableNanos,
  amountNanos,
  receipts,
  parts,
  currency,
}: {
  balanceNanos: Nanos;
  pendingNanos: Nanos;
  refundableNanos: Nanos;
  amountNanos: Nanos;
  receipts: readonly RefundableReceipt[];
  parts: readonly RefundPart[];
  currency: string;
}): yup.InferType<typeof balanceRefundPreviewShape> {
  const byId = new Map(receipts.map((receipt) => [receipt.receiptId, receipt]));
  return {
    currency,
    available: presentAmount(balanceNanos),
    pending_conversions: presentAmount(pendingNanos),
    refundable: presentAmount(refundableNanos),
    amount: presentAmount(amountNanos),
    parts: parts.flatMap(({ receiptId, amountNanos: partNanos }) => {
      const receipt = byId.get(receiptId);
      if (receipt === undefined) return [];
      return {
        deposit_id: receipt.depositId,
        reference: receipt.reference,
        payment_method: receipt.method,
        way: wayOf(receipt.method),
        received_at: receipt.receivedAt.toISOString(),
        amount: presentAmount(partNanos),
      };
    }),
  };
}
