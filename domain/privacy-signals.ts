/** Privacy signals under their IAB names, as an ad request or a report says them (interface 4.13). */
export const PRIVACY_PARAMS = [
  'gdpr',
  'gdpr_consent',
  'gpp',
  'gpp_sid',
  'us_privacy',
  'coppa',
] as const;

/** Empty is not said. */
export type PrivacySignals = Record<(typeof PRIVACY_PARAMS)[number], string>;

/** From here on GPP's sections say what was chosen in Canada (5) and the US, in forms that are read by the server alone. */
const GPP_READ_THERE_MIN = 5;

/**
 * Whether an ad may be contextual only: nothing about the viewer is counted or kept beyond what security
 * needs. A signal that cannot be read restricts. By this a page's script decides what it says; it does not
 * read opt-outs inside a GPP string, so a section of Canada or the US counts as one. The server reads them (gpp.ts).
 */
export const restricts = (signals: PrivacySignals): boolean =>
  restrictsStorage(signals) ||
  saleIsOptedOut(signals) ||
  signals.gpp_sid.split(/[,_]/).some((section) => Number(section) >= GPP_READ_THERE_MIN);

/** Nothing is kept on the device either. The EU's section of a GPP string is its first. */
export const restrictsStorage = (signals: PrivacySignals): boolean =>
  signals.coppa === '1' ||
  (signals.gdpr === '1' && !grantsStorage(signals.gdpr_consent)) ||
  (/(^|\D)2(\D|$)/.test(signals.gpp_sid) && !grantsStorage(signals.gpp.split('~')[1] ?? ''));

export const saleIsOptedOut = (signals: PrivacySignals): boolean =>
  signals.us_privacy.charAt(2).toUpperCase() === 'Y';

/** A TCF core string is bits in base64url: the first six are its version, the 153rd is purpose 1, storage on a device. */
const TCF_2 = 'C';

export function grantsStorage(consent: string): boolean {
  const core = consent.split('.')[0] ?? '';
  if (!/^[A-Za-z0-9_-]{27,}$/.test(core)) return false;
  const bytes18To20 = atob(core.slice(24, 28).replaceAll('-', '+').replaceAll('_', '/'));
  return core.startsWith(TCF_2) && (bytes18To20.charCodeAt(1) & 0x80) !== 0;
}
