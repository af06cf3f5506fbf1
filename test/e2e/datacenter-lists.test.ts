import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../dev/services/ports.ts';
import { CHROME } from '../support/agents.ts';
import { seedInventory } from '../support/bulk-inventory.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';

/** An operator's list, as a provider publishes it, from its address to the verdict and the figures of a process. */
let lists: Server;
let platform: Platform;
let metricsPort: number;
let zoneKey: string;
let serving: string;

beforeAll(async () => {
  lists = createServer((_req, res) => {
    res.end(JSON.stringify({ prefixes: [{ ip_prefix: '52.10.0.0/16', service: 'EC2' }] }));
  });
  await new Promise<void>((resolve) => lists.listen(0, '127.0.0.1', resolve));
  metricsPort = await freePort();
  platform = await startPlatform();
  const { zoneKeys } = await seedInventory(platform.pool, 20, 1);
  zoneKey = zoneKeys[0] ?? '';
  const { baseUrl } = await platform.startApi({
    DATACENTER_URL: `http://127.0.0.1:${(lists.address() as AddressInfo).port}/ranges.json`,
    METRICS_PORT: String(metricsPort),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  serving = baseUrl;
}, 120_000);

afterAll(async () => {
  await platform?.close();
  await new Promise((resolve) => lists.close(resolve));
});

async function seeAnAd(from: string): Promise<void> {
  const headers = { 'user-agent': CHROME, 'x-forwarded-for': from };
  const id = await until(`an ad for ${from}`, async () => {
    const answer = await fetch(`${serving}/ad/request?zone=${zoneKey}`, { headers });
    const body = (await answer.json()) as { data?: { ads?: { id: string }[] } };
    return body.data?.ads?.[0]?.id;
  });
  expect((await fetch(`${serving}/track/impression/${id}`, { headers })).status).toBe(200);
}

test('an impression · of a network in the list · is not billed, its neighbour’s is', async () => {
  await seeAnAd('52.10.7.7');
  await seeAnAd('52.11.7.7');
  const events = await until('both are judged', async () => {
    const { rows } = await platform.pool.query<{
      net: string;
      reason: string | null;
      billable: boolean;
    }>(
      `SELECT ip_prefix AS net, reason, billable FROM events WHERE kind = 'impression' ORDER BY received_at`,
    );
    return rows.length === 2 && rows;
  });
  expect(events).toEqual([
    { net: '52.10.7.0/24', reason: 'DATACENTER_IP', billable: false },
    { net: '52.11.7.0/24', reason: null, billable: true },
  ]);
});

test('the process · says how many networks it has, and that they are fresh', async () => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(text).toMatch(/^adp_datacenter_networks 1$/m);
  expect(Number(/^adp_datacenter_age_seconds (\S+)$/m.exec(text)?.[1])).toBeLessThan(600);
});
