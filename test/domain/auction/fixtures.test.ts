import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runAuction } from '../../../domain/auction/auction.ts';
import { zoneRefusal } from '../../../domain/auction/eligibility.ts';
import { explainAuction } from '../../../domain/auction/explain.ts';
import { rankedList } from '../../../domain/auction/ranked-list.ts';
import { openScan } from '../../../domain/auction/scan.ts';
import { NO_BID_REASONS } from '../../../domain/auction/types.ts';
import { formatAmount } from '../../../domain/money.ts';
import {
  type CandidateSketch,
  sketchCandidate,
  sketchTerms,
  type TermsSketch,
} from '../../support/auction.ts';

interface Fixture {
  given: string;
  terms: TermsSketch;
  counts?: Record<string, number>;
  /** `copies` of one have the ad ids that follow its own. */
  candidates: (CandidateSketch & { copies?: number })[];
  expect: {
    zone?: string;
    winners?: { ad: number; event_price: string }[];
    refusals?: Record<string, string>;
    winner_price?: string;
    winner_count?: number;
    refusal_reasons?: string[];
    /** How many are refused for which reason. */
    refusal_counts?: Record<string, number>;
  };
}

const ROOT = path.join('test', 'fixtures', 'auction');
const fixtures = ['exemplary', 'supplemental'].flatMap((kind) =>
  readdirSync(path.join(ROOT, kind))
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const text = readFileSync(path.join(ROOT, kind, name), 'utf8');
      return [`${kind}/${name}`, JSON.parse(text) as Fixture] as const;
    }),
);

const timesOf = (reasons: readonly string[]): Record<string, number> => {
  const times: Record<string, number> = {};
  for (const reason of reasons) times[reason] = (times[reason] ?? 0) + 1;
  return times;
};

describe('auction fixtures', () => {
  test.each(fixtures)(
    'auction · given %s · then its winners, prices and reasons',
    (_name, fixture) => {
      const terms = sketchTerms(fixture.terms);
      const candidates = fixture.candidates.flatMap(({ copies = 1, ...sketch }) =>
        Array.from({ length: copies }, (_none, at) =>
          sketchCandidate({ ...sketch, ad: sketch.ad + at }, fixture.terms.now),
        ),
      );
      const counts =
        fixture.counts === undefined ? undefined : new Map(Object.entries(fixture.counts));

      const explained = explainAuction(candidates, terms, counts);
      const winners = explained.winners.map((win) => ({
        ad: win.adId,
        event_price: formatAmount(win.eventPriceNanos),
      }));
      const refusals = Object.fromEntries(explained.refusals);

      expect(explained.zone).toBe(fixture.expect.zone);
      if (fixture.expect.winners !== undefined) expect(winners).toEqual(fixture.expect.winners);
      if (fixture.expect.refusals !== undefined) expect(refusals).toEqual(fixture.expect.refusals);
      if (fixture.expect.winner_price !== undefined) {
        expect(winners[0]?.event_price).toBe(fixture.expect.winner_price);
      }
      if (fixture.expect.winner_count !== undefined) {
        expect(winners).toHaveLength(fixture.expect.winner_count);
      }
      if (fixture.expect.refusal_reasons !== undefined) {
        expect(Object.values(refusals)).toEqual(fixture.expect.refusal_reasons);
      }
      if (fixture.expect.refusal_counts !== undefined) {
        expect(timesOf(Object.values(refusals))).toEqual(fixture.expect.refusal_counts);
      }
      if (zoneRefusal(terms.zone, terms.viewer.device) !== undefined) return;
      // The fast path stops early and says nothing, but decides the same.
      const open = () => openScan([rankedList(candidates)], { roll: terms.roll });
      const fast = runAuction(open, terms, { counts }).map((win) => win.candidate.adId);
      expect(fast).toEqual(explained.winners.map((win) => win.adId));
    },
  );

  test('reasons · over all fixtures · each one is reached', () => {
    const reached = new Set(
      fixtures.flatMap(([, { expect: then }]) => [
        ...Object.values(then.refusals ?? {}),
        ...(then.refusal_reasons ?? []),
        ...Object.keys(then.refusal_counts ?? {}),
      ]),
    );
    expect([...NO_BID_REASONS].filter((reason) => !reached.has(reason))).toEqual([]);
  });
});
