import { createHmac, timingSafeEqual } from 'node:crypto';
import { fillUrl } from '../creative/macros.ts';

/**
 * Reports an accepted conversion to an advertiser's server (interface 4.14): GET, the tracker's
 * postback_url with its macros filled, `ts` and, last, `sig` over everything of the query before it.
 */
export interface PostbackValues {
  click_id: string;
  conversion_id: string;
  value: string;
  currency: string;
  event: string;
  txid: string;
  campaign_id: string;
  adgroup_id: string;
  ad_id: string;
  creative_id: string;
  zone_id: string;
  /** Unix seconds of the conversion. */
  timestamp: string;
}

/** At once, then after each of these (interface 4.14); after the last one it is a dead letter. */
export const POSTBACK_RETRY_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000];

const ALIASES: Readonly<Record<string, keyof PostbackValues>> = {
  payout: 'value',
  clickid: 'click_id',
  transaction_id: 'txid',
};

/** Null when a macro would move the call to another host; then nobody is called. */
export function fillPostbackUrl(template: string, values: PostbackValues): string | null {
  return fillUrl(template, (name) => {
    const field = ALIASES[name] ?? name;
    return Object.hasOwn(values, field) ? values[field as keyof PostbackValues] : undefined;
  });
}

/** `url` is http or https. The receiver takes the query up to `&sig=` and compares. */
export function signPostbackUrl(
  url: string,
  { secret, unixSeconds }: { secret: string; unixSeconds: number },
): string {
  const signed = new URL(url);
  signed.hash = '';
  const query = signed.search.replace(/^\?/, '');
  const timed = `${query === '' ? '' : `${query}&`}ts=${unixSeconds}`;
  const signature = createHmac('sha256', secret).update(timed).digest('hex');
  signed.search = '';
  return `${signed.toString()}?${timed}&sig=${signature}`;
}

/** What a report is signed over: its parameters without `sig`, as `name=value` sorted by name. */
export const signedText = (params: Readonly<Record<string, string>>): string =>
  Object.keys(params)
    .filter((name) => name !== 'sig')
    .toSorted()
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(params[name] ?? '')}`)
    .join('&');

/** The hex HMAC-SHA256 of `text` by the tracker's secret; compared in constant time. */
export function isSignedBy(secret: string, text: string, sig: string | undefined): boolean {
  const expected = createHmac('sha256', secret).update(text).digest();
  const given = Buffer.from(sig ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
