import { read, write } from '../../api.ts';

/** Proof of identity: the papers, and the round in which they are looked at. */
const STALE = ['GET /api/publisher/kyc', 'GET /api/publisher/auth/profile'] as const;

export const state = read('GET /api/publisher/kyc');
export const rounds = read('GET /api/publisher/operations', {
  query: { kind: 'kyc', page_size: 20 },
});

export const upload = write('POST /api/publisher/kyc/documents', []);
export const submit = write('POST /api/publisher/kyc', [...STALE, 'GET /api/publisher/operations']);

/** What a decision changes. */
export const DECIDED = STALE;
