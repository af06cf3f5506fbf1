import autocannon from 'autocannon';
import { cpuMicrosWithChildren } from './cpu.ts';
import { hasWrk, runWrk } from './wrk.ts';

/** What one server process did under load. */
export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** User and system time of the server per request, and of PostgreSQL. */
  cpuMicros: number;
  storeMicros: number;
  failed: number;
}

/** A GET, or a POST of JSON. */
export interface BenchRequest {
  path: string;
  body?: string;
}

export interface LoadOptions {
  url: string;
  pid: number;
  /** PostgreSQL's first process. */
  postmaster: number;
  seconds: number;
  connections: number;
  /** Sent in turn; `/` when left out. */
  requests?: readonly BenchRequest[];
  headers: Record<string, string>;
}

/** What the load itself saw. */
export interface Seen {
  answered: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

export const LOADER = hasWrk() ? 'wrk' : 'autocannon';

export async function load(options: LoadOptions): Promise<LoadResult> {
  const server = cpuMicrosWithChildren(options.pid);
  const store = cpuMicrosWithChildren(options.postmaster);
  const seen = await (LOADER === 'wrk' ? runWrk(options) : runAutocannon(options));
  const each = (micros: number): number => (seen.answered === 0 ? 0 : micros / seen.answered);
  return {
    requestsPerSecond: seen.answered / seen.seconds,
    p50Ms: seen.p50Ms,
    p99Ms: seen.p99Ms,
    cpuMicros: each(cpuMicrosWithChildren(options.pid) - server),
    storeMicros: each(cpuMicrosWithChildren(options.postmaster) - store),
    failed: seen.failed,
  };
}

async function runAutocannon(options: LoadOptions): Promise<Seen> {
  const { requests, connections } = options;
  let clients = 0;
  const result = await autocannon({
    url: options.url,
    connections,
    duration: options.seconds,
    headers: { 'Content-Type': 'application/json', ...options.headers },
    ...(requests === undefined
      ? {}
      : {
          // Made before the run: building each request on the way would measure the client.
          setupClient: (client) => {
            // No client without a request, where there are fewer of them.
            const shares = Math.min(connections, requests.length);
            const first = clients++ % shares;
            const own = requests.filter((_request, index) => index % shares === first);
            client.setRequests(
              own.map(({ path, body }) =>
                body === undefined ? { method: 'GET', path } : { method: 'POST', path, body },
              ),
            );
          },
        }),
  });
  return {
    answered: result.requests.total,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};
