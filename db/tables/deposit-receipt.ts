import { receiptLifecycle } from '../../domain/lifecycle/deposit.ts';
import { id, nanos, ref, state, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const depositReceipts = table('deposit_receipts', {
  id: id(),
  depositId: ref(),
  amountNanos: nanos(),
  currency: text().byDefault(),
  provider: text(),
  providerReference: text(),
  receivedAt: time(),
  evidenceMediaId: ref().orNull(),
  operatorId: ref().orNull(),
  state: state(receiptLifecycle).byDefault(),
  createdAt: time().byDefault(),
  evidenceId: ref().orNull(),
  reason: text().orNull(),
});
export type DepositReceiptRow = Row<typeof depositReceipts>;
