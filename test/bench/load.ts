import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';

/** What one server process did under load. `cpuMicros` is its user and system time per request. */
export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicros: number;
  non2xx: number;
}

export interface LoadOptions {
  url: string;
  pid: number;
  seconds: number;
  connections: number;
  /** Dealt out over the connections, each of which goes round its own; `/` when left out. */
  paths?: string[];
  headers?: Record<string, string>;
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const before = cpuMicrosOf(options.pid);
  const { paths, connections } = options;
  let clients = 0;
  const result = await autocannon({
    url: options.url,
    connections,
    duration: options.seconds,
    headers: options.headers ?? {},
    ...(paths === undefined
      ? {}
      : {
          // Made before the run: building each request on the way would measure the client.
          setupClient: (client) => {
            const first = clients++ % connections;
            const own = paths.filter((_path, index) => index % connections === first);
            client.setRequests(own.map((path) => ({ method: 'GET', path })));
          },
        }),
  });
  const cpu = cpuMicrosOf(options.pid) - before;
  const answered = result.requests.total;
  return {
    requestsPerSecond: answered / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMicros: answered === 0 ? 0 : cpu / answered,
    non2xx: result.non2xx + result.errors,
  };
}

/** User plus system time of a process, in microseconds (100 ticks a second on Linux). */
export function cpuMicrosOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};
