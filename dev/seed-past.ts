import { pino } from 'pino';
import type { ActivityDeps } from '../activities/deps.ts';
import { type Activities, createActivities } from '../activities/index.ts';
import { createOutbox } from '../activities/core/outbox.ts';
import { composeProviders } from '../activities/providers/compose.ts';
import { loadConfig } from '../config.ts';
import { connectPostgres } from '../db/postgres.ts';

const DAY_MS = 86_400_000;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What no demo can wait for: the platform's own steps, on a clock that stands so many days from now.
 * What they write is what they would have written then, under the same rules.
 */
export const onDay = async <Result>(
  env: Env,
  daysFromNow: number,
  work: (activities: Activities) => Promise<Result>,
): Promise<Result> =>
  await withClock(
    env,
    () => new Date(Date.now() + daysFromNow * DAY_MS),
    async ({ activities }) => await work(activities),
  );

/** On a clock of one's own. */
export async function withClock<Result>(
  env: Env,
  clock: () => Date,
  work: (past: { activities: Activities; deps: ActivityDeps }) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(env);
  const db = connectPostgres({ url: config.postgres.url, poolMax: 2, applicationName: 'seed' });
  const deps: ActivityDeps = {
    db,
    outbox: createOutbox(db, () => undefined),
    log: pino({ level: 'silent' }),
    clock,
    providers: composeProviders(config),
  };
  try {
    return await work({ activities: createActivities(deps), deps });
  } finally {
    await db.sequelize.close();
  }
}
