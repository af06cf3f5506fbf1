import type { Nanos } from '../money.ts';
import { qualify } from './eligibility.ts';
import {
  CAPPED_LOTS,
  FIRST_LOT,
  frequencyRefusal,
  hasCaps,
  type Lot,
  lotRefusal,
  nextLot,
} from './frequency.ts';
import { eventPriceOf } from './price.ts';
import { ecpmOf } from './rates.ts';
import type { RankedList } from './ranked-list.ts';
import type { Scan } from './scan.ts';
import type {
  AuctionTerms,
  AuctionZone,
  Candidate,
  Contender,
  FrequencyCounts,
  NoBidReason,
  Trace,
  Win,
} from './types.ts';

/**
 * The auction's only control flow (interface 4.13): scan -> qualify -> shortlist -> frequency -> pick ->
 * price. It is cut in two where frequency counters have to be read: `shortlist` names the few
 * contenders that can still matter, `decide` picks among them. Both are pure.
 */

/** Candidates that one auction looks at: what a walk past many that cannot win may cost. */
export const LOOKS_MAX = 1_000;

/** Who is told what while an auction goes on. */
export interface Observer<C extends Candidate> {
  /** With one, every candidate is looked at and each refusal is named. */
  trace?: Trace<C> | undefined;
  /** Refused by time or money, which the next auction would only find out again. */
  spent?: (candidate: C) => void;
  /** LOOKS_MAX was reached: who came after was not asked. */
  cutShort?: () => void;
  /** A lot is full: nobody with a cap is taken up any more, of those whose ceilings are at most this. */
  lotFull?: ((ceilingNanos: Nanos) => void) | undefined;
}

export const SPENT: ReadonlySet<NoBidReason> = new Set([
  'SCHEDULE',
  'BALANCE',
  'BUDGET_TOTAL',
  'BUDGET_DAILY',
  'ADGROUP_BUDGET',
  'PACING',
]);

/**
 * Contenders in falling order of eCPM, first come first among equals. Ends as soon as nobody left
 * can beat the runner-up of the last place: one more uncapped advertiser than places are asked for.
 */
export function shortlist<C extends Candidate>(
  scan: Scan<C>,
  terms: AuctionTerms,
  observer: Observer<C> = {},
  lot: Lot = FIRST_LOT,
): Contender<C>[] {
  const { trace } = observer;
  const list: Contender<C>[] = [];
  let enough: Nanos | undefined;
  let capped = 0;
  for (let looks = 0; ; looks += 1) {
    const ceiling = scan.ceilingNanos();
    if (ceiling === undefined) return list;
    if (trace === undefined && enough !== undefined && ceiling <= enough) return list;
    if (trace === undefined && looks >= LOOKS_MAX) {
      observer.cutShort?.();
      return list;
    }
    const candidate = scan.next();
    if (candidate === undefined) return list;
    if (trace === undefined && cannotMatter(candidate, list, terms.limit)) {
      // Nor can any that is still to come: ceilings only fall.
      scan.leaveOut(candidate.advertiser.id);
      continue;
    }
    const bid = qualify(candidate, terms);
    if (typeof bid === 'string') {
      tell(observer, candidate, bid);
      continue;
    }
    const refusal = lotRefusal(candidate, lot, capped);
    if (refusal !== undefined) {
      tell(observer, candidate, refusal);
      if (refusal === 'CAPPED_LIMIT') scan.leaveOutCapped();
      continue;
    }
    if (candidate.caps.length > 0) capped += 1;
    insert(list, bid);
    enough = trim(list, terms.limit, trace);
  }
}

function tell<C extends Candidate>(
  { trace, spent, lotFull }: Observer<C>,
  candidate: C,
  reason: NoBidReason,
): void {
  trace?.(candidate, reason);
  if (SPENT.has(reason)) spent?.(candidate);
  if (reason === 'CAPPED_LIMIT') lotFull?.(candidate.ceilingEcpmNanos);
}

/** One advertiser's next that cannot beat their own: needs no name because nobody is watching. */
function cannotMatter<C extends Candidate>(
  candidate: C,
  list: readonly Contender<C>[],
  limit: number,
): boolean {
  let ahead = 0;
  for (const contender of list) {
    if (contender.ecpmNanos < candidate.ceilingEcpmNanos) break;
    if (isUncappedSibling(contender, candidate) && (ahead += 1) >= limit) return true;
  }
  return false;
}

/** The eCPM below which nobody of a list of one pricing model passes the zone's floor. */
export function floorEcpmOf<C extends Candidate>(zone: AuctionZone, list: RankedList<C>): Nanos {
  if (zone.floorCpcNanos === 0n && zone.floorCpmNanos === 0n) return 0n;
  const model = list.pages[0]?.items[0]?.campaign.pricingModel;
  return model === 'CPC' ? ecpmOf(zone.floorCpcNanos, list.lowestYieldPpm) : zone.floorCpmNanos;
}

const isUncappedSibling = (contender: Contender, candidate: Candidate): boolean =>
  contender.candidate.advertiser.id === candidate.advertiser.id &&
  contender.candidate.caps.length === 0;

function insert<C extends Candidate>(list: Contender<C>[], contender: Contender<C>): void {
  let at = list.length;
  while (at > 0 && (list[at - 1]?.ecpmNanos ?? 0n) < contender.ecpmNanos) at -= 1;
  list.splice(at, 0, contender);
}

/**
 * Drops whoever can no longer win a place nor be a runner-up; answers the eCPM that a newcomer has
 * to beat, undefined while places are open.
 */
function trim<C extends Candidate>(
  list: Contender<C>[],
  limit: number,
  trace: Trace<C> | undefined,
): Nanos | undefined {
  // Lists are short: looking back costs less than remembering whom we have met.
  let advertisers = 0;
  for (let index = 0; index < list.length; index += 1) {
    const contender = list[index];
    if (contender === undefined) break;
    if (isFirstUncapped(list, contender)) advertisers += 1;
    if (advertisers <= limit) continue;
    for (const { candidate: late } of list.splice(index + 1)) trace?.(late, 'LOST');
    return contender.ecpmNanos;
  }
  if (list.length > limit) dropSpareSiblings(list, limit, trace);
  return undefined;
}

function isFirstUncapped(list: readonly Contender[], contender: Contender): boolean {
  if (contender.candidate.caps.length > 0) return false;
  return list.find((other) => isUncappedSibling(other, contender.candidate)) === contender;
}

/** One advertiser needs no more ads than there are places. */
function dropSpareSiblings<C extends Candidate>(
  list: Contender<C>[],
  limit: number,
  trace: Trace<C> | undefined,
): void {
  const counts = new Map<number, number>();
  for (let index = 0; index < list.length; index += 1) {
    const contender = list[index];
    if (contender === undefined || contender.candidate.caps.length > 0) continue;
    const { id } = contender.candidate.advertiser;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count <= limit) continue;
    list.splice(index, 1);
    index -= 1;
    trace?.(contender.candidate, 'SAME_ADVERTISER');
  }
}

/** At most `limit` winners with their prices, best first. Two of one advertiser only if nothing else is left. */
export function decide<C extends Candidate>(
  list: readonly Contender<C>[],
  terms: AuctionTerms,
  options: { counts: FrequencyCounts; trace?: Trace<C> | undefined },
): Win<C>[] {
  const { counts, trace } = options;
  const alive = hasCaps(list)
    ? list.filter(({ candidate }) => {
        const refusal = frequencyRefusal(candidate, counts);
        if (refusal !== undefined) trace?.(candidate, refusal);
        return refusal === undefined;
      })
    : list;
  const wins: Win<C>[] = [];
  for (const isRepeat of [false, true]) {
    for (const [rank, contender] of alive.entries()) {
      if (wins.length === terms.limit) break;
      if (isRepeatAt(rank, alive) !== isRepeat) continue;
      const { candidate, effectiveNanos, ecpmNanos } = contender;
      const eventPriceNanos = eventPriceOf(contender, runnerUpOf(rank, alive), terms);
      wins.push({ candidate, effectiveNanos, ecpmNanos, eventPriceNanos });
    }
  }
  if (trace !== undefined) traceLosers(alive, wins, trace);
  return wins;
}

/** Whether one of the same advertiser stands before it. */
function isRepeatAt(rank: number, alive: readonly Contender[]): boolean {
  const id = alive[rank]?.candidate.advertiser.id;
  for (let at = 0; at < rank; at += 1) {
    if (alive[at]?.candidate.advertiser.id === id) return true;
  }
  return false;
}

/** The next in rank of another advertiser: nobody bids against themselves. */
function runnerUpOf<C extends Candidate>(
  rank: number,
  alive: readonly Contender<C>[],
): Contender<C> | undefined {
  const id = alive[rank]?.candidate.advertiser.id;
  for (let at = rank + 1; at < alive.length; at += 1) {
    if (alive[at]?.candidate.advertiser.id !== id) return alive[at];
  }
  return undefined;
}

function traceLosers<C extends Candidate>(
  alive: readonly Contender<C>[],
  wins: readonly Win<C>[],
  trace: Trace<C>,
): void {
  for (const [rank, { candidate }] of alive.entries()) {
    if (wins.some((win) => win.candidate === candidate)) continue;
    trace(candidate, isRepeatAt(rank, alive) ? 'SAME_ADVERTISER' : 'LOST');
  }
}

/** All walks of one auction, for callers that have the counters or need none; each walk opens a scan. */
export function runAuction<C extends Candidate>(
  open: () => Scan<C>,
  terms: AuctionTerms,
  { counts, trace }: { counts?: FrequencyCounts; trace?: Trace<C> } = {},
): Win<C>[] {
  for (let lot = FIRST_LOT; ;) {
    let fullAtNanos: Nanos | undefined;
    const lotFull = (nanos: Nanos): void => void (fullAtNanos ??= nanos);
    const list = shortlist(open(), terms, { trace, lotFull }, lot);
    const wins = decide(list, terms, { counts, trace });
    const next = nextLot(lot, { list, wins, counts, fullAtNanos, limit: terms.limit });
    if (next === undefined || next.round === CAPPED_LOTS.length) return wins;
    lot = next;
  }
}
