import ipaddr from 'ipaddr.js';

/**
 * May an outbound call go there? Only global unicast. Mapped IPv4 (`::ffff:7f00:1`) is judged as the
 * IPv4 address it stands for; of IPv6 only 2000::/3 is allotted, so the old IPv4-compatible form
 * (`::127.0.0.1`), which ipaddr.js calls unicast, is refused with everything else outside it.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || isGlobalUnicast(address);
}

const isGlobalUnicast = (address: ipaddr.IPv6): boolean => (address.parts[0] ?? 0) >> 13 === 1;
