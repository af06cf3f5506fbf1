import { rejudge } from '../../../activities/tracking/rejudge.ts';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { READ_LIMIT } from '../../../db/events/event-reader.ts';
import { bidEventsOf } from '../../../db/events/judged-events.ts';
import { inTransaction, runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import type { SqlRunner } from '../../../db/sql-runner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeLine } from '../../support/make/line.ts';
import { UNIT } from '../../support/make/money.ts';
import { activityDeps, append, eventOf, hex, stored } from '../../support/settlement.ts';

/** What a worker keeps between batches must not show in any verdict, whoever else settles. */
let database: TestDatabase;
const worker = () => createSettlementActivities(activityDeps(database)).settleBatch;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  try {
    expect((await runBooks(database.pool)).filter(({ ok }) => !ok)).toEqual([]);
  } finally {
    await database.close();
  }
});

test('rate · counted by two workers in turn, and by one that has just begun · is one rate', async () => {
  await database.pool.query(
    `INSERT INTO settings (key, value) VALUES ('ad.rate_impressions_per_minute', '3')`,
  );
  const line = await makeLine(database);
  const viewerKey = hex(16);
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 60_000);
  const [one, other] = [worker(), worker()];
  const reasons: unknown[] = [];
  for (const settle of [one, other, one, worker(), one]) {
    const event = eventOf(line, { at, facts: { viewerKey } });
    await append(database, event);
    await settle({ shard: 0 });
    reasons.push((await stored(database, event.id))?.reasons.includes('RATE_LIMIT'));
  }
  expect(reasons).toEqual([false, false, false, true, true]);
});

describe('a limit of ten a minute, two shards, a viewer of ads of both', () => {
  /** Two processes, each with a shard of its own, as settlement's loops run them. */
  async function twoShards(): Promise<{
    settle: [() => Promise<unknown>, () => Promise<unknown>];
    send: (shard: number, times: number) => Promise<void>;
    passed: () => Promise<number>;
  }> {
    await database.pool.query(
      `INSERT INTO settings (key, value) VALUES ('ad.rate_impressions_per_minute', '10')`,
    );
    const lines = [await makeLine(database), await makeLine(database)];
    const viewerKey = hex(16);
    const at = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 60_000);
    const workers = [worker(), worker()];
    const settle = [0, 1].map((shard) => async () => await workers[shard]?.({ shard })) as [
      () => Promise<unknown>,
      () => Promise<unknown>,
    ];
    for (const each of settle) await each();
    return {
      settle,
      send: async (shard, times) => {
        const line = lines[shard];
        if (line === undefined) throw new Error('there are two');
        const events = Array.from({ length: times }, () =>
          eventOf(line, { at, shard, facts: { viewerKey } }),
        );
        await append(database, ...events);
      },
      passed: async () => {
        const { rows } = await database.pool.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM events WHERE NOT reasons ? 'RATE_LIMIT'`,
        );
        return rows[0]?.n ?? 0;
      },
    };
  }

  test('eight on each, one shard after the other · ten pass', async () => {
    const { settle, send, passed } = await twoShards();
    await send(0, 8);
    await send(1, 8);
    for (const each of settle) await each();
    expect(await passed()).toBe(10);
  });

  test('thirty on each, at once · no more than ten pass', async () => {
    const { settle, send, passed } = await twoShards();
    await send(0, 30);
    await send(1, 30);
    await Promise.all(settle.map(async (each) => await each()));
    expect(await passed()).toBeLessThanOrEqual(10);
    const { differing } = await rejudge(database.db, {
      fromMs: Date.now() - 3_600_000,
      toMs: Date.now(),
    });
    expect(differing).toEqual([]);
  });

  test('five on each, at once · nobody is refused', async () => {
    const { settle, send, passed } = await twoShards();
    await send(0, 5);
    await send(1, 5);
    await Promise.all(settle.map(async (each) => await each()));
    expect(await passed()).toBe(10);
  });

  test('a batch is rolled back after it has told · it is told and counted once', async () => {
    const { settle, send, passed } = await twoShards();
    await send(0, 4);
    await database.pool.query(
      `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'power' USING ERRCODE = '57014'; END $$`,
    );
    await database.pool.query(
      'CREATE TRIGGER planted BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION planted()',
    );
    await expect(settle[0]()).rejects.toThrow('power');
    await database.pool.query('DROP TRIGGER planted ON events');
    await database.pool.query('DROP FUNCTION planted()');
    await settle[0]();
    await send(1, 8);
    await settle[1]();
    expect(await passed()).toBe(10);
  });
});

test('rate · a batch is rolled back · its events are counted once', async () => {
  await database.pool.query(
    `INSERT INTO settings (key, value) VALUES ('ad.rate_impressions_per_minute', '2')`,
  );
  const line = await makeLine(database);
  const settle = worker();
  const facts = { viewerKey: hex(16) };
  const events = [eventOf(line, { facts }), eventOf(line, { facts })];
  const at = events[0]?.receivedAt ?? new Date();
  for (const event of events) {
    event.receivedAt = at;
    await append(database, event);
    await database.pool.query(
      `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'power' USING ERRCODE = '57014'; END $$`,
    );
    await database.pool.query(
      'CREATE TRIGGER planted BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION planted()',
    );
    await expect(settle({ shard: 0 })).rejects.toThrow('power');
    await database.pool.query('DROP TRIGGER planted ON events');
    await database.pool.query('DROP FUNCTION planted()');
    await settle({ shard: 0 });
    expect((await stored(database, event.id))?.reasons).not.toContain('RATE_LIMIT');
  }
});

test('read ahead · another worker settles that batch, or the cursor is set back · each event is judged once', async () => {
  const line = await makeLine(database, { balanceNanos: 1_000n * UNIT });
  for (let made = 0; made < 3; made += 1) {
    const events = Array.from({ length: READ_LIMIT / 2 }, () => eventOf(line));
    await append(
      database,
      ...events,
      ...Array.from({ length: READ_LIMIT / 2 }, () => eventOf(line)),
    );
  }
  const [one, other] = [worker(), worker()];
  expect(await one({ shard: 0 })).toMatchObject({ events: READ_LIMIT, billable: READ_LIMIT });
  expect(await other({ shard: 0 })).toMatchObject({ billable: READ_LIMIT });
  expect(await one({ shard: 0 })).toMatchObject({ billable: READ_LIMIT });
  await database.pool.query(`UPDATE settlement_cursors SET xid = '0', seq = 0 WHERE shard = 0`);
  for (const settle of [other, one, other, one]) {
    expect(await settle({ shard: 0 })).toMatchObject({ billable: 0 });
  }
  const { rows } = await database.pool.query(
    'SELECT count(*)::int AS n FROM events WHERE billable',
  );
  expect(rows).toEqual([{ n: 3 * READ_LIMIT }]);
});

test('what was judged of a request · the day is full, and new to PostgreSQL · is read without the rest of the day', async () => {
  const line = await makeLine(database, { balanceNanos: 1_000n * UNIT });
  const impressions = Array.from({ length: 2_000 }, () => eventOf(line));
  await append(database, ...impressions);
  await worker()({ shard: 0 });
  const asked = impressions.slice(0, 20);
  const days = asked.map(({ receivedAt }) => receivedAt.toISOString().slice(0, 10)).toSorted();
  const { found, read } = await inTransaction(database.db, async (tx) => {
    const sql = runner(database.db, tx);
    const before = await rowsRead(sql);
    const found = await bidEventsOf(sql, {
      requestIds: asked.map(({ facts }) => facts.track?.requestId ?? ''),
      fromDay: days[0] ?? '',
      toDay: days.at(-1) ?? '',
    });
    return { found, read: (await rowsRead(sql)) - before };
  });
  expect(new Set(found.map(({ bidId }) => bidId))).toEqual(
    new Set(asked.map(({ facts }) => facts.track?.bidId)),
  );
  expect(read).toBe(2 * asked.length);
});

/** Rows of the log that this connection has read; those of its last transactions are among them. */
async function rowsRead(sql: SqlRunner): Promise<number> {
  const { rows } = await sql.query<{ read: number }>(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read
     FROM pg_stat_xact_user_tables WHERE relname ~ '^event(s|_inbox)_'`,
  );
  return rows[0]?.read ?? 0;
}
