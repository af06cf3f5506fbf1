import { postEntries } from '../../activities/ledger.ts';
import { inTransaction } from '../../db/postgres.ts';
import { chart } from '../../domain/ledger/chart.ts';
import type { TestDatabase } from './database.ts';

let funded = 0;

/** Gives a publisher money to withdraw, past the days that earnings take. */
export async function fundPublisher(
  { db }: TestDatabase,
  publisherId: number,
  amountNanos: bigint,
): Promise<void> {
  funded += 1;
  const key = `test-fund:${publisherId}:${funded}`;
  await inTransaction(db, async (tx) => {
    await postEntries(db, tx, {
      idempotencyKey: key,
      kind: 'test_fund',
      ref: {},
      postings: [
        {
          debit: chart.world('test'),
          credit: chart.publisherWithdrawable(publisherId),
          amountNanos,
          type: 'DEPOSIT',
          subject: null,
        },
      ],
    });
  });
}

/** What KYC and a day's waiting leave: interface 7 lets this publisher withdraw. */
export async function passKyc({ pool }: TestDatabase, publisherId: number): Promise<void> {
  await pool.query(
    `UPDATE accounts SET kyc_status = 'approved', contact_name = 'Ada', company_name = 'Engines'
     WHERE id = $1`,
    [publisherId],
  );
}

/** As if the card had been kept for two days. */
export async function ripenCards({ pool }: TestDatabase, publisherId: number): Promise<void> {
  await pool.query(
    `UPDATE bank_cards SET usable_from = now() - interval '1 day', created_at = now() - interval '2 days'
     WHERE publisher_id = $1`,
    [publisherId],
  );
}

export async function balanceOf({ pool }: TestDatabase, code: string): Promise<bigint> {
  const { rows } = await pool.query<{ nanos: string }>(
    'SELECT balance_nanos AS nanos FROM ledger_accounts WHERE code = $1',
    [code],
  );
  return BigInt(rows[0]?.nanos ?? 0);
}

/** IBANs whose check digits hold: the same bank, numbered accounts. */
export function ibanOf(number: number): string {
  const bban = `37040044${String(number).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return `DE${check.toString().padStart(2, '0')}${bban}`;
}

export const CARD = {
  account_holder: 'Ada Lovelace',
  account_type: 'PERSONAL',
  country: 'DE',
  currency: 'USD',
  bank_name: 'Commerzbank',
  swift_bic: 'COBADEFFXXX',
};
