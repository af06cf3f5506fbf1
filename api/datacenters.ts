import { readFile, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { ListFault, LoadedList } from '../domain/datacenter-list.ts';
import { type Address, isIn, type Networks, networksOf, together } from './networks.ts';

/** Networks of hosting companies, where no person browses from (DATACENTER_IP, interface 6; docs/decisions/0016). */
export interface DatacenterList {
  has(address: Address): boolean;
  /** Another number once another list is there: what was said of addresses before may be wrong. */
  readonly edition: number;
}

export const NO_DATACENTERS: DatacenterList = { has: () => false, edition: 0 };

const LIST_BYTES_MAX = 16 * 1_024 * 1_024;
const FETCH_MS = 10_000;
/**
 * A day after it was fetched; an address that is away for a moment is asked again soon. Of the file it is looked
 * each minute whether it is another one.
 */
const WAITS_MS = { fetched: 86_400_000, failed: 300_000, file: 60_000 };

/** Raises where a list cannot be read (networks.ts). */
export function datacentersOf(text: string): DatacenterList {
  const networks = networksOf(text);
  return { has: (address) => isIn(networks, address), edition: 0 };
}

class ListFailure extends Error {
  override readonly name = 'ListFailure';
  readonly fault: ListFault;

  constructor(fault: ListFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

export interface OpenDatacenters extends DatacenterList {
  lists(): LoadedList[];
  /** `ageSeconds`: since the list was fetched that is the oldest of those with an address; 0 without one. */
  stats(): { networks: number; ageSeconds: number };
  close(): void;
}

/**
 * The operator's own file and those at addresses, all together. The file is read at once and
 * raises when it cannot be, and again when it has changed; what is at an address is fetched before the first
 * answer and once a day. While one cannot be read its list of before stays, and it is asked again in a while.
 */
export async function openDatacenters(options: {
  file: string | undefined;
  urls: readonly string[];
  log: Logger;
  waitsMs?: Partial<typeof WAITS_MS>;
}): Promise<OpenDatacenters> {
  const { file, urls, log } = options;
  const waitsMs = { ...WAITS_MS, ...options.waitsMs };
  const startedAt = performance.now();
  const fetchedLists = new Map<string, { networks: Networks; at: number; since: Date }>();
  const failures = new Map<string, { at: Date; fault: ListFault }>();
  const timers = new Map<string, NodeJS.Timeout>();
  const own: OwnFile[] = [];
  let all: Networks = { v4: [], v6: [] };
  let edition = 0;
  let isClosed = false;
  const renew = (): void => {
    all = together([...own, ...fetchedLists.values()].map(({ networks }) => networks));
    edition += 1;
  };
  if (file !== undefined) {
    own.push(await openFile(file, { log, waitMs: waitsMs.file, changed: renew }));
  }
  const reload = async (url: string): Promise<void> => {
    let waitMs = waitsMs.fetched;
    try {
      const networks = listOf(await fetched(url));
      fetchedLists.set(url, { networks, at: performance.now(), since: new Date() });
      failures.delete(url);
      renew();
    } catch (error) {
      failures.set(url, { at: new Date(), fault: faultOf(error) });
      log.warn({ err: error, url }, 'a list of data centres cannot be fetched');
      waitMs = waitsMs.failed;
    }
    if (!isClosed) timers.set(url, setTimeout(() => void reload(url), waitMs).unref());
  };
  renew();
  await Promise.all(urls.map(reload));
  return {
    has: (address) => isIn(all, address),
    get edition() {
      return edition;
    },
    stats: () => {
      const oldest = Math.min(...urls.map((url) => fetchedLists.get(url)?.at ?? startedAt));
      return {
        networks: countOf(all),
        ageSeconds: urls.length === 0 ? 0 : (performance.now() - oldest) / 1_000,
      };
    },
    lists: () => [
      ...own.map((each) => each.list()),
      ...urls.map((url) => {
        const list = fetchedLists.get(url);
        return {
          source: shownAddress(url),
          networks: list === undefined ? 0 : countOf(list.networks),
          fetchedAt: list?.since ?? null,
          failed: failures.get(url) ?? null,
        };
      }),
    ],
    close: () => {
      isClosed = true;
      for (const each of own) each.close();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

interface OwnFile {
  readonly networks: Networks;
  list(): LoadedList;
  close(): void;
}

/** Raises where it cannot be read at once, or is no list: by its line. */
async function openFile(
  file: string,
  { log, waitMs, changed }: { log: Logger; waitMs: number; changed: () => void },
): Promise<OwnFile> {
  let held = await readList(file);
  let failed: LoadedList['failed'] = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const look = async (): Promise<void> => {
    try {
      if ((await markOf(file)) !== held.mark) {
        held = await readList(file);
        changed();
      }
      failed = null;
    } catch (error) {
      // Written once: it is looked at each minute.
      if (failed === null) log.warn({ err: error, file }, 'a list of data centres cannot be read');
      failed = { at: new Date(), fault: faultOf(error) };
    }
    wait();
  };
  const wait = (): void => {
    if (!isClosed) timer = setTimeout(() => void look(), waitMs).unref();
  };
  wait();
  return {
    get networks() {
      return held.networks;
    },
    list: () => ({
      source: 'FILE',
      networks: countOf(held.networks),
      fetchedAt: held.since,
      failed,
    }),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

async function readList(file: string): Promise<{ networks: Networks; since: Date; mark: string }> {
  // Before it is read: what is written meanwhile has another mark, and is read again.
  const mark = await markOf(file);
  return { networks: listOf(await readFile(file, 'utf8')), since: new Date(), mark };
}

/** Another one once the file was written, or another was put in its place. */
async function markOf(file: string): Promise<string> {
  const { ino, mtimeMs, size } = await stat(file);
  if (size > LIST_BYTES_MAX) throw new ListFailure('TOO_LARGE', 'is too large');
  return `${ino}:${mtimeMs}:${size}`;
}

const faultOf = (error: unknown): ListFault =>
  error instanceof ListFailure ? error.fault : 'AWAY';

const countOf = ({ v4, v6 }: Networks): number => v4.length + v6.length;

/** A key of whoever pays for a list may stand in its address. */
const shownAddress = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};

function listOf(text: string): Networks {
  try {
    return networksOf(text);
  } catch (error) {
    throw new ListFailure('NOT_A_LIST', `is no list: ${String(error)}`, error);
  }
}

async function fetched(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS), redirect: 'error' });
  if (!answer.ok) throw new ListFailure('ANSWERED', `answered ${answer.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > LIST_BYTES_MAX) throw new ListFailure('TOO_LARGE', 'is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
