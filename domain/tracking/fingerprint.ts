import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { cached } from '../cached.ts';

/**
 * What of a device is the same on every site, from the ad request to the click (interface 6). Not its
 * screen, which browsers measure by each site's own zoom, nor its cores, which some invent per site.
 */
export interface DeviceTraits {
  language: unknown;
  timezone: unknown;
  platform: unknown;
}

/** Hex digits, keyed, so that what is stored names no device; null for what no browser of ours says. */
export type FingerprintOf = (traits: DeviceTraits) => string | null;

const CHARS_MAX = 100;
/** Languages, zones and platforms repeat: most requests find theirs. */
const TRAITS_CACHED_MAX = 10_000;
/** Five bytes: who guesses one is right once in 10^12, and a track_id has room for no more. */
export const FINGERPRINT_CHARS = 10;

export function createFingerprints(hashKey: Buffer): FingerprintOf {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', hashKey, '', 'fingerprint', 32)));
  const fingerprintOf = cached(TRAITS_CACHED_MAX, (text) =>
    createHmac('sha256', key).update(text).digest('hex').slice(0, FINGERPRINT_CHARS),
  );
  return ({ language, timezone, platform }) => {
    if (!isWord(language) || !isWord(timezone) || !isWord(platform)) return null;
    return fingerprintOf(`${language}\n${timezone}\n${platform}`);
  };
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= CHARS_MAX;

/** The short names of `_d`. */
export const traitsOfPage = (data: Readonly<Record<string, unknown>>): DeviceTraits => ({
  language: data['l'],
  timezone: data['tz'],
  platform: data['pf'],
});

/** `wd` of `_d`, as browsers say it; null when it is not said. */
export function webdriverOf({ wd }: Readonly<Record<string, unknown>>): boolean | null {
  return wd === undefined ? null : wd === true || wd === 1;
}

/** The names of click-verify's `device_data`. */
export const traitsOfClick = (data: Readonly<Record<string, unknown>>): DeviceTraits => ({
  language: data['language'],
  timezone: data['timezone'],
  platform: data['os'],
});
