import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createMaturityActivities } from '../../activities/tracking/maturity.ts';
import { createPayoutActivities } from '../../activities/withdrawals/payouts.ts';
import { createWithdrawalFlowActivities } from '../../activities/withdrawals/withdrawal-flow.ts';
import { createWithdrawalActivities } from '../../activities/withdrawals/withdrawals.ts';
import { approvedByOwner } from './by-owner.ts';
import type { TestDatabase } from './database.ts';
import { fundPublisher } from './make/money.ts';
import { testProviders } from './providers.ts';
import { activityDeps } from './settlement.ts';

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

/**
 * Earnings matured at once; one withdrawal paid by the sandbox, one cancelled, one that waits. No
 * flow: its steps are called as it would call them.
 */
export async function payOut(database: TestDatabase, publisherId: number): Promise<void> {
  const { pool } = database;
  const deps: ActivityDeps = {
    ...activityDeps(database),
    providers: testProviders({ PAYOUT_SANDBOX_DIR: mkdtempSync(path.join(tmpdir(), 'payouts-')) }),
  };
  const withdrawals = createWithdrawalActivities(deps);
  const flow = createWithdrawalFlowActivities(deps);
  await passKyc(database, publisherId);
  await pool.query(`INSERT INTO settings (key, value) VALUES ('payout.maturity_days', '0')`);
  await createMaturityActivities(deps).matureEarnings();
  await fundPublisher(database.db, publisherId, 100_000_000_000n);
  const ask = async (): Promise<number> => {
    const { withdrawalId } = await withdrawals.requestWithdrawal({
      publisherId,
      amountNanos: 20_000_000_000n,
      channel: 'PAYPAL',
      accountInfo: 'ada@example.com',
      bank: null,
      kycUrl: '',
      requestId: 'test',
    });
    return withdrawalId;
  };
  const paid = await ask();
  await approvedByOwner(database, paid);
  await flow.beginPayout({ withdrawalId: paid });
  await createPayoutActivities(deps).sendPayout({ withdrawalId: paid });
  await withdrawals.cancelWithdrawal({ publisherId, withdrawalId: await ask(), requestId: 'test' });
  await ask();
}

/** As if it had been approved: PROCESSING, with its file written. */
export async function carryToBank(database: TestDatabase, withdrawalId: number): Promise<void> {
  await approvedByOwner(database, withdrawalId);
  await createWithdrawalFlowActivities(activityDeps(database)).beginPayout({ withdrawalId });
}
