import type { Nanos } from '../money.ts';
import {
  type Candidate,
  type Contender,
  frequencySlot,
  type FrequencyCounts,
  type NoBidReason,
  type Win,
} from './types.ts';

/**
 * Caps are known by asking Redis, so an auction asks for a lot of capped contenders at a time: nearly always
 * the first decides. Where the viewer has reached the caps of so many of it that others would win, another walk steps
 * over those and asks for the second, larger lot. An auction for somebody who has reached them all takes some
 * quarter of a millisecond, which bounds what a robot that collects caps can cost.
 */
export const CAPPED_LOTS = [32, 96] as const;

/** One walk's share of CAPPED_LOTS, with what the walks before it have read. */
export interface Lot {
  readonly round: number;
  readonly counts: FrequencyCounts;
}
export const FIRST_LOT: Lot = { round: 0, counts: undefined };

/** Whether `decide` needs the frequency counters of this shortlist. */
export const hasCaps = (list: readonly Contender[]): boolean =>
  list.some(({ candidate }) => candidate.caps.length > 0);

export function frequencyRefusal(
  candidate: Candidate,
  counts: FrequencyCounts,
): NoBidReason | undefined {
  if (candidate.caps.length === 0) return undefined;
  // A cap that cannot be checked is kept: the advertiser was promised it.
  if (counts === undefined) return 'FREQUENCY_UNKNOWN';
  const reached = candidate.caps.some(
    (cap) => (counts.get(frequencySlot(cap)) ?? 0) >= cap.impressions,
  );
  return reached ? 'FREQUENCY_CAP' : undefined;
}

/** Why an eligible one is not taken up into the lot of this walk, which `taken` with caps are in. */
export function lotRefusal(
  candidate: Candidate,
  { round, counts }: Lot,
  taken: number,
): NoBidReason | undefined {
  if (candidate.caps.length === 0) return undefined;
  if (counts !== undefined && frequencyRefusal(candidate, counts) !== undefined) {
    return 'FREQUENCY_CAP';
  }
  return taken < (CAPPED_LOTS[round] ?? 0) ? undefined : 'CAPPED_LIMIT';
}

interface Outcome {
  list: readonly Contender[];
  wins: readonly Win[];
  counts: FrequencyCounts;
  /** Who was left out for a full lot has no higher ceiling; undefined when nobody was. */
  fullAtNanos: Nanos | undefined;
  limit: number;
}

/**
 * The lot of the next walk; undefined when the wins stand: nobody was left out, or nobody of them could have won
 * a place, or as many capped contenders as there are places stood before them all.
 */
export function nextLot(
  lot: Lot,
  { list, wins, counts, fullAtNanos, limit }: Outcome,
): Lot | undefined {
  if (fullAtNanos === undefined || counts === undefined) return undefined;
  const isBeaten = ({ ecpmNanos }: Win): boolean => ecpmNanos < fullAtNanos;
  if (wins.length === limit && !wins.some(isBeaten)) return undefined;
  const capped = list.filter(({ candidate }) => candidate.caps.length > 0);
  const open = capped.filter(({ candidate }) => frequencyRefusal(candidate, counts) === undefined);
  if (open.length >= limit) return undefined;
  const known = new Map(lot.counts);
  for (const slot of capped.flatMap(({ candidate }) => candidate.caps.map(frequencySlot))) {
    known.set(slot, counts.get(slot) ?? 0);
  }
  return { round: lot.round + 1, counts: known };
}
