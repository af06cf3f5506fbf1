import { explainAuction } from '../../../domain/auction/explain.ts';
import { reserveOf, withReserve } from '../../../domain/auction/reserve.ts';
import { settingsFrom } from '../../../domain/settings.ts';
import {
  type CandidateSketch,
  sketchCandidate,
  sketchTerms,
  units,
} from '../../support/auction.ts';

/** The platform's floors lie under every zone's own (interface 4.13). */
const reserve = reserveOf(settingsFrom([]));

const auctionOf = (bid: CandidateSketch, floors: { floorCpc?: number; floorCpm?: number } = {}) => {
  const terms = sketchTerms({ zone: floors });
  return explainAuction([sketchCandidate(bid)], {
    ...terms,
    zone: withReserve(terms.zone, reserve),
  });
};

test.each<[string, CandidateSketch, bigint]>([
  ['a thousand impressions', { ad: 1, model: 'CPM', bid: 2 }, units(0.000_1) + 1n],
  ['a click', { ad: 1, model: 'CPC', bid: 2 }, units(0.01) + 1n],
  // 0.3 views an impression: 0.10 a thousand are 0.000333… a view.
  ['a view', { ad: 1, model: 'CPV', bid: 2 }, 333_334n + 1n],
])('alone in a zone without floors · %s · pays the platform’s', (_what, bid, price) => {
  expect(auctionOf(bid).winners.map(({ eventPriceNanos }) => eventPriceNanos)).toEqual([price]);
});

test('a bid below the platform’s floor · in a zone without floors · is below the floor', () => {
  for (const bid of [
    { ad: 1, model: 'CPM', bid: 0.09 },
    { ad: 1, model: 'CPC', bid: 0.009 },
  ] as const) {
    expect([...auctionOf(bid).refusals.values()]).toEqual(['BELOW_FLOOR']);
  }
});

test('a zone’s own floor · higher than the platform’s · stays', () => {
  const { winners } = auctionOf({ ad: 1, model: 'CPC', bid: 2 }, { floorCpc: 0.5 });
  expect(winners.map(({ eventPriceNanos }) => eventPriceNanos)).toEqual([units(0.5) + 1n]);
});

test('settings of an operator · are what is asked', () => {
  const own = settingsFrom([
    { key: 'auction.floor_cpm', value: 0 },
    { key: 'auction.floor_cpc', value: 0.25 },
  ]);
  expect(reserveOf(own)).toEqual({ cpmNanos: 0n, cpcNanos: units(0.25) });
});
