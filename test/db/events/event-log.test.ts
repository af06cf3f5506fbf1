import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type pg from 'pg';
import { createPostgresEventLog } from '../../../db/events/event-log-postgres.ts';
import { lineOf } from '../../../db/events/event-inbox.ts';
import { type EventLog, type LoggedEvent, newEventId } from '../../../db/events/event-log.ts';
import { openPool } from '../../../db/postgres.ts';
import type { EventFacts } from '../../../domain/tracking/facts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { pause, until } from '../../support/until.ts';
import { makeLine } from '../../support/make/line.ts';
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
  await database.pool.query('DELETE FROM clicks');
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
    expect(Number(rows[0]?.n)).toBeLessThanOrEqual(4);
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
    await until(async () => (await stored()).length === 1);
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

describe('clicks', () => {
  const inventory = async (): Promise<number> => (await makeLine(database)).adId;
  const click = (adId: number): LoggedEvent => {
    const one = event('click');
    return {
      ...one,
      kind: 'click',
      facts: {
        ...one.facts,
        seal: 'ok',
        track: {
          requestId: 'a'.repeat(32),
          bidId: 'b'.repeat(16),
          advertiserId: 1,
          campaignId: 2,
          adId,
          creativeId: 4,
          zoneId: 5,
          issuedAt: 1,
          protocol: 1,
          channel: 'page',
          pricingModel: 'CPC',
          priceNanos: '250000000',
          uaHash: '00000000',
          ipHash: '00000000',
          country: null,
          device: 'DESKTOP',
          os: 'LINUX',
        },
      },
      pendingClick: {
        id: one.id,
        clickId: randomBytes(16).toString('hex'),
        verifyWithinSeconds: 300,
      },
    };
  };

  test('append · click · its row commits in the same transaction, due on the database clock', async () => {
    const eventLog = openLog();
    const one = click(await inventory());
    await Promise.all([eventLog.append(one), eventLog.append(event()), eventLog.append(one)]);
    const { rows } = await database.pool.query(
      `SELECT c.*, c.xmin::text = i.xmin::text AS same_commit,
         extract(epoch FROM verify_by - now()) AS due_in FROM clicks c JOIN event_inbox i USING (id)`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      id: one.id,
      click_id: one.pendingClick?.clickId,
      status: 'verify_pending',
      same_commit: true,
      bid_price_nanos: '250000000',
      pricing_model: 'CPC',
      campaign_id: '2',
      request_id: 'a'.repeat(32),
    });
    expect(Number(rows[0].adgroup_id)).toBeGreaterThan(0);
    expect(Number(rows[0].due_in)).toBeGreaterThan(295);
    expect(Number(rows[0].due_in)).toBeLessThanOrEqual(300);
  });
  test('append · click of an ad that does not exist · keeps the event, has no row to verify', async () => {
    const eventLog = openLog();
    await eventLog.append(click(999_999));
    expect(await stored()).toHaveLength(1);
    expect((await database.pool.query('SELECT 1 FROM clicks')).rowCount).toBe(0);
  });
  test('append · click whose id names the ad group · is stored under that one', async () => {
    const one = click(await inventory());
    const { track } = one.facts;
    if (track !== null) one.facts.track = { ...track, adGroupId: 77 };
    await openLog().append(one);
    const { rows } = await database.pool.query('SELECT adgroup_id FROM clicks');
    expect(rows).toEqual([{ adgroup_id: '77' }]);
  });
  test('spool · a click of an older build, whose row is in its facts alone · is replayed with it', async () => {
    const one = click(await inventory());
    const { track: _apart, ...line } = lineOf(one);
    writeFileSync(path.join(dir, 'events-1-old-000001.jsonl'), `${JSON.stringify(line)}\n`);
    openLog();
    await until(async () => (await stored()).length === 1);
    const { rows } = await database.pool.query('SELECT click_id FROM clicks');
    expect(rows).toEqual([{ click_id: one.pendingClick?.clickId }]);
  });
  test('append · click spooled and replayed twice · has one row', async () => {
    const one = click(await inventory());
    const down = openLog(AWAY);
    await down.append(one);
    const up = openLog();
    await until(async () => (await stored()).length === 1);
    await up.append(one);
    expect((await database.pool.query('SELECT 1 FROM clicks')).rowCount).toBe(1);
  });
});
