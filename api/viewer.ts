import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import bowser from 'bowser';
import ipaddr from 'ipaddr.js';
import { isbot } from 'isbot';
import type { CountryOf } from '../db/geo.ts';
import { cached } from '../domain/cached.ts';
import { type DatacenterList, NO_DATACENTERS } from './datacenters.ts';
import { householdOf, withoutPort } from './http/address.ts';
import type { Browser, Device, Os, Viewer } from '../domain/viewer.ts';

export type ReadViewer = (req: IncomingMessage) => Viewer;

export interface ViewerReaderOptions {
  /** Keys the hashes of address and agent, so that rows at rest do not name a person. */
  hashKey: Buffer;
  geo: CountryOf;
  /** CIDR ranges (or single addresses) whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** Networks of hosting companies. None are bundled: without a list no address counts as one. */
  datacenters?: DatacenterList;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];
type AgentTraits = Pick<Viewer, 'device' | 'os' | 'browser' | 'userAgent' | 'uaHash'>;
type AddressTraits = Pick<Viewer, 'country' | 'ipHash' | 'viewerKey' | 'ipPrefix' | 'datacenter'>;

/** Agents and addresses repeat; both caches are bounded and live in memory only. */
const AGENTS_CACHED_MAX = 5_000;
const ADDRESSES_CACHED_MAX = 20_000;
const AGENT_CHARS_MAX = 512;
/** isbot('') is false: an agent shorter than this is our own refusal (EMPTY_UA). */
const AGENT_CHARS_MIN = 10;
const FORWARDED_HOPS_MAX = 20;

/** Raises on a range that is not a CIDR or an address. */
export function createViewerReader(options: ViewerReaderOptions): ReadViewer {
  const key = createSecretKey(options.hashKey);
  const trusted = options.trustedProxies.map(parseRange);
  const datacenters = options.datacenters ?? NO_DATACENTERS;
  const agentOf = cached(AGENTS_CACHED_MAX, (agent) => agentTraits(key, agent));
  // The same browser comes over the same hops: parsing them again is most of reading a viewer.
  const cachedAddresses = () =>
    cached(ADDRESSES_CACHED_MAX, (hops) =>
      addressTraits(
        { key, geo: options.geo, datacenters },
        ipaddr.parse(clientAddress(hops, trusted)),
      ),
    );
  let addressOf = cachedAddresses();
  let { edition } = datacenters;
  return (req) => {
    // What stays in the cache is who comes all day: they are looked up in each new list.
    if (datacenters.edition !== edition) {
      ({ edition } = datacenters);
      addressOf = cachedAddresses();
    }
    const agent = agentOf((req.headers['user-agent'] ?? '').slice(0, AGENT_CHARS_MAX));
    const address = addressOf(hopsOf(req));
    // Named one by one: all viewers have one shape, and nothing is copied by name.
    return {
      country: address.country,
      device: agent.device,
      os: agent.os,
      browser: agent.browser,
      userAgent: agent.userAgent,
      uaHash: agent.uaHash,
      ipHash: address.ipHash,
      viewerKey: address.viewerKey,
      ipPrefix: address.ipPrefix,
      prefetch: isPrefetch(req),
      datacenter: address.datacenter,
    };
  };
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

const within = (address: Address, ranges: readonly Range[]): boolean =>
  ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));

const UNKNOWN_ADDRESS = '0.0.0.0';

const HOPS_CHARS_MAX = 1_000;

/** Every address that the request names, the socket's own last. */
function hopsOf(req: IncomingMessage): string {
  const direct = req.socket.remoteAddress ?? UNKNOWN_ADDRESS;
  const forwarded = req.headers['x-forwarded-for'];
  return typeof forwarded === 'string' ? `${forwarded.slice(-HOPS_CHARS_MAX)},${direct}` : direct;
}

/**
 * The socket's address; when that is a trusted proxy, the right-most address of X-Forwarded-For
 * that is not one. Whatever stands left of it was written by the caller and proves nothing.
 */
function clientAddress(hops: string, trusted: readonly Range[]): string {
  const [direct = '', ...forwarded] = hops.split(',').slice(-FORWARDED_HOPS_MAX).reverse();
  let client = ipaddr.isValid(direct) ? ipaddr.process(direct) : ipaddr.parse(UNKNOWN_ADDRESS);
  for (const hop of forwarded) {
    const text = withoutPort(hop.trim());
    if (!within(client, trusted) || !ipaddr.isValid(text)) break;
    client = ipaddr.process(text);
  }
  return client.toString();
}

interface AddressContext {
  key: KeyObject;
  geo: CountryOf;
  datacenters: DatacenterList;
}

function addressTraits({ key, geo, datacenters }: AddressContext, address: Address): AddressTraits {
  const text = address.toString();
  const ipPrefix = prefixOf(address);
  return {
    // A private or loopback address is in no country, whatever a data file says of it.
    country: address.range() === 'unicast' ? geo(text) : null,
    ipHash: keyedHash(key, `prefix|${ipPrefix}`, 4),
    // Whoever has a /64 could be another viewer with each request: no duplicate, over no rate, under each cap.
    viewerKey: keyedHash(key, `address|${householdOf(address)}`, 16),
    ipPrefix,
    datacenter: datacenters.has(address),
  };
}

/** What may be stored: the /24 of an IPv4, the /48 of an IPv6 address. */
function prefixOf(address: Address): string {
  const bits = address.kind() === 'ipv4' ? 24 : 48;
  const bytes = address.toByteArray().map((byte, index) => (index * 8 < bits ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

function keyedHash(key: KeyObject, text: string, bytes: number): string {
  return createHmac('sha256', key)
    .update(text)
    .digest('hex')
    .slice(0, bytes * 2);
}

function agentTraits(key: KeyObject, agent: string): AgentTraits {
  const empty = agent.trim().length < AGENT_CHARS_MIN;
  const parsed = empty ? undefined : bowser.parse(agent);
  const device = DEVICE_OF.get(parsed?.platform.type ?? '') ?? 'OTHER';
  const os = OS_OF.get(parsed?.os.name ?? '') ?? 'OTHER';
  const browser = BROWSER_OF.get(parsed?.browser.name ?? '') ?? 'OTHER';
  return {
    device,
    os,
    browser,
    userAgent: empty ? 'empty' : isbot(agent) ? 'bot' : 'ok',
    uaHash: keyedHash(key, `agent|${browser}|${os}|${device}`, 4),
  };
}

const DEVICE_OF = new Map<string, Device>([
  ['desktop', 'DESKTOP'],
  ['mobile', 'MOBILE'],
  ['tablet', 'TABLET'],
  ['tv', 'TV'],
]);
const OS_OF = new Map<string, Os>([
  ['Windows', 'WINDOWS'],
  ['macOS', 'MACOS'],
  ['Linux', 'LINUX'],
  ['Android', 'ANDROID'],
  ['HarmonyOS', 'ANDROID'],
  ['iOS', 'IOS'],
  ['Chrome OS', 'CHROMEOS'],
]);
const BROWSER_OF = new Map<string, Browser>([
  ['Chrome', 'CHROME'],
  ['Chromium', 'CHROME'],
  ['Safari', 'SAFARI'],
  ['Firefox', 'FIREFOX'],
  ['Focus', 'FIREFOX'],
  ['Microsoft Edge', 'EDGE'],
  ['Opera', 'OPERA'],
  ['Opera Touch', 'OPERA'],
  ['Samsung Internet for Android', 'SAMSUNG'],
  ['WeChat', 'WECHAT'],
]);

/** The standard header and the ones browsers sent before it. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

function isPrefetch({ headers }: IncomingMessage): boolean {
  for (const name of PURPOSE_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && /prefetch|preview|prerender/i.test(value)) return true;
  }
  return false;
}
