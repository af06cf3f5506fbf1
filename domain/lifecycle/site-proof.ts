import type { MediaType } from './site.ts';

/**
 * Is the proof of ownership there (interface 4.9)? Each function looks only where somebody who merely
 * writes comments on the site cannot write.
 */
export const META_NAME = 'adplatform-verification';
export const FILE_PATH = '/.well-known/adplatform.txt';
export const TXT_LABEL = '_adplatform';
/** `pub-<id>`: the publisher as ads.txt and sellers.json name it. */
export const sellerId = (publisherId: number): string => `pub-${publisherId}`;

/** ads.txt 1.1: we sell for this publisher directly. `adsTxtDomain` is how such files call us. */
export const sellerLine = (adsTxtDomain: string, publisherId: number): string =>
  `${adsTxtDomain}, ${sellerId(publisherId)}, DIRECT`;

/** Apps and mini-programs speak through their developer's site. */
export const adsTxtFileOf = (mediaType: MediaType): 'ads.txt' | 'app-ads.txt' =>
  mediaType === 'WEB' ? 'ads.txt' : 'app-ads.txt';

/** The file holds the code and nothing else. */
export function hasFileProof(text: string, code: string): boolean {
  return text.replace(/^\uFEFF/, '').trim() === code;
}

export function hasTxtProof(records: readonly string[], code: string): boolean {
  return records.some((record) => {
    const text = record.trim();
    return text === code || text === `${META_NAME}=${code}`;
  });
}

/** ads.txt 1.1: `#` comments, fields by comma, the relation in any case. */
export function hasAdsTxtProof(
  text: string,
  seller: { domain: string; publisherId: number },
): boolean {
  return text.split(/\r\n|\r|\n/).some((line) => {
    const fields = (line.split('#', 1)[0] ?? '').split(',').map((field) => field.trim());
    const [domain, account, relation] = fields;
    return (
      domain?.toLowerCase() === seller.domain.toLowerCase() &&
      account === sellerId(seller.publisherId) &&
      relation?.toUpperCase() === 'DIRECT'
    );
  });
}
