import { ref, refs, text, time } from '../schema/column.ts';
import { table } from '../schema/table.ts';

/** Bank files that were handed out and that the bank did not take, by their approval. */
export const payoutFileTakeBacks = table(
  'payout_file_take_backs',
  {
    reference: text(),
    approvalId: ref(),
    /** What it held; the database writes them. */
    withdrawalIds: refs().byDefault(),
    createdAt: time().byDefault(),
  },
  { key: ['reference'] },
);
