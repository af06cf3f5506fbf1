import { payoutLifecycle } from '../../domain/lifecycle/payout.ts';
import { BANK_STATUSES } from '../../domain/payout-status.ts';
import type { PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { bytes, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const payouts = table(
  'payouts',
  {
    withdrawalId: ref(),
    channel: text<PayoutChannel>(),
    externalRef: text(),
    state: state(payoutLifecycle),
    tries: whole().byDefault(),
    looks: whole().byDefault(),
    asked: whole().byDefault(),
    sealedFile: bytes().orNull(),
    fileSha256: text().orNull().named('file_sha256'),
    fileName: text().orNull(),
    lastOutcome: text().orNull(),
    createdAt: time().byDefault(),
    updatedAt: time().byDefault(),
    lookedAt: time().orNull(),
    payingWallet: text().orNull(),
    bankStatus: word(BANK_STATUSES).orNull(),
    bankCode: text().orNull(),
    bankWords: text().orNull(),
    fileId: ref().orNull(),
    fileTakenAt: time().orNull(),
    rejectedBy: word(['PROVIDER', 'OPERATOR', 'UNSENT']).orNull(),
  },
  { key: ['withdrawalId'] },
);
export type PayoutRow = Row<typeof payouts>;
