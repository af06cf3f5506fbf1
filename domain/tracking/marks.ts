import type { EventFacts, EventKind, TrackFacts } from './facts.ts';
import { isCounted, type Verdict } from './verdict.ts';

/**
 * What settlement remembers between batches, one row of event_marks each:
 * - `impression` per bid: seenAt of the first impression, count = how many were counted;
 * - `billed` per kind and bid: one was counted (a track_id counts once per kind);
 * - `impression_dedup`, `click_dedup`, `view_dedup` per viewer and creative: seenAt of the last counted one;
 * - `nonce` per kind, bid and `_r`: it was used; of a view without `_r`, per name that the player gives it;
 * - `rate` per kind, viewer and minute: count of events, refused ones included.
 */
export interface Mark {
  kind:
    | 'impression'
    | 'billed'
    | 'impression_dedup'
    | 'click_dedup'
    | 'view_dedup'
    | 'nonce'
    | 'rate';
  key: string;
  seenAtMs: number;
  count: number;
  expiresAtMs: number;
}

export type MarkName = Pick<Mark, 'kind' | 'key'>;

/** Where each thing that an event needs to know is remembered; null = nothing to remember. */
export interface MarkNames {
  impression: MarkName | null;
  billed: MarkName | null;
  dedup: MarkName | null;
  nonce: MarkName | null;
  rate: MarkName | null;
}

/** A day longer than any seal lives, so that events which waited in a spool still meet their marks. */
const KEEP_MS = 2 * 86_400_000;
const KEEP_RATE_MS = 3_600_000;
const MINUTE_MS = 60_000;

export function markNames(kind: EventKind, facts: EventFacts, receivedAtMs: number): MarkNames {
  const track = facts.seal === 'ok' ? facts.track : null;
  const byBrowser = kind !== 'conversion' && kind !== 'click_expired';
  return {
    impression: track === null || !byBrowser ? null : { kind: 'impression', key: track.bidId },
    billed: track === null ? null : billedName(kind, track),
    dedup: track === null ? null : dedupName(kind, facts.viewerKey, track),
    nonce: track === null || !byBrowser ? null : nonceName(kind, facts, track),
    rate: byBrowser
      ? { kind: 'rate', key: `${kind}:${facts.viewerKey}:${Math.floor(receivedAtMs / MINUTE_MS)}` }
      : null,
  };
}

/** A player has no `_r`, but says each thing once. */
function nonceName(kind: EventKind, facts: EventFacts, track: TrackFacts): MarkName | null {
  const said = kind === 'video_view' ? (facts.video ?? null) : null;
  const nonce = facts.nonce ?? said;
  return nonce === null ? null : { kind: 'nonce', key: `${kind}:${track.bidId}:${nonce}` };
}

/** An impression's count is on its own mark; a conversion is settled once by its row's status. */
function billedName(kind: EventKind, track: TrackFacts): MarkName | null {
  return kind === 'click_verify' || kind === 'view' || kind === 'video_view'
    ? { kind: 'billed', key: `${kind}:${track.bidId}` }
    : null;
}

function dedupName(kind: EventKind, viewerKey: string, track: TrackFacts): MarkName | null {
  const key = `${viewerKey}:${track.creativeId}`;
  if (kind === 'impression') return { kind: 'impression_dedup', key };
  if (kind === 'click_verify') return { kind: 'click_dedup', key };
  if (kind === 'video_view') return { kind: 'view_dedup', key };
  return null;
}

export interface MarkBook {
  get(name: MarkName | null): Mark | undefined;
  put(mark: Mark): void;
  /** Marks that this batch made or changed. */
  changed(): Mark[];
}

export function createMarkBook(loaded: Iterable<Mark>): MarkBook {
  const marks = new Map<string, Mark>();
  const touched = new Set<string>();
  const keyOf = (name: MarkName): string => `${name.kind}|${name.key}`;
  for (const mark of loaded) marks.set(keyOf(mark), mark);
  return {
    get: (name) => (name === null ? undefined : marks.get(keyOf(name))),
    put: (mark) => {
      marks.set(keyOf(mark), mark);
      touched.add(keyOf(mark));
    },
    changed: () => [...touched].flatMap((key) => marks.get(key) ?? []),
  };
}

/** Counts the event in its viewer's minute and answers the count; before judging. */
export function countRate(book: MarkBook, names: MarkNames, receivedAtMs: number): number {
  if (names.rate === null) return 0;
  const count = (book.get(names.rate)?.count ?? 0) + 1;
  book.put({
    ...names.rate,
    seenAtMs: receivedAtMs,
    count,
    expiresAtMs: receivedAtMs + KEEP_RATE_MS,
  });
  return count;
}

/** After judging: what the event leaves behind for those that follow. */
export function remember(
  book: MarkBook,
  names: MarkNames,
  event: { kind: EventKind; receivedAtMs: number; verdict: Verdict },
): void {
  const { kind, receivedAtMs, verdict } = event;
  const fresh = { seenAtMs: receivedAtMs, count: 1, expiresAtMs: receivedAtMs + KEEP_MS };
  if (names.nonce !== null && book.get(names.nonce) === undefined) {
    book.put({ ...names.nonce, ...fresh });
  }
  if (kind === 'impression' && names.impression !== null) {
    const before = book.get(names.impression);
    book.put({
      ...names.impression,
      seenAtMs: Math.min(before?.seenAtMs ?? receivedAtMs, receivedAtMs),
      count: (before?.count ?? 0) + (verdict.billable ? 1 : 0),
      expiresAtMs: Math.max(before?.expiresAtMs ?? 0, fresh.expiresAtMs),
    });
  }
  const counted = (isCounted(kind) && verdict.billable) || verdict.status === 'viewable';
  if (!counted) return;
  if (names.billed !== null) book.put({ ...names.billed, ...fresh });
  if (names.dedup !== null) book.put({ ...names.dedup, ...fresh });
}
