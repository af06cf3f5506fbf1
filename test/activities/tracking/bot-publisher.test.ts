import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import type { BrowserTraits, Reporter } from '../../../domain/tracking/conversion-findings.ts';
import type { EventFacts } from '../../../domain/tracking/facts.ts';
import { createActivities } from '../../../activities/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { activityDeps, append, eventOf, verifiedClick } from '../../support/settlement.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { UNIT } from '../../support/make/money.ts';
import { runLoops } from '../../support/conversions.ts';

/**
 * A day of a publisher who owns a hundred bots and points them at campaigns of each kind, told as a table:
 * what the publisher earns by it. A third says it is a bot, a third is a driven browser, a third cannot be
 * told from people: its own address, a sound browser, a human's pace, the shop's page as Referer.
 */
const BOTS = 100;
const VISITS = 12;
const CLICK_EVERY = 3;
const REPORTS_PER_CLICK = 8;
const HOUR_MS = 3_600_000;
const PRICES = { CPM: UNIT / 500n, CPC: UNIT / 5n, CPA: 5n * UNIT } as const;
type Model = keyof typeof PRICES;
const CAREFUL = (bot: number): boolean => bot % 3 === 2;

let database: TestDatabase;
let activities: ReturnType<typeof createActivities>;
let stand: { database: TestDatabase; activities: typeof activities };
const begin = new Date(
  `${new Date(Date.now() - 24 * HOUR_MS).toISOString().slice(0, 10)}T00:00:00Z`,
);

beforeAll(async () => {
  database = await createTestDatabase();
  activities = createActivities(activityDeps(database));
  stand = { database, activities };
  await database.pool.query('SELECT ensure_event_partitions($1::date, 3)', [
    begin.toISOString().slice(0, 10),
  ]);
});
afterAll(async () => await database.close());

const factsOfBot = (bot: number): Partial<EventFacts> & BrowserTraits => ({
  viewerKey: `bot-${bot}`,
  ipPrefix: `10.1.${bot}.0/24`,
  device: 'DESKTOP',
  os: 'LINUX',
  browser: 'CHROME',
  userAgent: bot % 3 === 0 ? 'bot' : 'ok',
  webdriver: bot % 3 === 1,
});

interface Click {
  bot: number;
  clickId: string;
  at: Date;
}

/** Every bot comes once in two hours, and clicks now and then. */
async function visit(line: Line, model: Model): Promise<Click[]> {
  const clicks: Click[] = [];
  for (let bot = 0; bot < BOTS; bot += 1) {
    const events = [];
    for (let round = 0; round < VISITS; round += 1) {
      const at = new Date(begin.getTime() + (round * 2 + bot / BOTS) * HOUR_MS);
      const impression = eventOf(line, {
        at,
        priceNanos: PRICES[model],
        track: { pricingModel: model },
        facts: factsOfBot(bot),
      });
      events.push(impression);
      if (round % CLICK_EVERY !== 0) continue;
      const verified = await verifiedClick(database, line, impression);
      const clickEvent = {
        ...verified,
        id: verified.facts.clickEventId ?? '',
        kind: 'click' as const,
        receivedAt: new Date(at.getTime() + 3_000),
      };
      events.push(clickEvent, verified);
      clicks.push({ bot, clickId: verified.facts.clickId ?? '', at });
    }
    await append(database, ...events);
  }
  await runLoops(stand);
  return clicks;
}

/** The careful ones look like the shopper who clicked; the others do not care. */
function reporterOf(bot: number): Reporter {
  const { device, os, browser, ipPrefix } = factsOfBot(bot);
  return CAREFUL(bot)
    ? { device, os, browser, ipPrefix, userAgent: 'ok', host: 'www.shop.example' }
    : { device: 'OTHER', os: 'OTHER', browser: 'OTHER', ipPrefix, userAgent: 'bot', host: null };
}

async function convert(clicks: readonly Click[], code: string): Promise<void> {
  await Promise.all(
    clicks.flatMap(({ bot, clickId, at }) =>
      Array.from({ length: REPORTS_PER_CLICK }, async (_, n) => {
        await activities.recordConversion({
          code,
          clickId,
          valueNanos: undefined,
          currency: undefined,
          transactionId: `invented-${n}`,
          eventType: undefined,
          source: 'pixel',
          reporter: reporterOf(bot),
          // One of the shop's pages after the other, as far as the clock can tell.
          reportedAt: new Date(at.getTime() + (n + 1) * 7 * 60_000),
        });
      }),
    ),
  );
  await runLoops(stand);
}

/** What its publisher has got by it, in units. */
async function earnedOf({ publisherId }: Line): Promise<number> {
  const { rows } = await database.pool.query<{ nanos: string }>(
    'SELECT COALESCE(sum(publisher_nanos), 0)::text AS nanos FROM events WHERE publisher_id = $1 AND billable',
    [publisherId],
  );
  return Number(BigInt(rows[0]?.nanos ?? 0)) / 1e9;
}

async function trackerOf(line: Line, fields: object): Promise<string> {
  const trackingCode = `code-${line.campaignId}`;
  const tracker = await database.db.models.trackers.create({
    advertiserId: line.advertiserId,
    name: 'Sale',
    trackingCode,
    ...fields,
  });
  await database.pool.query('UPDATE campaigns SET tracker_id = $1 WHERE id = $2', [
    tracker.id,
    line.campaignId,
  ]);
  return trackingCode;
}

async function settings(values: Record<string, number>): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    await database.pool.query(
      'INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value',
      [key, JSON.stringify(value)],
    );
  }
}

const LIMITS = {
  'conversion.burst_per_minute': 3,
  'conversion.max_per_click': 5,
  'conversion.max_per_publisher_hour': 100,
};
const lineOf = async (pricingModel: Model): Promise<Line> =>
  await makeLine(database, { pricingModel, balanceNanos: 1_000_000n * UNIT });

test('a publisher with a hundred bots · for a day · earns nothing by conversions that nobody approved', async () => {
  const table: Record<string, Record<string, number>> = {};
  for (const model of ['CPM', 'CPC'] as const) {
    const line = await lineOf(model);
    await visit(line, model);
    const earned = await earnedOf(line);
    // What says that it is a bot, or drives a browser, earns nothing; conversions' rules change neither.
    const { rows } = await database.pool.query(
      `SELECT 1 FROM events WHERE publisher_id = $1 AND billable AND price_nanos > 0 AND ip_prefix IN (
         SELECT '10.1.' || n || '.0/24' FROM generate_series(0, 99) n WHERE n % 3 < 2)`,
      [line.publisherId],
    );
    expect(rows).toHaveLength(0);
    table[model] = { before: earned, now: earned };
  }

  // As it was: every report of a verified click that names a transaction of its own is billed at once.
  await settings({
    'conversion.burst_per_minute': 0,
    'conversion.max_per_click': 0,
    'conversion.max_per_publisher_hour': 0,
    'conversion.validation_days': 0,
  });
  const old = await lineOf('CPA');
  const oldClicks = await visit(old, 'CPA');
  const oldCode = await trackerOf(old, { countMode: 'EVERY' });
  await convert(oldClicks, oldCode);
  await database.pool.query(
    `UPDATE conversions SET findings = '[]' WHERE status = 'PENDING' AND publisher_id = $1`,
    [old.publisherId],
  );
  const before = await approveAll(old);

  await settings({ ...LIMITS, 'conversion.validation_days': 7 });
  const line = await lineOf('CPA');
  const clicks = await visit(line, 'CPA');
  const code = await trackerOf(line, { countMode: 'EVERY' });
  await convert(clicks, code);
  const now = await earnedOf(line);
  expect(now).toBe(0);

  // A week later, and nobody has looked: only what looks like a shopper in every way, and not too often.
  await database.pool.query('UPDATE conversions SET due_at = now() WHERE due_at IS NOT NULL');
  await runLoops(stand);
  const unseen = await earnedOf(line);
  const honest = clicks.filter(({ bot }) => CAREFUL(bot)).length * 3.5;
  expect(unseen).toBeLessThanOrEqual(honest * LIMITS['conversion.max_per_click']);
  expect(unseen).toBeLessThan(before);

  // The default counts one of each click, and the shop rejects what its orders do not know.
  const one = await lineOf('CPA');
  const oneClicks = await visit(one, 'CPA');
  await convert(oneClicks, await trackerOf(one, {}));
  const { rows: held } = await database.pool.query<{ id: string }>(
    `SELECT public_id AS id FROM conversions WHERE status = 'PENDING' AND advertiser_id = $1`,
    [one.advertiserId],
  );
  const outcomes = await activities.decideHeldConversions({
    advertiserId: one.advertiserId,
    decisions: new Map(
      held.map(({ id }) => [Number(id), { action: 'reject', note: 'No such order' }]),
    ),
    isRehearsal: false,
  });
  expect(outcomes.filter(({ refusal }) => refusal !== null)).toEqual([]);
  await database.pool.query('UPDATE conversions SET due_at = now() WHERE due_at IS NOT NULL');
  await runLoops(stand);
  expect(await earnedOf(one)).toBe(0);

  table['CPA'] = { before, now, 'a week later, nobody looked': unseen, rejected: 0 };
  console.log(JSON.stringify(table));
  const broken = (await runBooks(runner(database.db))).filter((check) => !check.ok);
  expect(broken).toEqual([]);
}, 300_000);

/** What today's rules still hold, by hand: the old ones asked nobody. */
async function approveAll(line: Line): Promise<number> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT public_id AS id FROM conversions WHERE status = 'PENDING' AND advertiser_id = $1`,
    [line.advertiserId],
  );
  await activities.decideHeldConversions({
    advertiserId: line.advertiserId,
    decisions: new Map(rows.map(({ id }) => [Number(id), { action: 'approve' }])),
    isRehearsal: false,
  });
  await runLoops(stand);
  return await earnedOf(line);
}
