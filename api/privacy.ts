import type { IncomingHttpHeaders } from 'node:http';
import { gppRestricts } from '../domain/gpp.ts';
import {
  type PrivacySignals,
  restrictsStorage,
  saleIsOptedOut,
} from '../domain/privacy-signals.ts';

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

/** Of a request for an ad or of an ad's event: what it says itself, and the browser's own header. */
export const isRestricted = (signals: PrivacySignals, headers: IncomingHttpHeaders): boolean =>
  headers['sec-gpc'] === '1' ||
  restrictsStorage(signals) ||
  saleIsOptedOut(signals) ||
  gppRestricts(signals.gpp, signals.gpp_sid);
