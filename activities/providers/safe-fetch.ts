import { lookup as systemLookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { registrableDomain } from '../publisher/site-domain.ts';
import { isPublicAddress } from './public-address.ts';
import { mayBeCalled, parseUrl } from '../../domain/url.ts';

/**
 * The one way out: every call to an address that somebody else chose goes through here. http and
 * https, ports 80 and 443, no user part; the name is resolved inside the connection and every
 * address must be public; no pooled socket is reused, because a pooled one would skip that check;
 * redirects are followed by hand and checked again.
 */
export type SafeFetch = (address: string, options?: FetchOptions) => Promise<FetchOutcome>;

export interface FetchOptions {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Accepted media types; null takes any. Default: text. */
  types?: RegExp | null;
  /** What to do past the size limit: a home page is read up to it, a proof file is refused. */
  whenLarger?: 'refuse' | 'cut';
  /** Hops that may leave the first address's registrable domain. Default: no limit of its own. */
  offDomainHopsMax?: number;
  /** 0: a redirect is a refusal. Default: a few. */
  redirectsMax?: number;
  /** Less than the usual time, where several calls share what there is. */
  withinMs?: number;
}

/** Whatever answer came is `ok`; the caller judges its status. Every refusal has a name. */
export type FetchOutcome =
  | { ok: true; status: number; url: string; body: string }
  | { ok: false; reason: FetchRefusal };

export type FetchRefusal =
  | 'BAD_ADDRESS'
  | 'PRIVATE_ADDRESS'
  | 'DNS_NXDOMAIN'
  | 'DNS_FAILED'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'TOO_MANY_REDIRECTS'
  | 'REDIRECT_OFF_DOMAIN'
  | 'TOO_LARGE'
  | 'WRONG_TYPE';

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface SafeFetchOptions {
  /** Development only (interface 4.9): exactly this name lives at `ip:port`; nothing else is opened. */
  devHosts?: ReadonlyMap<string, string>;
  /** Replaced in tests to play a hostile name server. */
  resolve?: (host: string) => Promise<ResolvedAddress[]>;
  timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
const BODY_BYTES_MAX = 64 * 1024;
const REDIRECTS_MAX = 3;
const TEXT_TYPES = /^(text\/|application\/xhtml\+xml)/i;
const USER_AGENT = 'adplatform-fetch/1.0';

/** Carries a refusal out of the socket's own callbacks. */
class Refused extends Error {
  readonly reason: FetchRefusal;
  constructor(reason: FetchRefusal) {
    super(reason);
    this.reason = reason;
  }
}

type Context = Required<Pick<SafeFetchOptions, 'resolve'>> & {
  devHosts: ReadonlyMap<string, string>;
  agents: { 'http:': http.Agent; 'https:': https.Agent };
};

export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const context: Context = {
    devHosts: options.devHosts ?? new Map(),
    resolve:
      options.resolve ?? (async (host) => await systemLookup(host, { all: true, verbatim: true })),
    agents: {
      'http:': new http.Agent({ keepAlive: false }),
      'https:': new https.Agent({ keepAlive: false, maxCachedSessions: 0 }),
    },
  };
  return async (address, fetchOptions = {}) => {
    // One deadline over resolving, connecting, redirects and the body, so a slow body cannot stretch it.
    const { withinMs = Number.POSITIVE_INFINITY } = fetchOptions;
    const signal = AbortSignal.timeout(Math.min(options.timeoutMs ?? TIMEOUT_MS, withinMs));
    try {
      return await follow(context, address, fetchOptions, signal);
    } catch (error) {
      return { ok: false, reason: reasonOf(error, signal) };
    }
  };
}

async function follow(
  context: Context,
  address: string,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<FetchOutcome> {
  let url = readAddress(address);
  const home = registrableDomain(url.hostname) ?? url.hostname;
  let offDomainHops = 0;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await request(context, url, options, signal);
    // Only a read may be sent on: a body given to one address is not handed to another.
    if (answer.location === null || options.method === 'POST') {
      return { ok: true, status: answer.status, url: url.href, body: answer.body };
    }
    if (redirects >= (options.redirectsMax ?? REDIRECTS_MAX))
      throw new Refused('TOO_MANY_REDIRECTS');
    url = readAddress(answer.location, url.href);
    if ((registrableDomain(url.hostname) ?? url.hostname) !== home) offDomainHops += 1;
    if (offDomainHops > (options.offDomainHopsMax ?? REDIRECTS_MAX)) {
      throw new Refused('REDIRECT_OFF_DOMAIN');
    }
  }
}

/** WHATWG parsing first: `0x7f000001`, `0177.0.0.1` and `127.1` all become `127.0.0.1` here. */
function readAddress(text: string, base?: string): URL {
  const url = parseUrl(text, base);
  if (url === null) throw new Refused('BAD_ADDRESS');
  if (!mayBeCalled(url)) throw new Refused('BAD_ADDRESS');
  return url;
}

interface Answer {
  status: number;
  location: string | null;
  body: string;
}

async function request(
  context: Context,
  url: URL,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<Answer> {
  const route = routeOf(context, url);
  const secure = url.protocol === 'https:';
  const { method = 'GET', body } = options;
  return await new Promise<Answer>((resolve, reject) => {
    const outgoing = (secure ? https : http).request(
      {
        ...route,
        method,
        path: `${url.pathname}${url.search}`,
        agent: context.agents[secure ? 'https:' : 'http:'],
        signal,
        headers: {
          'user-agent': USER_AGENT,
          accept: '*/*',
          'accept-encoding': 'identity',
          ...options.headers,
          host: url.host,
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        },
      },
      (incoming) => {
        readAnswer(incoming, options).then(resolve, (error: unknown) => {
          reject(error as Error);
          outgoing.destroy();
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Where the socket goes. A literal address never reaches the lookup hook, so it is checked here. */
function routeOf(context: Context, url: URL): http.RequestOptions & { servername?: string } {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const planted = context.devHosts.get(host.toLowerCase());
  if (planted !== undefined) {
    const cut = planted.lastIndexOf(':');
    return {
      host: planted.slice(0, cut).replace(/^\[|\]$/g, ''),
      port: planted.slice(cut + 1),
      servername: host,
    };
  }
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new Refused('PRIVATE_ADDRESS');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port;
  return { host, port, lookup: checkedLookup(context) };
}

/** Resolves inside the connection: what was checked is what is connected to, so rebinding gains nothing. */
function checkedLookup(context: Context): LookupFunction {
  return (host, options, callback) => {
    const fail = (error: Error): void => callback(error, '', 0);
    context.resolve(host).then((addresses) => {
      const [first] = addresses;
      if (first === undefined) fail(new Refused('DNS_NXDOMAIN'));
      else if (!addresses.every((entry) => isPublicAddress(entry.address))) {
        fail(new Refused('PRIVATE_ADDRESS'));
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    }, fail);
  };
}

async function readAnswer(incoming: http.IncomingMessage, options: FetchOptions): Promise<Answer> {
  const status = incoming.statusCode ?? 0;
  const { location } = incoming.headers;
  if (location !== undefined && [301, 302, 303, 307, 308].includes(status)) {
    incoming.destroy();
    return { status, location, body: '' };
  }
  const types = options.types === undefined ? TEXT_TYPES : options.types;
  const success = status >= 200 && status < 300;
  const encoded = (incoming.headers['content-encoding'] ?? 'identity') !== 'identity';
  const typed = types === null || types.test(incoming.headers['content-type'] ?? '');
  if (success && (encoded || !typed)) throw new Refused('WRONG_TYPE');
  return { status, location: null, body: await readText(incoming, options.whenLarger ?? 'refuse') };
}

async function readText(
  incoming: http.IncomingMessage,
  whenLarger: 'refuse' | 'cut',
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) continue;
    if (whenLarger === 'refuse') throw new Refused('TOO_LARGE');
    break;
  }
  return Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX).toString('utf8');
}

const DNS_ABSENT = new Set(['ENOTFOUND', 'ENODATA']);
const DNS_TROUBLE = /^(EAI_|ESERVFAIL|EREFUSED|ETIMEOUT$)/;
const TLS_TROUBLE =
  /^(EPROTO|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/;

function reasonOf(error: unknown, signal: AbortSignal): FetchRefusal {
  if (error instanceof Refused) return error.reason;
  if (signal.aborted) return 'TIMEOUT';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (DNS_ABSENT.has(code)) return 'DNS_NXDOMAIN';
  if (DNS_TROUBLE.test(code)) return 'DNS_FAILED';
  if (TLS_TROUBLE.test(code)) return 'TLS_FAILED';
  return code === 'ETIMEDOUT' ? 'TIMEOUT' : 'CONNECTION_FAILED';
}
