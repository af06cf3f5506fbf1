import { FORGIVEN_CLICKS } from './attribution.ts';
import {
  type EventFacts,
  type EventKind,
  type PricingModel,
  type Reason,
  REASONS,
} from './facts.ts';

/** What an event is after settlement has judged it. */
export type EventStatus =
  /** Counted: it bills when the pricing model bills this kind. */
  | 'valid'
  | 'invalid'
  /** GET click: waits for its verification, whatever was noticed about it. */
  | 'verify_pending'
  | 'expired'
  | 'viewable'
  | 'not_viewable'
  /** A viewability beacon whose impression was never counted. */
  | 'unmatched';

export interface Verdict {
  /** Every check passed. The price may still be 0: another kind of event bills this model. */
  billable: boolean;
  status: EventStatus;
  reason: Reason | null;
  /** Every reason that applies, in the order of REASONS. */
  reasons: Reason[];
}

export interface JudgedFacts {
  kind: EventKind;
  facts: EventFacts;
}

/** State of the clicks row behind a click_verify. */
export type ClickState = 'verified' | 'settled' | 'not_verified';

/** What settlement knows beyond the event's own facts. Milliseconds are Unix time. */
export interface JudgeContext {
  receivedAtMs: number;
  /** The ad and the zone that the seal names exist and belong together. */
  referencesKnown: boolean;
  nonceSeen: boolean;
  /** First impression of this bid, also one that was refused; null when there is none. */
  impressionAtMs: number | null;
  impressionCounted: boolean;
  /** An event of this kind was counted for this bid, or this conversion was settled before. */
  countedBefore: boolean;
  /** When this viewer's last event of this kind was counted for this creative. */
  lastCountedAtMs: number | null;
  /** 0 disables (interface 6). */
  dedupWindowSeconds: number;
  /** Events of this kind by this viewer in this minute, this one included. */
  rateCount: number;
  /** 0 disables. */
  rateMax: number;
  targeted: { country: boolean; device: boolean; os: boolean };
  /** click_verify only. */
  click: { state: ClickState; clickedAtMs: number } | null;
  /** conversion only: why its click was refused. */
  clickReason: Reason | null;
  overBudget: boolean;
  overBalance: boolean;
}

/** Faster than a hand (interface 6). */
export const CLICK_AFTER_IMPRESSION_MIN_MS = 100;
/** An impression may be logged a little after its click: two requests race to two processes. */
const IMPRESSION_GRACE_MS = 5_000;
/** Players report a moment early, and impressions arrive a moment late. */
const VIEW_GRACE_SECONDS = 1;
/** 0x0 and 1x1 are no place for an ad. */
const PLACEMENT_MIN_PIXELS = 2;

type Check = (event: JudgedFacts, context: JudgeContext) => boolean;

const BEACONS: ReadonlySet<EventKind> = new Set([
  'impression',
  'click',
  'click_verify',
  'view',
  'video',
  'video_view',
  'vast_error',
]);

/**
 * A conversion arrives from the advertiser's server and an expiry from our own loop, so what can be
 * said of a browser applies to beacons only.
 */
const onBeacon =
  (check: Check): Check =>
  (event, context) =>
    BEACONS.has(event.kind) && check(event, context);

const CHECKS: Readonly<Record<Reason, Check>> = {
  TRACK_INVALID: ({ facts }, context) =>
    facts.seal === 'invalid' ||
    (facts.seal === 'ok' && facts.track === null) ||
    (facts.track !== null && !context.referencesKnown),
  TRACK_EXPIRED: ({ facts }) => facts.seal === 'expired',
  // What bills carries the page's signature; the click stage is bound by its own key.
  SIG_MISSING: onBeacon(
    ({ kind, facts }) =>
      facts.signature === 'missing' ||
      ((kind === 'impression' || kind === 'video_view') &&
        facts.track?.protocol === 2 &&
        (facts.protocol === 1 || facts.signature === 'none')),
  ),
  SIG_BAD: onBeacon(({ facts }) => facts.signature === 'bad'),
  SESSION_EXPIRED: onBeacon(
    ({ facts }, { click }) =>
      facts.session === 'expired' || facts.session === 'bad' || click?.state === 'not_verified',
  ),
  CLOCK_SKEW: onBeacon(({ facts }) => facts.clock === 'skew'),
  REPLAY: ({ kind }, context) => {
    // A page whose pixel is loaded again, nonce and all, repeats itself: a duplicate, no attack.
    if (kind === 'impression' && isDuplicate(context)) return false;
    return (
      context.nonceSeen ||
      context.click?.state === 'settled' ||
      (context.countedBefore && !isDuplicate(context) && kind !== 'video_view')
    );
  },
  EMPTY_UA: onBeacon(({ facts }) => facts.userAgent === 'empty'),
  BOT_UA: onBeacon(({ facts }) => facts.userAgent === 'bot'),
  PREFETCH: onBeacon(({ facts }) => facts.prefetch),
  DATACENTER_IP: onBeacon(({ facts }) => facts.datacenter),
  INVALID_PLACEMENT: onBeacon(
    ({ facts: { placement } }) =>
      placement !== null &&
      (placement.width < PLACEMENT_MIN_PIXELS || placement.height < PLACEMENT_MIN_PIXELS),
  ),
  WEBDRIVER: onBeacon(({ facts }) => facts.webdriver === true),
  UA_MISMATCH: onBeacon(({ facts }) => facts.track !== null && facts.track.uaHash !== facts.uaHash),
  FP_MISMATCH: onBeacon(
    ({ facts }) =>
      facts.track !== null &&
      (facts.track.device !== facts.device ||
        facts.track.os !== facts.os ||
        isAnotherDevice(facts.track.fingerprint, facts.fingerprint)),
  ),
  TARGETING_MISMATCH: onBeacon(
    ({ facts }, { targeted }) =>
      facts.track !== null &&
      ((targeted.country && facts.track.country !== facts.country) ||
        (targeted.device && facts.track.device !== facts.device) ||
        (targeted.os && facts.track.os !== facts.os)),
  ),
  CLICK_BEFORE_IMPRESSION: ({ kind, facts }, context) =>
    kind === 'click_verify' &&
    facts.track !== null &&
    (context.impressionAtMs === null ||
      context.impressionAtMs > context.receivedAtMs + IMPRESSION_GRACE_MS),
  TOO_FAST: ({ kind, facts }, context) => {
    if (kind === 'video_view') return isTooEarly(facts.track?.viewSeconds ?? 0, context);
    if (kind !== 'click' && kind !== 'click_verify') return false;
    if (context.impressionAtMs === null) return false;
    const clickedAtMs = context.click?.clickedAtMs ?? context.receivedAtMs;
    const sinceMs = clickedAtMs - context.impressionAtMs;
    return sinceMs >= 0 && sinceMs < CLICK_AFTER_IMPRESSION_MIN_MS;
  },
  RATE_LIMIT: onBeacon((_event, { rateCount, rateMax }) => rateMax > 0 && rateCount > rateMax),
  // Videos that one viewer plays side by side pass in the time of one.
  DUPLICATE_IMPRESSION: ({ kind }, context) =>
    (kind === 'impression' || (kind === 'video_view' && !context.countedBefore)) &&
    isDuplicate(context),
  DUPLICATE_CLICK: ({ kind }, context) => kind === 'click_verify' && isDuplicate(context),
  BUDGET_EXCEEDED: (event, context) => context.overBudget && !isFollowUp(event, context),
  BALANCE_EXHAUSTED: (event, context) => context.overBalance && !isFollowUp(event, context),
  CONVERSION_REJECTED: () => false,
  CONVERSION_UNDECIDED: () => false,
};

const ORDERED_CHECKS = REASONS.map((reason) => [reason, CHECKS[reason]] as const);

/** Compared when both ends told what they are: the pixel inside `html` is signed here and tells nothing. */
const isAnotherDevice = (sealed: string | undefined, reported: string | undefined): boolean =>
  sealed !== undefined && reported !== undefined && sealed !== reported;

/** interface 6: a view bills only if that much time passed here, whatever the player's clock says. */
function isTooEarly(viewSeconds: number, { impressionAtMs, receivedAtMs }: JudgeContext): boolean {
  if (impressionAtMs === null) return true;
  return receivedAtMs - impressionAtMs < (viewSeconds - VIEW_GRACE_SECONDS) * 1_000;
}

/** The end of a video whose 30 seconds were counted: nothing is wrong with it, and it costs nothing. */
const isFollowUp = ({ kind }: JudgedFacts, { countedBefore }: JudgeContext): boolean =>
  kind === 'video_view' && countedBefore;

/** The window counts from the last counted event; a duplicate does not renew it. */
function isDuplicate(context: JudgeContext): boolean {
  if (context.dedupWindowSeconds === 0 || context.lastCountedAtMs === null) return false;
  const apartMs = Math.abs(context.receivedAtMs - context.lastCountedAtMs);
  return apartMs < context.dedupWindowSeconds * 1_000;
}

/** The first reason that applies is the event's reason, all of them are kept (interface 6). */
export function judge(event: JudgedFacts, context: JudgeContext): Verdict {
  if (event.kind === 'click_expired') {
    return { billable: false, status: 'expired', reason: null, reasons: [] };
  }
  const inherited =
    event.kind === 'conversion' ? (event.facts.refusal ?? context.clickReason) : null;
  const reasons: Reason[] = [];
  for (const [reason, applies] of ORDERED_CHECKS) {
    const isInherited = reason === inherited && !FORGIVEN_CLICKS.has(reason);
    if (isInherited || applies(event, context)) reasons.push(reason);
  }
  return {
    billable: isCounted(event.kind) && reasons.length === 0 && !isFollowUp(event, context),
    status: statusOf(event, context, reasons),
    reason: reasons[0] ?? null,
    reasons,
  };
}

function statusOf(event: JudgedFacts, context: JudgeContext, reasons: Reason[]): EventStatus {
  if (event.kind === 'click' && event.facts.track !== null) return 'verify_pending';
  if (reasons.length > 0) return 'invalid';
  if (event.kind !== 'view') return 'valid';
  if (!context.impressionCounted) return 'unmatched';
  return event.facts.viewable === true ? 'viewable' : 'not_viewable';
}

/** The kinds that reports count and a pricing model may bill. */
export type CountedKind = 'impression' | 'click_verify' | 'conversion' | 'video_view';

export function isCounted(kind: EventKind): kind is CountedKind {
  return (
    kind === 'impression' ||
    kind === 'click_verify' ||
    kind === 'conversion' ||
    kind === 'video_view'
  );
}

const BILLED_KIND: Readonly<Record<PricingModel, CountedKind>> = {
  CPM: 'impression',
  CPC: 'click_verify',
  CPA: 'conversion',
  CPS: 'conversion',
  CPV: 'video_view',
};

/** Whether this kind of event is the one that its pricing model charges (interface 4.13). */
export function bills(pricingModel: PricingModel, kind: EventKind): boolean {
  return BILLED_KIND[pricingModel] === kind;
}
