import { PAYOUT_CHANNELS, withdrawalLifecycle } from '../../domain/lifecycle/withdrawal.ts';
import { bytes, id, json, nanos, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewFinding, ReviewReason, WithdrawalTerms } from './json.ts';

export const withdrawals = table('withdrawals', {
  id: id(),
  publisherId: ref(),
  amountNanos: nanos(),
  feeNanos: nanos().byDefault(),
  taxNanos: nanos().byDefault(),
  arrivalNanos: nanos(),
  currency: text().byDefault(),
  channel: word(PAYOUT_CHANNELS),
  accountMasked: text().orNull(),
  sealedAccount: bytes().orNull(),
  status: state(withdrawalLifecycle).byDefault(),
  reasons: json<ReviewReason[]>().orNull(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
  bankCardId: ref().orNull(),
  destinationFingerprint: text().orNull(),
  accountUsableFrom: time().byDefault(),
  terms: json<WithdrawalTerms>().byDefault(),
  findings: json<ReviewFinding[]>().byDefault(),
  reviewRound: whole().byDefault(),
  approvedBy: ref().orNull(),
  notBefore: time().orNull(),
  providerReference: text().orNull(),
  paidAt: time().orNull(),
  version: whole().byDefault(),
});
export type WithdrawalRow = Row<typeof withdrawals>;
