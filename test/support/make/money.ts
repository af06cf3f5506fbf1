import { randomInt } from 'node:crypto';
import { postEntries } from '../../../activities/core/ledger.ts';
import { type Db, inTransaction } from '../../../db/postgres.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { depositCredited, depositReceived } from '../../../domain/ledger/postings.ts';
import { asOwner, type TestDatabase } from '../database.ts';

export const UNIT = 1_000_000_000n;
export const nanos = (units: number): bigint => BigInt(Math.round(units * 1e9));

const serial = (): number => randomInt(2 ** 47);

/** Arrives by the postings of a deposit that was received and credited. */
export async function fundAdvertiser(
  db: Db,
  advertiserId: number,
  amountNanos: bigint,
): Promise<void> {
  if (amountNanos === 0n) return;
  const receipt = { receiptId: serial(), depositId: serial(), provider: 'bank', amountNanos };
  await asOwner(
    db,
    async (owner) =>
      await inTransaction(owner, async (tx) => {
        await postEntries(owner, tx, depositReceived(receipt));
        await postEntries(owner, tx, depositCredited({ ...receipt, advertiserId }));
      }),
  );
}

/** Gives a publisher money to withdraw, past the days that earnings take. */
export async function fundPublisher(
  db: Db,
  publisherId: number,
  amountNanos: bigint,
): Promise<void> {
  const key = `test-fund:${publisherId}:${serial()}`;
  const fund = {
    debit: chart.world('test'),
    credit: chart.publisherWithdrawable(publisherId),
    amountNanos,
    type: 'DEPOSIT',
    subject: null,
  } as const;
  await asOwner(
    db,
    async (owner) =>
      await inTransaction(owner, async (tx) => {
        const batch = { idempotencyKey: key, kind: 'test_fund', ref: {}, postings: [fund] };
        await postEntries(owner, tx, batch);
      }),
  );
}

export async function balanceOf({ pool }: TestDatabase, code: string): Promise<bigint> {
  const { rows } = await pool.query<{ nanos: string }>(
    'SELECT balance_nanos::text AS nanos FROM ledger_accounts WHERE code = $1',
    [code],
  );
  return BigInt(rows[0]?.nanos ?? 0);
}
