import { read, type ReadName, write } from '../api.ts';
import type { Realm } from '../session.ts';

/** Proof of identity has the same routes for advertisers and publishers. */
export type Owner = Exclude<Realm, 'admin'>;

const STALE = {
  advertiser: [
    'GET /api/advertiser/kyc',
    'GET /api/advertiser/auth/profile',
    'GET /api/advertiser/operations',
  ],
  publisher: [
    'GET /api/publisher/kyc',
    'GET /api/publisher/auth/profile',
    'GET /api/publisher/operations',
  ],
} as const satisfies Record<Owner, readonly ReadName[]>;

export const identityOf = (realm: Owner) => ({
  state: read(`GET /api/${realm}/kyc`),
  rounds: read(`GET /api/${realm}/operations`, { query: { kind: 'kyc', page_size: 20 } }),
  upload: `POST /api/${realm}/kyc/documents` as const,
  submit: write(`POST /api/${realm}/kyc`, STALE[realm]),
  stale: STALE[realm],
});
