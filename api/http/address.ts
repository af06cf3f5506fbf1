import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_BITS = 64;

/** What limits per address are counted by. */
export function addressOf({ ip = '' }: Pick<Request, 'ip'>): string {
  const address = withoutPort(ip);
  return ipaddr.isValid(address) ? householdOf(ipaddr.process(address)) : 'unknown';
}

/** Some proxies write where the caller's connection comes from, port and all: taken for junk, all their viewers were one. */
export function withoutPort(hop: string): string {
  const [, v6, v4] = WITH_PORT.exec(hop) ?? [];
  return v6 ?? v4 ?? hop;
}
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;

/** An IPv4 address, or the /64 of an IPv6 one, of which every household has all 2^64. */
export function householdOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray().map((byte, at) => (at * 8 < IPV6_NETWORK_BITS ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${IPV6_NETWORK_BITS}`;
}
