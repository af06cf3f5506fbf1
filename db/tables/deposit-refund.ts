import { refundLifecycle } from '../../domain/lifecycle/deposit.ts';
import { flag, nanos, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const depositRefunds = table('deposit_refunds', {
  /** Of a whole receipt: its number. A part of one takes its own from the same sequence. */
  id: ref(),
  receiptId: ref(),
  /** The request that it is a part of; null: a whole receipt, which was never credited. */
  balanceRefundId: ref().orNull(),
  amountNanos: nanos(),
  closesOrder: flag(),
  attempt: whole().byDefault(),
  payNanos: nanos().orNull(),
  payCurrency: text().orNull(),
  /** What the payment was in all; of a whole one that is `payNanos`. */
  paidNanos: nanos().orNull(),
  state: state(refundLifecycle).byDefault(),
  answer: text().orNull(),
  askedAt: time().orNull(),
  reference: text().orNull(),
  sentBy: ref().orNull(),
  sentAt: time().orNull(),
  createdAt: time().byDefault(),
});
export type DepositRefundRow = Row<typeof depositRefunds>;
