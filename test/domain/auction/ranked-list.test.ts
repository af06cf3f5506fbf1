import fc from 'fast-check';
import { shortlist } from '../../../domain/auction/auction.ts';
import { qualify } from '../../../domain/auction/eligibility.ts';
import { PAGE_MAX } from '../../../domain/auction/page.ts';
import {
  changedList,
  type RankedList,
  rankedList,
  rankOrder,
  refresh,
  refreshPage,
} from '../../../domain/auction/ranked-list.ts';
import { openScan } from '../../../domain/auction/scan.ts';
import { gateOf } from '../../../domain/auction/trait-bits.ts';
import type { Candidate } from '../../../domain/auction/types.ts';
import { sketchCandidate, sketchTerms } from '../../support/auction.ts';

/** Lists of many pages: what walks meet, in which order, after changes as well. */
const TERMS = sketchTerms({
  page: { keywords: 'shoes, Trail', title: 'Winter running', category: 'sports', lang: 'de-AT' },
});
const GATE = gateOf(TERMS.viewer, TERMS.now, TERMS.page);

const walk = (lists: RankedList[], roll = 0.5, gate?: typeof GATE): Candidate[] => {
  const scan = openScan(lists, { roll, gate });
  const seen: Candidate[] = [];
  for (let next = scan.next(); next !== undefined; next = scan.next()) seen.push(next);
  return seen;
};
/** All of the work at once. */
const changed = (...change: Parameters<typeof changedList<Candidate>>): RankedList => {
  const work = changedList(...change);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
};
const ids = (candidates: readonly Candidate[]): number[] =>
  candidates.map(({ adId }) => adId).sort((a, b) => a - b);

const sketch = fc.record({
  bid: fc.constantFrom(1, 1, 1, 2, 3, 4, 5),
  isOut: fc.boolean(),
  devices: fc.constantFrom<string[] | null>(null, ['MOBILE'], ['DESKTOP', 'TV']),
  hours: fc.constantFrom<number[] | null>(null, [3], [12, 13]),
  keywords: fc.constantFrom<string[] | null>(null, null, ['shoes'], ['hats', 'Winter'], ['boats']),
  categories: fc.constantFrom<string[] | null>(null, null, ['sports'], ['news']),
  languages: fc.constantFrom<string[] | null>(null, null, ['de'], ['fr', 'de-at'], ['en']),
});
const many = fc.array(sketch, { minLength: 1, maxLength: 40 }).chain((shapes) =>
  fc.integer({ min: 1, max: 1_200 }).map((count) =>
    Array.from({ length: count }, (_none, at): Candidate => {
      const { bid, isOut, devices, hours, ...page } = shapes[
        at % shapes.length
      ] as (typeof shapes)[0];
      const candidate = sketchCandidate({
        ad: at + 1,
        bid,
        ...(devices === null ? {} : { devices }),
        ...(hours === null ? {} : { hours }),
        ...Object.fromEntries(Object.entries(page).filter(([, words]) => words !== null)),
      });
      candidate.isOut = isOut;
      return candidate;
    }),
  ),
);
/** Evenly over [0, 1), never on the border of two voices of 1: exact in whatever order it is summed. */
const roll = fc.nat({ max: 2 ** 20 - 1 }).map((part) => (2 * part + 1) / 2 ** 21);

/** Where the first of each block of equals stands, as a plain filter sees them. */
const fitting = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter((each) => !each.isOut && typeof qualify(each, TERMS) !== 'string');

test('a walk · with a gate · meets whoever is in and fits, once, the highest ceilings first', () => {
  fc.assert(
    fc.property(many, roll, (candidates, at) => {
      const seen = walk([rankedList(candidates)], at, GATE);
      expect(ids(seen)).toEqual(ids(fitting(candidates)));
      const ceilings = seen.map((each) => Number(each.ceilingEcpmNanos));
      expect(ceilings).toEqual(ceilings.toSorted((a, b) => b - a));
    }),
    { numRuns: 40 },
  );
});

test('a walk · without a gate · meets everybody once', () => {
  fc.assert(
    fc.property(many, roll, (candidates, at) => {
      expect(ids(walk([rankedList(candidates)], at))).toEqual(ids(candidates));
    }),
    { numRuns: 20 },
  );
});

test('a changed list · after any leaving and coming · is the list made anew, and the old one is as it was', () => {
  fc.assert(
    fc.property(many, many, fc.integer({ min: 1, max: 9 }), roll, (first, second, step, at) => {
      const list = rankedList(first);
      const leaving = new Set(first.filter((_each, index) => index % step === 0));
      const coming = second.map(({ adId, adGroup, ...each }) => ({
        ...each,
        adId: adId + 10_000,
        adGroup: { ...adGroup, id: adGroup.id + 10_000 },
      }));
      const after = changed(list, leaving, coming.toSorted(rankOrder));
      const anew = rankedList([...first.filter((each) => !leaving.has(each)), ...coming]);
      expect(walk([after], at, GATE).map(({ adId }) => adId)).toEqual(
        walk([anew], at, GATE).map(({ adId }) => adId),
      );
      expect(after.pages.every(({ items }) => items.length <= PAGE_MAX)).toBe(true);
      expect(ids(walk([list], at))).toEqual(ids(first));
    }),
    { numRuns: 30 },
  );
});

test('a changed list · of one ad among thousands · shares all pages but its own', () => {
  const candidates = Array.from({ length: 3_000 }, (_none, at) =>
    sketchCandidate({ ad: at + 1, bid: (at % 500) / 100 }),
  );
  const list = rankedList(candidates);
  const after = changed(list, new Set([candidates[7] as Candidate]), []);
  const own = after.pages.filter((page) => !list.pages.includes(page));
  expect(own).toHaveLength(1);
});

test('a list that loses nearly all · is packed again', () => {
  const candidates = Array.from({ length: 4_000 }, (_none, at) => sketchCandidate({ ad: at + 1 }));
  const leaving = new Set(candidates.filter((_each, at) => at % 100 !== 0));
  expect(changed(rankedList(candidates), leaving, []).pages).toHaveLength(1);
});

test('refresh · an ad that went out, then in again · is stepped over, then met', () => {
  fc.assert(
    fc.property(many, fc.nat(), (candidates, pick) => {
      const list = rankedList(candidates);
      const one = candidates[pick % candidates.length] as Candidate;
      one.isOut = !one.isOut;
      refresh(list, one);
      expect(ids(walk([list], 0.5, GATE))).toEqual(ids(fitting(candidates)));
      for (const each of candidates) each.isOut = false;
      for (const [at] of list.pages.entries()) refreshPage(list, at);
      expect(ids(walk([list], 0.5, GATE))).toEqual(ids(fitting(candidates)));
    }),
    { numRuns: 30 },
  );
});

test('refresh · an ad of the same number that the list does not hold · changes nothing', () => {
  const held = sketchCandidate({ ad: 1 });
  const list = rankedList([held]);
  refresh(list, { ...held, isOut: true });
  expect(ids(walk([list], 0, GATE))).toEqual([1]);
});

describe('equals over many pages', () => {
  const equals = (): Candidate[] =>
    Array.from({ length: 1_000 }, (_none, at) =>
      sketchCandidate({ ad: at + 1, bid: 1, weight: 1 + (at % 3) }),
    );
  const firsts = (
    list: RankedList,
    rolls: number,
    stretch?: number,
    met = new Map<number, number>(),
  ): Map<number, number> => {
    for (let at = 0; at < rolls; at += 1) {
      const id = openScan([list], { roll: at / rolls, stretch, gate: GATE }).next()?.adId ?? 0;
      met.set(id, (met.get(id) ?? 0) + 1);
    }
    return met;
  };

  test('many rolls · everybody leads as often', () => {
    const met = firsts(rankedList(equals()), 10_000);
    expect(met.size).toBe(1_000);
    expect(Math.min(...met.values())).toBeGreaterThanOrEqual(9);
    expect(Math.max(...met.values())).toBeLessThanOrEqual(11);
  });

  test('a stretch · draws a quarter page’s worth of them, neighbours; over all of them everybody leads as often', () => {
    const list = rankedList(equals());
    const pages = list.pages.length;
    const inOne = firsts(list, 1_000, 0.9);
    expect(inOne.size).toBeGreaterThan(40);
    expect(inOne.size).toBeLessThan(1_000 / pages / 4 + 10);
    const met = new Map<number, number>();
    for (let at = 0; at < 1_000; at += 1) firsts(list, 10, (at + 0.5) / 1_000, met);
    expect(met.size).toBe(1_000);
    expect(Math.min(...met.values())).toBeGreaterThanOrEqual(8);
    expect(Math.max(...met.values())).toBeLessThanOrEqual(12);
  });

  test('a stretch · of equals in one page · leaves them all', () => {
    const list = rankedList(equals().slice(0, 200));
    expect(firsts(list, 10_000, 0.3).size).toBe(200);
  });

  test('a stretch · of equals that reach into a second page · leaves them all', () => {
    const list = rankedList(equals().slice(0, 400));
    expect(list.pages.length).toBe(2);
    expect(firsts(list, 20_000, 0.3).size).toBe(400);
  });

  test('nine of ten out · the others lead as often, wherever they stand', () => {
    const candidates = equals();
    const list = rankedList(candidates);
    for (const each of candidates.filter(({ adId }) => adId % 10 !== 0)) {
      each.isOut = true;
      refresh(list, each);
    }
    const met = firsts(list, 10_000);
    expect(met.size).toBe(100);
    expect(Math.min(...met.values())).toBeGreaterThanOrEqual(98);
    expect(Math.max(...met.values())).toBeLessThanOrEqual(102);
  });

  test('between higher and lower bids · the block ends where it ends', () => {
    const candidates = [
      ...equals(),
      ...Array.from({ length: 300 }, (_none, at) => sketchCandidate({ ad: 2_001 + at, bid: 2 })),
      ...Array.from({ length: 300 }, (_none, at) => sketchCandidate({ ad: 3_001 + at, bid: 0.5 })),
    ];
    const list = rankedList(candidates);
    for (const at of [0, 0.2, 0.5, 0.999]) {
      const seen = walk([list], at, GATE).map(({ adId }) => Math.max(1_000, adId));
      expect(seen.slice(0, 300).every((id) => id > 2_000 && id < 3_000)).toBe(true);
      expect(seen.slice(300, 1_300).every((id) => id === 1_000)).toBe(true);
      expect(seen.slice(1_300).every((id) => id > 3_000)).toBe(true);
    }
  });
});

test('rank order · of any two · is never a tie', () => {
  const one = sketchCandidate({ ad: 1 });
  expect(rankOrder(one, sketchCandidate({ ad: 2 }))).not.toBe(0);
  expect(rankOrder(one, one)).toBe(0);
});

describe('thousands of ads that a request cannot be shown', () => {
  const PAGES = 40;
  const crowd = (sketchOf: (ad: number) => object): Candidate[] =>
    Array.from({ length: PAGES * PAGE_MAX }, (_none, at) =>
      sketchCandidate({ ad: at + 1, bid: 5, ...sketchOf(at + 1) }),
    );
  const looks = (candidates: readonly Candidate[], terms = TERMS): number => {
    let count = 0;
    const scan = openScan([rankedList(candidates)], {
      roll: 0.5,
      gate: gateOf(terms.viewer, terms.now, terms.page),
    });
    const counting = {
      ...scan,
      ceilingNanos: () => scan.ceilingNanos(),
      next: () => ((count += 1), scan.next()),
    };
    shortlist(counting, terms);
    return count;
  };

  test.each([
    ['keywords', (ad: number) => ({ keywords: [`word-${ad}`, 'boats'] })],
    ['categories', () => ({ categories: ['news'] })],
    ['languages', () => ({ languages: ['en'] })],
    ['one of three', () => ({ keywords: ['shoes'], categories: ['sports'], languages: ['en'] })],
  ])('ads of other %s · are stepped over, and the one that fits is met', (_what, sketchOf) => {
    const fitting = sketchCandidate({ ad: 1_000_000, bid: 1, keywords: ['winter'] });
    const all = [...crowd(sketchOf), fitting];
    expect(walk([rankedList(all)], 0.5, GATE).map(({ adId }) => adId)).toEqual([1_000_000]);
    expect(looks(all)).toBeLessThan(5);
  });
  test('ads with a cap · are looked at as far as counters are read, the one without is met', () => {
    const capped = crowd((ad) => ({ cap: { scope: 'ad', id: ad, impressions: 1 } }));
    const all = [...capped, sketchCandidate({ ad: 1_000_000, bid: 1 })];
    expect(looks(all)).toBeLessThan(40);
    const scan = openScan([rankedList(all)], { roll: 0.5, gate: gateOf(TERMS.viewer, TERMS.now) });
    const list = shortlist(scan, TERMS);
    expect(list.at(-1)?.candidate.adId).toBe(1_000_000);
  });
  test('a keyword of several words · is met by a title that holds all of them in turn', () => {
    const ad = sketchCandidate({ ad: 1, keywords: ['running shoes!'] });
    const met = (title: string): number => {
      const terms = sketchTerms({ page: { title } });
      const scan = openScan([rankedList([ad])], {
        roll: 0,
        gate: gateOf(terms.viewer, terms.now, terms.page),
      });
      return shortlist(scan, terms).length;
    };
    expect(met('Winter Running Shoes, on sale')).toBe(1);
    expect(met('Running in winter shoes')).toBe(0);
    expect(met('Winter')).toBe(0);
  });
});
