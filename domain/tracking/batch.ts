import type { ClickStatus } from '../lifecycle/click.ts';
import type { ConversionStatus } from '../lifecycle/conversion.ts';
import { type Nanos, shareOf } from '../money.ts';
import { type ShareBook, shareAt } from './shares.ts';
import type { Settings } from '../settings.ts';
import {
  type EventFacts,
  type EventKind,
  ownClickId,
  type Reason,
  type TrackFacts,
} from './facts.ts';
import { bidOf, type BidMark, type MarkBook, viewerNameOf } from './marks.ts';
import type { SpendingRoom } from './spending-room.ts';
import { dayOf } from './utc-day.ts';
import { bills, type ClickState, type JudgeContext, judge, type Verdict } from './verdict.ts';

/** One event of the inbox; `facts` is null when the stored record is damaged. */
export interface InboxEvent {
  id: string;
  kind: EventKind;
  /** UTC day of the inbox partition, `2026-01-31`. */
  day: string;
  receivedAtMs: number;
  facts: EventFacts | null;
}

export interface AdReference {
  advertiserId: number;
  campaignId: number;
  adGroupId: number;
  targeted: JudgeContext['targeted'];
}

export interface ZoneReference {
  publisherId: number;
  siteId: number;
}

export interface ClickReference {
  status: ClickStatus;
  bidId: string;
  clickId: string;
  clickedAtMs: number;
}

export interface BatchContext {
  settings: Settings;
  book: MarkBook;
  room: SpendingRoom;
  ads: ReadonlyMap<number, AdReference>;
  zones: ReadonlyMap<number, ZoneReference>;
  shares: ShareBook;
  /** By clicks.id. */
  clicks: ReadonlyMap<string, ClickReference>;
  /** By conversions.id. */
  conversions: ReadonlyMap<number, ConversionReference>;
}

export interface ConversionReference {
  status: ConversionStatus;
  /** Why the click it is attributed to was refused by an earlier batch. */
  clickReason: Reason | null;
}

export interface JudgedEvent {
  event: InboxEvent;
  verdict: Verdict;
  track: TrackFacts | null;
  ad: AdReference | null;
  zone: ZoneReference | null;
  clickId: string | null;
  priceNanos: Nanos;
  publisherNanos: Nanos;
}

const DAMAGED: Verdict = {
  billable: false,
  status: 'invalid',
  reason: 'TRACK_INVALID',
  reasons: ['TRACK_INVALID'],
};

/**
 * Judges events in the order given, one each time that the next verdict is asked for. Each sees what the
 * earlier ones left behind: marks, and the money that is still to be had. `book` and `room` are narrowed in place.
 */
export function* judgeEach(
  events: readonly InboxEvent[],
  context: BatchContext,
): Generator<JudgedEvent> {
  const impressions = firstImpressions(events, context.book);
  const settled = new Set<string>();
  const refusedClicks = new Map<string, Reason>();
  const state: BatchState = { context, impressions, settled, refusedClicks };
  for (const event of events) {
    const { facts } = event;
    if (facts === null) {
      yield unknown(event, DAMAGED);
      continue;
    }
    const judged = judgeOne(event as ReadEvent, state);
    if (judged.event.kind === 'click_verify' && facts.clickEventId !== undefined) {
      settled.add(facts.clickEventId);
      const { reason } = judged.verdict;
      if (reason !== null && judged.clickId !== null) refusedClicks.set(judged.clickId, reason);
    }
    if (judged.event.kind === 'conversion') settled.add(`conversion:${facts.conversionId}`);
    yield judged;
  }
}

export const judgeBatch = (events: readonly InboxEvent[], context: BatchContext): JudgedEvent[] => [
  ...judgeEach(events, context),
];

/** By bid: also an impression that stands later in this batch (the clicks' grace). */
function firstImpressions(events: readonly InboxEvent[], book: MarkBook): Map<string, number> {
  const first = new Map<string, number>();
  for (const { kind, facts, receivedAtMs } of events) {
    const track = facts?.seal === 'ok' ? facts.track : null;
    if (track === null || track === undefined) continue;
    const before = first.get(track.bidId) ?? Infinity;
    const known = Math.min(
      before,
      book.bid(track.bidId)?.impressionAtMs ?? Infinity,
      kind === 'impression' ? receivedAtMs : Infinity,
    );
    if (known < before) first.set(track.bidId, known);
  }
  return first;
}

interface BatchState {
  context: BatchContext;
  impressions: ReadonlyMap<string, number>;
  settled: ReadonlySet<string>;
  /** By public click id: refused in this batch. */
  refusedClicks: ReadonlyMap<string, Reason>;
}

type ReadEvent = InboxEvent & { facts: EventFacts };

/** Objects are written out here, not spread into one another: that was half of what judging cost. */
function judgeOne(event: ReadEvent, state: BatchState): JudgedEvent {
  const { context } = state;
  const { kind, facts, receivedAtMs } = event;
  const { track } = facts;
  const known = track === null ? null : referencesOf(track, context);
  const ad = known === null ? null : known.ad;
  const zone = known === null ? null : known.zone;
  const click =
    facts.clickEventId === undefined ? undefined : context.clicks.get(facts.clickEventId);
  const priceNanos =
    track !== null && bills(track.pricingModel, kind) ? BigInt(track.priceNanos) : 0n;
  const charge =
    ad === null
      ? null
      : {
          eventId: event.id,
          advertiserId: ad.advertiserId,
          campaignId: ad.campaignId,
          adGroupId: ad.adGroupId,
          day: dayOf(receivedAtMs),
          priceNanos,
        };
  const room = charge === null ? ROOM_ENOUGH : context.room.check(charge);
  const verdict = judge(event, recall(event, { state, ad, zone, click, room }));
  context.book.remember({ kind, facts, receivedAtMs, verdict });
  const isCharged = verdict.billable && charge !== null && zone !== null;
  if (isCharged) context.room.take(charge);
  return {
    event,
    verdict,
    track,
    ad,
    zone,
    clickId: facts.clickId ?? click?.clickId ?? ownClickId(event),
    priceNanos: isCharged ? priceNanos : 0n,
    publisherNanos:
      isCharged && priceNanos > 0n
        ? shareOf(priceNanos, shareAt(context.shares, zone.publisherId, receivedAtMs))
        : 0n,
  };
}

const ROOM_ENOUGH = { overBudget: false, overBalance: false } as const;
const NOT_TARGETED = { country: false, device: false, os: false } as const;

interface Found {
  state: BatchState;
  ad: AdReference | null;
  zone: ZoneReference | null;
  click: ClickReference | undefined;
  room: Pick<JudgeContext, 'overBudget' | 'overBalance'>;
}

function recall(event: ReadEvent, { state, ad, zone, click, room }: Found): JudgeContext {
  const { book, settings } = state.context;
  const { kind, facts, receivedAtMs } = event;
  const clicks = kind === 'click' || kind === 'click_verify';
  const mark = book.bid(bidOf(kind, facts));
  return {
    receivedAtMs,
    referencesKnown: ad !== null && zone !== null,
    nonceSeen: mark !== undefined && book.isNonceUsed(kind, facts),
    impressionAtMs: state.impressions.get(facts.track?.bidId ?? '') ?? null,
    impressionCounted: mark?.isImpressionCounted ?? false,
    countedBefore: countedBefore(event, mark, state),
    lastCountedAtMs: book.lastCounted(viewerNameOf(kind, facts)) ?? null,
    dedupWindowSeconds: clicks
      ? settings['ad.click_dedup_seconds']
      : settings['ad.impression_dedup_seconds'],
    rateCount: book.countRate(event),
    rateMax: rateMaxOf(kind, settings),
    targeted: ad?.targeted ?? NOT_TARGETED,
    click: clickOf(event, click, state),
    clickReason: clickReasonOf(facts, state),
    overBudget: room.overBudget,
    overBalance: room.overBalance,
  };
}

function countedBefore(
  { kind, facts }: { kind: EventKind; facts: EventFacts },
  mark: BidMark | undefined,
  { context, settled }: BatchState,
): boolean {
  if (kind === 'impression') return mark?.isImpressionCounted ?? false;
  if (kind !== 'conversion') return mark?.counted.has(kind) ?? false;
  const { conversionId } = facts;
  // A conversion without its own row could be sent again without end.
  if (conversionId === undefined) return true;
  // It was refused before: nothing of it was counted, and nothing will be.
  if (facts.refusal !== undefined) return false;
  return (
    context.conversions.get(conversionId)?.status !== 'ACCEPTED' ||
    settled.has(`conversion:${conversionId}`)
  );
}

/** Events per viewer and minute; 0 is no limit. */
export function rateMaxOf(kind: EventKind, settings: Settings): number {
  if (kind === 'impression' || kind === 'video_view') {
    return settings['ad.rate_impressions_per_minute'];
  }
  if (kind === 'click' || kind === 'click_verify') return settings['ad.rate_clicks_per_minute'];
  return 0;
}

/** What the seal names, when it belongs together. */
function referencesOf(
  track: TrackFacts,
  { ads, zones }: BatchContext,
): { ad: AdReference; zone: ZoneReference } | null {
  const ad = ads.get(track.adId);
  const zone = zones.get(track.zoneId);
  const belongs =
    ad !== undefined &&
    zone !== undefined &&
    ad.advertiserId === track.advertiserId &&
    ad.campaignId === track.campaignId;
  return belongs ? { ad, zone } : null;
}

function clickOf(
  event: ReadEvent,
  click: ClickReference | undefined,
  { settled }: BatchState,
): JudgeContext['click'] {
  if (event.kind !== 'click_verify') return null;
  const ours = click !== undefined && click.bidId === event.facts.track?.bidId ? click : undefined;
  let state: ClickState = 'not_verified';
  if (ours?.status === 'verified') state = 'verified';
  if (ours?.status === 'valid' || ours?.status === 'invalid') state = 'settled';
  if (settled.has(event.facts.clickEventId ?? '')) state = 'settled';
  return { state, clickedAtMs: ours?.clickedAtMs ?? event.receivedAtMs };
}

function clickReasonOf(
  { conversionId, clickId }: EventFacts,
  { context, refusedClicks }: BatchState,
): Reason | null {
  if (conversionId === undefined) return null;
  const earlier = context.conversions.get(conversionId)?.clickReason ?? null;
  return earlier ?? refusedClicks.get(clickId ?? '') ?? null;
}

function unknown(event: InboxEvent, verdict: Verdict): JudgedEvent {
  return {
    event,
    verdict,
    track: null,
    ad: null,
    zone: null,
    clickId: null,
    priceNanos: 0n,
    publisherNanos: 0n,
  };
}
