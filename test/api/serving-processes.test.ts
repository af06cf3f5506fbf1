import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRedis, noticesOf, type Redis } from '../../db/redis.ts';
import { readFacts } from '../../domain/tracking/facts-check.ts';
import { createTrackSealer } from '../../domain/tracking/track-id.ts';
import { loadConfig } from '../../config.ts';
import { freePort } from '../../dev/services/ports.ts';
import { CHROME } from '../support/agents.ts';
import { seedInventory } from '../support/bulk-inventory.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { pause, until } from '../support/until.ts';

/** Two processes on one port, as `SERVING_PROCESSES=2 npm start` runs them. */
let platform: Platform;
let redis: Redis;
let zone: string;

beforeAll(async () => {
  platform = await startPlatform({ SERVING_PROCESSES: '2' });
  redis = createRedis(platform.env['REDIS_URL'] ?? '');
  await redis.connect();
  const { zoneKeys } = await seedInventory(platform.pool, 2, 1);
  zone = zoneKeys[0] ?? '';
  await platform.pool.query(`
    INSERT INTO settings (key, value) VALUES ('ad.first_price', 'true'::jsonb)
    ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`);
  await tellAll();
});
afterAll(async () => {
  redis.destroy();
  await platform.close();
});

/** Each on a connection of its own: they go to the two processes in turn. */
function get(
  path: string,
  address: string,
  baseUrl = platform.baseUrl,
): Promise<{ status: number; body: string }> {
  const headers = { 'user-agent': CHROME, 'x-forwarded-for': address };
  return new Promise((resolve, reject) => {
    const given = { headers, agent: false, timeout: 3_000 };
    const asked = request(`${baseUrl}${path}`, given, (res) => {
      let body = '';
      res.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body }));
      res.on('error', reject);
    });
    asked.on('error', reject);
    // A connection on its way to a process that is killed stays open and is never answered.
    asked.on('timeout', () => asked.destroy(new Error('not answered')));
    asked.end();
  });
}

let people = 0;
const somebody = (): string => {
  people += 1;
  return `20.${people >> 16}.${(people >> 8) & 255}.${people & 255}`;
};

async function adFor(address: string): Promise<string | undefined> {
  const { body } = await get(`/ad/request?zone=${zone}`, address);
  return (JSON.parse(body) as { data: { ads?: { id: string }[] } }).data.ads?.[0]?.id;
}

/** As many requests as reach both processes several times. */
async function fills(count = 8): Promise<number> {
  let filled = 0;
  for (let at = 0; at < count; at += 1) {
    if ((await adFor(somebody())) !== undefined) filled += 1;
  }
  return filled;
}

/** As the outbox tells it: every tenant's rows are read again. */
async function tellAll(): Promise<void> {
  const { rows } = await platform.pool.query<{ id: string; kind: string }>(
    `SELECT id, kind FROM accounts WHERE kind IN ('ADVERTISER', 'PUBLISHER')`,
  );
  const changes = rows.map(({ id, kind }) => ({ topic: kind.toLowerCase(), id: Number(id) }));
  for (const change of [{ topic: 'settings' }, ...changes]) {
    await redis.publish(noticesOf(redis), JSON.stringify(change));
  }
}

async function setCampaigns(columns: string): Promise<void> {
  await platform.pool.query(`UPDATE campaigns SET ${columns}`);
  await tellAll();
}

const processes = (): number[] => {
  const pids = execFileSync('ps', ['-o', 'pid=', '--ppid', String(platform.api.pid)]).toString();
  return pids.trim().split(/\s+/).map(Number);
};

test('freshness · a campaign is paused, and goes on · both processes follow', async () => {
  await until(async () => (await fills()) === 8);
  expect(processes()).toHaveLength(2);
  await setCampaigns(`status = 'PAUSED'`);
  await until(async () => (await fills()) === 0);
  await setCampaigns(`status = 'ACTIVE'`);
  await until(async () => (await fills()) === 8);
});

test('frequency · a cap of three · counts what either process has shown', async () => {
  await setCampaigns(`frequency_cap = '{"impressions":3,"window_seconds":600,"per":"campaign"}'`);
  await until(async () => {
    const viewer = somebody();
    let shown = 0;
    for (let at = 0; at < 12; at += 1) {
      if ((await adFor(viewer)) !== undefined) shown += 1;
      await pause(20, 'the count goes to Redis after the answer');
    }
    // Two campaigns, three times each.
    return shown === 6;
  });
  await setCampaigns('frequency_cap = NULL');
  await until(async () => (await fills()) === 8);
});

test('budget · a day is spent through both · both stop, and nothing is billed beyond it', async () => {
  await setCampaigns(`status = 'PAUSED'`);
  await until(async () => (await fills()) === 0);
  await setCampaigns(`daily_budget_nanos = CASE pricing_model WHEN 'CPM' THEN 50000000 END,
    bid_nanos = 10000000000, status = CASE pricing_model WHEN 'CPM' THEN 'ACTIVE' ELSE 'PAUSED' END`);
  const spent = async (): Promise<bigint> => {
    const { rows } = await platform.pool.query<{ spent: string }>(
      `SELECT COALESCE(sum(amount_nanos), 0) AS spent FROM ledger_transfers t
       JOIN ledger_accounts a ON a.id = t.debit_id WHERE a.owner_type = 'ADVERTISER'`,
    );
    return BigInt(rows[0]?.spent ?? 0);
  };
  let dry = 0;
  await until({ what: 'the budget is spent', withinMs: 90_000 }, async () => {
    const viewer = somebody();
    const id = await adFor(viewer);
    dry = id === undefined ? dry + 1 : 0;
    if (id !== undefined) await get(`/track/impression/${id}`, viewer);
    // Dry for a moment only while what both have shown waits to be settled.
    return dry >= 8 && (await spent()) > 40_000_000n;
  });
  expect(await spent()).toBeLessThanOrEqual(50_000_000n);
  await setCampaigns(`daily_budget_nanos = NULL, status = 'ACTIVE'`);
  await until(async () => (await fills()) === 8);
}, 120_000);

test('kill -9 of one under load · the other answers on, nothing answered is lost, another is started', async () => {
  const sealer = createTrackSealer(loadConfig(platform.env).keys.track);
  const ids: string[] = [];
  for (let at = 0; at < 300; at += 1) {
    const id = await adFor(somebody());
    if (id !== undefined) ids.push(id);
  }
  const before = processes();
  const answered: string[] = [];
  let cut = 0;
  const lane = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      try {
        const { status } = await get(`/track/impression/${id}`, somebody());
        if (status === 200) answered.push(sealer.open(id)?.bidId ?? '');
      } catch {
        cut += 1;
      }
    }
  };
  const reporting = Array.from({ length: 8 }, lane);
  await until('some are answered, some are on their way', () => answered.length > 60);
  process.kill(before[0] ?? 0, 'SIGKILL');
  await Promise.all(reporting);
  // Only what the killed one had in hand.
  expect(cut).toBeLessThan(50);
  const { rows } = await platform.pool.query<{ facts: unknown }>(
    `SELECT facts FROM event_inbox WHERE kind = 'impression'`,
  );
  const stored = new Set(rows.map(({ facts }) => readFacts(facts)?.track?.bidId));
  expect(answered.length).toBeGreaterThan(200);
  expect(answered.filter((bid) => !stored.has(bid))).toEqual([]);
  await until(() => {
    const now = processes();
    return now.length === 2 && now.includes(before[1] ?? 0) && !now.includes(before[0] ?? 0);
  });
  await until(async () => (await fills()) === 8);
});

test('figures · of both processes · are added up in every scrape', async () => {
  const metricsPort = String(await freePort());
  const { baseUrl, program } = await platform.startApi({
    SERVING_PROCESSES: '2',
    METRICS_PORT: metricsPort,
  });
  const scrape = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    return answer.status === 200 ? await answer.text() : '';
  };
  const askedFor = async (): Promise<number> => {
    const lines = (await scrape()).matchAll(
      /^adp_http_request_seconds_count{.*status="4xx".*} (\d+)$/gm,
    );
    return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const ready = (): number => readFileSync(program.logFile, 'utf8').split('api ready').length - 1;
  await until('both answer', () => ready() === 2);
  // Each on a connection of its own, so that both have some of them.
  for (let at = 0; at < 10; at += 1) {
    expect((await get('/api/advertiser/campaigns', somebody(), baseUrl)).status).toBe(401);
  }
  for (let at = 0; at < 4; at += 1) expect(await askedFor()).toBe(10);
  await program.kill('SIGTERM');
  expect(program.isRunning()).toBe(false);
});

test('a fault that no new start mends · ends all of them', async () => {
  const starting = platform.startApi({ SERVING_PROCESSES: '2', GEO_MMDB: '/nowhere.mmdb' });
  await expect(starting).rejects.toThrow('ended while starting');
});

test('SIGTERM · ends every one of them', async () => {
  const all = processes();
  await platform.api.kill('SIGTERM');
  expect(platform.api.isRunning()).toBe(false);
  for (const pid of all) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await platform.api.restart();
});
