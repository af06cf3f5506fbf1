import { bytes, json, nanos, ref, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** Wallets that pay, and the number of each one's next payment. */
export const chainWallets = table(
  'chain_wallets',
  { wallet: text(), nextNonce: ref() },
  { key: ['wallet'] },
);

/** Payments that were signed, each for one payout. */
export const chainPayments = table(
  'chain_payments',
  {
    withdrawalId: ref(),
    wallet: text(),
    nonce: ref(),
    hash: text(),
    sealedBytes: bytes(),
    amountNanos: nanos(),
    signedAt: time().byDefault(),
    ended: word(['PAID', 'DEAD']).orNull(),
    /** In wei for a unit of gas, as `tipWei`; null of builds before. */
    feeWei: nanos().orNull(),
    tipWei: nanos().orNull(),
    /** Of the bytes before these, under the same number, the oldest first: any of them may be carried out. */
    earlierHashes: json<string[]>().byDefault(),
    replacedAt: time().orNull(),
  },
  { key: ['withdrawalId'] },
);
export type ChainPaymentRow = Row<typeof chainPayments>;
