import type { ClickStatus } from '../lifecycle/click.ts';
import type { Reason } from './facts.ts';

/** How a conversion was reported. */
export type ConversionSource = 'pixel' | 'api' | 'postback';

/** What a conversion may be attributed to: the click that its click_id names. */
export interface ConvertingClick {
  advertiserId: number;
  status: ClickStatus;
  /** Why settlement refused the click; null when it did not. */
  reason: Reason | null;
  clickedAt: Date;
}

export interface AttributionRules {
  /** Owner of the tracker; null in legacy mode, where the click alone says whose it is. */
  advertiserId: number | null;
  /** Whole days */
  windowDays: number;
}

export type Attribution =
  | { status: 'ACCEPTED'; latencySeconds: number }
  /** Outside the window: stored with its click, never billed. */
  | { status: 'EXPIRED'; reason: 'OUTSIDE_WINDOW'; latencySeconds: number }
  /** Settlement refused its click, for this reason. */
  | { status: 'REFUSED'; reason: Reason }
  | { status: 'UNATTRIBUTED'; reason: UnattributedReason };

type UnattributedReason = 'CLICK_MISSING' | 'CLICK_UNKNOWN' | 'CLICK_NOT_VERIFIED';

/** Why a conversion is not billed: by itself, for one that was counted before, or as settlement judged. */
export type ConversionReason =
  | UnattributedReason
  | 'OUTSIDE_WINDOW'
  | 'COUNTED_BEFORE'
  /** It was held, and then the advertiser's server reported one of the same click, signed. */
  | 'REPORTED_BY_SERVER'
  | Reason;

const DAY_MS = 86_400_000;

/**
 * A second click of the same person leads to the same purchase: these refuse to charge the click,
 * and do not say that nobody clicked.
 */
export const FORGIVEN_CLICKS: ReadonlySet<string> = new Set<Reason>([
  'REPLAY',
  'DUPLICATE_CLICK',
  'BUDGET_EXCEEDED',
  'BALANCE_EXHAUSTED',
]);

/**
 * interface 4.14: the last verified click inside the window wins. A click_id names one click, so "last"
 * is the caller's choice; a click of another advertiser is as unknown as one that never was. Asked when
 * the click was judged, so that it does not matter which of the two came first.
 */
export function attribute(
  rules: AttributionRules,
  click: ConvertingClick | null,
  when: { now: Date; clickNamed: boolean },
): Attribution {
  if (!when.clickNamed) return { status: 'UNATTRIBUTED', reason: 'CLICK_MISSING' };
  if (
    click === null ||
    (rules.advertiserId !== null && click.advertiserId !== rules.advertiserId)
  ) {
    return { status: 'UNATTRIBUTED', reason: 'CLICK_UNKNOWN' };
  }
  const { status, reason } = click;
  if (status === 'invalid' && reason !== null) {
    if (!FORGIVEN_CLICKS.has(reason)) return { status: 'REFUSED', reason };
  } else if (status !== 'valid') {
    return { status: 'UNATTRIBUTED', reason: 'CLICK_NOT_VERIFIED' };
  }
  // Two clocks may disagree by a moment; a conversion is not before its click.
  const latencyMs = Math.max(0, when.now.getTime() - click.clickedAt.getTime());
  const latencySeconds = Math.floor(latencyMs / 1000);
  return latencyMs > rules.windowDays * DAY_MS
    ? { status: 'EXPIRED', reason: 'OUTSIDE_WINDOW', latencySeconds }
    : { status: 'ACCEPTED', latencySeconds };
}
