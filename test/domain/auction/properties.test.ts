import fc from 'fast-check';
import { floorEcpmOf, runAuction } from '../../../domain/auction/auction.ts';
import { explainAuction } from '../../../domain/auction/explain.ts';
import { eventCostOf } from '../../../domain/auction/price.ts';
import { bidForEcpm } from '../../../domain/auction/rates.ts';
import { rankedList } from '../../../domain/auction/ranked-list.ts';
import { openScan } from '../../../domain/auction/scan.ts';
import type { AuctionTerms, Candidate, Win } from '../../../domain/auction/types.ts';
import {
  type CandidateSketch,
  sketchCandidate,
  sketchTerms,
  type TermsSketch,
} from '../../support/auction.ts';

const models = fc.constantFrom('CPM' as const, 'CPC' as const, 'CPA' as const, 'CPV' as const);
/** Six decimals, as the wire has them. */
const amount = fc.integer({ min: 0, max: 20_000_000 }).map((micros) => micros / 1e6);
const percent = fc.integer({ min: -90, max: 500 });

const sketches: fc.Arbitrary<CandidateSketch[]> = fc
  .array(
    fc.record(
      {
        advertiser: fc.integer({ min: 1, max: 6 }),
        model: models,
        bid: amount,
        countries: fc.constantFrom<string[]>(['US'], ['DE']),
        adjustments: fc.record({
          device: fc.record({ DESKTOP: percent }),
          geo: fc.record({ US: percent, DE: percent }),
        }),
        cap: fc.record({
          scope: fc.constant('campaign' as const),
          id: fc.integer({ min: 1, max: 3 }),
          impressions: fc.integer({ min: 1, max: 3 }),
        }),
      },
      { requiredKeys: ['advertiser', 'model', 'bid'] },
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((list) => list.map((sketch, index) => ({ ...sketch, ad: index + 1 })));

const termsSketches: fc.Arbitrary<TermsSketch> = fc.record({
  zone: fc.record({
    floorCpc: fc.constantFrom(0, 0.05, 2),
    floorCpm: fc.constantFrom(0, 0.5, 3),
  }),
  limit: fc.integer({ min: 1, max: 10 }),
  roll: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
  firstPrice: fc.boolean(),
});

const counts = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 })
  .map((list) => new Map(list.map((count, index) => [`campaign:${index + 1}:3600`, count])));

const run = (candidates: Candidate[], terms: AuctionTerms, seen?: Map<string, number>): Win[] =>
  runAuction(() => openScan([rankedList(candidates)], { roll: terms.roll }), terms, {
    counts: seen,
  });

const floorOf = (win: Win, terms: AuctionTerms): bigint => {
  const model = win.candidate.campaign.pricingModel;
  if (model === 'CPC') return terms.zone.floorCpcNanos;
  if (model === 'CPM') return eventCostOf('CPM', terms.zone.floorCpmNanos);
  return bidForEcpm(terms.zone.floorCpmNanos, win.candidate.yieldPpm);
};

describe('auction properties', () => {
  test('price · any auction · at most the own bid, at least the floor, never nothing', () => {
    fc.assert(
      fc.property(sketches, termsSketches, counts, (list, sketch, seen) => {
        const terms = sketchTerms(sketch);
        for (const win of run(
          list.map((item) => sketchCandidate(item)),
          terms,
          seen,
        )) {
          const own = eventCostOf(win.candidate.campaign.pricingModel, win.effectiveNanos);
          expect(win.eventPriceNanos).toBeLessThanOrEqual(own);
          expect(win.eventPriceNanos).toBeGreaterThanOrEqual(floorOf(win, terms));
          expect(win.eventPriceNanos).toBeGreaterThan(0n);
        }
      }),
    );
  });

  test('answer · the same roll · is the same, and the early stop changes nothing', () => {
    fc.assert(
      fc.property(sketches, termsSketches, counts, (list, sketch, seen) => {
        const terms = sketchTerms(sketch);
        const candidates = list.map((item) => sketchCandidate(item));
        const picture = (wins: Win[]) =>
          wins.map((win) => [win.candidate.adId, win.eventPriceNanos] as const);
        const first = picture(run(candidates, terms, seen));
        expect(picture(run([...candidates].reverse(), terms, seen))).toEqual(first);
        const full = explainAuction(candidates, terms, seen);
        expect(full.winners.map((win) => [win.adId, win.eventPriceNanos])).toEqual(first);
      }),
    );
  });

  test('winner · any auction · no refused or losing advertiser would have paid more', () => {
    fc.assert(
      fc.property(sketches, termsSketches, (list, sketch) => {
        const terms = sketchTerms({ ...sketch, limit: 1 });
        const candidates = list.map(({ cap: _cap, ...item }) => sketchCandidate(item));
        const [win] = run(candidates, terms);
        for (const candidate of candidates) {
          const [alone] = run([candidate], terms);
          if (alone === undefined) continue;
          expect(win?.ecpmNanos ?? -1n).toBeGreaterThanOrEqual(alone.ecpmNanos);
        }
      }),
    );
  });

  test('price · one more bidder · is not lower, counted in eCPM', () => {
    fc.assert(
      fc.property(sketches, termsSketches, (list, sketch) => {
        const terms = sketchTerms({ ...sketch, limit: 1, zone: {} });
        const candidates = list.map(({ cap: _cap, ...item }) =>
          sketchCandidate({ ...item, model: 'CPM' }),
        );
        const [before] = run(candidates.slice(0, -1), terms);
        const [after] = run(candidates, terms);
        expect(after?.eventPriceNanos ?? 0n).toBeGreaterThanOrEqual(before?.eventPriceNanos ?? 0n);
      }),
    );
  });

  test('places · any limit · no more than asked, no ad twice, repeats only when advertisers run out', () => {
    fc.assert(
      fc.property(sketches, termsSketches, (list, sketch) => {
        const terms = sketchTerms(sketch);
        const candidates = list.map(({ cap: _cap, ...item }) => sketchCandidate(item));
        const wins = run(candidates, terms);
        expect(wins.length).toBeLessThanOrEqual(terms.limit);
        expect(new Set(wins.map((win) => win.candidate.adId)).size).toBe(wins.length);
        const advertisers = new Set(wins.map((win) => win.candidate.advertiser.id));
        const able = new Set(
          candidates
            .filter((candidate) => run([candidate], terms).length > 0)
            .map((candidate) => candidate.advertiser.id),
        );
        expect(advertisers.size).toBe(Math.min(terms.limit, able.size));
      }),
    );
  });

  test('equals · many rolls · take turns by weight', () => {
    const candidates = [1, 2, 3].map((ad) =>
      sketchCandidate({ ad, bid: 1, adgroup: 7, advertiser: 1, weight: ad * 10 }),
    );
    const wins = new Map<number, number>();
    for (let at = 0; at < 600; at += 1) {
      const [win] = run(candidates, sketchTerms({ roll: at / 600 }));
      const ad = win?.candidate.adId ?? 0;
      wins.set(ad, (wins.get(ad) ?? 0) + 1);
    }
    expect(wins.get(1)).toBe(100);
    expect(wins.get(2)).toBe(200);
    expect(wins.get(3)).toBe(300);
  });
});

describe('ranked lists of one pricing model each', () => {
  test('many lists with floors · against one list without · the same best eCPM and the same refusals', () => {
    fc.assert(
      fc.property(sketches, termsSketches, counts, (list, sketch, seen) => {
        const terms = sketchTerms(sketch);
        const candidates = list.map((item) => sketchCandidate(item));
        const lists = (['CPM', 'CPC', 'CPA', 'CPV'] as const).map((model) =>
          rankedList(candidates.filter((one) => one.campaign.pricingModel === model)),
        );
        const open = () =>
          openScan(lists, {
            roll: terms.roll,
            floorOf: (part) => floorEcpmOf(terms.zone, part),
          });
        const split = runAuction(open, terms, { counts: seen });
        const whole = run(candidates, terms, seen);
        // Among equals the draw may differ; what is won and lost in money may not.
        expect(split.map((win) => win.ecpmNanos)).toEqual(whole.map((win) => win.ecpmNanos));
      }),
    );
  });

  test('one advertiser’s thousands · ahead of another’s ad · do not keep it from setting the price', () => {
    const mine = Array.from({ length: 3_000 }, (_none, at) =>
      sketchCandidate({ ad: at + 1, advertiser: 1, bid: 20 - at / 1_000 }),
    );
    const theirs = sketchCandidate({ ad: 9_999, advertiser: 2, bid: 5 });
    const terms = sketchTerms({});
    let looks = 0;
    const scan = openScan([rankedList([...mine, theirs])], { roll: 0 });
    const counting = { ...scan, next: () => ((looks += 1), scan.next()) };
    const [win] = runAuction(() => counting, terms);
    expect(win?.candidate.adId).toBe(1);
    expect(win?.eventPriceNanos).toBe(
      run([...mine.slice(0, 1), theirs], terms)[0]?.eventPriceNanos,
    );
    expect(win?.eventPriceNanos).not.toBe(run(mine, terms)[0]?.eventPriceNanos);
    expect(looks).toBeLessThan(600);
  });

  test('lists of many pages, mostly of one advertiser each · against one that looks at everybody · the same wins and prices', () => {
    const runs = fc.array(
      fc.record({
        advertiser: fc.integer({ min: 1, max: 3 }),
        count: fc.integer({ min: 1, max: 700 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(runs, termsSketches, (list, sketch) => {
        const terms = sketchTerms(sketch);
        let bid = 20;
        let ad = 0;
        const candidates = list.flatMap(({ advertiser, count }) =>
          Array.from({ length: count }, () =>
            // No two bid the same: there is no draw.
            sketchCandidate({ ad: (ad += 1), advertiser, bid: (bid -= 0.001) }),
          ),
        );
        const named = ({
          ecpmNanos,
          eventPriceNanos,
        }: Pick<Win, 'ecpmNanos' | 'eventPriceNanos'>) => `${ecpmNanos} ${eventPriceNanos}`;
        expect(run(candidates, terms).map(named)).toEqual(
          explainAuction(candidates, terms).winners.map(named),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('scan · any lists · visits everyone once, in falling order of ceilings', () => {
    fc.assert(
      fc.property(sketches, fc.double({ min: 0, max: 0.999_999, noNaN: true }), (list, roll) => {
        const candidates = list.map((item) => sketchCandidate(item));
        const half = Math.ceil(candidates.length / 2);
        const lists = [candidates.slice(0, half), candidates.slice(half)].map((part) =>
          rankedList(part),
        );
        const scan = openScan(lists, { roll });
        const seen: Candidate[] = [];
        for (let next = scan.next(); next !== undefined; next = scan.next()) seen.push(next);
        expect(new Set(seen.map((candidate) => candidate.adId)).size).toBe(candidates.length);
        const ceilings = seen.map((candidate) => candidate.ceilingEcpmNanos);
        expect(ceilings).toEqual([...ceilings].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      }),
    );
  });
});
