import { balanceRefundLifecycle } from '../../domain/lifecycle/balance-refund.ts';
import { id, nanos, ref, state, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** Unused balance that goes back to whoever paid it; its parts are in `deposit_refunds`. */
export const balanceRefunds = table('balance_refunds', {
  id: id(),
  advertiserId: ref(),
  amountNanos: nanos(),
  reason: text(),
  status: state(balanceRefundLifecycle).byDefault(),
  makerId: ref(),
  createdAt: time().byDefault(),
  approvedAt: time().orNull(),
  endedAt: time().orNull(),
});
export type BalanceRefundRow = Row<typeof balanceRefunds>;
