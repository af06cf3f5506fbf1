import { read, write } from '../api.ts';
import type { Realm } from '../session.ts';

/** Proof of identity has the same routes for advertisers and publishers. */
export type Owner = Exclude<Realm, 'admin'>;

export const identityOf = (realm: Owner) => ({
  state: read(`GET /api/${realm}/kyc`),
  rounds: read(`GET /api/${realm}/operations`, { query: { kind: 'kyc', page_size: 20 } }),
  upload: `POST /api/${realm}/kyc/documents` as const,
  operation: `GET /api/${realm}/operations/{id}` as const,
  submit: write(`POST /api/${realm}/kyc`, staleOf(realm)),
  stale: staleOf(realm),
});

const staleOf = (realm: Owner) =>
  [
    `GET /api/${realm}/kyc`,
    `GET /api/${realm}/auth/profile`,
    `GET /api/${realm}/operations`,
  ] as const;
