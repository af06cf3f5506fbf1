import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';

/** Networks of hosting companies, where no person browses from (DATACENTER_IP, interface 6). */
export interface DatacenterList {
  has(address: Address): boolean;
  /** Another number once another list is there: what was said of addresses before may be wrong. */
  readonly edition: number;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Sorted, and none overlaps the next; IPv4 as numbers of 32 bits, IPv6 of 128. */
interface Ranges {
  readonly v4: readonly Range[];
  readonly v6: readonly Range[];
}
interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

export const NO_DATACENTERS: DatacenterList = { has: () => false, edition: 0 };

const LIST_BYTES_MAX = 16 * 1_024 * 1_024;
const FETCH_MS = 10_000;
/** A day after it was fetched; an address that is away for a moment is asked again soon. */
const WAITS_MS = { fetched: 86_400_000, failed: 300_000 };

/** A list from text: a CIDR, an address, or `first,last` a line; `#` begins a remark. Raises on any other line. */
export function datacentersOf(text: string): DatacenterList {
  return listOf([rangesOf(text)]);
}

/**
 * The operator's own file and the one at an address, both together. The file is read at once and
 * raises when it cannot be; what is at the address is fetched before the first answer and once a day,
 * and while it cannot be, the list of before stays and the address is asked every few minutes.
 */
export async function openDatacenters(options: {
  file: string | undefined;
  url: string | undefined;
  log: Logger;
  waitsMs?: typeof WAITS_MS;
}): Promise<DatacenterList & { close(): void }> {
  const { file, url, log, waitsMs = WAITS_MS } = options;
  const own = rangesOf(file === undefined ? '' : readFileSync(file, 'utf8'));
  let list = listOf([own]);
  let edition = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const reload = async (from: string): Promise<void> => {
    let waitMs = waitsMs.fetched;
    try {
      list = listOf([own, rangesOf(await fetched(from))]);
      edition += 1;
    } catch (error) {
      log.warn({ err: error }, 'the list of data centres cannot be fetched');
      waitMs = waitsMs.failed;
    }
    if (!isClosed) timer = setTimeout(() => void reload(from), waitMs).unref();
  };
  if (url !== undefined) await reload(url);
  return {
    has: (address) => list.has(address),
    get edition() {
      return edition;
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

async function fetched(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS), redirect: 'error' });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > LIST_BYTES_MAX) throw new Error('is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function rangesOf(text: string): Ranges {
  const v4: Range[] = [];
  const v6: Range[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const said = line.replace(/#.*/, '').trim();
    if (said === '') continue;
    const range = rangeOf(said);
    if (range === undefined) throw new Error(`line ${at + 1} of the list is no network: ${said}`);
    (range.is4 ? v4 : v6).push(range);
  }
  return { v4: merged(v4), v6: merged(v6) };
}

function rangeOf(text: string): (Range & { is4: boolean }) | undefined {
  const [from = '', to = from] = text.split(',').map((part) => part.trim());
  if (ipaddr.isValidCIDR(from)) {
    const [address, bits] = ipaddr.parseCIDR(from);
    const is4 = address.kind() === 'ipv4';
    const size = 1n << BigInt((is4 ? 32 : 128) - bits);
    const first = (numberOf(address) / size) * size;
    return { is4, first, last: first + size - 1n };
  }
  if (!ipaddr.isValid(from) || !ipaddr.isValid(to)) return undefined;
  const [first, last] = [ipaddr.process(from), ipaddr.process(to)];
  if (first.kind() !== last.kind()) return undefined;
  const range = { first: numberOf(first), last: numberOf(last) };
  return range.first > range.last ? undefined : { is4: first.kind() === 'ipv4', ...range };
}

const numberOf = (address: Address): bigint =>
  address.toByteArray().reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

function merged(ranges: readonly Range[]): Range[] {
  const out: Range[] = [];
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = out.at(-1);
    if (before === undefined || range.first > before.last + 1n) out.push(range);
    else if (range.last > before.last) out[out.length - 1] = { ...before, last: range.last };
  }
  return out;
}

function listOf(parts: readonly Ranges[]): DatacenterList {
  const v4 = merged(parts.flatMap((part) => part.v4));
  const v6 = merged(parts.flatMap((part) => part.v6));
  return {
    has: (address) => holds(address.kind() === 'ipv4' ? v4 : v6, numberOf(address)),
    edition: 0,
  };
}

/** Tens of thousands of networks, and an address that was not seen before asks: halves, not a walk. */
function holds(ranges: readonly Range[], address: bigint): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range === undefined || address < range.first) high = middle;
    else if (address > range.last) low = middle + 1;
    else return true;
  }
  return false;
}
