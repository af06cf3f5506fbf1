import { createActivities } from '../../../activities/index.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { Behaviour } from '../../../dev/sandboxes/desk.ts';
import { setByOwner } from '../../support/by-owner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testProviders } from '../../support/providers.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';
import { activityDeps } from '../../support/settlement.ts';

/** What the wallets do wrong from now on. */
export interface Weather {
  alipay: Partial<Behaviour>;
  wechat: Partial<Behaviour>;
}

export interface Stand {
  database: TestDatabase;
  sandboxes: TestSandboxes;
  deps: ActivityDeps;
  close: () => Promise<void>;
}

/** A database of its own, and wallets and a chain that know nothing yet. */
export async function makeStand(): Promise<Stand> {
  const [database, sandboxes] = [await createTestDatabase(), await startTestSandboxes()];
  await setByOwner(database, 'deposit.cny_per_unit', 7);
  const deps = { ...activityDeps(database), providers: testProviders(sandboxes.env) };
  // Chains are watched from the first look on.
  await createActivities(deps).lookAtChains();
  const close = async (): Promise<void> => {
    await sandboxes.close();
    await database.close();
  };
  return { database, sandboxes, deps, close };
}
