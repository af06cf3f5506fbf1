import { refundLifecycle } from '../../domain/lifecycle/deposit.ts';
import { flag, nanos, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const depositRefunds = table('deposit_refunds', {
  /** Of the receipt. */
  id: ref(),
  closesOrder: flag(),
  attempt: whole().byDefault(),
  payNanos: nanos().orNull(),
  payCurrency: text().orNull(),
  state: state(refundLifecycle).byDefault(),
  answer: text().orNull(),
  askedAt: time().orNull(),
  reference: text().orNull(),
  sentBy: ref().orNull(),
  sentAt: time().orNull(),
  createdAt: time().byDefault(),
});
export type DepositRefundRow = Row<typeof depositRefunds>;
