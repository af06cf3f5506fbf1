import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { type Caller, dataOf, faultsOf } from '../../support/call.ts';
import { makeOperator } from '../../support/make/account.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import {
  activityDeps,
  append,
  type EventOptions,
  eventOf,
  verifiedClick,
} from '../../support/settlement.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.14: what the whole platform did, read from what settlement wrote. */
let stand: Stand;
let finance: Caller;
let seen: Line;
let clicked: Line;
let today: string;

interface Figures {
  requests: number | null;
  filled: number | null;
  fill_rate: number | null;
  impressions: number;
  clicks: number;
  removed: number;
  spend: number | null;
  publisher_revenue: number | null;
  margin: number | null;
  ecpm: number | null;
}
interface Report {
  items: (Figures & Record<string, unknown>)[];
  totals: Figures;
  is_final: boolean;
}

beforeAll(async () => {
  stand = await createStand({ realTime: true });
  finance = stand.as('admin', (await makeOperator(stand.database.db, 'FINANCE')).id);
  today = new Date().toISOString().slice(0, 10);
  seen = await makeLine(stand.database);
  clicked = await makeLine(stand.database, { pricingModel: 'CPC' });
  await fill();
});
afterAll(async () => await stand?.close());

/** Three impressions of which one is a robot's, and a click of the other line; at odd prices. */
async function fill(): Promise<void> {
  const { database } = stand;
  const of = (line: Line, priceNanos: bigint, model: 'CPM' | 'CPC', options: EventOptions = {}) =>
    eventOf(line, { ...options, priceNanos, track: { pricingModel: model } });
  const shown = of(clicked, 200_000_003n, 'CPC');
  const events = [
    of(seen, 1_000_001n, 'CPM', { facts: { country: 'DE' } }),
    of(seen, 2_000_003n, 'CPM', { facts: { country: 'US' } }),
    of(seen, 9_000_000n, 'CPM', { facts: { userAgent: 'bot' } }),
    shown,
  ];
  await append(database, ...events);
  await append(database, await verifiedClick(database, clicked, shown));
  const { settleBatch } = createSettlementActivities(activityDeps(database));
  while ((await settleBatch({ shard: 0 })).events > 0);
  await database.pool.query(
    `UPDATE rollup_zone_hours SET requests = 8, filled = 6 WHERE zone_id = $1`,
    [seen.zoneId],
  );
}

const report = async (query: object = {}, who = finance) =>
  await who.get('/statistics/report').query({ start_date: today, ...query });
const read = async (query: object = {}): Promise<Report> =>
  dataOf(await report(query)) as unknown as Report;

/** What the ledger says that the platform has kept, in the platform's currency. */
async function feesOf(): Promise<{ spent: number; earned: number; kept: number }> {
  const { rows } = await stand.database.pool.query<Record<'spent' | 'earned' | 'kept', string>>(
    `SELECT sum(amount_nanos) FILTER (WHERE type = 'SPEND') AS spent,
       sum(amount_nanos) FILTER (WHERE type = 'EARNING') AS earned,
       sum(amount_nanos) FILTER (WHERE type = 'PLATFORM_FEE') AS kept FROM ledger_transfers`,
  );
  const [row] = rows;
  const amount = (nanos: string | undefined): number => Number(nanos ?? 0) / 1e9;
  return { spent: amount(row?.spent), earned: amount(row?.earned), kept: amount(row?.kept) };
}

it('settled events · by day · spend, revenue and margin are those of the ledger', async () => {
  const { items, totals } = await read();
  const ledger = await feesOf();
  expect(ledger.spent).toBeGreaterThan(0.2);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ date: today, ...totals });
  expect(totals.spend).toBeCloseTo(ledger.spent, 6);
  expect(totals.publisher_revenue).toBeCloseTo(ledger.earned, 6);
  expect(totals.margin).toBeCloseTo(ledger.kept, 6);
});

it('events stand in the rollups of both sides · by day · each is counted once', async () => {
  const { totals } = await read();
  const { rows } = await stand.database.pool.query<{ impressions: string; clicks: string }>(
    `SELECT count(*) FILTER (WHERE kind = 'impression' AND billable) AS impressions,
       count(*) FILTER (WHERE kind = 'click_verify' AND billable) AS clicks FROM events`,
  );
  const [events] = rows;
  expect(totals.impressions).toBe(Number(events?.impressions));
  expect(totals.clicks).toBe(Number(events?.clicks));
  expect(totals).toMatchObject({ impressions: 3, clicks: 1, requests: 8, fill_rate: 0.75 });
});

it('an advertiser · by name · what it spent; what publishers earned of it is not counted, and not 0', async () => {
  const { items } = await read({ group_by: 'advertiser' });
  expect(new Set(items.map((each) => each['advertiser_id']))).toEqual(
    new Set([seen.advertiserId, clicked.advertiserId]),
  );
  for (const item of items) {
    expect(item).toMatchObject({ publisher_revenue: null, margin: null, requests: null });
    expect(item['advertiser_name']).toEqual(expect.any(String));
    expect(item.spend).toBeGreaterThan(0);
  }
});

it('one publisher · by day · its own figures alone', async () => {
  const own = await read({ publisher_id: seen.publisherId });
  expect(own.totals).toMatchObject({ impressions: 2, clicks: 0, spend: null, margin: null });
  expect(own.totals.publisher_revenue).toBeGreaterThan(0);
  const zones = await read({ group_by: 'zone', publisher_id: seen.publisherId });
  expect(zones.items.map((each) => each['zone_id'])).toEqual([seen.zoneId]);
});

it('by country · days of UTC · sums are those of the days', async () => {
  const [byCountry, byDay] = [await read({ group_by: 'country' }), await read()];
  expect(byCountry.totals).toEqual({
    ...byDay.totals,
    requests: null,
    filled: null,
    fill_rate: null,
  });
  expect(byCountry.items.map((each) => each['country'])).toEqual(
    expect.arrayContaining(['DE', 'US']),
  );
});

it('a zone far ahead · by day and hour · the same events, on its own clock', async () => {
  const there = await read({
    group_by: 'date,hour',
    timezone: 'Pacific/Kiritimati',
    start_date: addDay(today, -1),
    end_date: addDay(today, 1),
  });
  expect(there.totals.impressions).toBe(3);
  const hour = new Date(Date.now() + 14 * 3_600_000).getUTCHours();
  const hours = there.items.map((each) => Number(each['hour']));
  expect(hours.some((each) => each === hour || (each + 1) % 24 === hour)).toBe(true);
});

it('a conversion of these days waits for its advertiser · settled · they are not final', async () => {
  const past = { start_date: '2025-01-01', end_date: '2025-01-02' };
  expect((await read(past)).is_final).toBe(true);
  await stand.database.pool.query(
    `INSERT INTO conversions (dedupe_key, event_type, status, created_at, held_at, price_nanos)
     VALUES ('waits', 'LEAD', 'PENDING', '2025-01-02T12:00:00Z', '2025-01-02T12:00:00Z', 1)`,
  );
  expect((await read(past)).is_final).toBe(false);
});

it.each([
  [{ group_by: 'advertiser,publisher' }, ['group_by']],
  [{ group_by: 'page_host' }, ['group_by']],
  [{ group_by: 'country', timezone: 'Asia/Tokyo' }, ['timezone']],
  [{ start_date: '2026-02-02', end_date: '2026-02-01' }, ['end_date']],
  [{ advertiser_id: 'x' }, ['advertiser_id']],
  [{ campaign_id: 1 }, ['campaign_id']],
])('%p · asked · 422 names what is wrong', async (query, fields) => {
  const answer = await report(query);
  expect([answer.status, faultsOf(answer).map((fault) => fault.split(' ')[0])]).toEqual([
    422,
    fields,
  ]);
});

it('reviewers · asked · the platform’s money is not theirs to read', async () => {
  const reviewer = stand.as('admin', (await makeOperator(stand.database.db, 'REVIEWER')).id);
  expect((await report({}, reviewer)).status).toBe(403);
});

const addDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
