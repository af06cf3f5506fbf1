import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_BITS = 64;

/** What limits per address are counted by. */
export const addressOf = ({ ip }: Pick<Request, 'ip'>): string =>
  ip === undefined || !ipaddr.isValid(ip) ? 'unknown' : householdOf(ipaddr.process(ip));

/** An IPv4 address, or the /64 of an IPv6 one, of which every household has all 2^64. */
export function householdOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray().map((byte, at) => (at * 8 < IPV6_NETWORK_BITS ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${IPV6_NETWORK_BITS}`;
}
