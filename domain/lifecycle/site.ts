import type { DeliveryStatus, ReviewedFacts } from './delivery.ts';
import type { Lifecycle } from './transition.ts';

export const VERIFY_STATUSES = ['UNVERIFIED', 'VERIFIED', 'LAPSED'] as const;
export type VerifyStatus = (typeof VERIFY_STATUSES)[number];

/** A proof was found, was gone for too long, or what it proved was changed (interface 4.9). */
export const siteVerifyLifecycle: Lifecycle<VerifyStatus, 'verify' | 'lapse' | 'reset'> = {
  statuses: VERIFY_STATUSES,
  begins: ['UNVERIFIED'],
  moves: {
    verify: { UNVERIFIED: 'VERIFIED', LAPSED: 'VERIFIED', VERIFIED: 'VERIFIED' },
    lapse: { VERIFIED: 'LAPSED' },
    reset: { UNVERIFIED: 'UNVERIFIED', VERIFIED: 'UNVERIFIED', LAPSED: 'UNVERIFIED' },
  },
};

const VERIFICATION_STATUSES = ['RUNNING', 'VERIFIED', 'FAILED', 'VOID', 'HELD'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/**
 * One round of looking for the proof; void when the site was changed meanwhile. HELD: it was found, and the
 * domain is another account's.
 */
export const siteVerificationLifecycle: Lifecycle<
  VerificationStatus,
  'verify' | 'fail' | 'void' | 'contest'
> = {
  statuses: VERIFICATION_STATUSES,
  begins: ['RUNNING'],
  moves: {
    verify: { RUNNING: 'VERIFIED' },
    fail: { RUNNING: 'FAILED' },
    void: { RUNNING: 'VOID' },
    contest: { RUNNING: 'HELD' },
  },
};

export const MEDIA_TYPES = ['WEB', 'APP', 'MINI_PROGRAM'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];
export const VERIFY_METHODS = ['META', 'FILE', 'DNS', 'ADS_TXT'] as const;
export type VerifyMethod = (typeof VERIFY_METHODS)[number];

/** Lower case and the names other platforms use for the same thing (interface 4.9). */
const METHOD_ALIASES: Readonly<Record<string, VerifyMethod>> = {
  meta: 'META',
  meta_tag: 'META',
  metatag: 'META',
  tag: 'META',
  file: 'FILE',
  html: 'FILE',
  html_file: 'FILE',
  txt_file: 'FILE',
  dns: 'DNS',
  dns_txt: 'DNS',
  txt: 'DNS',
  ads_txt: 'ADS_TXT',
  adstxt: 'ADS_TXT',
  app_ads_txt: 'ADS_TXT',
};

export function readVerifyMethod(text: string): VerifyMethod | undefined {
  const key = text
    .trim()
    .toLowerCase()
    .replace(/[-.\s]/g, '_');
  return Object.hasOwn(METHOD_ALIASES, key) ? METHOD_ALIASES[key] : undefined;
}

/** An app has no page of its own: only `app-ads.txt` on its developer's site speaks for it. */
export function methodsOf(mediaType: MediaType): readonly VerifyMethod[] {
  return mediaType === 'WEB' ? VERIFY_METHODS : ['ADS_TXT'];
}

/** Waits between attempts: quick while somebody watches, then every eight hours; 72 h in all. */
export const VERIFY_RETRY_SECONDS: readonly number[] = [
  30, 60, 300, 900, 3_600, 7_200, 14_400, 28_800, 28_800, 28_800, 28_800, 28_800, 28_800, 28_800,
  31_110,
];

export interface PlacementDelivery {
  status: DeliveryStatus;
  reasons: string[];
}

/** Can ads be shown on this site? Verification is shown, but review decides (interface 3). */
export function siteDelivery(
  site: ReviewedFacts & { verifyStatus: VerifyStatus },
): PlacementDelivery {
  const delivery = deliveryOf([reviewedReasons('SITE', site)]);
  return site.verifyStatus === 'LAPSED'
    ? { ...delivery, reasons: [...delivery.reasons, 'SITE_VERIFICATION_LAPSED'] }
    : delivery;
}

/** Can this zone be filled? Its own state first, then its site's. */
export function zoneDelivery(zone: ReviewedFacts, site: ReviewedFacts): PlacementDelivery {
  return deliveryOf([reviewedReasons('ZONE', zone), reviewedReasons('SITE', site)]);
}

interface ReasonsByStatus {
  status: Exclude<DeliveryStatus, 'ELIGIBLE' | 'LIMITED'>;
  reason: string;
}

function reviewedReasons(word: 'SITE' | 'ZONE', thing: ReviewedFacts): ReasonsByStatus[] {
  const reasons: ReasonsByStatus[] = [];
  if (thing.status === 'ARCHIVED') reasons.push({ status: 'ENDED', reason: `${word}_ARCHIVED` });
  if (thing.status === 'PAUSED') reasons.push({ status: 'PAUSED', reason: `${word}_PAUSED` });
  if (thing.auditStatus !== 'APPROVED') {
    const status = thing.auditStatus === 'PENDING' ? 'PENDING' : 'NOT_ELIGIBLE';
    reasons.push({ status, reason: `${word}_${thing.auditStatus}` });
  }
  return reasons;
}

/** The gravest status stands for all; every reason is shown. */
const GRAVITY: readonly ReasonsByStatus['status'][] = [
  'ENDED',
  'NOT_ELIGIBLE',
  'PAUSED',
  'PENDING',
];

function deliveryOf(groups: ReasonsByStatus[][]): PlacementDelivery {
  const all = groups.flat();
  const status = GRAVITY.find((each) => all.some((entry) => entry.status === each));
  return { status: status ?? 'ELIGIBLE', reasons: all.map((entry) => entry.reason) };
}
