import type { Realm } from '../../api/http/auth.ts';
import { createTestApp, type TestApp } from './app.ts';
import { type AnyCaller, type Caller, callerOf, callerWith } from './call.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestFlows, type TestFlows } from './flows.ts';
import { makeAdvertiser } from './make/account.ts';

/** A database, the whole API over it in this process, and its callers. */
export interface Stand extends TestApp {
  database: TestDatabase;
  /** Each call comes a second after the one before: no limit per minute is met by chance. */
  as(realm: Realm, id: number): Caller;
  /** What needs no account, by its path from the root: `/ad/request`. */
  anyone: AnyCaller;
  /** Who shows this token, whoever signed it, or none. */
  bearing(realm: Realm, token?: string): AnyCaller;
  /** `basic` is a profile with the names that campaigns need. */
  newAdvertiser(options?: { basic?: boolean }): Promise<Caller>;
}

export interface FlowStand extends Stand {
  flows: TestFlows;
}

const STEP_MS = 1_100;

export interface StandBrings {
  /** Real flows on a real Temporal; what it holds goes over the providers' settings. */
  flows?: Record<string, string>;
  /** Begins at the time of the database, as everything does that flows have a part in. */
  realTime?: boolean;
  /** Its database has a clock of its own, that movedTime moves. */
  ownClock?: boolean;
  /** Goes over the settings: `{ TRACK_URL }`. */
  env?: Record<string, string>;
  /** Gets every line of the log. */
  onLog?: (line: string) => void;
}

export async function createStand(
  brings: StandBrings & { flows: Record<string, string> },
): Promise<FlowStand>;
export async function createStand(brings?: Omit<StandBrings, 'flows'>): Promise<Stand>;
export async function createStand({
  flows: settings,
  ownClock = false,
  ...brings
}: StandBrings = {}): Promise<Stand | FlowStand> {
  const database = await createTestDatabase({ ownClock });
  const flows = settings === undefined ? undefined : await createTestFlows(database, settings);
  const app = await createTestApp(database, { ...brings, flows });
  const aSecondLater = (): void => app.passTime(STEP_MS);
  const as = (realm: Realm, id: number): Caller => callerOf(app, realm, id, aSecondLater);
  return {
    ...app,
    ...(flows === undefined ? {} : { flows }),
    database,
    as,
    anyone: callerWith(app, undefined, undefined),
    bearing: (realm, token) => callerWith(app, realm, token, aSecondLater),
    newAdvertiser: async ({ basic = true } = {}) => {
      const fields = basic ? {} : { contactName: null, companyName: null };
      return as('advertiser', (await makeAdvertiser(database.db, fields)).id);
    },
    close: async () => {
      await flows?.close();
      try {
        await app.close();
      } finally {
        await database.close();
      }
    },
  };
}
