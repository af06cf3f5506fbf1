import { createLookupTxt, type LookupTxt } from './dns.ts';
import { createSafeFetch, type SafeFetch } from './safe-fetch.ts';

/** Everything that leaves for an address somebody else chose. */
export interface Outbound {
  fetch: SafeFetch;
  lookupTxt: LookupTxt;
  /** The name by which ads.txt files know us: the host of the platform's own address. */
  adsTxtDomain: string;
}

export interface OutboundOptions {
  baseUrl: string;
  /** Development and tests only (interface 4.9). */
  devHosts?: ReadonlyMap<string, string>;
  devTxt?: ReadonlyMap<string, string>;
}

export function createOutbound({ baseUrl, devHosts, devTxt }: OutboundOptions): Outbound {
  return {
    fetch: createSafeFetch(devHosts === undefined ? {} : { devHosts }),
    lookupTxt: createLookupTxt(devTxt === undefined ? {} : { devTxt }),
    adsTxtDomain: adsTxtDomain(baseUrl),
  };
}

export const adsTxtDomain = (baseUrl: string): string => new URL(baseUrl).hostname;
