import { parse } from 'tldts';
import { parseUrl } from '../../domain/url.ts';

/** Names that never belong to one publisher of the public web. */
const SPECIAL_USE = /(^|\.)(localhost|local|internal|intranet|onion|arpa|invalid|lan|home)$/;
const HOST =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A domain as it is claimed: lower case, IDN in its ASCII form, no scheme, port or path. Undefined
 * when it is none: an address, a public suffix itself (`co.uk`), a special-use or single-label name.
 * Unknown top-level names pass, because the bundled suffix list ages; verification finds them out.
 */
export function normaliseDomain(text: string): string | undefined {
  const name = text.trim().replace(/\.$/, '');
  // Only what can be part of a name: `URL` would cut a path or take a user part silently.
  if (!/^[\p{L}\p{M}\p{N}.\-\u3002\u200c\u200d]+$/u.test(name)) return undefined;
  const host = parseUrl(`http://${name}`)?.hostname.toLowerCase();
  if (host === undefined) return undefined;
  if (!HOST.test(host) || SPECIAL_USE.test(host)) return undefined;
  const parts = parse(host, { allowPrivateDomains: true });
  return parts.isIp === true || parts.domain === null ? undefined : host;
}

/** Public suffix plus one label; null for addresses and for public suffixes themselves. */
export function registrableDomain(host: string): string | null {
  return parse(host, { allowPrivateDomains: true }).domain;
}

/**
 * Whose site an address is of, written with its scheme or as an ad shows it: `shop.example.co.uk/sale` is
 * of `example.co.uk`. A name without a public suffix is its own; null of what is no address.
 */
export function siteOf(address: string | null): string | null {
  const text = (address ?? '').trim();
  if (text === '' || /[\s\\@]/.test(text)) return null;
  const url = parseUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  const host = url?.hostname.replace(/\.$/, '') ?? '';
  return host === '' ? null : (registrableDomain(host) ?? host);
}

/** What is claimed by a name: ownership of a domain covers its `www.`, and the other way round. */
export function claimOf(domain: string): string {
  const name = domain.toLowerCase();
  const bare = name.startsWith('www.') ? name.slice(4) : name;
  return registrableDomain(bare) === null ? name : bare;
}

/** Both ways of writing a claim. */
export const namesOfClaim = (domain: string): string[] => {
  const claim = claimOf(domain);
  return [claim, `www.${claim}`];
};

/**
 * The domains that a name is below, nearest first, down to its registrable one: `a.b.shop.co.uk` is below
 * `b.shop.co.uk` and `shop.co.uk`. Never a public suffix, where neighbours are strangers.
 */
export function namesAbove(domain: string): string[] {
  const name = domain.toLowerCase();
  const root = registrableDomain(name);
  const names: string[] = [];
  if (root === null) return names;
  let rest = name;
  while (rest !== root && rest.endsWith(`.${root}`)) {
    rest = rest.slice(rest.indexOf('.') + 1);
    names.push(rest);
  }
  return names;
}
