import fc from 'fast-check';
import { rollupAdHours } from '../../../db/tables/rollup-ad-hour.ts';
import { rollupAdTraits } from '../../../db/tables/rollup-ad-trait.ts';
import { rollupZoneHours } from '../../../db/tables/rollup-zone-hour.ts';
import { rollupZoneTraits } from '../../../db/tables/rollup-zone-trait.ts';
import type { JudgedEvent } from '../../../domain/tracking/batch.ts';
import type { EventFacts, EventKind, TrackFacts } from '../../../domain/tracking/facts.ts';
import { type Counts, rollUp, slotOf } from '../../../domain/tracking/rollups.ts';
import type { Verdict } from '../../../domain/tracking/verdict.ts';
import { factsOf, trackOf } from '../../support/tracking-facts.ts';

const AT = Date.parse('2026-01-31T23:50:00Z');
const counted: Verdict = { billable: true, status: 'valid', reason: null, reasons: [] };
const refused: Verdict = {
  billable: false,
  status: 'invalid',
  reason: 'BOT_UA',
  reasons: ['BOT_UA'],
};
const VERDICTS = {
  counted,
  refused,
  'waiting for its verification': { ...counted, billable: false, status: 'verify_pending' },
  'too late': { ...counted, billable: false, status: 'expired' },
  viewable: { ...counted, billable: false, status: 'viewable' },
  'not viewable': { ...counted, billable: false, status: 'not_viewable' },
} as const satisfies Record<string, Verdict>;
type Judged = keyof typeof VERDICTS;

interface Sketch {
  kind?: EventKind;
  verdict?: Verdict;
  atMs?: number;
  facts?: Partial<EventFacts>;
  track?: Partial<TrackFacts>;
  priceNanos?: bigint;
  publisherNanos?: bigint;
}

function judgedOf(sketch: Sketch = {}): JudgedEvent {
  const { kind = 'impression', verdict = counted, atMs = AT } = sketch;
  const track = trackOf(sketch.track);
  return {
    event: {
      id: 'e',
      kind,
      day: '2026-01-31',
      receivedAtMs: atMs,
      facts: factsOf({ track, ...sketch.facts }),
    },
    verdict,
    track,
    ad: {
      advertiserId: 1,
      campaignId: 2,
      adGroupId: 6,
      targeted: { country: false, device: false, os: false },
    },
    zone: { publisherId: 9, siteId: 8 },
    clickId: null,
    priceNanos: sketch.priceNanos ?? 100n,
    publisherNanos: sketch.publisherNanos ?? 70n,
  };
}

const NONE: Counts = {
  impressions: 0,
  viewable: 0,
  clicks: 0,
  conversions: 0,
  views: 0,
  removed: 0,
};
const TABLES = {
  adHours: rollupAdHours,
  adTraits: rollupAdTraits,
  zoneHours: rollupZoneHours,
  zoneTraits: rollupZoneTraits,
};
const NAMES = Object.keys(TABLES) as (keyof typeof TABLES)[];

const countsOf = (sketch: Sketch): Counts | undefined => {
  const [row] = rollUp([judgedOf(sketch)]).adHours;
  if (row === undefined) return undefined;
  const { impressions, viewable, clicks, conversions, views, removed } = row;
  return { impressions, viewable, clicks, conversions, views, removed };
};

describe('what an event adds', () => {
  test.each<[EventKind, Judged, Partial<Counts>]>([
    ['impression', 'counted', { impressions: 1 }],
    ['click_verify', 'counted', { clicks: 1 }],
    ['conversion', 'counted', { conversions: 1 }],
    ['video_view', 'counted', { views: 1 }],
    ['view', 'viewable', { viewable: 1 }],
    ['impression', 'refused', { removed: 1 }],
    ['click_verify', 'refused', { removed: 1 }],
    ['conversion', 'refused', { removed: 1 }],
  ])('%s · %s · is one of its count', (kind, verdict, counts) => {
    expect(countsOf({ kind, verdict: VERDICTS[verdict] })).toEqual({ ...NONE, ...counts });
  });

  test.each<[EventKind, Judged]>([
    ['video_view', 'refused'],
    ['view', 'not viewable'],
    ['view', 'refused'],
    ['click', 'waiting for its verification'],
    ['click', 'refused'],
    ['click_expired', 'too late'],
    ['video', 'counted'],
    ['vast_error', 'counted'],
  ])('%s · %s · is in no report', (kind, verdict) => {
    expect(countsOf({ kind, verdict: VERDICTS[verdict] })).toBeUndefined();
  });

  test.each(['track', 'ad', 'zone'] as const)(
    'an event · its %s is unknown · is in no report',
    (part) => {
      const rows = rollUp([{ ...judgedOf({ verdict: refused }), [part]: null }]);
      for (const table of NAMES) expect(rows[table]).toEqual([]);
    },
  );

  test('a damaged event · it has no facts · is in no report', () => {
    const { event, ...judged } = judgedOf({ verdict: refused });
    const rows = rollUp([{ ...judged, event: { ...event, facts: null } }]);
    for (const table of NAMES) expect(rows[table]).toEqual([]);
  });
});

describe('where it is added', () => {
  test('an event · any · has one row per table, of the money that its side sees', () => {
    const sum = { ...NONE, impressions: 1 };
    const traits = { country: 'DE', device: 'DESKTOP', os: 'LINUX', browser: 'CHROME' };
    const campaign = { advertiserId: 1, campaignId: 2 };
    const zone = { publisherId: 9, siteId: 8, zoneId: 5 };
    const hour = '2026-01-31T23:45:00.000Z';
    const day = '2026-01-31';
    expect(rollUp([judgedOf()])).toEqual({
      adHours: [
        { hour, ...campaign, adGroupId: 6, adId: 3, creativeId: 4, ...sum, spendNanos: 100n },
      ],
      adTraits: [{ day, ...campaign, ...traits, ...sum, spendNanos: 100n }],
      zoneHours: [{ hour, ...zone, ...sum, revenueNanos: 70n }],
      zoneTraits: [{ day, ...zone, ...traits, ...sum, revenueNanos: 70n }],
    });
  });

  test('rows · of every table · name its whole key, and its columns only', () => {
    const rows = rollUp([judgedOf()]);
    for (const name of NAMES) {
      const written = Object.keys(rows[name][0] ?? {});
      expect(written).toEqual(expect.arrayContaining([...TABLES[name].key]));
      expect(Object.keys(TABLES[name].columns)).toEqual(expect.arrayContaining(written));
    }
  });

  test('an event · its country is not known · is of ZZ', () => {
    const [row] = rollUp([judgedOf({ facts: { country: null } })]).adTraits;
    expect(row?.country).toBe('ZZ');
  });

  test('traits · the page differs from the seal · are those of the event', () => {
    const facts = { country: 'FR', device: 'TV', os: 'OTHER', browser: 'OTHER' } as const;
    const [row] = rollUp([judgedOf({ facts })]).zoneTraits;
    expect(row).toMatchObject(facts);
  });

  test.each([
    ['2026-01-31T23:44:59.999Z', '2026-01-31T23:30:00.000Z'],
    ['2026-01-31T23:45:00.000Z', '2026-01-31T23:45:00.000Z'],
    ['2026-01-31T23:59:59.999Z', '2026-01-31T23:45:00.000Z'],
    ['2026-02-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  ])('slot · %s · begins at %s', (at, slot) => {
    expect(slotOf(Date.parse(at))).toBe(slot);
  });

  test('events · either side of midnight · are of two days', () => {
    const midnight = Date.parse('2026-02-01T00:00:00Z');
    const rows = rollUp([judgedOf({ atMs: midnight - 1 }), judgedOf({ atMs: midnight })]);
    expect(rows.adTraits.map(({ day }) => day)).toEqual(['2026-01-31', '2026-02-01']);
  });
});

const sketches: fc.Arbitrary<Sketch[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<EventKind[]>('impression', 'click_verify', 'conversion', 'video_view'),
    verdict: fc.constantFrom(counted, refused),
    atMs: fc.integer({ min: 0, max: 7_200_000 }).map((ms) => AT + ms),
    facts: fc.record({ country: fc.constantFrom('DE', 'US', null) }),
    track: fc.record({ adId: fc.integer({ min: 1, max: 12 }) }),
    priceNanos: fc.bigInt({ min: 0n, max: 1_000n }),
    publisherNanos: fc.bigInt({ min: 0n, max: 700n }),
  }),
  { maxLength: 25 },
);

const inOrder = (rows: readonly object[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(row, (_name, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      ),
    )
    .toSorted();

const sumOf = (rows: readonly Counts[], name: keyof Counts): number =>
  rows.reduce((sum, row) => sum + row[name], 0);

describe('a batch', () => {
  test('sums · any events · are the same in every table', () => {
    fc.assert(
      fc.property(sketches, (list) => {
        const rows = rollUp(list.map((sketch) => judgedOf(sketch)));
        const single = list.flatMap((sketch) => countsOf(sketch) ?? []);
        for (const table of NAMES) {
          for (const name of Object.keys(NONE) as (keyof Counts)[]) {
            expect(sumOf(rows[table], name)).toBe(sumOf(single, name));
          }
        }
      }),
    );
  });

  test('money · any events · is what was paid on one side and earned on the other', () => {
    fc.assert(
      fc.property(sketches, (list) => {
        const seen = list.filter((sketch) => countsOf(sketch) !== undefined);
        const rows = rollUp(list.map((sketch) => judgedOf(sketch)));
        const total = (amounts: bigint[]) => amounts.reduce((sum, nanos) => sum + nanos, 0n);
        const paid = seen.reduce((sum, { priceNanos = 0n }) => sum + priceNanos, 0n);
        const earned = seen.reduce((sum, { publisherNanos = 0n }) => sum + publisherNanos, 0n);
        const spend = [rows.adHours, rows.adTraits].map((of) => of.map((row) => row.spendNanos));
        const revenue = [rows.zoneHours, rows.zoneTraits].map((of) =>
          of.map((row) => row.revenueNanos),
        );
        expect(spend.map(total)).toEqual([paid, paid]);
        expect(revenue.map(total)).toEqual([earned, earned]);
      }),
    );
  });

  test('rows · any order of events · are the same, each key once', () => {
    fc.assert(
      fc.property(sketches, (list) => {
        const judged = list.map((sketch) => judgedOf(sketch));
        const rows = rollUp(judged);
        const turned = rollUp(judged.toReversed());
        for (const table of NAMES) {
          expect(inOrder(turned[table])).toEqual(inOrder(rows[table]));
          const keys = rows[table].map((row) =>
            TABLES[table].key.map((name) => row[name as keyof typeof row]).join('|'),
          );
          expect(new Set(keys).size).toBe(keys.length);
        }
      }),
    );
  });
});
