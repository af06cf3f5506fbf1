import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Sorted, and none overlaps the next; IPv4 as numbers of 32 bits, IPv6 of 128. */
export interface Networks {
  readonly v4: readonly Range[];
  readonly v6: readonly Range[];
}
interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

/** Nobody hosts more in one network than a /8 or a /16: a wider one is a slip, and would take everybody's traffic away. */
const WIDEST = { v4: 1n << 24n, v6: 1n << 112n };

/**
 * Of text: a CIDR, an address, or `first,last` a line, where `#` begins a remark and what follows a CIDR's comma is
 * the list's own; or of JSON, in whatever form a provider publishes it: each text in it that is a CIDR. Raises on any
 * other line, and when there is no network in it.
 */
export function networksOf(text: string): Networks {
  const said = /^\s*[[{]/.test(text) ? cidrsIn(JSON.parse(text)) : linesOf(text);
  const v4: Range[] = [];
  const v6: Range[] = [];
  for (const [where, each] of said) {
    const range = rangeOf(each);
    if (range === undefined) throw new Error(`${where} of the list is no network: ${each}`);
    const { is4, first, last } = range;
    if (last - first >= (is4 ? WIDEST.v4 : WIDEST.v6)) {
      throw new Error(`${where} of the list is too wide: ${each}`);
    }
    (is4 ? v4 : v6).push(range);
  }
  if (v4.length + v6.length === 0) throw new Error('the list has no network');
  return { v4: merged(v4), v6: merged(v6) };
}

export const together = (parts: readonly Networks[]): Networks => ({
  v4: merged(parts.flatMap((part) => part.v4)),
  v6: merged(parts.flatMap((part) => part.v6)),
});

type Said = [where: string, text: string][];

const linesOf = (text: string): Said =>
  text.split(/\r?\n/).flatMap((line, at): Said => {
    const said = line.replace(/#.*/, '').trim();
    return said === '' ? [] : [[`line ${at + 1}`, said]];
  });

function cidrsIn(value: unknown): Said {
  if (typeof value === 'string') return ipaddr.isValidCIDR(value) ? [['a text', value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(cidrsIn);
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

/** Tens of thousands of networks, and an address that was not seen before asks: halves, not a walk. */
export function isIn({ v4, v6 }: Networks, asked: Address): boolean {
  const ranges = asked.kind() === 'ipv4' ? v4 : v6;
  const address = numberOf(asked);
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
