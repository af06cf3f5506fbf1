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
  counted: Set<EventKind>;
  /** Used by an event of any verdict, by nonceOf. */
  nonces: Set<string>;
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
  const bids = new Map<string, BidMark>();
  const viewers = new Map<string, number>();
  const touched = new Set<string>();
  for (const event of known.before) rememberBid(bids, event);
  for (const { viewer, seenAtMs } of known.viewers) viewers.set(viewer, seenAtMs);
  return {
    bid: (bidId) => (bidId === null ? undefined : bids.get(bidId)),
    lastCounted: (viewer) => (viewer === null ? undefined : viewers.get(viewer)),
    countRate: (event) => countRate(known.rates, event),
    remember: (event) => {
      const bidId = bidOf(event.kind, event.facts);
      if (bidId !== null) rememberBid(bids, { ...event, bidId, said: event.facts });
      const viewer = leavesItsMark(event) ? viewerNameOf(event.kind, event.facts) : null;
      if (viewer === null) return;
      viewers.set(viewer, event.receivedAtMs);
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

function rememberBid(bids: Map<string, BidMark>, event: BidEvent): void {
  const { bidId, kind, receivedAtMs, said, verdict } = event;
  let mark = bids.get(bidId);
  if (mark === undefined) {
    mark = {
      impressionAtMs: null,
      isImpressionCounted: false,
      counted: new Set(),
      nonces: new Set(),
    };
    bids.set(bidId, mark);
  }
  const nonce = nonceOf(kind, said);
  if (nonce !== null) mark.nonces.add(nonce);
  if (kind === 'impression') {
    mark.impressionAtMs = Math.min(mark.impressionAtMs ?? receivedAtMs, receivedAtMs);
    mark.isImpressionCounted ||= verdict.billable;
  } else if (leavesItsMark(event)) {
    mark.counted.add(kind);
  }
}

const leavesItsMark = ({ kind, verdict }: { kind: EventKind; verdict: Outcome }): boolean =>
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
  return `${letter}:${facts.viewerKey}:${track.creativeId}`;
}
