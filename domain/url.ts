/**
 * A URL, or null when the text is none. Not `URL.canParse`: on Node 20 it turns false for text with
 * letters such as "ü" once the engine has optimised the call (measured: from the 5,022nd on).
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_INVALID_URL') return null;
    throw error;
  }
}

/** Ports that an address may name to be called by us; the empty one is its scheme's own. */
const CALLED_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);

/** Whether a call may go to this address, names and their addresses aside. */
export const mayBeCalled = ({ protocol, port, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && CALLED_PORTS.has(port) && username === '' && password === '';

/** A host that others can find: no bare address, no single label. */
export function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name);
  const isLocal = /\.(?:localhost|local|internal|home\.arpa)$/.test(name);
  return !isAddress && !isLocal && name.includes('.');
}

interface Addresses {
  http: { surfaces: ReadonlySet<string>; cdnPort: number | undefined; consoleOrigins: string[] };
  urls: { base: string; track: string; sdk: string; cdn: string };
}

/** Faults of a configuration by which assets that strangers upload would meet somebody's session. */
export function originFaults({ http, urls }: Addresses): string[] {
  const originOf = (address: string): string => parseUrl(address)?.origin ?? address;
  const others = [urls.base, urls.track, urls.sdk, ...http.consoleOrigins].map(originOf);
  const isShared = others.includes(originOf(urls.cdn));
  const isAmongAll = http.surfaces.has('console') && http.cdnPort === undefined;
  return [
    ...(isShared ? ['CDN_URL must be an origin of its own'] : []),
    ...(isAmongAll ? ['CDN_PORT must be set'] : []),
  ];
}
