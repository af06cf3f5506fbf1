import type { ClickStatus } from '../lifecycle/click.ts';
import type { ConversionStatus } from '../lifecycle/conversion.ts';
import { type Nanos, shareOf } from '../money.ts';
import { type ShareBook, shareAt } from './shares.ts';
import type { Settings } from '../settings.ts';
import type { EventFacts, EventKind, Reason, TrackFacts } from './facts.ts';
import { bidOf, type BidMark, type MarkBook, nonceOf, viewerNameOf } from './marks.ts';
import type { SpendingRoom } from './spending-room.ts';
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

/** Unix milliseconds to the UTC day that budgets and reports count by. */
export function dayOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay.day) {
    lastDay = { day, text: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  }
  return lastDay.text;
}
const DAY_MS = 86_400_000;
/** Asked several times per event, and answered the same nearly always. */
let lastDay = { day: Number.NaN, text: '' };

/**
 * Judges events in the order given. Each verdict sees what the earlier ones left behind: marks, and
 * the money that is still to be had. `book` and `room` are narrowed in place.
 */
export function judgeBatch(events: readonly InboxEvent[], context: BatchContext): JudgedEvent[] {
  const impressions = firstImpressions(events, context.book);
  const settled = new Set<string>();
  const refusedClicks = new Map<string, Reason>();
  return events.map((event) => {
    const { facts } = event;
    if (facts === null) return unknown(event, DAMAGED);
    const judged = judgeOne({ ...event, facts }, { context, impressions, settled, refusedClicks });
    if (judged.event.kind === 'click_verify' && facts.clickEventId !== undefined) {
      settled.add(facts.clickEventId);
      const { reason } = judged.verdict;
      if (reason !== null && judged.clickId !== null) refusedClicks.set(judged.clickId, reason);
    }
    if (judged.event.kind === 'conversion') settled.add(`conversion:${facts.conversionId}`);
    return judged;
  });
}

/** By bid: also an impression that stands later in this batch (the clicks' grace). */
function firstImpressions(events: readonly InboxEvent[], book: MarkBook): Map<string, number> {
  const first = new Map<string, number>();
  for (const { kind, facts, receivedAtMs } of events) {
    const track = facts?.seal === 'ok' ? facts.track : null;
    if (track === null || track === undefined) continue;
    const known = Math.min(
      first.get(track.bidId) ?? Infinity,
      book.bid(track.bidId)?.impressionAtMs ?? Infinity,
      kind === 'impression' ? receivedAtMs : Infinity,
    );
    if (known !== Infinity) first.set(track.bidId, known);
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

function judgeOne(event: InboxEvent & { facts: EventFacts }, state: BatchState): JudgedEvent {
  const { context } = state;
  const { kind, facts, receivedAtMs } = event;
  const { ad, zone } = referencesOf(facts.track, context);
  const click =
    facts.clickEventId === undefined ? undefined : context.clicks.get(facts.clickEventId);
  const priceNanos =
    facts.track !== null && bills(facts.track.pricingModel, kind)
      ? BigInt(facts.track.priceNanos)
      : 0n;
  const charge =
    facts.track === null || ad === null
      ? null
      : { ...ad, eventId: event.id, day: dayOf(receivedAtMs), priceNanos };

  const verdict = judge(event, {
    ...recall(event, state),
    referencesKnown: ad !== null && zone !== null,
    targeted: ad?.targeted ?? { country: false, device: false, os: false },
    click: clickOf(event, click, state),
    clickReason: clickReasonOf(facts, state),
    ...(charge === null ? { overBudget: false, overBalance: false } : context.room.check(charge)),
  });
  context.book.remember({ kind, facts, receivedAtMs, verdict });
  const judged = { event, verdict, track: facts.track, ad, zone };
  const clickId = facts.clickId ?? click?.clickId ?? null;
  if (!verdict.billable || charge === null || zone === null) {
    return { ...judged, clickId, priceNanos: 0n, publisherNanos: 0n };
  }
  context.room.take(charge);
  const sharePpm = shareAt(context.shares, zone.publisherId, receivedAtMs);
  return { ...judged, clickId, priceNanos, publisherNanos: shareOf(priceNanos, sharePpm) };
}

type Recalled = Omit<
  JudgeContext,
  'referencesKnown' | 'targeted' | 'click' | 'clickReason' | 'overBudget' | 'overBalance'
>;

function recall(event: InboxEvent & { facts: EventFacts }, state: BatchState): Recalled {
  const { book, settings } = state.context;
  const { kind, facts, receivedAtMs } = event;
  const clicks = kind === 'click' || kind === 'click_verify';
  const mark = book.bid(bidOf(kind, facts));
  const nonce = nonceOf(kind, facts);
  return {
    receivedAtMs,
    nonceSeen: nonce !== null && mark?.nonces.has(nonce) === true,
    impressionAtMs: state.impressions.get(facts.track?.bidId ?? '') ?? null,
    impressionCounted: mark?.isImpressionCounted ?? false,
    countedBefore: countedBefore(event, mark, state),
    lastCountedAtMs: book.lastCounted(viewerNameOf(kind, facts)) ?? null,
    dedupWindowSeconds: clicks
      ? settings['ad.click_dedup_seconds']
      : settings['ad.impression_dedup_seconds'],
    rateCount: book.countRate(event),
    rateMax: rateMaxOf(kind, settings),
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

function referencesOf(
  track: TrackFacts | null,
  { ads, zones }: BatchContext,
): { ad: AdReference | null; zone: ZoneReference | null } {
  if (track === null) return { ad: null, zone: null };
  const ad = ads.get(track.adId);
  const zone = zones.get(track.zoneId);
  const belongs =
    ad !== undefined &&
    zone !== undefined &&
    ad.advertiserId === track.advertiserId &&
    ad.campaignId === track.campaignId;
  return belongs ? { ad, zone } : { ad: null, zone: null };
}

function clickOf(
  event: InboxEvent & { facts: EventFacts },
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
