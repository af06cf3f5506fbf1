import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Platform, startPlatform } from '../support/platform.ts';
import { seedInventory } from '../support/bulk-inventory.ts';
import { load, type LoadResult, median } from './load.ts';
import { benchConsole } from './console.ts';
import { benchReports } from './reports.ts';

/**
 * `npm run bench`: every figure of one table comes from one run, so that its ratios hold on a noisy
 * machine. Rounds are interleaved and medians printed. Load comes from this process to loopback.
 */
const CAMPAIGNS = 10_000;
const ZONES = 100;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4);
const CONNECTIONS = 32;
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const HEADERS = { 'User-Agent': AGENT, 'X-Forwarded-For': '8.8.8.8' };

interface Variant {
  name: string;
  url: string;
  pid: number;
  paths?: string[];
}

async function bareServer(
  kind: string,
  bytes: number,
): Promise<{ child: ChildProcess; variant: Variant }> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'test/bench/bare-server.ts', kind, String(bytes)],
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
  return {
    child,
    variant: { name: `${kind} ${bytes} B`, url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 },
  };
}

/** Track ids from real answers: each beacon of the bench reports an ad that was really served. */
async function collectTrackIds(
  platform: Platform,
  zoneKeys: string[],
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const answers = await Promise.all(
      zoneKeys.slice(0, 50).map(async (zone) => {
        const response = await fetch(`${platform.baseUrl}/ad/request?zone=${zone}&limit=10`, {
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

async function measure(variants: Variant[]): Promise<Map<string, LoadResult>> {
  const rounds = new Map<string, LoadResult[]>(variants.map((variant) => [variant.name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const variant of variants) {
      const result = await load({
        ...variant,
        // Round 0 warms up and is not counted.
        seconds: round === 0 ? 2 : SECONDS,
        connections: CONNECTIONS,
        headers: HEADERS,
      });
      if (result.non2xx > 0) console.error(`${variant.name}: ${result.non2xx} failed requests`);
      if (round > 0) rounds.get(variant.name)?.push(result);
    }
    console.log(round === 0 ? 'warmed up' : `round ${round} of ${ROUNDS}`);
  }
  const of = (results: LoadResult[], key: keyof LoadResult): number =>
    median(results.map((result) => result[key]));
  return new Map(
    [...rounds].map(([name, results]) => [
      name,
      {
        requestsPerSecond: of(results, 'requestsPerSecond'),
        p50Ms: of(results, 'p50Ms'),
        p99Ms: of(results, 'p99Ms'),
        cpuMicros: of(results, 'cpuMicros'),
        non2xx: of(results, 'non2xx'),
      },
    ]),
  );
}

function printTable(
  results: Map<string, LoadResult>,
  anchors: { small: string; large: string },
  large: Set<string>,
): void {
  console.log(
    '\n| path | req/s | x Express | CPU us/req | x Express CPU | p50 ms | p99 ms |\n|---|---|---|---|---|---|---|',
  );
  for (const [name, result] of results) {
    const anchor = results.get(large.has(name) ? anchors.large : anchors.small);
    const ratio = anchor === undefined ? 0 : result.requestsPerSecond / anchor.requestsPerSecond;
    const cpu = anchor === undefined ? 0 : result.cpuMicros / anchor.cpuMicros;
    console.log(
      `| ${name} | ${result.requestsPerSecond.toFixed(0)} | ${ratio.toFixed(2)} | ${result.cpuMicros.toFixed(0)} | ${cpu.toFixed(2)} | ${result.p50Ms} | ${result.p99Ms} |`,
    );
  }
}

/** The worker starts on what the beacons left in the inbox: real events, judged and billed. */
async function measureSettlement(platform: Platform): Promise<void> {
  const { rows } = await platform.pool.query<{ waiting: string; settled: string }>(
    'SELECT (SELECT count(*) FROM event_inbox) AS waiting, (SELECT count(*) FROM events) AS settled',
  );
  const waiting = Number(rows[0]?.waiting) - Number(rows[0]?.settled);
  await platform.worker.restart();
  let startedAt = 0;
  for (;;) {
    const { rows: now } = await platform.pool.query<{ done: string }>(
      'SELECT count(*) AS done FROM events',
    );
    const done = Number(now[0]?.done) - Number(rows[0]?.settled);
    if (done > 0 && startedAt === 0) startedAt = Date.now();
    if (done >= waiting) break;
    await sleep(250);
  }
  const seconds = (Date.now() - startedAt) / 1_000;
  console.log(
    `\nsettlement: ${waiting} events in ${seconds.toFixed(1)} s = ${(waiting / seconds).toFixed(0)} events/s`,
  );
}

async function benchServing(): Promise<void> {
  const platform = await startPlatform({ NODE_ENV: 'production' }, { built: true });
  const children: ChildProcess[] = [];
  try {
    console.log(`seeding ${CAMPAIGNS} campaigns`);
    const { zoneKeys } = await seedInventory(platform.pool, CAMPAIGNS, ZONES);
    await platform.worker.kill('SIGTERM');
    await platform.api.kill('SIGTERM');
    await platform.api.restart();
    const trackIds = await collectTrackIds(platform, zoneKeys, 20_000);
    const sample = await fetch(`${platform.baseUrl}/ad/request?zone=${zoneKeys[0]}`, {
      headers: HEADERS,
    });
    const adBytes = (await sample.arrayBuffer()).byteLength;
    const small = await Promise.all(
      ['node', 'express', 'tuned'].map(async (kind) => await bareServer(kind, 43)),
    );
    const large = await Promise.all(
      ['node', 'express', 'tuned'].map(async (kind) => await bareServer(kind, adBytes)),
    );
    children.push(...[...small, ...large].map((server) => server.child));
    const api = { url: platform.baseUrl, pid: platform.api.pid };
    const ad = 'ad request, 10,000 campaigns';
    const results = await measure([
      ...small.map((server) => server.variant),
      ...large.map((server) => server.variant),
      { ...api, name: ad, paths: zoneKeys.map((zone) => `/ad/request?zone=${zone}`) },
      {
        ...api,
        name: 'impression, durable',
        paths: trackIds.map((id) => `/track/impression/${id}`),
      },
      { ...api, name: 'click, durable', paths: trackIds.map((id) => `/track/click/${id}`) },
    ]);
    printTable(
      results,
      { small: 'express 43 B', large: `express ${adBytes} B` },
      new Set([ad, ...large.map((server) => server.variant.name)]),
    );
    await measureSettlement(platform);
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await platform.close();
  }
}

/** `npm run bench reports` measures one part; without a word all of them. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  serving: benchServing,
  reports: benchReports,
  console: benchConsole,
};
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`parts of the bench are: ${Object.keys(PARTS).join(', ')}`);
execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' });
for (const [name, measurePart] of Object.entries(PARTS)) {
  if (chosen.length === 0 || chosen.includes(name)) await measurePart();
}
