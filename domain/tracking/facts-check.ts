import { BROWSERS, DEVICES, OSES } from '../viewer.ts';
import { type EventFacts, type EventKind, REASONS, type TrackFacts } from './facts.ts';
import { unpackFacts } from './packed-facts.ts';

export const EVENT_KINDS: readonly EventKind[] = [
  'impression',
  'click',
  'click_verify',
  'click_expired',
  'conversion',
  'view',
  'video',
  'video_view',
  'vast_error',
];

/**
 * Stored facts as settlement may rely on them, or null. A record that some fault has damaged must
 * not stop the events behind it, so nothing here throws.
 */
export function readFacts(value: unknown): EventFacts | null {
  const facts = unpackFacts(value);
  return isOf(FACTS, facts) ? (facts as EventFacts) : null;
}

type Rule = (value: unknown) => boolean;
type Shape<Fields> = Readonly<Record<keyof Fields, Rule>>;
type Rules = readonly { field: string; rule: Rule }[];

const PRICE_NANOS_MAX = 9_000_000n * 1_000_000_000n;
/** No amount of so few digits is more than that. */
const SMALL_PRICE_CHARS = 15;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const oneOf =
  (...allowed: readonly unknown[]): Rule =>
  (value) =>
    allowed.includes(value);
const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null || rule(value);
const orAbsent =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value);
/** Text that PostgreSQL can keep: no NUL. */
const isText: Rule = (value) =>
  typeof value === 'string' && value.length <= 500 && !value.includes('\u0000');
const isId: Rule = (value) => Number.isSafeInteger(value) && Number(value) > 0;
const isFlag = oneOf(true, false);
const isUuid: Rule = (value) => typeof value === 'string' && UUID.test(value);
const isPrice: Rule = (value) =>
  typeof value === 'string' &&
  /^\d{1,19}$/.test(value) &&
  (value.length <= SMALL_PRICE_CHARS || BigInt(value) <= PRICE_NANOS_MAX);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isOf(rules: Rules, value: unknown): boolean {
  if (!isRecord(value)) return false;
  for (let at = 0; at < rules.length; at += 1) {
    const { field, rule } = rules[at] as Rules[number];
    if (!rule(value[field])) return false;
  }
  return true;
}

const rulesOf = (shape: Readonly<Record<string, Rule>>): Rules =>
  Object.entries(shape).map(([field, rule]) => ({ field, rule }));

const TRACK: Rules = rulesOf({
  requestId: isText,
  bidId: isText,
  advertiserId: isId,
  campaignId: isId,
  adGroupId: orAbsent(isId),
  adId: isId,
  creativeId: isId,
  zoneId: isId,
  issuedAt: Number.isFinite,
  protocol: oneOf(1, 2),
  channel: isText,
  pricingModel: oneOf('CPM', 'CPC', 'CPA', 'CPS', 'CPV'),
  priceNanos: isPrice,
  uaHash: isText,
  ipHash: isText,
  country: orNull(isText),
  device: oneOf(...DEVICES),
  os: oneOf(...OSES),
  viewSeconds: orAbsent((value) => Number.isInteger(value) && Number(value) > 0),
  pageId: orAbsent(isId),
  fingerprint: orAbsent(isText),
} satisfies Shape<TrackFacts>);

const FACTS: Rules = rulesOf({
  track: orNull((value) => isOf(TRACK, value)),
  seal: oneOf('ok', 'invalid', 'expired'),
  protocol: oneOf(1, 2),
  signature: oneOf('none', 'ok', 'missing', 'bad'),
  session: oneOf('none', 'ok', 'expired', 'bad'),
  clock: oneOf('ok', 'skew'),
  nonce: orNull(isText),
  userAgent: oneOf('ok', 'empty', 'bot'),
  uaHash: isText,
  ipHash: isText,
  viewerKey: isText,
  ipPrefix: isText,
  country: orNull(isText),
  device: oneOf(...DEVICES),
  os: oneOf(...OSES),
  browser: oneOf(...BROWSERS),
  prefetch: isFlag,
  datacenter: isFlag,
  webdriver: orNull(isFlag),
  fingerprint: orAbsent(isText),
  placement: orNull(
    (value) =>
      isRecord(value) && Number.isFinite(value['width']) && Number.isFinite(value['height']),
  ),
  pageId: orAbsent(isId),
  clickEventId: orAbsent(isUuid),
  clickId: orAbsent(isText),
  viewable: orAbsent(isFlag),
  video: orAbsent(isText),
  vastError: orAbsent(Number.isInteger),
  conversionId: orAbsent(isId),
  refusal: orAbsent(oneOf(...REASONS)),
} satisfies Shape<EventFacts>);
