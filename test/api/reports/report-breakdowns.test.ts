import { readGroupBy, type ReportSide } from '../../../domain/report.ts';
import { type BusiestOf, PAGE_HOSTS, seedDays, seedMarket } from '../../support/bulk-events.ts';
import { dataOf, faultsOf } from '../../support/call.ts';
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

describe('of the things of a list alone', () => {
  const ask = async (side: ReportSide, query: Record<string, string>) => {
    const id = side === 'advertiser' ? busiest.advertiserId : busiest.publisherId;
    const asked = new URLSearchParams({ ...RANGE, timezone: 'UTC', ...query });
    return await stand.as(side, id).get(`/statistics/report?${asked.toString()}`);
  };

  test.each([
    ['advertiser', 'campaign'],
    ['advertiser', 'adgroup,date'],
    ['advertiser', 'country,ad'],
    ['advertiser', 'creative,page_host'],
    ['publisher', 'site'],
    ['publisher', 'zone,hour'],
    ['publisher', 'device,zone'],
  ] as const)('%s · by %s · their lines as in the whole, and sums of them', async (side, group) => {
    const thing =
      group.split(',').find((each) => /^(campaign|ad|site|zone|creative)/.test(each)) ?? '';
    const whole = dataOf(await ask(side, { group_by: group })) as unknown as Answered;
    const ids = [...new Set(whole.items.map((item) => Number(item[`${thing}_id`])))];
    const [first = 0] = ids;
    expect(first).toBeGreaterThan(0);
    // Of nobody, and of somebody else who has figures in these days: both have no line here.
    const mine = side === 'advertiser' ? busiest.advertiserId : busiest.publisherId;
    const foreign = events.find(
      (event) => (side === 'advertiser' ? event.advertiserId : event.publisherId) !== mine,
    )?.keys[thing];
    expect(ids).not.toContain(Number(foreign));
    const some = dataOf(
      await ask(side, { group_by: group, ids: `${first}, ${foreign}, 999999999999` }),
    ) as unknown as Answered;
    expect(some.items).toEqual(whole.items.filter((item) => item[`${thing}_id`] === first));
    const money = side === 'advertiser' ? 'spend' : 'revenue';
    const sum = some.items.reduce((total, item) => total + Number(item[money]) * 1e6, 0);
    expect(Math.round(Number(some.totals[money]) * 1e6)).toBe(Math.round(sum));
  });

  test('as many as a list shows, with long ids · are taken', async () => {
    const ids = Array.from({ length: 100 }, (_none, at) => 900_000_000_000_000 + at).join(', ');
    const answer = await ask('advertiser', { group_by: 'campaign', ids });
    expect([answer.status, dataOf(answer)['items']]).toEqual([200, []]);
  });

  test.each([
    ['no thing is named', { group_by: 'date', ids: '1' }, 'group_by'],
    ['a thing of the other side', { group_by: 'zone', ids: '1' }, 'group_by'],
    ['no number', { group_by: 'campaign', ids: '1,x' }, 'type'],
    ['an empty place', { group_by: 'campaign', ids: '1,,2' }, 'type'],
    ['more than a list shows', { group_by: 'campaign', ids: many(101) }, 'max'],
  ])('%s · 422 at ids', async (_what, query, code) => {
    const answer = await ask('advertiser', query);
    expect(answer.status).toBe(422);
    expect(faultsOf(answer)).toEqual([`ids ${code}`]);
  });
});

interface Answered {
  items: Record<string, number>[];
  totals: Record<string, number>;
}

function many(count: number): string {
  return Array.from({ length: count }, (_none, at) => at + 1).join(',');
}
