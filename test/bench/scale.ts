import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../dev/services/ports.ts';
import { seedInventory } from '../support/bulk-inventory.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { CORES, pin, postmasterOf } from './cpu.ts';
import { measureFreshness, publish, zoneAnswer } from './freshness.ts';
import { measureOverDelivery } from './over-delivery.ts';
import { residentMiB } from './timing.ts';

/**
 * What the size of the inventory costs: the first answer, memory, how soon a write is shown, and for how
 * long the process does nothing else while the ads of one advertiser, or all of them, are read anew. On the
 * smallest inventory also what is delivered past a budget. BENCH_SIZES are numbers of campaigns.
 */
const SIZES = (process.env['BENCH_SIZES'] ?? '1000,10000,100000').split(',').map(Number);
const ZONES = 100;
/** The process looks so often whether it is held up, and the time between two looks counts. */
const LOOK_MS = 10;
const CHANGES = 5;
/** Longer than the feed gathers changes, and longer than it waits between looks at everything. */
const CHANGE_READ_MS = 3_000;
const ALL_READ_MS = 45_000;

export async function benchScale(): Promise<void> {
  for (const [at, campaigns] of SIZES.entries()) {
    const metricsPort = await freePort();
    const platform = await startPlatform(
      { NODE_ENV: 'production', METRICS_PORT: String(metricsPort) },
      { built: true },
    );
    try {
      const { zoneKeys } = await seedInventory(platform.pool, campaigns, ZONES);
      await platform.pool.query('ANALYZE');
      console.log(`\n${campaigns} campaigns`);
      if (at === 0) await measureOverDelivery(platform);
      await platform.worker.kill('SIGTERM');
      await measureStart(platform, zoneKeys[0] ?? '');
      await measureFreshness(platform, zoneKeys[0] ?? '');
      await withRoom(platform, () =>
        measureStops(platform, { zoneKey: zoneKeys[0] ?? '', metricsPort }),
      );
    } finally {
      await platform.close();
    }
  }
}

async function measureStart({ api, baseUrl }: Platform, zoneKey: string): Promise<void> {
  await api.kill('SIGTERM');
  const startedAt = performance.now();
  await api.restart();
  await zoneAnswer(baseUrl, zoneKey);
  const seconds = (performance.now() - startedAt) / 1_000;
  const memory = residentMiB(api.pid).toFixed(0);
  console.log(`first answer after ${seconds.toFixed(1)} s, ${memory} MiB resident`);
}

/** The process has a core that nobody else uses: what is measured is not how busy the machine is. */
async function withRoom({ api, pool }: Platform, measure: () => Promise<void>): Promise<void> {
  const others = [process.pid, await postmasterOf(pool)];
  for (const pid of others) pin(pid, CORES.rest);
  pin(api.pid, CORES.all);
  try {
    await measure();
  } finally {
    for (const pid of others) pin(pid, CORES.all);
  }
}

interface Watched {
  zoneKey: string;
  metricsPort: number;
}

async function measureStops(platform: Platform, watched: Watched): Promise<void> {
  const { pool, api } = platform;
  const quiet = await longestStop(platform, watched, () => sleep(CHANGE_READ_MS));
  const stops: number[] = [];
  for (let at = 1; at <= CHANGES; at += 1) {
    const change = async (): Promise<void> => {
      const { rows } = await pool.query<{ id: string }>(
        `UPDATE campaigns SET name = name || '.' WHERE advertiser_id = (SELECT min(advertiser_id) FROM campaigns)
         RETURNING advertiser_id AS id`,
      );
      await publish(platform, { topic: 'advertiser', id: Number(rows[0]?.id) });
      await sleep(CHANGE_READ_MS);
    };
    stops.push(await longestStop(platform, watched, change));
  }
  const all = await longestStop(platform, watched, async () => {
    await pool.query(`UPDATE campaigns SET name = name || '.'`);
    await sleep(ALL_READ_MS);
  });
  const ms = (stop: number): string => `${stop.toFixed(0)} ms`;
  console.log(
    `longest stop: ${ms(quiet)} while nothing changes, ${stops.map(ms).join(', ')} while an advertiser does, ` +
      `${ms(all)} while all do; ${residentMiB(api.pid).toFixed(0)} MiB resident then`,
  );
}

/** While `change` runs, and somebody asks for ads one after another. */
async function longestStop(
  { baseUrl }: Platform,
  { zoneKey, metricsPort }: Watched,
  change: () => Promise<unknown>,
): Promise<number> {
  let isOver = false;
  const asking = (async () => {
    while (!isOver) await zoneAnswer(baseUrl, zoneKey);
  })();
  await stopsSince(metricsPort);
  await change();
  const stop = await stopsSince(metricsPort);
  isOver = true;
  await asking;
  return stop;
}

/** Since it was last asked, in milliseconds. */
async function stopsSince(metricsPort: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const match = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await response.text());
  if (match === null) throw new Error('the process does not say for how long it was held up');
  return Number(match[1]) * 1_000 - LOOK_MS;
}
