import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { addressAs, readFreedoms } from '../../../db/application-role.ts';
import { MIGRATIONS_DIR, migrate } from '../../../db/migrate.ts';
import { openDatabase } from '../../support/clusters.ts';
import { APPLICATION, serviceUrl, type TestDatabase } from '../../support/database.ts';
import { makeLine } from '../../support/make/line.ts';
import { activityDeps, append, eventOf, hex, stored } from '../../support/settlement.ts';

/**
 * What brings up a build whose marks were rows of several kinds, and what came after approvals, which keep
 * rows of before, with what rests on that. Other later migrations are of other tables, and today's makers
 * need them.
 */
const BRINGS_UP = /^(010[01]|02[1-9]\d|0300|0315|0340|035\d|0380|0390|0435|0447|0448|0476)-/;
const name = `adp_upgrade_${randomBytes(6).toString('hex')}`;
let database: TestDatabase;

async function asAdmin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serviceUrl('POSTGRES_URL') });
  await client.connect();
  await client.query(sql);
  await client.end();
}

beforeAll(async () => {
  await asAdmin(`CREATE DATABASE ${name}`);
  const url = new URL(serviceUrl('POSTGRES_URL'));
  url.pathname = `/${name}`;
  database = openDatabase(url.toString(), null);
  await database.pool.query(
    'CREATE TABLE schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  for (const file of readdirSync(MIGRATIONS_DIR).sort()) {
    if (BRINGS_UP.test(file)) continue;
    await database.pool.query(readFileSync(path.join(MIGRATIONS_DIR, file), 'utf8'));
    await database.pool.query('INSERT INTO schema_migrations (name) VALUES ($1)', [file]);
  }
  await database.pool.query('SELECT ensure_event_partitions(current_date - 1, 3)');
});
afterAll(async () => {
  await database.close();
  await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
});

test('a database of the build before · with judged events and their marks · is brought up, and judges what follows as before', async () => {
  const { pool } = database;
  const viewerKey = hex(16);
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 60_000);
  const nonce = hex(12);
  const bid = { bidId: hex(8) };
  const lineOf = await makeLine(database);
  const old = eventOf(lineOf, { at, track: bid, facts: { viewerKey, nonce } });
  // As that build left them: facts by name, a row per event, four marks.
  await pool.query(
    `INSERT INTO event_inbox (day, id, shard, kind, received_at, facts) VALUES ($1::date, $2, 0, 'impression', $3, $4)`,
    [at.toISOString().slice(0, 10), old.id, at, JSON.stringify(old.facts)],
  );
  await pool.query(
    `INSERT INTO settlement_cursors (shard, xid, seq, cluster)
     SELECT 0, i.xid, i.seq, s.system_identifier FROM event_inbox i, pg_control_system() s`,
  );
  await pool.query(
    `INSERT INTO events (day, id, shard, kind, received_at, request_id, bid_id, device, billable, status)
     SELECT day, id, 0, kind, received_at, facts->'track'->>'requestId', facts->'track'->>'bidId', 'DESKTOP', false, 'invalid'
     FROM event_inbox`,
  );
  const creative = old.facts.track?.creativeId;
  await pool.query(
    `INSERT INTO event_marks (kind, key, seen_at, count, expires_at)
     SELECT kind, key, $1, 1, now() + interval '1 day' FROM (VALUES
       ('impression', $2), ('impression_dedup', $3), ('nonce', 'impression:' || $2 || ':' || $4), ('rate', 'impression:x:1')) AS m (kind, key)`,
    [at, bid.bidId, `${viewerKey}:${creative}`, nonce],
  );

  // The installation had one role so far; from now on it has two.
  const applied = await migrate(databaseUrl(), addressAs(databaseUrl(), APPLICATION));
  expect(applied).toEqual(
    readdirSync(MIGRATIONS_DIR)
      .filter((file) => BRINGS_UP.test(file))
      .sort(),
  );
  expect(applied.length).toBeGreaterThan(2);
  const application = openDatabase(databaseUrl());
  expect(await readFreedoms(application.appPool)).toEqual([]);
  await application.close();

  const { settleBatch } = createSettlementActivities(activityDeps(database));
  await pool.query(
    `INSERT INTO settings (key, value) VALUES ('ad.rate_impressions_per_minute', '2')`,
  );
  const replayed = eventOf(lineOf, { at, track: bid, facts: { nonce } });
  const duplicate = eventOf(lineOf, { at, facts: { viewerKey } });
  const tooMany = eventOf(lineOf, { at, facts: { viewerKey } });
  const fresh = eventOf(lineOf, { at });
  await append(database, replayed, duplicate, tooMany, fresh);
  await settleBatch({ shard: 0 });
  expect(await stored(database, replayed.id)).toMatchObject({ reason: 'REPLAY' });
  expect(await stored(database, duplicate.id)).toMatchObject({ reasons: ['DUPLICATE_IMPRESSION'] });
  expect((await stored(database, tooMany.id))?.reasons).toContain('RATE_LIMIT');
  expect(await stored(database, fresh.id)).toMatchObject({ billable: true });
  expect(await stored(database, randomUUID())).toBeUndefined();
});

function databaseUrl(): string {
  const url = new URL(serviceUrl('POSTGRES_URL'));
  url.pathname = `/${name}`;
  return url.toString();
}
