import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { runner } from '../../db/postgres.ts';
import { freePort } from '../../dev/services/ports.ts';
import { createColumnSealer, type OnOpening, placeOf } from '../../db/sealed-columns.ts';
import { noteOpenings } from '../../metrics/openings.ts';
import {
  measureAuctions,
  measureDatacenters,
  measureEventLog,
  measureHolds,
} from '../../metrics/api.ts';
import { measureBacklogs } from '../../metrics/backlogs.ts';
import { type Metrics, serveMetrics } from '../../metrics/server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const RULES = 'ops/prometheus/alerts.yml';
const promtool = async (...args: string[]): Promise<string> => {
  const file = process.env['PROMTOOL_PATH'] ?? '';
  if (file === '') throw new Error('PROMTOOL_PATH is not set: npm test sets it');
  const { stdout, stderr } = await promisify(execFile)(file, args);
  return `${stdout}${stderr}`;
};

let database: TestDatabase;
let metrics: Metrics;
let port: number;
let spooled = 0;
const cutShort = { LOOKS_LIMIT: 0, CAPPED_LIMIT: 0 };
let onOpening: OnOpening;
const lines: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  port = await freePort();
  metrics = serveMetrics({
    host: '127.0.0.1',
    port,
    log: pino({ level: 'silent' }),
    more: async () => await Promise.resolve('temporal_workflow_task_execution_failed 0'),
  });
  measureBacklogs(metrics.registry, {
    sql: runner(database.db),
    shards: 1,
    clock: () => new Date(),
  });
  measureHolds(metrics.registry, { heldNanos: () => 2_500_000_000n });
  measureAuctions(metrics.registry, { stats: () => ({ cutShort }) });
  measureDatacenters(metrics.registry, { stats: () => ({ networks: 7, ageSeconds: 60.5 }) });
  measureEventLog(metrics.registry, { stats: () => ({ pending: 0, spooled }) });
  onOpening = noteOpenings(pino({}, { write: (line) => lines.push(line) }), metrics.registry);
}, 60_000);

afterAll(async () => {
  metrics?.close();
  await database?.close();
});

const scrape = async (): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.status).toBe(200);
  return await answer.text();
};
const figure = async (name: string): Promise<number> => {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ')[1]);
};

it('a message that waits, one that was given up · are figures at the next scrape', async () => {
  expect(await figure('adp_outbox_waiting')).toBe(0);
  await database.pool.query(
    `INSERT INTO outbox (kind, dedupe_key, payload, next_at, created_at, dead_at) VALUES
       ('publish', 'a', '{}', now(), now() - interval '5 minutes', NULL),
       ('publish', 'b', '{}', now(), now() - interval '2 days', now())`,
  );
  expect(await figure('adp_outbox_waiting')).toBe(1);
  expect(await figure('adp_outbox_oldest_seconds')).toBeGreaterThanOrEqual(300);
  expect(await figure('adp_outbox_dead')).toBe(1);
});

it('clean books, an empty spool and one with events · say so', async () => {
  expect(await figure('adp_books_broken')).toBe(0);
  expect(await figure('adp_books_unchecked')).toBeGreaterThan(10);
  expect(await figure('adp_spool_events')).toBe(0);
  spooled = 7;
  expect(await figure('adp_spool_events')).toBe(7);
});

it('a sealed text · opened, then copied to another row · leaves a line and a figure each, and nothing of what it says', async () => {
  const sealer = createColumnSealer([{ id: 7, secret: Buffer.alloc(32, 7) }], onOpening);
  const sealed = sealer.seal('IBAN', placeOf('bank_cards.sealed_info', 5, 1));
  expect(sealer.open(sealed, placeOf('bank_cards.sealed_info', 5, 1))).toBe('IBAN');
  expect(() => sealer.open(sealed, placeOf('bank_cards.sealed_info', 5, 2))).toThrow(
    /authenticate/,
  );
  expect([
    await figure('adp_sealed_opened_total'),
    await figure('adp_sealed_refused_total'),
  ]).toEqual([1, 1]);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      sealed_column: 'bank_cards.sealed_info',
      sealed_row: '5/1',
      key_id: '7',
    }),
    expect.objectContaining({ level: 50, sealed_row: '5/2' }),
  ]);
  expect(lines.join('')).not.toContain('IBAN');
});

it('money that budgets hold back · is a figure in units', async () => {
  expect(await figure('adp_budget_held_units')).toBe(2.5);
});

it('auctions that ended at a bound · are counted by it', async () => {
  cutShort.LOOKS_LIMIT = 3;
  expect(await figure('adp_auctions_looks_limit_total')).toBe(3);
  cutShort.LOOKS_LIMIT = 4;
  expect(await figure('adp_auctions_looks_limit_total')).toBe(4);
  expect(await figure('adp_auctions_capped_limit_total')).toBe(0);
});

it('lists of data centres · say how many networks they have, and how old the oldest is', async () => {
  expect(await figure('adp_datacenter_networks')).toBe(7);
  expect(await figure('adp_datacenter_age_seconds')).toBe(60.5);
});

it('any address but /metrics · is not found', async () => {
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
});

it('every alert · asks for a figure that is served, and has a runbook that is there', async () => {
  const rules = readFileSync(RULES, 'utf8');
  const text = await scrape();
  const asked = [...rules.matchAll(/\b(?:adp|temporal)_\w+/g)].map(([name]) => name);
  expect(asked.filter((name) => !text.includes(`\n${name} `))).toEqual([]);
  const runbooks = [...rules.matchAll(/runbook: (\S+)/g)].map(([, file]) => file ?? '');
  expect(runbooks.length).toBeGreaterThan(8);
  expect(runbooks.filter((file) => !existsSync(file))).toEqual([]);
});

it('the alerts · are rules, and each fires when it should and not before', async () => {
  expect(await promtool('check', 'rules', RULES)).toContain('SUCCESS');
  expect(await promtool('test', 'rules', 'ops/prometheus/alerts.test.yml')).toContain('SUCCESS');
  const names = [...readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const tests = readFileSync('ops/prometheus/alerts.test.yml', 'utf8');
  expect(names.filter((name) => !tests.includes(`alertname: ${name}\n`))).toEqual([]);
});

it('the dashboard · asks for figures that exist', async () => {
  const text = await scrape();
  const folder = 'ops/grafana/dashboards';
  const boards = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  const asked = boards.flatMap((board) => [...board.matchAll(/\badp_\w+/g)].map(([name]) => name));
  expect(asked.length).toBeGreaterThan(5);
  const served = asked.filter((name) => !name.startsWith('adp_http_request_seconds'));
  expect(served.filter((name) => !text.includes(`\n${name} `))).toEqual([]);
});
