import { Resolver } from 'node:dns/promises';

export type TxtOutcome =
  | { ok: true; records: string[] }
  | { ok: false; reason: 'DNS_NXDOMAIN' | 'DNS_NO_RECORD' | 'DNS_FAILED' | 'TIMEOUT' };

/** TXT records of a name, each with its chunks joined. An absent name is an outcome, not an error. */
export type LookupTxt = (name: string) => Promise<TxtOutcome>;

export interface DnsOptions {
  /** Development only (interface 4.9): what a name's one TXT record says. Other names are asked for real. */
  devTxt?: ReadonlyMap<string, string>;
}

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

const REASONS: Record<string, 'DNS_NXDOMAIN' | 'DNS_NO_RECORD' | 'TIMEOUT'> = {
  ENOTFOUND: 'DNS_NXDOMAIN',
  ENODATA: 'DNS_NO_RECORD',
  ETIMEOUT: 'TIMEOUT',
};

export function createLookupTxt(options: DnsOptions = {}): LookupTxt {
  return async (name) => {
    const planted = options.devTxt?.get(name.toLowerCase());
    if (planted !== undefined) return { ok: true, records: [planted] };
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    try {
      const records = await resolver.resolveTxt(name);
      return { ok: true, records: records.map((chunks) => chunks.join('')) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return { ok: false, reason: REASONS[code ?? ''] ?? 'DNS_FAILED' };
    }
  };
}
