import { Holds } from '../../../api/ad/holds.ts';
import type { AdvertiserCell, SpendCell } from '../../../api/ad/live-budgets.ts';
import { awaits } from '../../../domain/auction/sideline.ts';
import { qualify } from '../../../domain/auction/eligibility.ts';
import { expectedCostOf } from '../../../domain/auction/price.ts';
import type { Candidate } from '../../../domain/auction/types.ts';
import {
  type CandidateSketch,
  sketchCandidate,
  sketchTerms,
  units,
} from '../../support/auction.ts';

/** A cap is not shown past while settlement is still to tell of what was shown. */
const NOON = new Date('2026-01-05T12:00:00Z');
const later = (ms: number): Date => new Date(NOON.getTime() + ms);
const VIEW = units(0.001);

type Ad = Candidate & {
  advertiser: AdvertiserCell;
  campaign: { spend: SpendCell };
  adGroup: { spend: SpendCell };
};
const adOf = (sketch: Omit<CandidateSketch, 'ad'>): Ad =>
  sketchCandidate({ ad: 1, bid: 1, ...sketch }) as Ad;

/** Asks for it so many times at this moment; answers how often it was shown. */
function shown(ad: Ad, holds: Holds, ask: { times: number; now: Date }): number {
  let count = 0;
  for (let at = 0; at < ask.times; at += 1) {
    holds.expire(ask.now);
    const bid = qualify(ad, { ...sketchTerms(), now: ask.now });
    if (typeof bid === 'string') continue;
    holds.add(ad, expectedCostOf(ad, VIEW), ask.now);
    count += 1;
  }
  return count;
}

const alone = { shards: 1, processes: 1 };

test.each([
  ['a day’s budget', { dailyBudget: 0.01 }, 'BUDGET_DAILY'],
  ['a whole budget', { totalBudget: 0.01 }, 'BUDGET_TOTAL'],
  ['a balance', { balance: 0.01 }, 'BALANCE'],
])(
  '%s of ten views · asked for a thousand times before settlement tells · is shown ten times',
  (_what, sketch, reason) => {
    const ad = adOf(sketch);
    const holds = new Holds(alone);
    expect(shown(ad, holds, { times: 1_000, now: NOON })).toBe(10);
    expect(qualify(ad, sketchTerms())).toBe(reason);
    // Not for the rest of the day: what was not reported is free in a moment.
    expect(awaits(ad, NOON)).toBe('pace');
  },
);

test('an ad group’s budget · is held as its campaign’s is', () => {
  const ad = sketchCandidate({ ad: 1, bid: 1, groupBudget: 0.003 }) as Ad;
  expect(shown(ad, new Holds(alone), { times: 10, now: NOON })).toBe(3);
});

test('settlement tells · of what was received until then · the rest is free, and the last are held on', () => {
  const ad = adOf({ dailyBudget: 0.01 });
  const holds = new Holds(alone);
  expect(shown(ad, holds, { times: 6, now: NOON })).toBe(6);
  expect(holds.heldNanos()).toBe(6n * VIEW);
  expect(shown(ad, holds, { times: 100, now: later(2_000) })).toBe(4);
  // Two of the first six were never reported.
  (ad.campaign.spend as { todayNanos: bigint }).todayNanos = 4n * VIEW;
  holds.settled({ shard: 0, untilMs: NOON.getTime() + 4_000 });
  expect(ad.campaign.spend.heldNanos).toBe(4n * VIEW);
  expect(holds.heldNanos()).toBe(4n * VIEW);
  expect(shown(ad, holds, { times: 100, now: later(4_000) })).toBe(2);
});

test('another shard’s settlement · tells nothing of it', () => {
  const ad = adOf({ advertiser: 3, dailyBudget: 0.01 });
  const holds = new Holds({ shards: 2, processes: 1 });
  expect(shown(ad, holds, { times: 100, now: NOON })).toBe(10);
  holds.settled({ shard: 0, untilMs: NOON.getTime() + 60_000 });
  expect(ad.campaign.spend.heldNanos).toBe(10n * VIEW);
  holds.settled({ shard: 1, untilMs: NOON.getTime() + 60_000 });
  expect(ad.campaign.spend.heldNanos).toBe(0n);
});

test('settlement speaks and is half a minute behind · what it has not come to · is held on', () => {
  const ad = adOf({ dailyBudget: 0.01 });
  const holds = new Holds(alone);
  let count = 0;
  for (let ms = 0; ms < 30_000; ms += 1_000) {
    holds.settled({ shard: 0, untilMs: NOON.getTime() + ms - 30_000 });
    count += shown(ad, holds, { times: 100, now: later(ms) });
  }
  expect(count).toBe(10);
  holds.settled({ shard: 0, untilMs: NOON.getTime() + 5_000 });
  expect(holds.heldNanos()).toBe(0n);
});

test('settlement speaks and does not go on · money is held for a minute, and no longer', () => {
  const ad = adOf({ dailyBudget: 0.01 });
  const holds = new Holds(alone);
  const shownAt = Array.from({ length: 65 }, (_none, second) => {
    holds.settled({ shard: 0, untilMs: NOON.getTime() - 1_000 });
    return shown(ad, holds, { times: 100, now: later(second * 1_000) }) > 0 ? [second] : [];
  });
  expect(shownAt.flat()).toEqual([0, 61]);
});

test('nobody tells anything · money is held for a quarter of a minute, and nothing of it stays', () => {
  const ad = adOf({ dailyBudget: 0.01 });
  const holds = new Holds(alone);
  expect(shown(ad, holds, { times: 100, now: NOON })).toBe(10);
  expect(shown(ad, holds, { times: 100, now: later(14_000) })).toBe(0);
  expect(shown(ad, holds, { times: 100, now: later(16_000) })).toBe(10);
  expect(shown(ad, holds, { times: 100, now: later(33_000) })).toBe(10);
  holds.expire(later(60_000));
  const { advertiser, campaign, adGroup } = ad;
  expect([advertiser, campaign.spend, adGroup.spend].map((cell) => cell.heldNanos)).toEqual([
    0n,
    0n,
    0n,
  ]);
});

test('four processes · each holds for the others · together they show a budget about once', () => {
  let sum = 0;
  for (let at = 0; at < 4; at += 1) {
    const holds = new Holds({ shards: 1, processes: 4 });
    sum += shown(adOf({ dailyBudget: 0.1 }), holds, { times: 1_000, now: NOON });
  }
  expect(sum).toBe(100);
});

test('a clock that goes back · frees what it held', () => {
  const ad = adOf({ dailyBudget: 0.01 });
  const holds = new Holds(alone);
  expect(shown(ad, holds, { times: 100, now: NOON })).toBe(10);
  expect(shown(ad, holds, { times: 100, now: later(-3_600_000) })).toBe(10);
});

test('a click’s price · is held by the share that is expected of one impression', () => {
  const ad = adOf({ model: 'CPC', bid: 1 });
  expect(expectedCostOf(ad, units(1))).toBe(units(0.002));
});

test('very much held at once · is freed a part at a time, the oldest first, and nothing of it stays', () => {
  const ads = Array.from({ length: 7 }, () => adOf({ balance: 1_000_000 }));
  const holds = new Holds(alone);
  const heldOfAll = (): bigint =>
    ads.reduce((sum, { advertiser }) => sum + advertiser.heldNanos, 0n);
  const add = (from: number, times: number): void => {
    for (let at = 0; at < times; at += 1) {
      holds.add(ads[(from + at) % ads.length] as Ad, VIEW, later(from));
    }
  };
  add(0, 700);
  holds.expire(later(16_000));
  expect(heldOfAll()).toBe(0n);
  // Round the ring while it grows.
  add(20_000, 25_000);
  add(24_000, 10);
  expect(heldOfAll()).toBe(25_010n * VIEW);
  holds.settled({ shard: 0, untilMs: NOON.getTime() + 24_000 });
  expect(heldOfAll()).toBe(15_010n * VIEW);
  holds.settled({ shard: 0, untilMs: NOON.getTime() + 24_000 });
  holds.settled({ shard: 0, untilMs: NOON.getTime() + 24_000 });
  expect(heldOfAll()).toBe(10n * VIEW);
  holds.expire(later(60_000));
  expect(ads.map(({ advertiser }) => advertiser.heldNanos)).toEqual(ads.map(() => 0n));
});
