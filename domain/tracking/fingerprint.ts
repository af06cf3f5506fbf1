import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';

/**
 * What of a device stays as it is from the ad request to the click (interface 6): its language, time
 * zone, platform and cores. Not the screen: browsers measure it by the zoom, which is each site's own.
 */
export interface DeviceTraits {
  language: unknown;
  timezone: unknown;
  platform: unknown;
  cores: unknown;
}

/** Hex digits, keyed, so that what is stored names no device; null for what no browser of ours says. */
export type FingerprintOf = (traits: DeviceTraits) => string | null;

const CHARS_MAX = 100;
/** Five bytes: who guesses one is right once in 10^12, and a track_id has room for no more. */
export const FINGERPRINT_CHARS = 10;

export function createFingerprints(hashKey: Buffer): FingerprintOf {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', hashKey, '', 'fingerprint', 32)));
  return ({ language, timezone, platform, cores }) => {
    if (!isWord(language) || !isWord(timezone) || !isWord(platform)) return null;
    // A browser that does not count its cores never does.
    const counted = typeof cores === 'number' ? String(cores) : '';
    const text = [language, timezone, platform, counted].join('\n');
    return createHmac('sha256', key).update(text).digest('hex').slice(0, FINGERPRINT_CHARS);
  };
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= CHARS_MAX;

/** The short names of `_d`. */
export const traitsOfPage = (data: Readonly<Record<string, unknown>>): DeviceTraits => ({
  language: data['l'],
  timezone: data['tz'],
  platform: data['pf'],
  cores: data['hc'],
});

/** The names of click-verify's `device_data`. */
export const traitsOfClick = (data: Readonly<Record<string, unknown>>): DeviceTraits => ({
  language: data['language'],
  timezone: data['timezone'],
  platform: data['os'],
  cores: data['cores'],
});
