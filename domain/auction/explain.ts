import type { Nanos } from '../money.ts';
import { runAuction, shortlist, SPENT } from './auction.ts';
import { qualify, zoneRefusal } from './eligibility.ts';
import { rankedList } from './ranked-list.ts';
import { openScan } from './scan.ts';
import type {
  AuctionTerms,
  Candidate,
  FrequencyCounts,
  NoAuctionReason,
  NoBidReason,
  Trace,
} from './types.ts';

export interface Explanation {
  zone: NoAuctionReason | undefined;
  winners: { adId: number; effectiveNanos: Nanos; ecpmNanos: Nanos; eventPriceNanos: Nanos }[];
  /** Every candidate that did not win, by ad id. */
  refusals: ReadonlyMap<number, NoBidReason>;
}

/** The same auction over any candidates, also ones that no ranked list holds, with each one's reason. */
export function explainAuction<C extends Candidate>(
  candidates: readonly C[],
  terms: AuctionTerms,
  counts?: FrequencyCounts,
): Explanation {
  const zone = zoneRefusal(terms.zone, terms.viewer.device);
  const refusals = new Map<number, NoBidReason>();
  if (zone !== undefined) return { zone, winners: [], refusals };
  const met = metWithinLimit(candidates, terms);
  const list = rankedList(met === undefined ? candidates : [...met]);
  const trace: Trace<C> = (candidate, reason) => refusals.set(candidate.adId, reason);
  const open = () => {
    // What a walk says replaces what the one before it said.
    refusals.clear();
    for (const candidate of met === undefined ? [] : candidates) {
      if (met?.has(candidate) === false) trace(candidate, refusalOf(candidate, terms));
    }
    return openScan([list], { roll: terms.roll });
  };
  const winners = runAuction(open, terms, { counts, trace }).map((win) => ({
    adId: win.candidate.adId,
    effectiveNanos: win.effectiveNanos,
    ecpmNanos: win.ecpmNanos,
    eventPriceNanos: win.eventPriceNanos,
  }));
  return { zone, winners, refusals };
}

/** Of one that no walk came to. */
function refusalOf(candidate: Candidate, terms: AuctionTerms): NoBidReason {
  const bid = qualify(candidate, terms);
  return typeof bid === 'string' ? bid : 'LOOKS_LIMIT';
}

/** What no list and no row of bits says beforehand: a walk finds it out by a look. */
const FOUND_OUT: ReadonlySet<NoBidReason> = new Set([
  ...SPENT,
  'ZERO_BID',
  'BELOW_FLOOR',
  'SHOWN_JUST_NOW',
]);

/** Whom a walk of serving looks at until LOOKS_MAX ends it; undefined when it does not. */
function metWithinLimit<C extends Candidate>(
  candidates: readonly C[],
  terms: AuctionTerms,
): ReadonlySet<C> | undefined {
  const inItsWay = candidates.filter((candidate) => {
    const bid = qualify(candidate, terms);
    return typeof bid !== 'string' || (FOUND_OUT.has(bid) && !candidate.isOut);
  });
  const scan = openScan([rankedList(inItsWay)], { roll: terms.roll });
  const met = new Set<C>();
  const next = (): C | undefined => {
    const candidate = scan.next();
    if (candidate !== undefined) met.add(candidate);
    return candidate;
  };
  let isCut = false;
  shortlist({ ...scan, next }, terms, { cutShort: () => (isCut = true) });
  return isCut ? met : undefined;
}
