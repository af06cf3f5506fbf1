import { pino } from 'pino';
import { type Activities, createActivities } from '../activities/index.ts';
import { createOutbox } from '../activities/core/outbox.ts';
import { composeProviders } from '../activities/providers/compose.ts';
import { loadConfig } from '../config.ts';
import { connectPostgres } from '../db/postgres.ts';

const DAY_MS = 86_400_000;

/**
 * What no demo can wait for: the platform's own steps, on a clock that stands so many days from now.
 * What they write is what they would have written then, under the same rules.
 */
export async function onDay<Result>(
  env: Readonly<Record<string, string | undefined>>,
  daysFromNow: number,
  work: (activities: Activities) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(env);
  const db = connectPostgres({ url: config.postgres.url, poolMax: 2, applicationName: 'seed' });
  const activities = createActivities({
    db,
    outbox: createOutbox(db, () => undefined),
    log: pino({ level: 'silent' }),
    clock: () => new Date(Date.now() + daysFromNow * DAY_MS),
    providers: composeProviders(config),
  });
  try {
    return await work(activities);
  } finally {
    await db.sequelize.close();
  }
}
