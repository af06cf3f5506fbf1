import { type Caller, dataOf, idOf } from '../../support/call.ts';
import {
  endWindows,
  runLoops,
  send,
  SHOPPER,
  shopperClick,
  STRANGER,
} from '../../support/conversions.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Conversions that wait for their advertiser, in the reports of both sides (interface 4.5, 4.14). */
let stand: Stand;
let line: Line;
let advertiser: Caller;
let publisher: Caller;

/** No share of it is a whole nano: sums of what is rounded and what is rounded of sums differ. */
const PRICE = 1_234_567_891n;
const SHARE = (PRICE * 7n) / 10n;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
  line = await makeLine(stand.database, { pricingModel: 'CPA' });
  advertiser = stand.as('advertiser', line.advertiserId);
  publisher = stand.as('publisher', line.publisherId);
  const made = await advertiser.post('/trackers', { name: 'Sale', event_type: 'PURCHASE' });
  const { pool } = stand.database;
  await pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
    idOf(made),
    line.campaignId,
  ]);
  await pool.query(
    `INSERT INTO settings (key, value) VALUES ('conversion.burst_per_minute', '0') ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
  );
  const code = String(dataOf(made)['tracking_code']);
  for (const by of [SHOPPER, SHOPPER, SHOPPER, SHOPPER, STRANGER]) {
    const { clickId } = await shopperClick(stand, line, { priceNanos: PRICE });
    await send(stand, 'conversion.gif', { query: { c: code, click_id: clickId }, by });
  }
  await runLoops(stand);
});
afterAll(async () => await stand.close());

type Figures = Record<string, number | string | boolean | null>;
interface Report {
  items: Figures[];
  totals: Figures;
  is_final: boolean;
}
const reportOf = async (caller: Caller, query = ''): Promise<Report> =>
  dataOf(await caller.get(`/statistics/report?${query}`)) as unknown as Report;
/** As money is on the wire: six decimals. */
const wire = (nanos: bigint): number =>
  Number(nanos / 1_000n) / 1e6 + (nanos % 1_000n >= 500n ? 1e-6 : 0);
const near = (nanos: bigint): unknown => expect.closeTo(wire(nanos), 6);

async function approveOneRejectOne(): Promise<void> {
  const { rows } = await stand.database.pool.query<{ id: string }>(
    `SELECT public_id AS id FROM conversions WHERE findings = '[]' ORDER BY id LIMIT 2`,
  );
  const [good, bad] = rows.map(({ id }) => id);
  expect((await advertiser.post(`/conversions/${good}/approve`)).status).toBe(200);
  const reason = { reason: 'Sent back' };
  expect((await advertiser.post(`/conversions/${bad}/reject`, reason)).status).toBe(200);
  await runLoops(stand);
}

test('five held · are pending on both sides, with what they would cost and earn, and nothing else', async () => {
  const spend = await reportOf(advertiser);
  expect(spend.totals).toMatchObject({
    conversions: 0,
    spend: 0,
    pending_conversions: 5,
    approved_conversions: 0,
    rejected_conversions: 0,
    pending_spend: near(5n * PRICE),
    approved_spend: 0,
    rejected_spend: 0,
  });
  const earned = await reportOf(publisher);
  expect(earned.totals).toMatchObject({
    conversions: 0,
    revenue: 0,
    pending_conversions: 5,
    pending_revenue: near(5n * SHARE),
  });
  expect(Object.keys(earned.totals).filter((name) => name.endsWith('spend'))).toEqual([]);
  const balance = dataOf(await publisher.get('/withdrawals/balance'));
  expect(balance['pending']).toBe(earned.totals['pending_revenue']);
});

test('one approved, one rejected · each by itself; what is approved is what the ledger and the events have', async () => {
  await approveOneRejectOne();
  const held = { pending_conversions: 3, approved_conversions: 1, rejected_conversions: 1 };
  expect((await reportOf(advertiser)).totals).toMatchObject({
    ...held,
    conversions: 1,
    removed: 1,
    spend: near(PRICE),
    pending_spend: near(3n * PRICE),
    approved_spend: near(PRICE),
    rejected_spend: near(PRICE),
  });
  const { totals } = await reportOf(publisher);
  expect(totals).toMatchObject({
    ...held,
    revenue: near(SHARE),
    pending_revenue: near(3n * SHARE),
    approved_revenue: near(SHARE),
    rejected_revenue: near(SHARE),
  });
  expect(totals['approved_revenue']).toBe(totals['revenue']);
  const rows = await stand.database.pool.query<{ status: string; count: string; nanos: string }>(
    `SELECT status, count(*), sum(price_nanos) AS nanos FROM conversions GROUP BY 1 ORDER BY 1`,
  );
  expect(rows.rows).toEqual([
    { status: 'BILLED', count: '1', nanos: String(PRICE) },
    { status: 'PENDING', count: '3', nanos: String(3n * PRICE) },
    { status: 'REJECTED', count: '1', nanos: String(PRICE) },
  ]);
});

const HELD = ['pending', 'approved', 'rejected'];
const BREAKDOWNS = [
  'date',
  'date,hour',
  'site,zone',
  'country,device',
  'os,browser',
  'page_host',
  'date,country,zone',
];

test.each([
  ...['campaign,adgroup,ad', 'creative,date', ...BREAKDOWNS].map((by) => ['advertiser', by]),
  ...BREAKDOWNS.map((by) => ['publisher', by]),
] as const)('the %s’s report by %s · has all of it, in every time zone', async (side, by) => {
  const caller = side === 'advertiser' ? advertiser : publisher;
  const money = side === 'advertiser' ? 'spend' : 'revenue';
  const { totals } = await reportOf(caller);
  for (const zone of ['UTC', 'Asia/Shanghai', 'America/St_Johns']) {
    const report = await reportOf(caller, `group_by=${by}&timezone=${zone}`);
    for (const name of HELD) {
      for (const column of [`${name}_conversions`, `${name}_${money}`]) {
        const sum = report.items.reduce((total, item) => total + Number(item[column]), 0);
        expect([zone, column, sum]).toEqual([
          zone,
          column,
          expect.closeTo(Number(totals[column]), 5),
        ]);
      }
    }
  }
});

test('by country and by page · under the viewer of its click, as the other figures are', async () => {
  const { items } = await reportOf(advertiser, 'group_by=country');
  expect(items).toMatchObject([{ country: 'DE', clicks: 5, pending_conversions: 3 }]);
});

test('a day without anything else · is a line of its own, with no requests instead of unknown ones', async () => {
  await stand.database.pool.query(
    `UPDATE conversions SET created_at = created_at - interval '3 days' WHERE findings <> '[]'`,
  );
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const { items, is_final: isFinal } = await reportOf(
    publisher,
    `start_date=${day}&end_date=${day}`,
  );
  expect(items).toMatchObject([{ date: day, requests: 0, impressions: 0, pending_conversions: 1 }]);
  expect(isFinal).toBe(false);
  const campaign = await reportOf(
    advertiser,
    `campaign_id=${line.campaignId}&start_date=${day}&end_date=${day}`,
  );
  expect(campaign.totals).toMatchObject({ pending_conversions: 1, impressions: 0 });
});

test('as files · have the same columns and figures, and a line that may change says so', async () => {
  const answer = await publisher.get('/statistics/export?format=jsonl&group_by=zone');
  const [written] = String(answer.text ?? answer.body)
    .trim()
    .split('\n');
  expect(JSON.parse(written ?? '')).toMatchObject({
    zone_id: line.zoneId,
    pending_conversions: 3,
    approved_conversions: 1,
    rejected_conversions: 1,
    pending_revenue: near(3n * SHARE),
    is_final: false,
  });
});

test('another tenant of either side · sees none of it', async () => {
  const other = await makeLine(stand.database);
  for (const caller of [
    stand.as('advertiser', other.advertiserId),
    stand.as('publisher', other.publisherId),
  ]) {
    const { totals } = await reportOf(caller);
    expect(totals).toMatchObject({
      pending_conversions: 0,
      approved_conversions: 0,
      rejected_conversions: 0,
    });
  }
});

test('the windows end · nothing is pending, and the report says what was billed', async () => {
  await endWindows(stand);
  await stand.database.pool.query(
    `UPDATE conversions SET decide_by = now() WHERE decide_by IS NOT NULL`,
  );
  await runLoops(stand);
  const { totals } = await reportOf(publisher);
  expect(totals).toMatchObject({
    pending_conversions: 0,
    approved_conversions: 3,
    rejected_conversions: 2,
    pending_revenue: 0,
  });
  expect(totals['approved_revenue']).toBe(totals['revenue']);
});
