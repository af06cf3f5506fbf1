import { readFileSync } from 'node:fs';
import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import { dataOf, idOf } from '../../support/call.ts';
import { BOTS, botDay, type Target } from '../../support/bot-day.ts';
import { endWindows, runLoops } from '../../support/conversions.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { UNIT } from '../../support/make/money.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/**
 * A publisher with a hundred bots, a day long, against CPM, CPC and CPA campaigns: what they would have
 * earned when every report was billed as it came, and what they earn. docs/security.md has the figures.
 */
let stand: Stand;
let publisherId: number;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
});
afterAll(async () => {
  try {
    const broken = (await runBooks(runner(stand.database.db))).filter((check) => !check.ok);
    expect(broken).toEqual([]);
  } finally {
    await stand.close();
  }
});

interface Shop {
  asBefore: boolean;
  counts: 'ONE' | 'EVERY';
  of: number;
}

const PRICES = { CPM: UNIT / 500n, CPC: UNIT / 10n, CPA: 3n * UNIT } as const;

async function line(pricingModel: 'CPM' | 'CPC' | 'CPA', of = publisherId): Promise<Line> {
  const balanceNanos = 100_000n * UNIT;
  return await makeLine(stand.database, { pricingModel, balanceNanos, publisherId: of });
}

/**
 * Reports of a page's code; `asBefore`: billed as they come, which now only a signature does. `of` another
 * publisher where the limits of an hour should not be shared.
 */
async function shop(
  perClick: number,
  { asBefore = false, counts = 'ONE', of: publisher = publisherId }: Partial<Shop> = {},
): Promise<Target> {
  const of = await line('CPA', publisher);
  const owner = stand.as('advertiser', of.advertiserId);
  const fields = { name: 'Sale', event_type: 'PURCHASE', count_mode: asBefore ? 'EVERY' : counts };
  const made = await owner.post('/trackers', fields);
  await stand.database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
    idOf(made),
    of.campaignId,
  ]);
  const code = String(dataOf(made)['tracking_code']);
  return {
    line: of,
    model: 'CPA',
    priceNanos: PRICES.CPA,
    reports: { code, perClick, isSigned: asBefore },
  };
}

/** What the publisher has of a campaign: earned, and pending beside it; in units. */
async function of({ line: { campaignId } }: Target): Promise<{ earned: number; pending: number }> {
  const { rows } = await stand.database.pool.query<{ earned: string; pending: string }>(
    `SELECT (SELECT COALESCE(sum(publisher_nanos), 0) FROM events WHERE campaign_id = $1) AS earned,
       (SELECT trunc(COALESCE(sum(price_nanos), 0) * 7 / 10) FROM conversions
        WHERE campaign_id = $1 AND status = 'PENDING') AS pending`,
    [campaignId],
  );
  const [row] = rows;
  const units = (text: string | undefined): number => Number(BigInt(text ?? 0) / 1_000_000n) / 1e3;
  return { earned: units(row?.earned), pending: units(row?.pending) };
}

/** Every kind of bot keeps its networks; what its impressions were judged as, null where they are billed. */
async function reasonsByKind({ line: { campaignId } }: Target): Promise<(string | null)[][]> {
  const { rows } = await stand.database.pool.query<{ kind: number; reason: string | null }>(
    `SELECT DISTINCT split_part(ip_prefix, '.', 3)::int % 4 AS kind, reason FROM events
     WHERE campaign_id = $1 AND kind = 'impression' ORDER BY 1, 2`,
    [campaignId],
  );
  return [0, 1, 2, 3].map((kind) =>
    rows.filter((row) => row.kind === kind).map(({ reason }) => reason),
  );
}

/** The shop knows none of these orders. */
async function rejectAll({ line: { advertiserId } }: Target): Promise<number> {
  const { rows } = await stand.database.pool.query<{ id: string }>(
    `SELECT public_id AS id FROM conversions WHERE status = 'PENDING' AND advertiser_id = $1`,
    [advertiserId],
  );
  const no = { action: 'reject', note: 'No such order' } as const;
  const decisions = new Map(rows.map(({ id }) => [Number(id), no]));
  const command = { advertiserId, decisions, isRehearsal: false };
  const outcomes = await stand.activities.decideHeldConversions(command);
  expect(outcomes.filter(({ refusal }) => refusal !== null)).toEqual([]);
  return outcomes.length;
}

const DOCUMENT = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
const money = (units: number): string => units.toFixed(2);

test('a hundred bots for a day · earn by shown ads and clicks what looks like people, and nothing by inventing', async () => {
  ({ publisherId } = await makeLine(stand.database));
  const cpm: Target = { line: await line('CPM'), model: 'CPM', priceNanos: PRICES.CPM };
  const cpc: Target = { line: await line('CPC'), model: 'CPC', priceNanos: PRICES.CPC };
  const greedy = await shop(8);
  const modest = await shop(1);
  const before = {
    greedy: await shop(8, { asBefore: true }),
    modest: await shop(1, { asBefore: true }),
  };
  // Another such publisher, with shops that count every sale, or that look at them.
  const { publisherId: other } = await makeLine(stand.database);
  const every = await shop(8, { counts: 'EVERY', of: other });
  const watched = await shop(1, { of: other });
  await botDay(stand, [cpm, cpc, greedy, modest, before.greedy, before.modest, every, watched]);
  expect(await reasonsByKind(cpm)).toEqual([['BOT_UA'], ['DATACENTER_IP'], ['WEBDRIVER'], [null]]);

  const visits = BOTS * 6;
  const share = (price: bigint): number => (Number((price * 7n) / 10n) / 1e9) * visits;
  const day = {
    cpm: await of(cpm),
    cpc: await of(cpc),
    greedy: await of(greedy),
    modest: await of(modest),
    every: await of(every),
    watched: await of(watched),
  };
  const was = { greedy: await of(before.greedy), modest: await of(before.modest) };
  expect(await rejectAll(watched)).toBeGreaterThan(0);

  // Nobody looks at anything: windows end, and so does the time for what has findings.
  await endWindows(stand);
  await runLoops(stand);
  await stand.database.pool.query(
    'UPDATE conversions SET decide_by = now() WHERE decide_by IS NOT NULL',
  );
  await runLoops(stand);
  const end = {
    greedy: await of(greedy),
    modest: await of(modest),
    every: await of(every),
    watched: await of(watched),
  };

  const rows = [
    ['CPM, 2.00', visits, share(PRICES.CPM), day.cpm.earned, day.cpm.earned, day.cpm.earned],
    ['CPC, 0.10', visits, share(PRICES.CPC), day.cpc.earned, day.cpc.earned, day.cpc.earned],
    [
      'CPA, 3.00: eight invented sales of each click',
      visits * 8,
      share(PRICES.CPA) * 8,
      was.greedy.earned,
      day.greedy.earned,
      end.greedy.earned,
    ],
    [
      'CPA, 3.00: one of each click',
      visits,
      share(PRICES.CPA),
      was.modest.earned,
      day.modest.earned,
      end.modest.earned,
    ],
    [
      'CPA, 3.00: eight of each click, of a shop that counts every sale',
      visits * 8,
      share(PRICES.CPA) * 8,
      was.greedy.earned,
      day.every.earned,
      end.every.earned,
    ],
    [
      'CPA, 3.00: one of each click, of a shop that rejects what it does not know',
      visits,
      share(PRICES.CPA),
      was.modest.earned,
      day.watched.earned,
      end.watched.earned,
    ],
  ] as const;
  const table = rows.map(
    ([what, asked, ...sums]) => `| ${[what, asked, ...sums.map(money)].join(' | ')} |`,
  );
  expect(table.filter((row) => !DOCUMENT.includes(row))).toEqual([]);
  // Three of four kinds are told from people whatever they do.
  expect([day.cpm.earned, day.cpc.earned]).toEqual(
    [share(PRICES.CPM) / 4, share(PRICES.CPC) / 4].map((units) => expect.closeTo(units, 6)),
  );
  const { greedy: bold, modest: mild, every: all, watched: seen } = day;
  expect([bold, mild, all, seen].map(({ earned }) => earned)).toEqual([0, 0, 0, 0]);
  expect([end.greedy.earned, end.watched.earned]).toEqual([0, 0]);
  expect(bold.pending + mild.pending).toBeGreaterThan(0);
});
