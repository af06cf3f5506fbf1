import type { Consent } from './consent.ts';
import { deviceTraits } from './device.ts';
import { nonce, obfuscateForRequest } from './protocol.ts';

/** What the SDK reads of an ad answer (interface 2.11, 2.12). */
export interface AdItem {
  id: string;
  creative_id: number;
  type: string;
  width: number;
  height: number;
  impression_url: string;
}

export interface ZoneTerms {
  type: string;
  refresh: number;
  trigger?: { type: string; delay_seconds: number; scroll_percent: number };
  frequency?: { impressions: number; window_seconds: number };
  popup?: {
    position: string;
    overlay: boolean;
    close_button: boolean;
    close_delay_seconds: number;
  };
  couplet?: {
    min_screen_width: number;
    offset_top: number;
    offset_side: number;
    close_button: boolean;
  };
  rewarded?: {
    watch_seconds: number;
    skippable_after_seconds: number;
    reward_amount: number;
    reward_type: string;
  };
}

export interface Answer {
  zone: ZoneTerms;
  ads: AdItem[];
  /** The ad's name and its button's, in the page's language. */
  labels: { lang: string; ad: string; close: string };
  qa_k: string;
  baseUrl: string;
  isPrivate: boolean;
  mayRemember: boolean;
  /** How many ads were asked for, and when (Unix ms of this browser). */
  limit: number;
  at: number;
  /** What to add to this browser's clock to have the server's. */
  skewMs: number;
}

const REQUEST_TIMEOUT_MS = 5_000;
/** Proxies refuse addresses that are much longer. */
const ADDRESS_CHARS_MAX = 4_000;

export interface Ask {
  baseUrl: string;
  limit: number;
  consent: Consent;
  /** What the page says of itself (page.ts), and what it has shown (shown.ts). */
  said: Record<string, string>;
}

export async function requestAds(
  zone: string,
  { baseUrl, limit, consent, said }: Ask,
): Promise<Answer | undefined> {
  const at = Date.now();
  const requestNonce = nonce(at);
  const params = Object.entries({
    zone,
    limit: String(limit),
    ...said,
    ...consent.said,
    _v: '2',
    _r: requestNonce,
    _d: obfuscateForRequest(zone, requestNonce, deviceTraits(consent.isPrivate)),
  }).filter(([, value]) => value !== '');
  const query = `?${new URLSearchParams(params).toString()}`;
  // As plain text, which a page may send to another host without asking first.
  const body = query.length > ADDRESS_CHARS_MAX && JSON.stringify(Object.fromEntries(params));
  try {
    const response = await fetch(`${baseUrl}/ad/request${body === false ? query : ''}`, {
      ...(body !== false && { method: 'POST', body }),
      credentials: 'omit',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const { code, data } = (await response.json()) as {
      code: number;
      data: Pick<Answer, 'zone' | 'ads' | 'labels' | 'qa_k'> & { _ts: number };
    };
    if (code !== 0) throw new Error(`refused with ${code}`);
    const { isPrivate, mayRemember } = consent;
    return {
      ...data,
      baseUrl,
      isPrivate,
      mayRemember,
      limit,
      at,
      skewMs: data._ts * 1_000 - Date.now(),
    };
  } catch (error) {
    warn(zone, error);
    return undefined;
  }
}

/** The page must not break because an ad did not come; its author sees why. */
export function warn(zone: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the page's console is the only log there is
  console.warn('adplatform: no ad in', zone, error);
}
