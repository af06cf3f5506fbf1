import pg from 'pg';
import type { EventCursor, WaitingEvent } from '../../../db/events/event-log.ts';
import { eventReader } from '../../../db/events/event-reader.ts';
import { runner } from '../../../db/postgres.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { append, eventOf, type TestEvent, whenReadable } from '../../support/settlement.ts';
import type { Line } from '../../support/make/line.ts';
import { pause } from '../../support/until.ts';

let database: TestDatabase;
const line: Line = {
  advertiserId: 1,
  publisherId: 2,
  campaignId: 3,
  adGroupId: 4,
  adId: 5,
  creativeId: 6,
  siteId: 7,
  zoneId: 8,
};
const START = '0-0' as EventCursor;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.close();
});

async function open(): Promise<pg.Client> {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('BEGIN');
  return client;
}

async function insert(client: pg.Client, event: TestEvent): Promise<void> {
  await client.query(
    `INSERT INTO event_inbox (day, id, shard, kind, received_at, facts) VALUES (current_date, $1, 0, $2, now(), $3)`,
    [event.id, event.kind, JSON.stringify(event.facts)],
  );
}

const read = async (after: EventCursor, limit = 2_000): Promise<WaitingEvent[]> =>
  await eventReader.read(runner(database.db), { shard: 0, after, limit });
const waits = async (): Promise<boolean> => await eventReader.waits(runner(database.db), 0);
const ids = (rows: readonly WaitingEvent[]): string[] => rows.map((row) => row.id);

test('read · an older transaction commits late · it is read, and before the younger one', async () => {
  const [late, early] = [eventOf(line), eventOf(line)];
  const a = await open();
  await insert(a, late);
  const b = await open();
  await insert(b, early);
  await b.query('COMMIT');
  expect(ids(await read(START))).toEqual([]);
  expect(await waits()).toBe(false);
  await a.query('COMMIT');
  await whenReadable(database);
  expect(ids(await read(START))).toEqual([late.id, early.id]);
  expect(await waits()).toBe(true);
  await a.end();
  await b.end();
});

test('read · an older transaction is rolled back · the younger one is read', async () => {
  const event = eventOf(line);
  const a = await open();
  await insert(a, eventOf(line));
  const b = await open();
  await insert(b, event);
  await b.query('COMMIT');
  await a.query('ROLLBACK');
  await whenReadable(database);
  expect(ids(await read(START))).toEqual([event.id]);
  await a.end();
  await b.end();
});

test('read · pages of 3 over transactions of several rows · each row once, in order', async () => {
  const events = Array.from({ length: 10 }, () => eventOf(line));
  await append(database, ...events.slice(0, 4));
  await append(database, ...events.slice(4));
  const seen: string[] = [];
  let cursor = START;
  for (;;) {
    const rows = await read(cursor, 3);
    const last = rows.at(-1);
    if (last === undefined) break;
    seen.push(...ids(rows));
    cursor = last.cursor;
  }
  expect(seen).toEqual(events.map((event) => event.id));
});

test('read · writers that commit in any order beside a reader · nothing is skipped', async () => {
  const written = new Set<string>();
  const seen: string[] = [];
  let cursor = START;
  let writing = true;
  const reader = (async () => {
    for (let idle = 0; writing || idle < 3;) {
      const rows = await read(cursor, 7);
      const last = rows.at(-1);
      if (last === undefined) {
        idle += writing ? 0 : 1;
        await pause(2, 'writers get their turn');
        continue;
      }
      seen.push(...ids(rows));
      cursor = last.cursor;
    }
  })();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = new pg.Client(database.url);
      await client.connect();
      for (let round = 0; round < 25; round += 1) {
        const event = eventOf(line);
        await client.query('BEGIN');
        await insert(client, event);
        await pause(Math.random() * 8, 'commits come in another order than rows');
        await client.query('COMMIT');
        written.add(event.id);
      }
      await client.end();
    }),
  );
  await whenReadable(database);
  writing = false;
  await reader;
  expect(seen).toHaveLength(100);
  expect(new Set(seen)).toEqual(written);
});

test('read · the plan · walks the order index', async () => {
  await append(database, ...Array.from({ length: 200 }, () => eventOf(line)));
  const client = await open();
  await client.query('SET LOCAL enable_seqscan = off');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT 1 FROM event_inbox i WHERE i.shard = 0 AND (i.xid, i.seq) > ('5'::xid8, 1)
       AND i.xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY i.xid, i.seq LIMIT 10`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Cond: ((shard = 0) AND (ROW(xid, seq) > ROW(');
  expect(plan).not.toMatch(/->\s+Sort/);
  await client.query('ROLLBACK');
  await client.end();
});
