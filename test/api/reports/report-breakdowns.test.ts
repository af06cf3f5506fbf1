import { readGroupBy, type ReportSide } from '../../../domain/report.ts';
import { type BusiestOf, PAGE_HOSTS, seedDays, seedMarket } from '../../support/bulk-events.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/**
 * Every breakdown and time zone of both sides, over HTTP, against a recount of the events by other
 * means: JavaScript's own time zones and plain maps.
 */
const DAYS = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
const ZONES = ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati'];
/** Every pair that some source must answer, and some threes. */
const GROUPS: Readonly<Record<ReportSide, readonly string[]>> = {
  advertiser: [
    'date hour campaign adgroup ad creative site zone country device os browser',
    'date,hour date,campaign campaign,country ad,country hour,device date,os site,ad',
    'date,hour,browser creative,zone,os page_host date,page_host page_host,campaign,hour',
  ],
  publisher: [
    'date hour site zone country device os browser',
    'date,zone zone,country hour,country date,device site,hour date,hour,os page_host date,zone,page_host',
  ],
};

interface EventRow {
  kind: string;
  status: string;
  billable: boolean;
  receivedAt: Date;
  advertiserId: number;
  publisherId: number;
  price: number;
  earned: number;
  keys: Record<string, string>;
}

let stand: Stand;
let database: TestDatabase;
let busiest: BusiestOf;
let events: EventRow[];

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  busiest = await seedMarket(database.pool, {
    advertisers: 3,
    campaigns: 2,
    publishers: 3,
    sites: 2,
  });
  await seedDays(database.pool, { days: DAYS, eventsPerDay: 1_500 });
  const { rows } =
    await database.pool.query<Record<string, string | boolean | Date>>('SELECT * FROM events');
  events = rows.map((row) => ({
    kind: String(row['kind']),
    status: String(row['status']),
    billable: row['billable'] === true,
    receivedAt: row['received_at'] as Date,
    advertiserId: Number(row['advertiser_id']),
    publisherId: Number(row['publisher_id']),
    price: Number(row['price_nanos']),
    earned: Number(row['publisher_nanos']),
    keys: Object.fromEntries([
      ['page_host', PAGE_HOSTS[Number(row['page_id'] ?? 0) - 1] ?? 'UNKNOWN'],
      ...[
        ...['campaign', 'adgroup', 'ad', 'creative', 'site', 'zone'].map((name) => [
          name,
          `${name}_id`,
        ]),
        ...['country', 'device', 'os', 'browser'].map((name) => [name, name]),
      ].map(([name = '', column = '']) => [name, String(row[column])]),
    ]),
  }));
}, 60_000);
afterAll(async () => {
  await stand.close();
});

const RANGE = { start_date: '2026-11-18', end_date: '2026-11-19' };
const COUNTS = ['impressions', 'viewable', 'views', 'clicks', 'conversions', 'removed'] as const;
type Counted = Record<(typeof COUNTS)[number] | 'nanos', number>;

const NONE: Counted = {
  impressions: 0,
  viewable: 0,
  views: 0,
  clicks: 0,
  conversions: 0,
  removed: 0,
  nanos: 0,
};

/** By the zone's name: its clocks, and what they show in each quarter of an hour, for no offset is finer. */
const CLOCKS = new Map<string, (at: Date) => { date: string; hour: string }>();
const QUARTER_MS = 900_000;

function clockOf(timezone: string): (at: Date) => { date: string; hour: string } {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const shown = new Map<number, { date: string; hour: string }>();
  return (at) => {
    const quarter = Math.floor(at.getTime() / QUARTER_MS);
    const known = shown.get(quarter);
    if (known !== undefined) return known;
    const parts = Object.fromEntries(
      clock.formatToParts(at).map(({ type, value }) => [type, value]),
    );
    const date = `${parts['year']}-${parts['month']}-${parts['day']}`;
    const made = { date, hour: String(Number(parts['hour'])) };
    shown.set(quarter, made);
    return made;
  };
}

function recount(side: ReportSide, groupBy: readonly string[], timezone: string) {
  const local = CLOCKS.get(timezone) ?? clockOf(timezone);
  CLOCKS.set(timezone, local);
  const lines = new Map<string, Counted>();
  for (const event of events) {
    const owner = side === 'advertiser' ? event.advertiserId : event.publisherId;
    const mine = side === 'advertiser' ? busiest.advertiserId : busiest.publisherId;
    if (owner !== mine) continue;
    const { date, hour } = local(event.receivedAt);
    if (date < RANGE.start_date || date > RANGE.end_date) continue;
    // A refused view is no view, and nothing was removed from what reports count.
    if (event.kind === 'video_view' && !event.billable) continue;
    const keys = { ...event.keys, date, hour };
    const key = groupBy.map((name) => keys[name as keyof typeof keys]).join('|');
    const line = lines.get(key) ?? { ...NONE };
    lines.set(key, line);
    if (event.status === 'viewable') line.viewable += 1;
    else if (!event.billable) line.removed += 1;
    else if (event.kind === 'video_view') line.views += 1;
    else if (event.kind === 'impression') line.impressions += 1;
    else if (event.kind === 'click_verify') line.clicks += 1;
    else line.conversions += 1;
    line.nanos += side === 'advertiser' ? event.price : event.earned;
  }
  return lines;
}

async function asked(side: ReportSide, groupBy: string, timezone: string) {
  const query = new URLSearchParams({ ...RANGE, group_by: groupBy, timezone });
  const id = side === 'advertiser' ? busiest.advertiserId : busiest.publisherId;
  const answer = await stand.as(side, id).get(`/statistics/report?${query.toString()}`);
  expect(answer.status).toBe(200);
  const { items } = answer.body.data as { items: Record<string, number>[] };
  const dimensions = readGroupBy(groupBy, side);
  return new Map(
    items.map((item) => [
      dimensions.map((name) => String(item[`${name}_id`] ?? item[name])).join('|'),
      {
        ...Object.fromEntries(COUNTS.map((name) => [name, item[name]])),
        nanos: Math.round((item['spend'] ?? item['revenue'] ?? 0) * 1e9),
      },
    ]),
  );
}

const CASES = (['advertiser', 'publisher'] as const).flatMap((side) =>
  GROUPS[side]
    .flatMap((line) => line.split(' '))
    .flatMap((group) => ZONES.map((zone) => [side, group, zone] as const)),
);

test.each(CASES)('%s · by %s in %s · as a recount of the events', async (side, group, zone) => {
  const expected = recount(side, group.split(','), zone);
  expect(expected.size).toBeGreaterThan(0);
  const answered = await asked(side, group, zone);
  expect([...answered.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
  for (const [key, line] of expected)
    expect({ key, ...answered.get(key) }).toEqual({ key, ...line });
});
