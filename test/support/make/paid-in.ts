import { randomBytes } from 'node:crypto';
import { postEntries } from '../../../activities/core/ledger.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { depositCredited, depositReceived } from '../../../domain/ledger/postings.ts';
import { asOwner, type TestDatabase } from '../database.ts';
import { nanos } from './money.ts';
import { insertRow } from './row.ts';

/** What an advertiser has paid in by a method, with its order and its receipt; answers the receipt's id. */
export async function payIn(
  database: TestDatabase,
  advertiserId: number,
  provider: string,
  amount: number,
): Promise<number> {
  const mark = randomBytes(8).toString('hex');
  const amountNanos = nanos(amount);
  const depositId = await insertRow(database, 'deposits', {
    advertiser_id: advertiserId,
    amount_nanos: amountNanos,
    payment_method: provider,
    reference: `PAID${mark}`,
    status: 'PAID',
    received_nanos: amountNanos,
    expires_at: new Date(),
    paid_at: new Date(),
  });
  const receiptId = await insertRow(database, 'deposit_receipts', {
    deposit_id: depositId,
    amount_nanos: amountNanos,
    provider,
    provider_reference: `paid-${mark}`,
    received_at: new Date(),
    state: 'CREDITED',
  });
  const receipt = { receiptId, depositId, provider, amountNanos };
  await asOwner(database.db, async (owner) => {
    await inTransaction(owner, async (tx) => {
      await postEntries(owner, tx, depositReceived(receipt));
      await postEntries(owner, tx, depositCredited({ ...receipt, advertiserId }));
    });
  });
  return receiptId;
}
