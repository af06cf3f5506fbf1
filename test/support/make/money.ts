import { randomInt } from 'node:crypto';
import { postEntries } from '../../../activities/core/ledger.ts';
import { type Db, inTransaction } from '../../../db/postgres.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { depositCredited, depositReceived, type Posting } from '../../../domain/ledger/postings.ts';
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
  const [debit, credit] = [chart.world('test'), chart.publisherWithdrawable(publisherId)];
  await post(db, { debit, credit, amountNanos });
}

/** Has a publisher owe so much, as if earnings had been taken back that were gone. */
export async function indebtPublisher(
  db: Db,
  publisherId: number,
  amountNanos: bigint,
): Promise<void> {
  const [debit, credit] = [chart.publisherDebt(publisherId), chart.world('test')];
  await post(db, { debit, credit, amountNanos });
}

async function post(
  db: Db,
  posting: Pick<Posting, 'debit' | 'credit' | 'amountNanos'>,
): Promise<void> {
  const postings = [{ ...posting, type: 'DEPOSIT', subject: null } as const];
  const batch = { idempotencyKey: `test-fund:${serial()}`, kind: 'test_fund', ref: {}, postings };
  await asOwner(
    db,
    async (owner) =>
      await inTransaction(owner, async (tx) => {
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
