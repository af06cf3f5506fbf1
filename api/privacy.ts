import type { IncomingHttpHeaders } from 'node:http';

/** Privacy signals under their IAB names, by query or body, and the browser's own header. */
export interface PrivacySignals {
  gdpr: string;
  gdpr_consent: string;
  gpp: string;
  gpp_sid: string;
  us_privacy: string;
  coppa: string;
}

/** What a query or a body says, by name; what is no text is not said. */
export interface Said {
  get(name: string): unknown;
}

export function signalsOf(said: Said): PrivacySignals {
  const signal = (name: keyof PrivacySignals): string => {
    const value = said.get(name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    gdpr: signal('gdpr'),
    gdpr_consent: signal('gdpr_consent'),
    gpp: signal('gpp'),
    gpp_sid: signal('gpp_sid'),
    us_privacy: signal('us_privacy'),
    coppa: signal('coppa'),
  };
}

export const PRIVACY_PARAMS = [
  'gdpr',
  'gdpr_consent',
  'gpp',
  'gpp_sid',
  'us_privacy',
  'coppa',
] as const satisfies readonly (keyof PrivacySignals)[];

/** Sections of GPP that carry opt-outs of sale, sharing or targeting (US national and states). */
const GPP_US_SECTION_MIN = 6;

/**
 * Whether this request, for an ad or of an ad's event, is contextual only: nothing about the viewer is counted or kept beyond what
 * security needs (interface 4.13). A signal that cannot be read restricts.
 */
export function isRestricted(signals: PrivacySignals, headers: IncomingHttpHeaders): boolean {
  if (headers['sec-gpc'] === '1') return true;
  if (signals.coppa === '1') return true;
  if (signals.us_privacy.charAt(2).toUpperCase() === 'Y') return true;
  if (signals.gdpr === '1' && !grantsStorage(signals.gdpr_consent)) return true;
  // Opt-outs inside a GPP string are not decoded here, so a US section counts as one.
  return (
    signals.gpp !== '' &&
    signals.gpp_sid.split(/[,_]/).some((section) => Number(section) >= GPP_US_SECTION_MIN)
  );
}

const TCF_VERSION = 2;
/** Bit of purpose 1, storage on a device, in a TCF 2 core string. */
const PURPOSE_1_BIT = 152;

function grantsStorage(consent: string): boolean {
  const core = consent.split('.')[0] ?? '';
  if (!/^[A-Za-z0-9_-]{27,}$/.test(core)) return false;
  const bytes = Buffer.from(core, 'base64url');
  const byte = bytes.at(PURPOSE_1_BIT >> 3) ?? 0;
  const version = (bytes.at(0) ?? 0) >> 2;
  return version === TCF_VERSION && ((byte >> (7 - (PURPOSE_1_BIT & 7))) & 1) === 1;
}
