import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../support/platform.ts';
import { publish } from './freshness.ts';
import { BENCH_AGENT } from './serving-inventory.ts';

/**
 * What is shown of a campaign after its day's budget is spent: settlement knows of an impression a moment
 * after it was shown, and serving of what settlement knows. A thousand ads a second are asked for, each by
 * another viewer, and reported as they are shown; what came too late is refused as BUDGET_EXCEEDED.
 */
const A_SECOND = 1_000;
const TURN_MS = 10;
/** In impressions of one price, as the zone's floor is the bid. */
const BUDGET = 10_000;
const BID_NANOS = 100_000_000_000n;
const NANOS_PER_IMPRESSION = BID_NANOS / 1_000n;
/** Nothing was shown for longer than serving holds back what it was not told of (api/ad/holds.ts): the end. */
const QUIET_MS = 17_000;
const AT_MOST_MS = 120_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export async function measureOverDelivery(platform: Platform): Promise<void> {
  const { pool, baseUrl } = platform;
  const { campaignId, zoneKey } = await prepare(platform);
  let viewer = 0;
  let shownAt = 0;
  let failed = 0;
  const show = async (): Promise<void> => {
    const address = addressOf(viewer++);
    const answer = await ask(`${baseUrl}/ad/request?zone=${zoneKey}`, address);
    const { data } = JSON.parse(answer) as { data: { ads: { id: string }[] } };
    const [ad] = data.ads;
    if (ad === undefined) return;
    shownAt = performance.now();
    await ask(`${baseUrl}/track/impression/${ad.id}`, address);
  };
  // Until the zone and its campaign are served.
  const startedBy = performance.now() + AT_MOST_MS;
  for (let refusal: unknown; shownAt === 0; await sleep(TURN_MS)) {
    if (performance.now() > startedBy)
      throw new Error('the campaign is not shown', { cause: refusal });
    await show().catch((error: unknown) => void (refusal = error));
  }
  const startedAt = performance.now();
  let asked = 0;
  const showing: Promise<void>[] = [];
  while (performance.now() - shownAt < QUIET_MS && performance.now() - startedAt < AT_MOST_MS) {
    for (; asked < ((performance.now() - startedAt) / 1_000) * A_SECOND; asked += 1) {
      showing.push(show().catch(() => void (failed += 1)));
    }
    await sleep(TURN_MS);
  }
  const seconds = (shownAt - startedAt) / 1_000;
  const ranSeconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(showing);
  const lag = await settled(pool);
  const { rows } = await pool.query<{ billed: number; late: number; other: number }>(
    `SELECT count(*) FILTER (WHERE billable)::int AS billed,
       count(*) FILTER (WHERE reasons ? 'BUDGET_EXCEEDED')::int AS late,
       count(*) FILTER (WHERE NOT billable AND NOT reasons ? 'BUDGET_EXCEEDED')::int AS other
     FROM events WHERE campaign_id = $1 AND kind = 'impression'`,
    [campaignId],
  );
  const { billed = 0, late = 0, other = 0 } = rows[0] ?? {};
  console.log(
    `past a budget at ${(asked / ranSeconds).toFixed(0)} requests/s: ${billed} of ${BUDGET} paid ` +
      `in ${seconds.toFixed(1)} s, ${late} too late = ${((100 * late) / BUDGET).toFixed(1)} %, ` +
      `${other} refused for other reasons, ${failed} requests failed; ` +
      `settled ${(QUIET_MS / 1_000 + lag).toFixed(1)} s after the last`,
  );
}

/** Until every reported event is judged; answers how long that took, in seconds. */
async function settled(pool: Platform['pool']): Promise<number> {
  const beganAt = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ waits: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM event_inbox i
         WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.day = i.day AND e.id = i.id)) AS waits`,
    );
    const seconds = (performance.now() - beganAt) / 1_000;
    if (rows[0]?.waits === false) return seconds;
    if (seconds * 1_000 > AT_MOST_MS) throw new Error('events wait that nobody settles');
    await sleep(100);
  }
}

/** A campaign that alone reaches its zone's floor. */
async function prepare(platform: Platform): Promise<{ campaignId: number; zoneKey: string }> {
  const { pool } = platform;
  const { rows } = await pool.query<{ id: string; owner: string }>(
    `UPDATE campaigns SET bid_nanos = $1, daily_budget_nanos = $2, pricing_model = 'CPM',
       target_countries = NULL, target_devices = NULL
     WHERE id = (SELECT min(id) FROM campaigns) RETURNING id, advertiser_id AS owner`,
    [BID_NANOS, NANOS_PER_IMPRESSION * BigInt(BUDGET)],
  );
  const { rows: zones } = await pool.query<{ zone_key: string; owner: string }>(
    `INSERT INTO zones (publisher_id, site_id, name, zone_key, pricing_types, floor_price_cpm_nanos, audit_status)
     SELECT publisher_id, id, 'Zone', 'zone_d0000001', 'CPM', $1, 'APPROVED' FROM sites ORDER BY id LIMIT 1
     RETURNING zone_key, publisher_id AS owner`,
    [BID_NANOS],
  );
  await publish(platform, { topic: 'advertiser', id: Number(rows[0]?.owner) });
  await publish(platform, { topic: 'publisher', id: Number(zones[0]?.owner) });
  return { campaignId: Number(rows[0]?.id), zoneKey: zones[0]?.zone_key ?? '' };
}

/** One after another, of many networks. */
const addressOf = (viewer: number): string =>
  `11.${viewer % 251}.${Math.floor(viewer / 251) % 251}.${(viewer % 97) + 1}`;

async function ask(url: string, address: string): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'user-agent': BENCH_AGENT, 'x-forwarded-for': address };
    get(url, { agent, headers }, resolve).on('error', reject);
  });
  let text = '';
  for await (const chunk of response) text += String(chunk);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
  return text;
}
