import fc from 'fast-check';
import { type BatchContext, type InboxEvent, judgeBatch } from '../../../domain/tracking/batch.ts';
import { dayOf } from '../../../domain/tracking/utc-day.ts';
import { shareBook, type ShareTerm } from '../../../domain/tracking/shares.ts';
import { AT, contextOf, eventOf, judged, NO_CAPS, reasonsOf } from '../../support/batches.ts';

describe('references', () => {
  const refused = { ad: null, zone: null, priceNanos: 0n, publisherNanos: 0n };

  test('an event · its record is damaged · is refused and of nobody', () => {
    const [row] = judged([{ ...eventOf(1), facts: null }]);
    expect(row).toMatchObject({ ...refused, track: null, clickId: null });
    expect(row?.verdict).toMatchObject({ billable: false, reasons: ['TRACK_INVALID'] });
  });

  test.each([
    ['an unknown ad', { adId: 30 }],
    ['an unknown zone', { zoneId: 50 }],
    ["another advertiser's ad", { advertiserId: 10 }],
    ["another campaign's ad", { campaignId: 20 }],
  ])('an event · %s · is refused and of nobody', (_name, track) => {
    const [row] = judged([eventOf(1, { track })]);
    expect(row).toMatchObject(refused);
    expect(row?.verdict.reason).toBe('TRACK_INVALID');
  });

  test('an event · its ad targets a country · is held to it', () => {
    expect(reasonsOf([eventOf(1, { facts: { country: 'FR' } })])).toEqual(['TARGETING_MISMATCH']);
  });

  test('days · either side of midnight in UTC · are two', () => {
    const midnight = Date.parse('2026-02-01T00:00:00Z');
    expect([dayOf(midnight - 1), dayOf(midnight)]).toEqual(['2026-01-31', '2026-02-01']);
  });
});

describe('money', () => {
  test('a counted event · of the kind that is billed · costs its price and earns its share', () => {
    const [row] = judged([eventOf(1, { track: { priceNanos: '999' } })]);
    expect(row).toMatchObject({ priceNanos: 999n, publisherNanos: 699n });
  });

  test('a counted event · of a kind that is not billed · is free', () => {
    const [row] = judged([eventOf(1, { track: { pricingModel: 'CPC' } })], {
      room: { balances: new Map() },
    });
    expect(row).toMatchObject({ priceNanos: 0n, publisherNanos: 0n });
    expect(row?.verdict.billable).toBe(true);
  });

  test.each<[string, ShareTerm[], bigint]>([
    ['no term at all', [], 0n],
    ['a term that begins later', [{ publisherId: null, sharePpm: 500_000, fromMs: AT + 1 }], 0n],
    ['a term from this moment', [{ publisherId: null, sharePpm: 500_000, fromMs: AT }], 500n],
    [
      'the latest of several',
      [
        { publisherId: null, sharePpm: 600_000, fromMs: AT - 5 },
        { publisherId: null, sharePpm: 500_000, fromMs: AT - 9 },
      ],
      600n,
    ],
    [
      'its own term, older than the default',
      [
        { publisherId: 9, sharePpm: 800_000, fromMs: AT - 9 },
        { publisherId: null, sharePpm: 600_000, fromMs: AT - 5 },
      ],
      800n,
    ],
    [
      "another publisher's term",
      [
        { publisherId: 90, sharePpm: 800_000, fromMs: AT - 9 },
        { publisherId: null, sharePpm: 600_000, fromMs: AT - 5 },
      ],
      600n,
    ],
  ])('share · %s · decides', (_name, shares, publisherNanos) => {
    expect(judged([eventOf(1)], { shares: shareBook(shares) })).toMatchObject([{ publisherNanos }]);
  });

  test('two events · the balance is for one · the first has it', () => {
    const room = { balances: new Map([[1, 1_500n]]) };
    expect(reasonsOf([eventOf(1), eventOf(2)], { room })).toEqual([null, 'BALANCE_EXHAUSTED']);
  });

  test('two events · a budget is for one · the first has it, and the next day has another', () => {
    const room = { dailyCaps: { ...NO_CAPS, adgroup: new Map([[6, 1_500n]]) } };
    const tomorrow = eventOf(3, { atMs: AT + 86_400_000 });
    const reasons = reasonsOf([eventOf(1), eventOf(2), tomorrow], { room });
    expect(reasons).toEqual([null, 'BUDGET_EXCEEDED', null]);
  });

  test('a refused event · before a sound one · takes no room from it', () => {
    const room = { balances: new Map([[1, 1_000n]]) };
    const bot = eventOf(1, { facts: { userAgent: 'bot' } });
    expect(judged([bot, eventOf(2)], { room })).toMatchObject([
      { priceNanos: 0n },
      { priceNanos: 1_000n },
    ]);
  });
});

describe('what an earlier event leaves behind', () => {
  test('a bid · shown twice · counts once', () => {
    const again = eventOf(1, { facts: { viewerKey: 'v2' } });
    expect(reasonsOf([eventOf(1), again])).toEqual([null, 'REPLAY']);
  });

  test('a nonce · used twice · is a replay', () => {
    const told = eventOf(1, { kind: 'video', facts: { nonce: 'n' } });
    expect(reasonsOf([told, told])).toEqual([null, 'REPLAY']);
  });

  test('a viewer · inside the window and after it · is a duplicate, then counts', () => {
    const seen = (who: number, atMs: number) =>
      eventOf(who, { atMs, facts: { viewerKey: 'same' } });
    const events = [seen(1, AT), seen(2, AT + 9_999), seen(3, AT + 10_000)];
    const settings = { 'ad.impression_dedup_seconds': 10, 'ad.click_dedup_seconds': 999 };
    expect(reasonsOf(events, { settings })).toEqual([null, 'DUPLICATE_IMPRESSION', null]);
  });

  test.each(['impression', 'click'] as const)('%ss · of one viewer · have a rate', (kind) => {
    const settings = {
      'ad.impression_dedup_seconds': 0,
      'ad.rate_impressions_per_minute': kind === 'impression' ? 2 : 0,
      'ad.rate_clicks_per_minute': kind === 'click' ? 2 : 0,
    };
    const events = [1, 2, 3].map((who) => eventOf(who, { kind, facts: { viewerKey: 'same' } }));
    expect(reasonsOf(events, { settings })).toEqual([null, null, 'RATE_LIMIT']);
  });
});

const bids = fc.integer({ min: 1, max: 4 });
const impressions = fc.array(
  fc.record({
    bid: bids,
    viewer: bids,
    afterMs: fc.integer({ min: 0, max: 90_000 }),
    priceNanos: fc.integer({ min: 0, max: 900 }).map(String),
    agent: fc.constantFrom('ok' as const, 'ok' as const, 'bot' as const),
  }),
  { maxLength: 14 },
);
type Shown = typeof impressions extends fc.Arbitrary<infer List> ? List : never;
const eventsOf = (list: Shown): InboxEvent[] =>
  list.map(({ bid, viewer, afterMs, priceNanos, agent }) =>
    eventOf(bid, {
      atMs: AT + afterMs,
      facts: { viewerKey: `v${viewer}`, userAgent: agent },
      track: { priceNanos },
    }),
  );
const tight = (): BatchContext =>
  contextOf({
    room: { balances: new Map([[1, 2_000n]]), totalCaps: new Map([[2, 1_500n]]) },
    shares: shareBook([{ publisherId: null, sharePpm: 333_333, fromMs: 0 }]),
  });

describe('any batch', () => {
  test('money · of what is counted · stays in the room and above the publishers’ part', () => {
    fc.assert(
      fc.property(impressions, (list) => {
        const context = tight();
        const rows = judgeBatch(eventsOf(list), context);
        const paid = rows.reduce((sum, { priceNanos }) => sum + priceNanos, 0n);
        expect(paid).toBeLessThanOrEqual(1_500n);
        expect(context.room.balance(1)).toBe(2_000n - paid);
        for (const { verdict, priceNanos, publisherNanos } of rows) {
          expect(publisherNanos).toBe((priceNanos * 333_333n) / 1_000_000n);
          if (!verdict.billable) expect(priceNanos).toBe(0n);
        }
      }),
    );
  });

  test('a bid · shown any number of times · counts at most once', () => {
    fc.assert(
      fc.property(impressions, (list) => {
        const counted = judgeBatch(eventsOf(list), tight()).filter((row) => row.verdict.billable);
        const seen = counted.map(({ track }) => track?.bidId);
        expect(new Set(seen).size).toBe(seen.length);
      }),
    );
  });

  test('verdicts · of one batch or of two · are the same', () => {
    fc.assert(
      fc.property(impressions, fc.nat(14), (list, cut) => {
        const events = eventsOf(list);
        const context = tight();
        const parts = [events.slice(0, cut), events.slice(cut)];
        const split = parts.flatMap((part) => judgeBatch(part, context));
        expect(split).toEqual(judgeBatch(events, tight()));
      }),
    );
  });
});
