import { shortlist } from '../../../domain/auction/auction.ts';
import { rankedList } from '../../../domain/auction/ranked-list.ts';
import { openScan } from '../../../domain/auction/scan.ts';
import { gateOf } from '../../../domain/auction/trait-bits.ts';
import { type CandidateSketch, sketchCandidate, sketchTerms } from '../../support/auction.ts';

/** What an auction looks at does not grow with the inventory: counted, as times depend on the machine. */
const SIZES = [1_000, 20_000] as const;
const ADVERTISERS = 200;
const AUCTIONS = 200;
const TERMS = sketchTerms();

/** Candidates and pages that one auction looks at. */
interface Counted {
  looks: number;
  pages: number;
}
type Given = Partial<CandidateSketch> & { isOut?: boolean };

const SHAPES: [shape: string, of: (ad: number) => Given][] = [
  ['bids of all heights', (ad) => ({ bid: 1 + ((ad * 7_919) % 997) / 1_000 })],
  ['equal bids', () => ({ bid: 1 })],
  ['all of one advertiser', (ad) => ({ bid: 1 + ((ad * 7_919) % 997) / 1_000, advertiser: 1 })],
  [
    'equal bids, a seventh of them more for some',
    (ad) => (ad % 7 === 0 ? { bid: 1, adjustments: { device: { DESKTOP: 10 } } } : { bid: 1 }),
  ],
  ['nine of ten out', (ad) => ({ bid: 1 + (ad % 997) / 1_000, isOut: ad % 10 !== 0 })],
  ['all out', () => ({ isOut: true })],
  ['another hour', () => ({ hours: [3] })],
  ['another device', () => ({ devices: ['TV'] })],
  ['capped', (ad) => ({ bid: 1, cap: { scope: 'campaign', id: ad, impressions: 3 } })],
];

/** On average over where auctions enter. */
function countedIn(size: number, of: (ad: number) => Given): Counted {
  const candidates = Array.from({ length: size }, (_none, at) => {
    const { isOut = false, ...sketch } = of(at + 1);
    const advertiser = (at % ADVERTISERS) + 1;
    return { ...sketchCandidate({ ad: at + 1, advertiser, ...sketch }), isOut };
  });
  let looks = 0;
  let entered = 0;
  const made = rankedList(candidates);
  const pages = new Proxy(made.pages, {
    get: (all, name) => {
      if (/^\d+$/.test(String(name))) entered += 1;
      return Reflect.get(all, name) as unknown;
    },
  });
  const list = { ...made, pages };
  for (let at = 0; at < AUCTIONS; at += 1) {
    const scan = openScan([list], { roll: at / AUCTIONS, gate: gateOf(TERMS.viewer, TERMS.now) });
    const counted = {
      ...scan,
      next: () => {
        looks += 1;
        return scan.next();
      },
    };
    shortlist(counted, TERMS);
  }
  return { looks: looks / AUCTIONS, pages: entered / AUCTIONS };
}

test.each(SHAPES)('%s · a thousand and twenty thousand · are looked at alike', (_shape, of) => {
  const [few, many] = SIZES.map((size) => countedIn(size, of)) as [Counted, Counted];
  expect(many.looks).toBeLessThanOrEqual(few.looks * 1.1 + 0.1);
  expect(many.looks).toBeLessThan(50);
  // Of 4 and 79 pages.
  expect(many.pages).toBeLessThanOrEqual(few.pages * 2 + 1);
});
