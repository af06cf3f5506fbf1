import type { EventFacts, EventKind, TrackFacts } from './facts.ts';
import type { RateCounts } from './rates.ts';
import { isCounted, type Verdict } from './verdict.ts';

/**
 * What an event finds of those before it:
 * - of its bid, whatever was judged of it (a track_id counts once per kind, a nonce is used once);
 * - of its viewer and creative, when the last one was counted;
 * - of its viewer and minute, how many there were (rates.ts).
 * Only the second is kept for its own sake, as a viewer mark: the others are read from judged events.
 */
export interface MarkBook {
  /** Undefined when nothing was remembered of the bid. */
  bid(bidId: string | null): BidMark | undefined;
  /** Whether an event of its bid and kind, of any verdict, said the same. */
  isNonceUsed(kind: EventKind, facts: EventFacts): boolean;
  /** When the last one was counted, Unix ms. */
  lastCounted(viewer: string | null): number | undefined;
  /** Counts the event in its viewer's minute and answers the count; before judging. */
  countRate(event: Omit<RememberedEvent, 'verdict'> & { id?: string }): number;
  /** After judging: what the event leaves behind for those that follow. */
  remember(event: RememberedEvent): void;
  /** Viewer marks that this batch made or changed. */
  changed(): ViewerMark[];
}

export interface BidMark {
  /** Of the first impression, also one that was refused; Unix ms. */
  impressionAtMs: number | null;
  isImpressionCounted: boolean;
  /** Kinds beside the impression of which one was counted. */
  counted: ReadonlySet<EventKind>;
}

/** By viewerNameOf. */
export interface ViewerMark {
  viewer: string;
  seenAtMs: number;
}

export interface RememberedEvent {
  kind: EventKind;
  facts: EventFacts;
  receivedAtMs: number;
  verdict: Outcome;
}
type Outcome = Pick<Verdict, 'billable' | 'status'>;

/** What a bid keeps of one of its events. */
export interface BidEvent {
  bidId: string;
  kind: EventKind;
  receivedAtMs: number;
  said: Pick<EventFacts, 'nonce' | 'video'>;
  verdict: Outcome;
}

/** A day longer than any window and any seal, so that events which waited in a spool still meet their marks. */
export const VIEWER_MARK_KEPT_MS = 2 * 86_400_000;

/** `before`: judged events of the bids that the batch names, whose seal held; in any order. */
export function createMarkBook(known: {
  before: Iterable<BidEvent>;
  viewers: Iterable<ViewerMark>;
  rates: Pick<RateCounts, 'count'>;
}): MarkBook {
  const bids: Bids = { marks: new Map(), nonces: new Set() };
  const viewers = new Map<string, number>();
  const touched = new Set<string>();
  for (const event of known.before) rememberBid(bids, event);
  for (const { viewer, seenAtMs } of known.viewers) viewers.set(viewer, seenAtMs);
  return {
    bid: (bidId) => (bidId === null ? undefined : bids.marks.get(bidId)),
    isNonceUsed: (kind, facts) => {
      const bidId = bidOf(kind, facts);
      const nonce = bidId === null ? null : nonceOf(kind, facts);
      return nonce !== null && bids.nonces.has(`${bidId}:${nonce}`);
    },
    lastCounted: (viewer) => (viewer === null ? undefined : viewers.get(viewer)),
    countRate: (event) => countRate(known.rates, event),
    remember: ({ kind, facts, receivedAtMs, verdict }) => {
      const bidId = bidOf(kind, facts);
      if (bidId !== null) rememberBid(bids, { bidId, kind, receivedAtMs, said: facts, verdict });
      const viewer = leavesItsMark(kind, verdict) ? viewerNameOf(kind, facts) : null;
      if (viewer === null) return;
      viewers.set(viewer, receivedAtMs);
      touched.add(viewer);
    },
    changed: () => [...touched].map((viewer) => ({ viewer, seenAtMs: viewers.get(viewer) ?? 0 })),
  };
}

/** Answers how many there were in this minute; 0 for what no viewer sends. */
export function countRate(
  rates: Pick<RateCounts, 'count'>,
  { kind, facts, receivedAtMs }: Omit<RememberedEvent, 'verdict'>,
): number {
  return isOfBrowser(kind) ? rates.count(kind, facts.viewerKey, receivedAtMs) : 0;
}

interface Bids {
  marks: Map<string, BidMark>;
  /** `<bid>:<kind>:<nonce>`; one set for all, as most bids have one event. */
  nonces: Set<string>;
}

const NO_KINDS: ReadonlySet<EventKind> = new Set();

function rememberBid(bids: Bids, { bidId, kind, receivedAtMs, said, verdict }: BidEvent): void {
  let mark = bids.marks.get(bidId);
  if (mark === undefined) {
    mark = { impressionAtMs: null, isImpressionCounted: false, counted: NO_KINDS };
    bids.marks.set(bidId, mark);
  }
  const nonce = nonceOf(kind, said);
  if (nonce !== null) bids.nonces.add(`${bidId}:${nonce}`);
  if (kind === 'impression') {
    mark.impressionAtMs = Math.min(mark.impressionAtMs ?? receivedAtMs, receivedAtMs);
    mark.isImpressionCounted ||= verdict.billable;
  } else if (leavesItsMark(kind, verdict) && !mark.counted.has(kind)) {
    mark.counted = new Set([...mark.counted, kind]);
  }
}

const leavesItsMark = (kind: EventKind, verdict: Outcome): boolean =>
  (isCounted(kind) && verdict.billable) || verdict.status === 'viewable';

/** Conversions come from servers and expiries from our own loop: no viewer is behind them. */
export const isOfBrowser = (kind: EventKind): boolean =>
  kind !== 'conversion' && kind !== 'click_expired';

const sealed = (facts: EventFacts): TrackFacts | null => (facts.seal === 'ok' ? facts.track : null);

/** The bid under which the event is remembered; null when its seal did not hold or no browser sent it. */
export function bidOf(kind: EventKind, facts: EventFacts): string | null {
  return isOfBrowser(kind) ? (sealed(facts)?.bidId ?? null) : null;
}

/** A player has no `_r`, but says each thing once. */
export function nonceOf(
  kind: EventKind,
  { nonce: given, video }: Pick<EventFacts, 'nonce' | 'video'>,
): string | null {
  const nonce = given ?? (kind === 'video_view' ? (video ?? null) : null);
  return nonce === null ? null : `${kind}:${nonce}`;
}

const VIEWER_KINDS: Partial<Record<EventKind, string>> = {
  impression: 'i',
  click_verify: 'c',
  video_view: 'v',
};

/** `i:<viewer>:<creative>`; null for what is no duplicate of anything. */
export function viewerNameOf(kind: EventKind, facts: EventFacts): string | null {
  const letter = VIEWER_KINDS[kind];
  const track = sealed(facts);
  if (letter === undefined || track === null) return null;
  if (last.facts !== facts || last.letter !== letter) {
    last = { facts, letter, name: `${letter}:${facts.viewerKey}:${track.creativeId}` };
  }
  return last.name;
}

/** An event is named several times in a row. */
let last: { facts: EventFacts | null; letter: string; name: string } = {
  facts: null,
  letter: '',
  name: '',
};
