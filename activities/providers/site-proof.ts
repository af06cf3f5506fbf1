import {
  adsTxtFileOf,
  FILE_PATH,
  hasAdsTxtProof,
  hasFileProof,
  hasTxtProof,
  TXT_LABEL,
} from '../../domain/lifecycle/site-proof.ts';
import type { MediaType, VerifyMethod } from '../../domain/lifecycle/site.ts';
import { claimOf, registrableDomain } from '../publisher/site-domain.ts';
import { hasMetaProof } from './meta-proof.ts';
import type { Outbound } from './outbound.ts';
import type { FetchOptions, FetchOutcome, FetchRefusal } from './safe-fetch.ts';
import { parseUrl } from '../../domain/url.ts';

export const PROOF_FOUND = 'PROOF_FOUND';
const TOKEN_NOT_FOUND = 'TOKEN_NOT_FOUND';

export interface ProvenSite {
  publisherId: number;
  mediaType: MediaType;
  domain: string | null;
  url: string | null;
  verifyToken: string;
}

/** A verified site of the same account, for a domain that the site is below. */
export interface CoveringSite {
  domain: string;
  verifyToken: string;
}

/**
 * PROOF_FOUND, or the name of why not; never throws for what the other side did. A proof of a domain is
 * one of its `www.`, too. `above`: whoever writes the DNS of a domain owns every name in it, so that these
 * records speak for the site as well; a page or a file of the domain's server does not.
 */
export async function lookForProof(
  outbound: Outbound,
  site: ProvenSite,
  { method, above }: { method: VerifyMethod; above: readonly CoveringSite[] },
): Promise<string> {
  const host = siteHost(site);
  if (host === null) return 'NO_ADDRESS';
  const outcome = await lookAt(outbound, { site, host }, method);
  if (method === 'DNS' && site.mediaType === 'WEB')
    return await lookAtNames(outbound, { site, host, above });
  const bare = claimOf(host);
  const covers = site.mediaType === 'WEB' && bare !== host && method !== 'ADS_TXT';
  if (outcome === PROOF_FOUND || !covers) return outcome;
  const found = await lookAt(outbound, { site, host: bare }, method);
  return found === PROOF_FOUND ? found : outcome;
}

/** Its own record, its claim's, then those of the domains above it; answers what its own name said. */
async function lookAtNames(
  outbound: Outbound,
  { site, host, above }: { site: ProvenSite; host: string; above: readonly CoveringSite[] },
): Promise<string> {
  const names = [...new Set([host, claimOf(host)])];
  const places = [
    ...names.map((domain) => ({ domain, code: site.verifyToken })),
    ...above.map(({ domain, verifyToken: code }) => ({ domain, code })),
  ];
  let own: string | undefined;
  for (const { domain, code } of places) {
    const answer = await lookAtTxt(outbound, domain, code);
    if (answer === PROOF_FOUND) return answer;
    own ??= answer;
  }
  return own ?? TOKEN_NOT_FOUND;
}

async function lookAtTxt(outbound: Outbound, domain: string, code: string): Promise<string> {
  const answer = await outbound.lookupTxt(`${TXT_LABEL}.${domain}`);
  if (!answer.ok) return answer.reason;
  return hasTxtProof(answer.records, code) ? PROOF_FOUND : TOKEN_NOT_FOUND;
}

async function lookAt(
  outbound: Outbound,
  { site, host }: { site: ProvenSite; host: string },
  method: VerifyMethod,
): Promise<string> {
  const code = site.verifyToken;
  switch (method) {
    case 'DNS':
      return await lookAtTxt(outbound, host, code);
    // A home page is longer than what we read of it; the head comes first. A redirect that leaves
    // the domain proves nothing about it: an open redirect would let anybody claim the name.
    case 'META':
      return await judged(outbound, `${host}/`, {
        options: {
          types: /^(text\/html|application\/xhtml\+xml)/i,
          whenLarger: 'cut',
          offDomainHopsMax: 0,
        },
        proof: (text) => hasMetaProof(text, code),
      });
    case 'FILE':
      return await judged(outbound, `${host}${FILE_PATH}`, {
        options: { offDomainHopsMax: 0 },
        proof: (text) => hasFileProof(text, code),
      });
    // ads.txt 1.1: at the root domain, text/plain, one hop outside.
    case 'ADS_TXT':
      return await judged(outbound, adsTxtPlace(host, site.mediaType), {
        options: { types: /^text\/plain/i, offDomainHopsMax: 1 },
        proof: (text) =>
          hasAdsTxtProof(text, { domain: outbound.adsTxtDomain, publisherId: site.publisherId }),
      });
  }
}

/** ads.txt 1.1: the file speaks for the root domain, whatever part of it the site is. */
const adsTxtPlace = (host: string, mediaType: MediaType): string =>
  `${registrableDomain(host) ?? host}/${adsTxtFileOf(mediaType)}`;

/** Where a site's ads.txt or app-ads.txt is looked for; null for an app without developer site. */
export function adsTxtUrlOf(site: Pick<ProvenSite, 'mediaType' | 'domain' | 'url'>): string | null {
  const host = siteHost(site);
  return host === null ? null : `https://${adsTxtPlace(host, site.mediaType)}`;
}

const siteHost = (site: Pick<ProvenSite, 'mediaType' | 'domain' | 'url'>): string | null =>
  site.mediaType === 'WEB' ? site.domain : hostOf(site.url);

function hostOf(url: string | null): string | null {
  return parseUrl(url ?? '')?.hostname ?? null;
}

interface Look {
  options: FetchOptions;
  proof: (text: string) => boolean;
}

/** Over https first; over http only where https does not answer at all. */
async function judged(outbound: Outbound, place: string, look: Look): Promise<string> {
  const secure = await outbound.fetch(`https://${place}`, look.options);
  if (secure.ok || !UNANSWERED.has(secure.reason)) return outcomeOf(secure, look);
  const plain = await outbound.fetch(`http://${place}`, look.options);
  return outcomeOf(plain.ok || !UNANSWERED.has(plain.reason) ? plain : secure, look);
}

const UNANSWERED: ReadonlySet<FetchRefusal> = new Set([
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'TIMEOUT',
]);

function outcomeOf(answer: FetchOutcome, look: Look): string {
  if (!answer.ok) return answer.reason;
  if (answer.status !== 200) return `HTTP_${answer.status}`;
  return look.proof(answer.body) ? PROOF_FOUND : TOKEN_NOT_FOUND;
}
