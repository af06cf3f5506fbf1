import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endingWithParent } from '../../dev/services/platform-processes.ts';
import { createSessionKeys } from '../../domain/tracking/session-key.ts';
import { seedInventory } from '../support/bulk-inventory.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { CORES, pin, postmasterOf } from './cpu.ts';
import { type BenchRequest, load, LOADER, type LoadResult, median } from './load.ts';
import {
  addCappedAndFilms,
  BENCH_AGENT,
  clicksFor,
  describedRequests,
} from './serving-inventory.ts';
import { startServer } from './started-server.ts';

/**
 * Serving and tracking against the yardsticks. Every figure of one table comes from one run, so that
 * its ratios hold on a noisy machine: rounds are interleaved, medians printed. BENCH_CAMPAIGNS says of how
 * large an inventory. BENCH_ROWS (a pattern) chooses rows; the yardsticks always run. BENCH_OTHER names the
 * folder of another checkout that was built: its server runs beside ours, on the same database, and has rows
 * of its own; with BENCH_PAIRED=1 both are loaded in the same moment on the same core, so that CPU compares
 * well where rates do not. BENCH_PROFILE names a folder for what V8 saw of our server; the largest file is of
 * the load.
 */
const CAMPAIGNS = Number(process.env['BENCH_CAMPAIGNS'] ?? 10_000);
const ZONES = 100;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4);
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 64;
/** Durable writes wait for a commit: with few connections the server is idle, and latency is measured. */
const CONNECTIONS_MANY = 200;
/** Where nothing queues: what a request takes. */
const CONNECTIONS_FEW = 8;
const ROWS = new RegExp(process.env['BENCH_ROWS'] ?? '.');
/**
 * Clicks can be verified, and conversions counted, once each: more than one round uses up, or the next one would
 * measure refusals.
 */
const ONCE_PER_ROUND = 60_000;
/** The last of the first round's, for the second in which nothing queues. */
const ONCE_FOR_FEW = 12_000;
const OTHER = process.env['BENCH_OTHER'];
const IS_PAIRED = process.env['BENCH_PAIRED'] === '1';
const PROFILE = process.env['BENCH_PROFILE'];
const OTHER_LABEL = ' (other)';
const HEADERS = { 'User-Agent': BENCH_AGENT, 'X-Forwarded-For': '8.8.8.8' };

interface Row {
  name: string;
  /** The yardstick of its size. */
  anchor: string;
  url: string;
  pid: number;
  connections: number;
  requests?: readonly BenchRequest[];
  /** Each request may be sent once. */
  isOnce?: boolean;
}

async function bareServer(kind: string, bytes: number): Promise<{ child: ChildProcess; row: Row }> {
  const child = spawn(
    process.execPath,
    [
      ...endingWithParent(process.cwd()),
      '--import',
      'tsx',
      'test/bench/bare-server.ts',
      kind,
      String(bytes),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`bare ${kind} server did not start`)));
    child.stdout.on('data', (chunk: Buffer) => {
      const match = /PORT (\d+)/.exec(chunk.toString());
      if (match?.[1] !== undefined) resolve(match[1]);
    });
  });
  const pid = child.pid ?? 0;
  const url = `http://127.0.0.1:${port}`;
  const name = `${kind} ${bytes} B`;
  return { child, row: { name, anchor: stock(bytes), url, pid, connections: CONNECTIONS } };
}

const stock = (bytes: number): string => `express ${bytes} B`;
const SMALL = 43;

/** Track ids from real answers: each beacon of the bench reports an ad that was really served. */
async function collectTrackIds(url: string, zoneKeys: string[], count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const answers = await Promise.all(
      zoneKeys.slice(0, 50).map(async (zone) => {
        const response = await fetch(`${url}/ad/request?zone=${zone}&limit=10`, {
          headers: HEADERS,
        });
        return (await response.json()) as { data: { ads: { id: string }[] } };
      }),
    );
    const fresh = answers.flatMap((answer) => answer.data.ads.map((ad) => ad.id));
    if (fresh.length === 0) throw new Error('the bench inventory serves no ad');
    ids.push(...fresh);
  }
  return ids;
}

async function bytesOf(url: string): Promise<number> {
  const response = await fetch(url, { headers: HEADERS });
  return (await response.arrayBuffer()).byteLength;
}

interface Measured extends Omit<LoadResult, 'failed'> {
  row: Row;
  range: [number, number];
  /** Of all rounds: neighbours on the machine only add to it. */
  leastCpuMicros: number;
}

async function measure(rows: readonly Row[], postmaster: number): Promise<Measured[]> {
  const results = new Map<Row, LoadResult[]>(rows.map((row) => [row, []]));
  const few = new Map<Row, LoadResult>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    const loadOne = async (row: Row): Promise<void> => {
      const used = row.isOnce === true ? round * ONCE_PER_ROUND : 0;
      const options = { ...row, postmaster, headers: HEADERS };
      const from = (at: number) =>
        row.requests === undefined ? {} : { requests: row.requests.slice(at, at + 100_000) };
      const seconds = round === 0 || row.isOnce === true ? WARM_UP_SECONDS : SECONDS;
      const result = await load({ ...options, ...from(used), seconds });
      if (result.failed > 0) console.error(`${row.name}: ${result.failed} failed requests`);
      const least = row.isOnce === true ? ONCE_PER_ROUND - ONCE_FOR_FEW : Infinity;
      if (result.requestsPerSecond * seconds > least) {
        throw new Error(`${row.name}: more than ${least} clicks were asked for in a round`);
      }
      if (round === 0) return;
      results.get(row)?.push(result);
      if (round !== 1) return;
      const rest = row.isOnce === true ? used + ONCE_PER_ROUND - ONCE_FOR_FEW : 0;
      const sent = { ...options, ...from(rest), seconds: 1, connections: CONNECTIONS_FEW };
      few.set(row, await load(sent));
    };
    for (const together of pairsOf(rows)) await Promise.all(together.map(loadOne));
    console.log(round === 0 ? 'warmed up' : `round ${round} of ${ROUNDS}`);
  }
  return rows.map((row) => {
    const list = results.get(row) ?? [];
    const of = (key: keyof LoadResult): number => median(list.map((result) => result[key]));
    const rates = list.map((result) => result.requestsPerSecond);
    return {
      row,
      requestsPerSecond: of('requestsPerSecond'),
      cpuMicros: of('cpuMicros'),
      storeMicros: of('storeMicros'),
      p50Ms: few.get(row)?.p50Ms ?? NaN,
      p99Ms: few.get(row)?.p99Ms ?? NaN,
      range: [Math.min(...rates), Math.max(...rates)],
      leastCpuMicros: Math.min(...list.map((result) => result.cpuMicros)),
    };
  });
}

/** Each row alone; where builds are compared in the same moment, with the other's of its kind. */
function pairsOf(rows: readonly Row[]): Row[][] {
  const pairs = new Map<string, Row[]>();
  for (const row of rows) {
    const kind = IS_PAIRED ? row.name.replace(OTHER_LABEL, '') : row.name;
    pairs.set(kind, [...(pairs.get(kind) ?? []), row]);
  }
  return [...pairs.values()];
}

function printTable(measured: readonly Measured[]): void {
  console.log(
    `\nload by ${LOADER}; p50 and p99 with ${CONNECTIONS_FEW} connections\n` +
      '| path | req/s [range] | x Express | CPU us [least] | Express CPU / ours [of the least] | PostgreSQL us | p50 ms | p99 ms |\n|---|---|---|---|---|---|---|---|',
  );
  for (const { row, range, ...result } of measured) {
    const anchor = measured.find((other) => other.row.name === row.anchor);
    const rate = result.requestsPerSecond / (anchor?.requestsPerSecond ?? NaN);
    const cpu = (anchor?.cpuMicros ?? NaN) / result.cpuMicros;
    const least = (anchor?.leastCpuMicros ?? NaN) / result.leastCpuMicros;
    const ends = range.map((end) => end.toFixed(0)).join('-');
    console.log(
      `| ${row.name} | ${result.requestsPerSecond.toFixed(0)} [${ends}] | ${rate.toFixed(2)} | ${result.cpuMicros.toFixed(1)} [${result.leastCpuMicros.toFixed(1)}] | ${cpu.toFixed(2)} [${least.toFixed(2)}] | ${result.storeMicros.toFixed(1)} | ${result.p50Ms} | ${result.p99Ms} |`,
    );
  }
}

const STALLED_MS = 120_000;
const STALLED_CHARS = 4_000;

/** The worker starts on what the beacons left in the inbox: real events, judged and billed. */
async function measureSettlement(platform: Platform): Promise<void> {
  const { rows } = await platform.pool.query<{ waiting: string; settled: string }>(
    'SELECT (SELECT count(*) FROM event_inbox) AS waiting, (SELECT count(*) FROM events) AS settled',
  );
  const waiting = Number(rows[0]?.waiting) - Number(rows[0]?.settled);
  await platform.worker.restart();
  let startedAt = 0;
  let [most, movedAt] = [0, Date.now()];
  for (;;) {
    const { rows: now } = await platform.pool.query<{ done: string }>(
      'SELECT count(*) AS done FROM events',
    );
    const done = Number(now[0]?.done) - Number(rows[0]?.settled);
    if (done > 0 && startedAt === 0) startedAt = Date.now();
    if (done >= waiting) break;
    if (done > most) [most, movedAt] = [done, Date.now()];
    if (!platform.worker.isRunning() || Date.now() > movedAt + STALLED_MS) {
      const words = readFileSync(platform.worker.logFile, 'utf8').slice(-STALLED_CHARS);
      throw new Error(
        `settlement stands at ${done} of ${waiting} events; the worker said:\n${words}`,
      );
    }
    await sleep(250);
  }
  const seconds = (Date.now() - startedAt) / 1_000;
  console.log(
    `\nsettlement: ${waiting} events in ${seconds.toFixed(1)} s = ${(waiting / seconds).toFixed(0)} events/s`,
  );
}

interface Zones {
  zoneKeys: string[];
  capped: string[];
  films: string[];
}

/** The server of one build. */
interface Build {
  label: string;
  url: string;
  pid: number;
  createKeys: typeof createSessionKeys;
}

async function buildRows(platform: Platform, build: Build, zones: Zones): Promise<Row[]> {
  const { url, pid, createKeys } = build;
  const trackIds = await collectTrackIds(url, zones.zoneKeys, 20_000);
  const gets = (keys: string[], path: (key: string) => string): BenchRequest[] =>
    keys.map((key) => ({ path: path(key) }));
  const row = (name: string, anchor: string, requests: BenchRequest[], isOnce = false): Row => ({
    name: name + build.label,
    anchor,
    requests,
    isOnce,
    url,
    pid,
    connections: CONNECTIONS,
  });
  const many = (from: Row): Row => ({
    ...from,
    name: `${from.name}, ${CONNECTIONS_MANY} connections`,
    connections: CONNECTIONS_MANY,
  });
  const { zoneKeys, capped, films } = zones;
  const adBytes = await bytesOf(`${url}/ad/request?zone=${zoneKeys[0]}`);
  const large = stock(adBytes);
  const impressions = gets(trackIds, (id) => `/track/impression/${id}`);
  const impression = row('impression', stock(SMALL), impressions);
  const clicks = gets(trackIds, (id) => `/track/click/${id}`);
  // The page is read once, so the last id is left to it: what is measured are first clicks.
  const click = row('click', stock(await bytesOf(`${url}${clicks.pop()?.path}`)), clicks);
  const isWanted = ROWS.test('click-verify') || ROWS.test('conversion');
  const count = isWanted ? (ROUNDS + 1) * ONCE_PER_ROUND : 0;
  const once = await clicksFor(platform, { trackIds, count, agent: BENCH_AGENT, createKeys });
  return [
    row(
      'ad request',
      large,
      gets(zoneKeys, (key) => `/ad/request?zone=${key}`),
    ),
    row(
      'ad request, v2',
      large,
      gets(zoneKeys, (key) => `/ad/request?zone=${key}&_v=2`),
    ),
    row('ad request, v2 with _d', large, describedRequests(zoneKeys)),
    row(
      'ad with a frequency cap',
      large,
      gets(capped, (key) => `/ad/request?zone=${key}`),
    ),
    row(
      'render',
      large,
      gets(zoneKeys, (key) => `/ad/render/${key}`),
    ),
    row(
      'vast',
      large,
      gets(films, (key) => `/ad/render/vast/${key}`),
    ),
    impression,
    many(impression),
    click,
    many(click),
    row('click-verify', stock(SMALL), once.verifications, true),
    row('conversion', stock(SMALL), once.conversions, true),
  ].filter(({ name }) => ROWS.test(name));
}

const kindOf = (rows: readonly Row[], { name }: Row): number =>
  rows.findIndex((row) => row.name === name.replace(OTHER_LABEL, ''));

const PROCESSES = [1, 2];

/** On all cores, beside load and stores: what a second process adds. */
async function processRows(
  platform: Platform,
  children: ChildProcess[],
  zoneKeys: readonly string[],
): Promise<Row[]> {
  const requests = zoneKeys.map((key) => ({ path: `/ad/request?zone=${key}` }));
  const anchor = stock(await bytesOf(`${platform.baseUrl}${requests[0]?.path}`));
  const rows: Row[] = [];
  for (const processes of PROCESSES) {
    const name = `ad request, SERVING_PROCESSES=${processes}, on all cores`;
    if (!ROWS.test(name)) continue;
    const script = { root: process.cwd(), name: 'dist/api/main.js' };
    const server = await startServer(script, platform, { children, processes });
    rows.push({ name, anchor, requests, ...server, connections: CONNECTIONS });
  }
  return rows;
}

async function startOther(
  root: string,
  platform: Platform,
  children: ChildProcess[],
): Promise<Build> {
  const script = { root, name: 'dist/api/server.js' };
  const server = await startServer(script, platform, { children });
  const module = path.join(root, 'dist/domain/tracking/session-key.js');
  const { createSessionKeys: createKeys } = (await import(module)) as {
    createSessionKeys: typeof createSessionKeys;
  };
  return { label: OTHER_LABEL, ...server, createKeys };
}

export async function benchServing(): Promise<void> {
  const profiling =
    PROFILE === undefined
      ? {}
      : {
          NODE_OPTIONS: `--import ${path.resolve('test/bench/profile.mjs')}`,
          BENCH_PROFILE: PROFILE,
        };
  const platform = await startPlatform({ NODE_ENV: 'production', ...profiling }, { built: true });
  const children: ChildProcess[] = [];
  const postmaster = await postmasterOf(platform.pool);
  try {
    console.log(`seeding ${CAMPAIGNS} campaigns`);
    const { zoneKeys } = await seedInventory(platform.pool, CAMPAIGNS, ZONES);
    const others = await addCappedAndFilms(platform.pool);
    await platform.worker.kill('SIGTERM');
    await platform.api.kill('SIGTERM');
    await platform.api.restart();
    const builds = [
      { label: '', url: platform.baseUrl, pid: platform.api.pid, createKeys: createSessionKeys },
      ...(OTHER === undefined ? [] : [await startOther(OTHER, platform, children)]),
    ];
    const rows: Row[] = [];
    for (const build of builds) {
      rows.push(...(await buildRows(platform, build, { zoneKeys, ...others })));
    }
    rows.push(...(await processRows(platform, children, zoneKeys)));
    // One row after another of the same kind: ours and the other's see the same moment.
    rows.sort((a, b) => kindOf(rows, a) - kindOf(rows, b));
    const sizes = new Set([SMALL, ...rows.map(({ anchor }) => Number(anchor.split(' ')[1]))]);
    const kinds = ['node', 'express', 'tuned'];
    const yardsticks = await Promise.all(
      [...sizes].flatMap((bytes) => kinds.map(async (kind) => await bareServer(kind, bytes))),
    );
    children.push(...yardsticks.map(({ child }) => child));
    pin(process.pid, CORES.rest);
    pin(postmaster, CORES.rest);
    for (const { pid } of [...builds, ...yardsticks.map(({ row }) => row)]) pin(pid, CORES.server);
    printTable(await measure([...yardsticks.map(({ row }) => row), ...rows], postmaster));
    for (const pid of [postmaster, process.pid]) pin(pid, CORES.all);
    if (process.env['BENCH_ROWS'] === undefined) await measureSettlement(platform);
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await platform.close();
  }
}
