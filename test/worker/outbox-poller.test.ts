import { pino } from 'pino';
import { createDispatcher } from '../../activities/core/dispatch.ts';
import { createOutbox, publishInventory } from '../../activities/core/outbox.ts';
import { inTransaction } from '../../db/postgres.ts';
import { createRedis, noticesOf, type Redis } from '../../db/redis.ts';
import { startOutboxPoller } from '../../worker/outbox-poller.ts';
import { createTestDatabase, serviceUrl, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/until.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let redis: Redis;

beforeAll(async () => {
  database = await createTestDatabase();
  redis = createRedis(serviceUrl('REDIS_URL'));
  await redis.connect();
});

afterAll(async () => {
  redis.destroy();
  await database.close();
});

/** Rows whose process died before it could deliver them, due now. */
async function orphanRows(count: number): Promise<void> {
  const outbox = createOutbox(database.db, () => undefined);
  await inTransaction(database.db, async (tx) => {
    for (let id = 1; id <= count; id += 1) {
      await publishInventory(outbox, tx, { topic: 'publisher', id: 1_000_000 + id });
    }
  });
  await database.pool.query('UPDATE outbox SET next_at = now() WHERE done_at IS NULL');
}

const undelivered = async (): Promise<number> =>
  Number(
    (
      await database.pool.query<{ n: string }>(
        'SELECT count(*) AS n FROM outbox WHERE done_at IS NULL',
      )
    ).rows[0]?.n,
  );

const makeDispatcher = () =>
  createDispatcher({
    db: database.db,
    redis,
    // A publish never reaches Temporal.
    temporal: {} as Parameters<typeof createDispatcher>[0]['temporal'],
    log,
    onUpdateRefused: () => Promise.resolve(),
  });

it('rows of a process that died · two pollers · each row is delivered, none twice', async () => {
  const heard: string[] = [];
  const subscriber = redis.duplicate();
  await subscriber.connect();
  await subscriber.subscribe(noticesOf(subscriber), (message) => {
    if (/10000\d\d/.test(message)) heard.push(message);
  });
  await orphanRows(50);
  const pollers = [
    startOutboxPoller({ dispatcher: makeDispatcher(), log }),
    startOutboxPoller({ dispatcher: makeDispatcher(), log }),
  ];
  await eventually(async () => {
    expect(await undelivered()).toBe(0);
  });
  await Promise.all(pollers.map(async (poller) => await poller.stop()));
  await eventually(() => {
    expect(heard).toHaveLength(50);
  });
  expect(new Set(heard).size).toBe(50);
  subscriber.destroy();
});

it('poll that fails · once · the poller goes on', async () => {
  await orphanRows(1);
  const real = makeDispatcher();
  let calls = 0;
  const poller = startOutboxPoller({
    log,
    dispatcher: {
      ...real,
      dispatchDue: async (limit) => {
        calls += 1;
        if (calls === 1) throw new Error('connection lost');
        return await real.dispatchDue(limit);
      },
    },
  });
  await eventually(async () => {
    expect(await undelivered()).toBe(0);
  });
  await poller.stop();
});
