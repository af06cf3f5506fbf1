import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import type { EventFacts, Reason } from '../../../domain/tracking/facts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  activityDeps,
  append,
  eventOf,
  type EventOptions,
  hex,
  stored,
  type TestEvent,
  verifiedClick,
} from '../../support/settlement.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { makePastTerm } from '../../support/make/term.ts';
import { balanceOf, fundAdvertiser, UNIT } from '../../support/make/money.ts';

let database: TestDatabase;
let settleBatch: ReturnType<typeof createSettlementActivities>['settleBatch'];

beforeAll(async () => {
  database = await createTestDatabase();
  ({ settleBatch } = createSettlementActivities(activityDeps(database)));
});
afterAll(async () => {
  // Whatever the tests did, the books close.
  try {
    await expectBooks();
  } finally {
    await database.close();
  }
});

async function expectBooks(): Promise<void> {
  const broken = (await runBooks(runner(database.db))).filter((check) => !check.ok);
  expect(broken).toEqual([]);
}

async function settleAll(shard = 0): Promise<number> {
  let total = 0;
  for (;;) {
    const { events } = await settleBatch({ shard });
    total += events;
    if (events === 0) return total;
  }
}

async function setting(key: string, value: unknown): Promise<void> {
  await database.pool.query(
    'INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value',
    [key, JSON.stringify(value)],
  );
}

const noon = (): Date => new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

describe('settleBatch · money', () => {
  test('impression of a CPM campaign · every check passes · advertiser pays, publisher earns 70 %, platform keeps the rest', async () => {
    const line = await makeLine(database);
    const before = await balanceOf(database, chart.advertiserAvailable(line.advertiserId));
    const event = eventOf(line, { priceNanos: 1_000_001n });
    await append(database, event);
    await settleAll();
    expect(await stored(database, event.id)).toMatchObject({
      billable: true,
      status: 'valid',
      reason: null,
      price_nanos: '1000001',
      publisher_nanos: '700000',
    });
    const after = await balanceOf(database, chart.advertiserAvailable(line.advertiserId));
    expect(before - after).toBe(1_000_001n);
    expect(await balanceOf(database, chart.publisherEarned(line.publisherId, 0))).toBe(700_000n);
  });

  test('impression of a CPC campaign · passes · is counted at price 0; its verified click is charged', async () => {
    const line = await makeLine(database, { pricingModel: 'CPC' });
    const impression = eventOf(line, { track: { pricingModel: 'CPC' }, priceNanos: UNIT });
    const click = await verifiedClick(database, line, impression);
    await append(database, impression, click);
    await settleAll();
    expect(await stored(database, impression.id)).toMatchObject({
      billable: true,
      price_nanos: '0',
    });
    expect(await stored(database, click.id)).toMatchObject({
      billable: true,
      price_nanos: UNIT.toString(),
    });
    const { rows } = await database.pool.query('SELECT status, reason FROM clicks WHERE id = $1', [
      click.facts.clickEventId,
    ]);
    expect(rows).toEqual([{ status: 'valid', reason: null }]);
  });

  test('clicks · of one batch · each whose seal holds has a row that waits, once, under its public id', async () => {
    const line = await makeLine(database, { pricingModel: 'CPC' });
    const click = (over: EventOptions = {}) => eventOf(line, { kind: 'click', ...over });
    const good = click();
    const older = click({ facts: { clickEventId: randomUUID(), clickId: 'c'.repeat(32) } });
    const late = click({ facts: { seal: 'expired' } });
    const forged = click({ facts: { seal: 'invalid', track: null } });
    await append(database, good, older, late, forged);
    await settleAll();
    const { rows } = await database.pool.query(
      `SELECT id, click_id, status, verify_by, ad_id::int FROM clicks WHERE advertiser_id = $1 ORDER BY click_id`,
      [line.advertiserId],
    );
    const row = (event: typeof good, clickId: string) => ({
      id: event.id,
      click_id: clickId,
      status: 'verify_pending',
      verify_by: later(event.receivedAt, 300_000),
      ad_id: line.adId,
    });
    expect(rows).toEqual(
      [row(good, good.id.replaceAll('-', '')), row(older, 'c'.repeat(32))].toSorted((a, b) =>
        a.click_id < b.click_id ? -1 : 1,
      ),
    );
    const named = await database.pool.query(
      `SELECT id, click_id FROM events WHERE advertiser_id = $1 OR id = ANY ($2::uuid[])`,
      [line.advertiserId, [late.id, forged.id]],
    );
    expect(new Map(named.rows.map(({ id, click_id }) => [id, click_id]))).toEqual(
      new Map([
        [good.id, good.id.replaceAll('-', '')],
        [older.id, 'c'.repeat(32)],
        [late.id, null],
        [forged.id, null],
      ]),
    );
  });

  test('conversion of a CPA campaign · accepted · is BILLED once, a second event of it is a replay', async () => {
    const line = await makeLine(database, { pricingModel: 'CPA' });
    const conversionId = await acceptedConversion(line);
    const options: EventOptions = {
      kind: 'conversion',
      track: { pricingModel: 'CPA' },
      priceNanos: 5n * UNIT,
      // The advertiser's server: what is asked of browsers is not asked of it.
      facts: {
        conversionId,
        userAgent: 'empty',
        datacenter: true,
        uaHash: '',
        device: 'OTHER',
        os: 'OTHER',
      },
    };
    const first = eventOf(line, options);
    const second = eventOf(line, options);
    const third = eventOf(line, options);
    await append(database, first, second);
    await settleAll();
    await append(database, third);
    await settleAll();
    expect(await stored(database, first.id)).toMatchObject({
      billable: true,
      price_nanos: '5000000000',
    });
    expect(await stored(database, second.id)).toMatchObject({ billable: false, reason: 'REPLAY' });
    expect(await stored(database, third.id)).toMatchObject({ billable: false, reason: 'REPLAY' });
    const { rows } = await database.pool.query('SELECT status FROM conversions WHERE id = $1', [
      conversionId,
    ]);
    expect(rows).toEqual([{ status: 'BILLED' }]);
  });

  test.each(['in the same batch', 'in an earlier batch'])(
    'conversion · its click was refused %s · refused for the same reason, UNBILLED',
    async (when) => {
      const line = await makeLine(database, { pricingModel: 'CPA' });
      const impression = eventOf(line, { track: { pricingModel: 'CPA' } });
      const click = await verifiedClick(database, line, impression, {
        facts: { userAgent: 'bot' },
      });
      const conversionId = await acceptedConversion(line, click.facts.clickId);
      const conversion = eventOf(line, {
        kind: 'conversion',
        track: { pricingModel: 'CPA' },
        facts: { conversionId, clickId: click.facts.clickId },
      });
      await append(database, impression, click);
      if (when === 'in an earlier batch') await settleAll();
      await append(database, conversion);
      await settleAll();
      expect(await stored(database, conversion.id)).toMatchObject({
        billable: false,
        reason: 'BOT_UA',
      });
      const { rows } = await database.pool.query(
        'SELECT status, reason FROM conversions WHERE id = $1',
        [conversionId],
      );
      expect(rows).toEqual([{ status: 'UNBILLED', reason: 'BOT_UA' }]);
    },
  );

  test('conversion of a CPC campaign · accepted · is counted and stays UNBILLED', async () => {
    const line = await makeLine(database, { pricingModel: 'CPC' });
    const conversionId = await acceptedConversion(line);
    const event = eventOf(line, {
      kind: 'conversion',
      track: { pricingModel: 'CPC' },
      facts: { conversionId },
    });
    await append(database, event);
    await settleAll();
    expect(await stored(database, event.id)).toMatchObject({ billable: true, price_nanos: '0' });
    const { rows } = await database.pool.query(
      'SELECT status, reason FROM conversions WHERE id = $1',
      [conversionId],
    );
    expect(rows).toEqual([{ status: 'UNBILLED', reason: null }]);
  });

  test('daily budget · exactly reached · the next event is BUDGET_EXCEEDED and costs nothing', async () => {
    const line = await makeLine(database, { dailyNanos: 3_000_000n });
    const events = Array.from({ length: 5 }, () => eventOf(line));
    await append(database, ...events.slice(0, 2));
    await settleAll();
    await append(database, ...events.slice(2));
    await settleAll();
    const results = await Promise.all(events.map(({ id }) => stored(database, id)));
    expect(results.map((row) => row?.reason)).toEqual([
      null,
      null,
      null,
      'BUDGET_EXCEEDED',
      'BUDGET_EXCEEDED',
    ]);
    const { rows } = await database.pool.query<{ spent: string; cap: string }>(
      `SELECT spent_nanos::text AS spent, cap_nanos::text AS cap FROM budget_days WHERE scope = 'campaign' AND scope_id = $1`,
      [line.campaignId],
    );
    expect(rows).toEqual([{ spent: '3000000', cap: '3000000' }]);
  });

  test('daily budget · lowered below what is spent · nothing more is charged, the row stays sound', async () => {
    const line = await makeLine(database, {
      dailyNanos: 5_000_000n,
      adGroupDailyNanos: 9_000_000n,
    });
    await append(database, eventOf(line), eventOf(line));
    await settleAll();
    await database.pool.query('UPDATE campaigns SET daily_budget_nanos = 1000000 WHERE id = $1', [
      line.campaignId,
    ]);
    const refused = eventOf(line);
    await append(database, refused);
    await settleAll();
    expect(await stored(database, refused.id)).toMatchObject({ reason: 'BUDGET_EXCEEDED' });
    await database.pool.query('UPDATE campaigns SET daily_budget_nanos = NULL WHERE id = $1', [
      line.campaignId,
    ]);
    const charged = eventOf(line);
    await append(database, charged);
    await settleAll();
    expect(await stored(database, charged.id)).toMatchObject({ billable: true });
  });

  test('daily budget · a new UTC day · begins at zero', async () => {
    const line = await makeLine(database, { dailyNanos: 1_000_000n });
    const yesterday = eventOf(line, { at: later(noon(), -86_400_000) });
    const today = eventOf(line, { at: noon() });
    const over = eventOf(line, { at: later(noon(), 60_000) });
    await append(database, yesterday, today, over);
    await settleAll();
    expect(await stored(database, yesterday.id)).toMatchObject({ billable: true });
    expect(await stored(database, today.id)).toMatchObject({ billable: true });
    expect(await stored(database, over.id)).toMatchObject({ reason: 'BUDGET_EXCEEDED' });
  });

  test.each([
    ['total budget of the campaign', { totalNanos: 1_500_000n }],
    ['daily budget of the ad group', { adGroupDailyNanos: 1_500_000n }],
  ])('%s · no room for a second event · BUDGET_EXCEEDED', async (_name, options) => {
    const line = await makeLine(database, options);
    const [first, second] = [eventOf(line), eventOf(line)];
    await append(database, first, second);
    await settleAll();
    expect(await stored(database, first.id)).toMatchObject({ billable: true });
    expect(await stored(database, second.id)).toMatchObject({ reason: 'BUDGET_EXCEEDED' });
  });

  test('balance · exhausted over two campaigns · BALANCE_EXHAUSTED until money arrives', async () => {
    const line = await makeLine(database, { balanceNanos: 2_500_000n });
    const other = await makeLine(database, { advertiserId: line.advertiserId });
    const events = [eventOf(line), eventOf(other), eventOf(line)];
    await append(database, ...events);
    await settleAll();
    const reasons = await Promise.all(
      events.map(async ({ id }) => (await stored(database, id))?.reason),
    );
    expect(reasons).toEqual([null, null, 'BALANCE_EXHAUSTED']);
    await fundAdvertiser(database.db, line.advertiserId, UNIT);
    const paid = eventOf(line);
    await append(database, paid);
    await settleAll();
    expect(await stored(database, paid.id)).toMatchObject({ billable: true });
  });

  test('advertiser without any balance · an event · BALANCE_EXHAUSTED, no account is opened for it', async () => {
    const line = await makeLine(database, { balanceNanos: 0n });
    const event = eventOf(line);
    await append(database, event);
    await settleAll();
    expect(await stored(database, event.id)).toMatchObject({
      reason: 'BALANCE_EXHAUSTED',
      price_nanos: '0',
    });
    const { rowCount } = await database.pool.query(
      'SELECT 1 FROM ledger_accounts WHERE code = $1',
      [chart.advertiserAvailable(line.advertiserId)],
    );
    expect(rowCount).toBe(0);
  });

  test('publisher share · changed between two events of one batch · each is paid by its own moment', async () => {
    const line = await makeLine(database);
    const at = noon();
    const term = { kind: 'SHARE', publisherId: line.publisherId } as const;
    await makePastTerm(database, {
      ...term,
      ppm: 300_001,
      from: new Date(0),
      until: later(at, -9),
    });
    await makePastTerm(database, { ...term, ppm: 700_000, from: later(at, -9), until: at });
    await makePastTerm(database, { ...term, ppm: 900_000, from: at });
    const before = eventOf(line, { at: later(at, -1) });
    const after = eventOf(line, { at });
    await append(database, before, after);
    await settleAll();
    expect(await stored(database, before.id)).toMatchObject({ publisher_nanos: '700000' });
    expect(await stored(database, after.id)).toMatchObject({ publisher_nanos: '900000' });
  });

  test('budgets notice · after a charge · tells what is left and what was spent', async () => {
    const line = await makeLine(database, { balanceNanos: 10_000_000n });
    await append(database, eventOf(line));
    await settleAll();
    const { rows } = await database.pool.query<{ payload: unknown }>(
      `SELECT payload FROM outbox WHERE kind = 'publish' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows[0]?.payload).toMatchObject({
      topic: 'budgets',
      budgets: {
        day: new Date().toISOString().slice(0, 10),
        available: { [line.advertiserId]: '9000000' },
        campaigns: { [line.campaignId]: { today: '1000000', total: '1000000' } },
        adgroups: { [line.adGroupId]: '1000000' },
      },
    });
  });
});

async function acceptedConversion(line: Line, clickId?: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO conversions (advertiser_id, campaign_id, dedupe_key, event_type, status, click_id)
     VALUES ($1, $2, $3, 'PURCHASE', 'ACCEPTED', $4) RETURNING id`,
    [line.advertiserId, line.campaignId, hex(8), clickId ?? null],
  );
  return Number(rows[0]?.id);
}

describe('settleBatch · reasons', () => {
  const facts: [Reason, Partial<EventFacts>][] = [
    ['TRACK_INVALID', { seal: 'invalid', track: null }],
    ['TRACK_EXPIRED', { seal: 'expired' }],
    ['SIG_MISSING', { signature: 'missing' }],
    ['SIG_BAD', { signature: 'bad' }],
    ['SESSION_EXPIRED', { session: 'expired' }],
    ['SESSION_EXPIRED', { session: 'bad' }],
    ['CLOCK_SKEW', { clock: 'skew' }],
    ['EMPTY_UA', { userAgent: 'empty' }],
    ['BOT_UA', { userAgent: 'bot' }],
    ['PREFETCH', { prefetch: true }],
    ['DATACENTER_IP', { datacenter: true }],
    ['INVALID_PLACEMENT', { placement: { width: 1, height: 1 } }],
    ['WEBDRIVER', { webdriver: true }],
    ['UA_MISMATCH', { uaHash: 'ffffffff' }],
    ['FP_MISMATCH', { device: 'MOBILE' }],
  ];

  test.each(facts)('%s · %j · stored with its reason, never billed', async (reason, overrides) => {
    const line = await makeLine(database);
    const event = eventOf(line, { facts: overrides });
    await append(database, event);
    await settleAll();
    expect(await stored(database, event.id)).toMatchObject({
      billable: false,
      status: 'invalid',
      reason,
      price_nanos: '0',
    });
    expect(await balanceOf(database, chart.advertiserAvailable(line.advertiserId))).toBe(
      1_000n * UNIT,
    );
  });

  test('SIG_MISSING · a track issued under v2 is reported v1-style · not billed', async () => {
    const line = await makeLine(database);
    const event = eventOf(line, { track: { protocol: 2 } });
    const signed = eventOf(line, {
      track: { protocol: 2 },
      facts: { protocol: 2, signature: 'ok', session: 'ok', nonce: '1' },
    });
    await append(database, event, signed);
    await settleAll();
    expect(await stored(database, event.id)).toMatchObject({ reason: 'SIG_MISSING' });
    expect(await stored(database, signed.id)).toMatchObject({ billable: true });
  });

  test('TARGETING_MISMATCH · a targeted country differs · refused; an untargeted one may differ', async () => {
    const targeted = await makeLine(database, { targetCountries: ['DE'] });
    const open = await makeLine(database);
    const refused = eventOf(targeted, { facts: { country: 'FR' } });
    const counted = eventOf(open, { facts: { country: 'FR' } });
    await append(database, refused, counted);
    await settleAll();
    expect(await stored(database, refused.id)).toMatchObject({ reason: 'TARGETING_MISMATCH' });
    expect(await stored(database, counted.id)).toMatchObject({ billable: true });
  });

  test('REPLAY · the same nonce twice, also in a later batch · one is billed', async () => {
    const line = await makeLine(database);
    const track = { protocol: 2 as const, bidId: hex(8) };
    const signed = {
      protocol: 2 as const,
      signature: 'ok' as const,
      session: 'ok' as const,
      nonce: 'n1',
    };
    const first = eventOf(line, { track, facts: signed });
    const second = eventOf(line, { track, facts: signed });
    await append(database, first);
    await settleAll();
    await append(database, second);
    await settleAll();
    expect(await stored(database, first.id)).toMatchObject({ billable: true });
    expect(await stored(database, second.id)).toMatchObject({ billable: false, reason: 'REPLAY' });
  });

  test('DUPLICATE_IMPRESSION · the same signed pixel twice by one viewer · not REPLAY, and billed once', async () => {
    const line = await makeLine(database);
    const options = {
      track: { protocol: 2 as const, bidId: hex(8) },
      facts: {
        protocol: 2 as const,
        signature: 'ok' as const,
        session: 'ok' as const,
        nonce: 'n1',
        viewerKey: hex(16),
      },
    };
    const at = noon();
    const first = eventOf(line, { at, ...options });
    const second = eventOf(line, { at: later(at, 1_000), ...options });
    await append(database, first, second);
    await settleAll();
    expect(await stored(database, first.id)).toMatchObject({ billable: true });
    expect(await stored(database, second.id)).toMatchObject({
      billable: false,
      reason: 'DUPLICATE_IMPRESSION',
    });
  });

  test('REPLAY · the same track by another viewer, or after the window · not billed again', async () => {
    const line = await makeLine(database);
    const at = noon();
    const viewerKey = hex(16);
    const track = { bidId: hex(8) };
    const first = eventOf(line, { at, track, facts: { viewerKey } });
    const inside = eventOf(line, { at: later(at, 59_000), track, facts: { viewerKey } });
    const outside = eventOf(line, { at: later(at, 61_000), track, facts: { viewerKey } });
    const other = eventOf(line, { at: later(at, 2_000), track });
    await append(database, first, inside, outside, other);
    await settleAll();
    const reason = async (event: TestEvent) => (await stored(database, event.id))?.reason;
    expect(await reason(first)).toBeNull();
    expect(await reason(inside)).toBe('DUPLICATE_IMPRESSION');
    expect(await reason(outside)).toBe('REPLAY');
    expect(await reason(other)).toBe('REPLAY');
  });

  test('DUPLICATE_IMPRESSION · same viewer and creative inside the window · counted again after it, not renewed', async () => {
    const line = await makeLine(database);
    const at = noon();
    const viewerKey = hex(16);
    const events = [0, 40_000, 59_999, 60_000, 119_000].map((ms) =>
      eventOf(line, { at: later(at, ms), facts: { viewerKey } }),
    );
    await append(database, ...events);
    await settleAll();
    const reasons = await Promise.all(
      events.map(async ({ id }) => (await stored(database, id))?.reason),
    );
    expect(reasons).toEqual([
      null,
      'DUPLICATE_IMPRESSION',
      'DUPLICATE_IMPRESSION',
      null,
      'DUPLICATE_IMPRESSION',
    ]);
  });

  test('dedup window 0 · same viewer and creative twice · both are counted', async () => {
    await setting('ad.impression_dedup_seconds', 0);
    try {
      const line = await makeLine(database);
      const viewerKey = hex(16);
      const events = [
        eventOf(line, { facts: { viewerKey } }),
        eventOf(line, { facts: { viewerKey } }),
      ];
      await append(database, ...events);
      await settleAll();
      for (const { id } of events)
        expect(await stored(database, id)).toMatchObject({ billable: true });
      const track = { bidId: hex(8) };
      const [once, again] = [eventOf(line, { track }), eventOf(line, { track })];
      await append(database, once, again);
      await settleAll();
      expect(await stored(database, once.id)).toMatchObject({ billable: true });
      expect(await stored(database, again.id)).toMatchObject({ billable: false, reason: 'REPLAY' });
    } finally {
      await setting('ad.impression_dedup_seconds', 60);
    }
  });

  test('clicks · before any impression, too fast, twice, on a settled row · each with its reason', async () => {
    const line = await makeLine(database, { pricingModel: 'CPC' });
    const impressionOf = () =>
      eventOf(line, { at: noon(), track: { pricingModel: 'CPC' }, priceNanos: UNIT });
    const alone = await verifiedClick(database, line, impressionOf());
    const fastImpression = impressionOf();
    const fast = await verifiedClick(database, line, fastImpression, { clickedAfterMs: 99 });
    const impression = impressionOf();
    const good = await verifiedClick(database, line, impression);
    const again = await verifiedClick(database, line, impression, { clickedAfterMs: 20_000 });
    const elsewhere = await verifiedClick(database, line, impression, {
      facts: { viewerKey: hex(16) },
    });
    const sameRow = { ...good, id: impressionOf().id };
    await append(
      database,
      alone,
      fastImpression,
      fast,
      impression,
      good,
      again,
      elsewhere,
      sameRow,
    );
    await settleAll();
    const reason = async (event: TestEvent) => (await stored(database, event.id))?.reason;
    expect(await reason(alone)).toBe('CLICK_BEFORE_IMPRESSION');
    expect(await reason(fast)).toBe('TOO_FAST');
    expect(await reason(good)).toBeNull();
    expect(await reason(again)).toBe('DUPLICATE_CLICK');
    expect(await reason(elsewhere)).toBe('REPLAY');
    expect(await reason(sameRow)).toBe('REPLAY');
    const { rows } = await database.pool.query(
      'SELECT status, reason FROM clicks WHERE id = ANY($1::uuid[]) ORDER BY status, reason',
      [[alone, fast, good, again].map((event) => event.facts.clickEventId)],
    );
    expect(rows).toEqual([
      { status: 'invalid', reason: 'CLICK_BEFORE_IMPRESSION' },
      { status: 'invalid', reason: 'DUPLICATE_CLICK' },
      { status: 'invalid', reason: 'TOO_FAST' },
      { status: 'valid', reason: null },
    ]);
  });

  test('click · its impression is logged just behind it in the same batch · counted within 5 s, not after', async () => {
    const line = await makeLine(database, { pricingModel: 'CPC' });
    const at = noon();
    const make = async (impressionLateMs: number) => {
      const impression = eventOf(line, { at, track: { pricingModel: 'CPC' } });
      const click = await verifiedClick(database, line, impression, { clickedAfterMs: 0 });
      impression.receivedAt = later(click.receivedAt, impressionLateMs);
      return { impression, click };
    };
    const inTime = await make(5_000);
    const tooLate = await make(5_001);
    await append(database, inTime.click, inTime.impression, tooLate.click, tooLate.impression);
    await settleAll();
    expect(await stored(database, inTime.click.id)).toMatchObject({ billable: true });
    expect(await stored(database, tooLate.click.id)).toMatchObject({
      reason: 'CLICK_BEFORE_IMPRESSION',
    });
  });

  test('click_verify · its row is not verified, or of another bid, or missing · SESSION_EXPIRED', async () => {
    const line = await makeLine(database, { pricingModel: 'CPC' });
    const impression = eventOf(line, { track: { pricingModel: 'CPC' } });
    const expired = await verifiedClick(database, line, impression, { status: 'expired' });
    const foreign = await verifiedClick(database, line, impression);
    foreign.facts = { ...foreign.facts, track: eventOf(line).facts.track };
    const missing = await verifiedClick(database, line, impression, {
      facts: { clickEventId: undefined },
    });
    await append(database, impression, expired, foreign, missing);
    await settleAll();
    for (const event of [expired, foreign, missing]) {
      expect(await stored(database, event.id)).toMatchObject({
        billable: false,
        reason: 'SESSION_EXPIRED',
      });
    }
  });

  test('the page and the device that an ad was asked for by · stay with its events', async () => {
    const line = await makeLine(database, { pricingModel: 'CPC' });
    const track = {
      pricingModel: 'CPC' as const,
      pageId: 281_474_976_710_655,
      fingerprint: 'a'.repeat(16),
    };
    const impression = eventOf(line, { track, priceNanos: UNIT });
    const same = await verifiedClick(database, line, impression, {
      facts: { fingerprint: track.fingerprint },
    });
    const silent = await verifiedClick(database, line, impression);
    const another = await verifiedClick(database, line, impression, {
      facts: { fingerprint: 'b'.repeat(16) },
    });
    await append(database, impression, another, same, silent);
    await settleAll();
    expect(await stored(database, another.id)).toMatchObject({
      billable: false,
      reason: 'FP_MISMATCH',
    });
    expect(await stored(database, same.id)).toMatchObject({ billable: true });
    // Who says nothing of the device is held against nothing; here it is only the same click again.
    expect(await stored(database, silent.id)).toMatchObject({ reason: 'DUPLICATE_CLICK' });
    const { rows } = await database.pool.query<{ page_id: string }>(
      'SELECT DISTINCT page_id FROM events WHERE bid_id = $1',
      [impression.facts.track?.bidId],
    );
    expect(rows).toEqual([{ page_id: String(track.pageId) }]);
  });

  test('RATE_LIMIT · more than the setting in a minute, over two batches · the rest is refused', async () => {
    await setting('ad.rate_impressions_per_minute', 3);
    try {
      const line = await makeLine(database);
      const viewerKey = hex(16);
      const at = noon();
      const events = Array.from({ length: 5 }, () =>
        eventOf(line, { at, facts: { viewerKey }, track: { creativeId: line.creativeId } }),
      );
      await append(database, ...events.slice(0, 2));
      await settleAll();
      await append(database, ...events.slice(2));
      await settleAll();
      const reasons = await Promise.all(
        events.map(async ({ id }) => (await stored(database, id))?.reasons),
      );
      expect(reasons.slice(0, 3).flat()).not.toContain('RATE_LIMIT');
      expect(reasons[3]).toEqual(['RATE_LIMIT', 'DUPLICATE_IMPRESSION']);
      expect(reasons[4]).toContain('RATE_LIMIT');
    } finally {
      await setting('ad.rate_impressions_per_minute', 60);
    }
  });

  test('unknown references · no such ad, or the zone of nobody, or ids that do not belong together · TRACK_INVALID on nulls', async () => {
    const line = await makeLine(database);
    const other = await makeLine(database);
    const events = [
      eventOf(line, { track: { adId: 99_999_999 } }),
      eventOf(line, { track: { zoneId: 99_999_999 } }),
      eventOf(line, { track: { advertiserId: other.advertiserId } }),
    ];
    await append(database, ...events);
    await settleAll();
    for (const { id } of events) {
      expect(await stored(database, id)).toMatchObject({ reason: 'TRACK_INVALID', zone_id: null });
    }
  });

  test('GET click and view · recorded, never billed · a view counts once and only after its impression', async () => {
    const line = await makeLine(database);
    const impression = eventOf(line, { at: noon() });
    const beacon = (kind: 'click' | 'view', facts: Partial<EventFacts> = {}): TestEvent => ({
      ...eventOf(line, { kind, at: later(noon(), 2_000) }),
      facts: { ...impression.facts, ...facts },
    });
    const click = beacon('click');
    const view = beacon('view', { viewable: true });
    const again = beacon('view', { viewable: true });
    const hidden = { ...eventOf(line, { kind: 'view', facts: { viewable: true } }) };
    await append(database, impression, click, view, again, hidden);
    await settleAll();
    expect(await stored(database, click.id)).toMatchObject({
      billable: false,
      status: 'verify_pending',
    });
    expect(await stored(database, view.id)).toMatchObject({
      billable: false,
      status: 'viewable',
      reason: null,
    });
    expect(await stored(database, again.id)).toMatchObject({ status: 'invalid', reason: 'REPLAY' });
    expect(await stored(database, hidden.id)).toMatchObject({ status: 'unmatched', reason: null });
    const { rows } = await database.pool.query(
      'SELECT impressions::int, viewable::int, clicks::int, removed::int FROM rollup_ad_hours WHERE ad_id = $1',
      [line.adId],
    );
    expect(rows).toEqual([{ impressions: 1, viewable: 1, clicks: 0, removed: 0 }]);
  });
});

describe('settleBatch · once', () => {
  test('settled twice · nothing new in the inbox · changes nothing', async () => {
    const line = await makeLine(database);
    await append(database, eventOf(line));
    expect(await settleBatch({ shard: 0 })).toMatchObject({ events: 1, billable: 1 });
    expect(await settleBatch({ shard: 0 })).toEqual({ events: 0, billable: 0, full: false });
  });

  test('cursor set back by hand · settled again · events already judged are passed over', async () => {
    const line = await makeLine(database);
    const event = eventOf(line);
    await append(database, event);
    await settleAll();
    const before = await balanceOf(database, chart.advertiserAvailable(line.advertiserId));
    await database.pool.query(`UPDATE settlement_cursors SET xid = '0', seq = 0 WHERE shard = 0`);
    expect(await settleAll()).toBeGreaterThan(0);
    expect(await balanceOf(database, chart.advertiserAvailable(line.advertiserId))).toBe(before);
  });

  test('four runners at once · 3,000 events · each is judged once', async () => {
    const line = await makeLine(database);
    const events = Array.from({ length: 3_000 }, () => eventOf(line));
    await append(database, ...events);
    const counts = await Promise.all([settleAll(), settleAll(), settleAll(), settleAll()]);
    await settleAll();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(3_000);
    const { rows } = await database.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM events WHERE advertiser_id = $1 AND billable',
      [line.advertiserId],
    );
    expect(rows).toEqual([{ n: 3_000 }]);
    expect(await balanceOf(database, chart.publisherEarned(line.publisherId, 0))).toBe(
      700_000n * 3_000n,
    );
  });

  test.each(['events', 'event_marks', 'rollup_zone_traits', 'outbox'])(
    'a fault while writing %s · rolled back whole · done again with the same result',
    async (table) => {
      const line = await makeLine(database);
      const event = eventOf(line);
      await append(database, event);
      await failOn(table, `RAISE EXCEPTION 'power' USING ERRCODE = '57014'`);
      await expect(settleBatch({ shard: 0 })).rejects.toThrow('power');
      expect(await stored(database, event.id)).toBeUndefined();
      expect(await balanceOf(database, chart.advertiserAvailable(line.advertiserId))).toBe(
        1_000n * UNIT,
      );
      await heal(table);
      await settleAll();
      expect(await stored(database, event.id)).toMatchObject({ billable: true });
      expect(await balanceOf(database, chart.advertiserAvailable(line.advertiserId))).toBe(
        1_000n * UNIT - 1_000_000n,
      );
    },
  );

  test('damaged facts · wrong types, missing fields, unknown kind · set aside as TRACK_INVALID, the rest goes on', async () => {
    const line = await makeLine(database);
    const damaged: TestEvent[] = [
      { ...eventOf(line), facts: {} },
      { ...eventOf(line), facts: [] },
      { ...eventOf(line), facts: { ...eventOf(line).facts, track: { priceNanos: 'free' } } },
      eventOf(line, { priceNanos: 10n ** 25n }),
      eventOf(line, { track: { adId: 1.5 } }),
      eventOf(line, { kind: 'click_verify', facts: { clickEventId: 'not-a-uuid' } }),
      { ...eventOf(line), kind: 'gift' as 'impression' },
    ];
    const good = eventOf(line);
    await append(database, ...damaged, good);
    await settleAll();
    for (const { id } of damaged) {
      expect(await stored(database, id)).toMatchObject({
        status: 'invalid',
        reason: 'TRACK_INVALID',
      });
    }
    expect(await stored(database, good.id)).toMatchObject({ billable: true });
  });

  test('an event that the database refuses · among good ones · is set aside alone, the shard goes on', async () => {
    const line = await makeLine(database);
    const events = Array.from({ length: 40 }, () => eventOf(line));
    const poisoned = events[17];
    await append(database, ...events);
    await failOn(
      'events',
      `IF NEW.bid_id = '${poisoned?.facts.track?.bidId}' THEN RAISE EXCEPTION 'poison' USING ERRCODE = '22P02'; END IF`,
    );
    await settleAll();
    await heal('events');
    expect(await stored(database, poisoned?.id ?? '')).toMatchObject({
      status: 'invalid',
      reason: 'TRACK_INVALID',
    });
    const { rows } = await database.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM events WHERE advertiser_id = $1 AND billable',
      [line.advertiserId],
    );
    expect(rows).toEqual([{ n: 39 }]);
  });

  test('a fault of our own code · on a sound event · stops the batch, which is billed once it is mended', async () => {
    const line = await makeLine(database);
    const event = eventOf(line);
    await append(database, event);
    const deps = activityDeps(database);
    const broken = createSettlementActivities({
      ...deps,
      outbox: {
        ...deps.outbox,
        enqueue: () => Promise.reject(new TypeError('undefined is not a function')),
      },
    });
    await expect(broken.settleBatch({ shard: 0 })).rejects.toThrow(TypeError);
    expect(await stored(database, event.id)).toBeUndefined();
    await settleAll();
    expect(await stored(database, event.id)).toMatchObject({ billable: true, reason: null });
  });

  async function failOn(table: string, body: string): Promise<void> {
    await database.pool.query(
      `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$`,
    );
    await database.pool.query(
      `CREATE TRIGGER planted BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION planted()`,
    );
  }

  async function heal(table: string): Promise<void> {
    await database.pool.query(`DROP TRIGGER planted ON ${table}`);
    await database.pool.query('DROP FUNCTION planted()');
  }
});

describe('settleBatch · sums', () => {
  test('random batches over shards, prices, viewers and caps · advertisers pay exactly what publishers and platform get', async () => {
    const lines = [
      await makeLine(database, { dailyNanos: 40_000_000n, balanceNanos: 200_000_000n }),
      await makeLine(database, { pricingModel: 'CPC', balanceNanos: 90_000_000n }),
      await makeLine(database, { targetCountries: ['DE'] }),
    ];
    const viewers = [hex(16), hex(16), hex(16)];
    const shape = fc.record({
      line: fc.nat({ max: 2 }),
      price: fc.bigInt({ min: 0n, max: 9_999_999n }),
      viewer: fc.option(fc.nat({ max: 2 })),
      country: fc.constantFrom('DE', 'FR', null),
      bot: fc.boolean(),
      minute: fc.nat({ max: 600 }),
      clicked: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { minLength: 1, maxLength: 40 }), async (shapes) => {
        const shard = 3;
        for (const each of shapes) {
          const line = lines[each.line] ?? (await makeLine(database));
          const impression = eventOf(line, {
            shard,
            at: later(noon(), each.minute * -60_000),
            priceNanos: each.price,
            track: { pricingModel: each.line === 1 ? 'CPC' : 'CPM' },
            facts: {
              viewerKey: each.viewer === null ? hex(16) : (viewers[each.viewer] ?? ''),
              country: each.country,
              userAgent: each.bot ? 'bot' : 'ok',
            },
          });
          await append(database, impression);
          if (each.clicked) await append(database, await verifiedClick(database, line, impression));
        }
        await settleAll(shard);
        await expectBooks();
      }),
      { numRuns: 12 },
    );
    const { rows } = await database.pool.query<{ price: string; share: string }>(
      'SELECT sum(price_nanos)::text AS price, sum(publisher_nanos)::text AS share FROM events WHERE shard = 3',
    );
    const earned = await Promise.all(
      lines.map(
        async (line) => await balanceOf(database, chart.publisherEarned(line.publisherId, 3)),
      ),
    );
    const fee = await balanceOf(database, chart.platformRevenue(3));
    expect(earned.reduce((sum, nanos) => sum + nanos, 0n)).toBe(BigInt(rows[0]?.share ?? '0'));
    expect(earned.reduce((sum, nanos) => sum + nanos, fee)).toBe(BigInt(rows[0]?.price ?? '0'));
  });
});
