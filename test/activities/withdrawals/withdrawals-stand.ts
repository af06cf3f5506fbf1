import type { ActivityDeps } from '../../../activities/deps.ts';
import { setByOwner } from '../../support/by-owner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testProviders } from '../../support/providers.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';
import { activityDeps } from '../../support/settlement.ts';

/** In units: above it two persons let money go. */
export const LIMIT = 1_000;
const ORIGIN = {
  PAYOUT_DEBTOR_NAME: 'Advertising Platform',
  PAYOUT_DEBTOR_IBAN: 'DE89370400440532013000',
  PAYOUT_DEBTOR_BIC: 'COBADEFFXXX',
};

export interface Stand {
  database: TestDatabase;
  sandboxes: TestSandboxes;
  deps: ActivityDeps;
  close: () => Promise<void>;
}

/** A database of its own, and wallets that know nothing yet. */
export async function makeStand(): Promise<Stand> {
  const [database, sandboxes] = [await createTestDatabase(), await startTestSandboxes()];
  for (const [key, value] of Object.entries({
    'payout.maturity_days': 0,
    'payout.tax_ppm': 100_000,
    'payout.cooling_off_seconds': 0,
    'payout.second_approval_above': LIMIT,
  })) {
    await setByOwner(database, key, value);
  }
  const providers = testProviders({ ...sandboxes.env, ...ORIGIN });
  const payouts = { ...providers.payouts, accountWaitMs: 0 };
  return {
    database,
    sandboxes,
    deps: { ...activityDeps(database), providers: { ...providers, payouts } },
    close: async () => {
      await sandboxes.close();
      await database.close();
    },
  };
}
