import { BANK_STATUSES } from '../../domain/payout-status.ts';
import { id, ref, text, time, word } from '../schema/column.ts';
import { table } from '../schema/table.ts';

/** Files in which a bank speaks of orders that were carried to it. */
export const payoutStatusFiles = table('payout_status_files', {
  id: id(),
  kind: word(['PAIN002', 'CAMT054']),
  sha256: text().named('sha256'),
  fileName: text().orNull(),
  operatorId: ref(),
  createdAt: time().byDefault(),
});

export const payoutRemarks = table(
  'payout_remarks',
  {
    fileId: ref(),
    withdrawalId: ref(),
    status: word(BANK_STATUSES),
    code: text(),
    reason: text().orNull(),
    words: text().orNull(),
    bankReference: text().orNull(),
    /** What the bank calls the file that carried it; null where it does not say. */
    carriedIn: text().orNull(),
  },
  { key: ['fileId', 'withdrawalId'] },
);
