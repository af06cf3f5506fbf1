import { DEPOSIT_METHODS, depositLifecycle } from '../../domain/lifecycle/deposit.ts';
import { id, nanos, ref, state, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const deposits = table('deposits', {
  id: id(),
  advertiserId: ref(),
  amountNanos: nanos(),
  currency: text().byDefault(),
  paymentMethod: word(DEPOSIT_METHODS),
  reference: text(),
  status: state(depositLifecycle).byDefault(),
  receivedNanos: nanos().byDefault(),
  expiresAt: time(),
  paidAt: time().orNull(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
});
export type DepositRow = Row<typeof deposits>;
