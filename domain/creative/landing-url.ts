import { isPublicName, parseUrl } from '../url.ts';

/** Every macro form that a landing page may carry (interface 4.14). */
const MACRO = /\$\{\w+\}|\{\{\w+\}\}|\{\w+\}|%7B\w+%7D|__[a-z0-9]+(?:_[a-z0-9]+)*__/gi;

export interface LandingUrlRules {
  /** In production a page has a public name: no bare address, no single label. */
  publicHostOnly: boolean;
}

export type LandingUrlFault = 'url' | 'macro_in_host' | 'host_not_public';

/**
 * Whether a landing page may be sent to viewers. The text is http or https already. Macros may not
 * steer scheme or host: the page is read with all of them as `x` and as `y`, and must lead to the
 * same place.
 */
export function findLandingUrlFault(text: string, rules: LandingUrlRules): LandingUrlFault | null {
  const first = originOf(text.replace(MACRO, 'x'));
  const second = originOf(text.replace(MACRO, 'y'));
  if (first === null || second === null) return 'url';
  if (first.protocol !== second.protocol || first.host !== second.host) return 'macro_in_host';
  if (/[{}]/.test(first.host)) return 'macro_in_host';
  if (rules.publicHostOnly && !isPublicName(first.hostname)) return 'host_not_public';
  return null;
}

function originOf(text: string): URL | null {
  const url = parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}
