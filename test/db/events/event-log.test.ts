import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type pg from 'pg';
import { createPostgresEventLog } from '../../../db/events/event-log-postgres.ts';
import { lineOf, spoolLine } from '../../../db/events/event-inbox.ts';
import {
  type EventLog,
  type LoggedEvent,
  newEventId,
  timeOfEventId,
} from '../../../db/events/event-log.ts';
import { openPool } from '../../../db/postgres.ts';
import type { EventFacts } from '../../../domain/tracking/facts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { pause, until } from '../../support/until.ts';
import { factsOf, UNSIGNED } from '../../support/tracking-facts.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let dir: string;
const opened: { log: EventLog; pool: pg.Pool }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});
beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'spool-'));
  await database.pool.query('DELETE FROM event_inbox');
});
afterEach(async () => {
  for (const { log: eventLog, pool } of opened.splice(0)) {
    await eventLog.close();
    await pool.end();
  }
  rmSync(dir, { recursive: true, force: true });
});

function openLog(url = database.url): EventLog {
  const pool = openPool({ url, poolMax: 4, applicationName: 'event-log-test' });
  const eventLog = createPostgresEventLog({ pool, spoolDir: dir, log });
  opened.push({ log: eventLog, pool });
  return eventLog;
}

const AWAY = 'postgres://nobody@127.0.0.1:1/nowhere';
const facts = (marker: string): EventFacts =>
  factsOf({ ...UNSIGNED, track: null, seal: 'invalid', nonce: marker, country: null });
function event(marker = 'm', receivedAt = new Date()): LoggedEvent {
  return {
    id: newEventId(receivedAt),
    kind: 'impression',
    shard: 0,
    receivedAt,
    facts: facts(marker),
  };
}
const stored = async (): Promise<{ id: string; nonce: string }[]> => {
  const { rows } = await database.pool.query<{ id: string; nonce: string }>(
    `SELECT id, facts ->> 'nonce' AS nonce FROM event_inbox ORDER BY seq`,
  );
  return rows;
};

describe('event log with PostgreSQL there', () => {
  test('append · many at once · all are stored, in few transactions', async () => {
    const eventLog = openLog();
    const events = Array.from({ length: 1_200 }, (_, index) => event(String(index)));
    await Promise.all(events.map(async (one) => await eventLog.append(one)));
    // Two batches are on their way at once: which of them commits first says nothing.
    const byNumber = (await stored()).sort((a, b) => Number(a.nonce) - Number(b.nonce));
    expect(byNumber).toEqual(events.map((one, index) => ({ id: one.id, nonce: String(index) })));
    const { rows } = await database.pool.query<{ n: string }>(
      'SELECT count(DISTINCT xid) AS n FROM event_inbox',
    );
    // Two of sixteen leave in the middle of the turn, the rest by five hundred (db/group-commit.ts).
    expect(Number(rows[0]?.n)).toBeLessThanOrEqual(5);
  });
  test('append · the same event twice · is stored once', async () => {
    const eventLog = openLog();
    const one = event();
    await Promise.all([eventLog.append(one), eventLog.append(one)]);
    await eventLog.append(one);
    expect(await stored()).toHaveLength(1);
  });
  test('append · a day without partition · makes it and loses nothing', async () => {
    const eventLog = openLog();
    const far = new Date('2031-07-01T23:59:59.999Z');
    await Promise.all([eventLog.append(event('far', far)), eventLog.append(event('near'))]);
    expect((await stored()).map((row) => row.nonce).sort()).toEqual(['far', 'near']);
    const { rows } = await database.pool.query<{ day: string }>(
      `SELECT day::text FROM event_inbox WHERE facts ->> 'nonce' = 'far'`,
    );
    expect(rows[0]?.day).toBe('2031-07-01');
  });
  test('append · one poisoned row in a batch · is put aside, the others are stored', async () => {
    const eventLog = openLog();
    const events = Array.from({ length: 40 }, (_, index) => event(String(index)));
    const poisoned = { ...event(), id: 'not-a-uuid' };
    // The first append leaves at once; the rest, the poisoned one among them, is the second batch.
    await Promise.all(
      [...events.slice(0, 20), poisoned, ...events.slice(20)].map(
        async (one) => await eventLog.append(one),
      ),
    );
    expect((await stored()).map((row) => row.id).sort()).toEqual(
      events.map((one) => one.id).sort(),
    );
    expect(readFileSync(path.join(dir, 'quarantine.jsonl'), 'utf8')).toContain('not-a-uuid');
  });
});

describe('event log with PostgreSQL away', () => {
  test('append · its connections are terminated again and again · nothing is lost, all stored once', async () => {
    const eventLog = openLog();
    const sent: string[] = [];
    let running = true;
    const killer = (async () => {
      while (running) {
        await database.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'event-log-test'`,
        );
        await pause(15, 'some appends succeed between two cuts');
      }
    })();
    for (let round = 0; round < 60; round += 1) {
      const events = Array.from({ length: 20 }, () => event());
      await Promise.all(events.map(async (one) => await eventLog.append(one)));
      sent.push(...events.map((one) => one.id));
    }
    running = false;
    await killer;
    await until(async () => (await stored()).length >= sent.length);
    expect((await stored()).map((row) => row.id).sort()).toEqual(sent.sort());
    await until(() => readdirSync(dir).length === 0);
  });
  test('append · server unreachable · is answered from the spool, and replayed by the next process in order', async () => {
    const down = openLog(AWAY);
    const events = Array.from({ length: 30 }, (_, index) => event(String(index)));
    for (const one of events) await down.append(one);
    expect(down.stats().spooled).toBe(30);
    expect(await stored()).toHaveLength(0);
    openLog();
    await until(async () => (await stored()).length === 30);
    expect((await stored()).map((row) => row.nonce)).toEqual(
      events.map((_, index) => String(index)),
    );
    await until(() => readdirSync(dir).length === 0);
  });
  test('append · another process claimed the spool meanwhile · later events go to a new file', async () => {
    const down = openLog(AWAY);
    await down.append(event('before'));
    const up = openLog();
    // Where the first one was faster to claim it, its claim has to age first.
    await until({ what: 'it is taken over', withinMs: 45_000 }, async () => {
      return (await stored()).length === 1;
    });
    await down.append(event('after'));
    await up.close();
    openLog();
    await until(async () => (await stored()).length === 2);
  });
  test('spool of a killed process · ends in half a row · whole rows are replayed, the rest is skipped', async () => {
    const down = openLog(AWAY);
    await down.append(event('whole'));
    const [name] = readdirSync(dir);
    const file = path.join(dir, name ?? '');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}${text.slice(0, 57)}`);
    openLog();
    await until(async () => (await stored()).length === 1);
    expect((await stored())[0]?.nonce).toBe('whole');
  });
  test('claimed file of another process · just claimed · is left to its claimer', async () => {
    const down = openLog(AWAY);
    await down.append(event('claimed'));
    await down.close();
    const [name = ''] = readdirSync(dir);
    const text = readFileSync(path.join(dir, name), 'utf8');
    rmSync(path.join(dir, name));
    const abandoned = name.replace('.jsonl', '.claimed-1-00000000.jsonl');
    writeFileSync(path.join(dir, abandoned), text);
    const up = openLog();
    await up.append(event('live'));
    // Too young: its claimer may still be at work.
    expect((await stored()).map((row) => row.nonce)).toEqual(['live']);
    expect(readdirSync(dir)).toEqual([abandoned]);
  });
  test('append · PostgreSQL and spool both away · rejects, so that the answer is 503', async () => {
    const down = openLog(AWAY);
    rmSync(dir, { recursive: true });
    writeFileSync(dir, 'a file where the directory was');
    await expect(down.append(event())).rejects.toThrow('ECONNREFUSED');
    rmSync(dir);
  });
  test('append · spool broken, PostgreSQL there · still stores', async () => {
    const eventLog = openLog();
    rmSync(dir, { recursive: true });
    await eventLog.append(event('direct'));
    expect(await stored()).toHaveLength(1);
  });
});

test('spool · a line of an older build, which told the click’s row apart · is replayed as its event', async () => {
  const one = event('older');
  const line = {
    ...spoolLine(lineOf(one)),
    clickId: 'c'.repeat(32),
    verifyWithinSeconds: 300,
    track: {},
  };
  writeFileSync(path.join(dir, 'events-1-old-000001.jsonl'), `${JSON.stringify(line)}\n`);
  openLog();
  await until(async () => (await stored()).length === 1);
  expect(await stored()).toMatchObject([{ nonce: 'older' }]);
});

test('spool · a line whose moment is damaged, between others · is put aside, the others are replayed', async () => {
  const lines = ['one', 'damaged', 'two'].map((nonce) => spoolLine(lineOf(event(nonce))));
  const [first, damaged, last] = lines.map((line) => JSON.stringify(line));
  const spoilt = damaged?.replace(/"receivedAt":"[^"]*"/, '"receivedAt":"once"');
  writeFileSync(path.join(dir, 'events-1-old-000001.jsonl'), `${first}\n${spoilt}\n${last}\n`);
  openLog();
  await until(async () => (await stored()).length === 2);
  expect((await stored()).map(({ nonce }) => nonce).sort()).toEqual(['one', 'two']);
  await until(() => readdirSync(dir).every((name) => name === 'quarantine.jsonl'));
  expect(readFileSync(path.join(dir, 'quarantine.jsonl'), 'utf8')).toContain('"once"');
});

test('spool · a line that is written · says its moment as builds before this one read it', async () => {
  const down = openLog(AWAY);
  const one = event('written');
  await down.append(one);
  const [name = ''] = readdirSync(dir);
  expect(JSON.parse(readFileSync(path.join(dir, name), 'utf8'))).toMatchObject({
    receivedAt: one.receivedAt.toISOString(),
  });
});

test('append · of a time-ordered id · tells its moment', () => {
  const at = new Date('2026-03-01T12:34:56.789Z');
  expect(timeOfEventId(newEventId(at))).toBe(at.getTime());
});
