import type { Ask } from '../../../client/client.ts';
import { queryClient, read, write } from '../../api.ts';

/** Sites, the proof that they are their owner's, and what each change makes stale. */
const STALE = [
  'GET /api/publisher/sites',
  'GET /api/publisher/sites/{id}',
  'GET /api/publisher/sites/{id}/verify-code',
  'GET /api/publisher/zones',
  'GET /api/publisher/zones/{id}',
  'GET /api/publisher/operations',
  'GET /api/publisher/timeline',
  'GET /api/publisher/history',
] as const;

type Query = NonNullable<Ask<'GET /api/publisher/sites'>['query']>;

export const list = (query: Query) =>
  read('GET /api/publisher/sites', { query: { page_size: 20, ...query } });
export const one = (id: number) => read('GET /api/publisher/sites/{id}', { path: { id } });
/** As it is now, whatever this page has read before. */
export const reread = async (id: number) =>
  await queryClient.fetchQuery({ ...one(id), staleTime: 0 });
export const proof = (id: number) =>
  read('GET /api/publisher/sites/{id}/verify-code', { path: { id } });
export const adsTxt = (id: number) =>
  read('GET /api/publisher/sites/{id}/ads-txt', { path: { id } });
/** The round of verification that goes on now, if one does. */
export const rounds = read('GET /api/publisher/operations', {
  query: { kind: 'site_verification', page_size: 50 },
});

export const create = write('POST /api/publisher/sites', STALE);
export const save = write('PUT /api/publisher/sites/{id}', STALE);
export const toggle = write('POST /api/publisher/sites/{id}/toggle', STALE);
export const submit = write('POST /api/publisher/sites/{id}/submit-audit', STALE);
export const appeal = write('POST /api/publisher/sites/{id}/appeal', STALE);
/** An archived one can be listed and not be shown: its own page is not read anew. */
export const archive = write('DELETE /api/publisher/sites/{id}', ['GET /api/publisher/sites']);
export const object = write('POST /api/publisher/sites/{id}/transfer/object', STALE);
export const withdrawTransfer = write('POST /api/publisher/sites/{id}/transfer/withdraw', STALE);
export const verify = write('POST /api/publisher/sites/{id}/verify', STALE);

/** What a step of its review may have changed. */
export const REVIEWED = ['GET /api/publisher/sites/{id}'] as const;
/** What a round that has ended may have changed. */
export const VERIFIED = STALE;
