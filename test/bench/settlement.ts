import pg from 'pg';
import type * as Settlement from '../../activities/tracking/settlement.ts';
import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import {
  createTestDatabase,
  prepareTemplateDatabase,
  type TestDatabase,
} from '../support/database.ts';
import { activityDeps } from '../support/settlement.ts';
import { cpuMicrosWithChildren, postmasterOf } from './cpu.ts';
import { fillInbox, makeMarket } from './settlement-market.ts';

/** SETTLEMENT_EVENTS: impressions; other events come on top. */
const IMPRESSIONS = Number(process.env['SETTLEMENT_EVENTS'] ?? 40_000);
const ROUNDS = Number(process.env['SETTLEMENT_ROUNDS'] ?? 3);

/** As it is shipped: loaded from its source, every function made on the way is given its name at run time. */
const BUILT = '../../dist/activities/tracking/settlement.js';

/**
 * Settlement's speed on one shard, with ledger and rollups: events a second, processor time per event of
 * this process and of PostgreSQL, statements per batch; and the bytes that an impression leaves behind.
 */
export async function benchSettlement(): Promise<void> {
  await prepareTemplateDatabase();
  console.log(
    `\nsettlement, one shard, ${IMPRESSIONS} impressions and what follows them\n` +
      '| round | events | events/s | Node us | PostgreSQL us | statements a batch | batch ms p50 | max |\n' +
      '|---|---|---|---|---|---|---|---|',
  );
  for (let round = 1; round <= ROUNDS; round += 1) {
    const database = await createTestDatabase();
    try {
      await measure(database, round);
      if (round === ROUNDS) await measureDisk(database);
    } finally {
      await database.close();
    }
  }
}

async function measure(database: TestDatabase, round: number): Promise<void> {
  const { createSettlementActivities } = (await import(BUILT)) as typeof Settlement;
  const { settleBatch } = createSettlementActivities(activityDeps(database));
  // A new cursor looks through the whole inbox once; it is empty here.
  await settleBatch({ shard: 0 });
  const events = await fillInbox(database, await makeMarket(database), IMPRESSIONS);
  await database.pool.query('VACUUM ANALYZE');
  await database.pool.query('CHECKPOINT');
  const postmaster = await postmasterOf(database.pool);
  const statements = countStatements();
  const laps: number[] = [];
  const cpu = process.cpuUsage();
  const postgres = cpuMicrosWithChildren(postmaster);
  const began = performance.now();
  let settled = 0;
  for (;;) {
    const lapBegan = performance.now();
    const outcome = await settleBatch({ shard: 0 });
    if (outcome.events === 0) break;
    settled += outcome.events;
    laps.push(performance.now() - lapBegan);
  }
  const seconds = (performance.now() - began) / 1_000;
  const used = process.cpuUsage(cpu);
  const usedByPostgres = cpuMicrosWithChildren(postmaster) - postgres;
  const sent = statements.end();
  if (settled !== events) throw new Error(`${settled} of ${events} events were settled`);
  const broken = (await runBooks(runner(database.db))).filter((check) => !check.ok);
  if (broken.length > 0) throw new Error(`books: ${broken.map(({ name }) => name).join(', ')}`);
  laps.sort((a, b) => a - b);
  const row = [
    round,
    settled,
    (settled / seconds).toFixed(0),
    ((used.user + used.system) / settled).toFixed(1),
    (usedByPostgres / settled).toFixed(1),
    (sent / laps.length).toFixed(1),
    (laps[laps.length >> 1] ?? 0).toFixed(0),
    (laps.at(-1) ?? 0).toFixed(0),
  ];
  console.log(`| ${row.join(' | ')} |`);
}

/** Every statement of this process, whichever pool it goes through. */
function countStatements(): { end(): number } {
  let sent = 0;
  const { prototype } = pg.Client;
  const original = Object.getOwnPropertyDescriptor(prototype, 'query');
  if (original === undefined) throw new Error('the driver has no query');
  const query = original.value as (...args: unknown[]) => unknown;
  Object.defineProperty(prototype, 'query', {
    ...original,
    value(this: pg.Client, ...args: unknown[]) {
      sent += 1;
      return query.apply(this, args);
    },
  });
  return {
    end: () => {
      Object.defineProperty(prototype, 'query', original);
      return sent;
    },
  };
}

/** Bytes per impression, everything that followed it included: tables and indexes, partitions summed. */
async function measureDisk({ pool }: TestDatabase): Promise<void> {
  await pool.query('VACUUM FULL');
  const { rows } = await pool.query<{ name: string; kind: string; bytes: string }>(
    `SELECT regexp_replace(c.relname, '_\\d{8}', '') AS name, c.relkind AS kind, sum(pg_relation_size(c.oid)) AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'pg_toast') AND c.relkind IN ('r', 'i', 't')
       AND c.relname ~ '^(event|bid_|viewer_|click|rollup|ledger)'
     GROUP BY 1, 2 HAVING sum(pg_relation_size(c.oid)) > $1 ORDER BY 3 DESC`,
    [IMPRESSIONS],
  );
  console.log('\n| table or index | bytes per impression |\n|---|---|');
  let total = 0;
  for (const { name, bytes } of rows) {
    total += Number(bytes);
    console.log(`| ${name} | ${(Number(bytes) / IMPRESSIONS).toFixed(0)} |`);
  }
  console.log(`| all | ${(total / IMPRESSIONS).toFixed(0)} |`);
}
