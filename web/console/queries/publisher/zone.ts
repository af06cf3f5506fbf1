import type { Ask } from '../../../client/client.ts';
import { queryClient, read, write } from '../../api.ts';

/** Zones, their code and preview, and what each change makes stale. */
const STALE = [
  'GET /api/publisher/zones',
  'GET /api/publisher/zones/{id}',
  'GET /api/publisher/zones/{id}/code',
  'GET /api/publisher/zones/{id}/preview',
  'GET /api/publisher/history',
] as const;

type Query = NonNullable<Ask<'GET /api/publisher/zones'>['query']>;

export const list = (query: Query) =>
  read('GET /api/publisher/zones', { query: { page_size: 20, ...query } });
/** Those of one site, below it. */
export const ofSite = (id: number, page: number | undefined) =>
  list({ site_id: id, page_size: 50, ...(page === undefined ? {} : { page }) });
export const one = (id: number) => read('GET /api/publisher/zones/{id}', { path: { id } });
/** As it is now, whatever this page has read before. */
export const reread = async (id: number) =>
  await queryClient.fetchQuery({ ...one(id), staleTime: 0 });
export const formats = read('GET /api/publisher/zones/options');
/** With its words in the page's language; in English where none is named. */
export const code = (id: number, language?: string) =>
  read('GET /api/publisher/zones/{id}/code', {
    path: { id },
    ...(language === undefined ? {} : { query: { page_lang: language } }),
  });
export const preview = (id: number) =>
  read('GET /api/publisher/zones/{id}/preview', { path: { id } });

export const create = write('POST /api/publisher/zones', STALE);
export const save = write('PUT /api/publisher/zones/{id}', STALE);
export const toggle = write('POST /api/publisher/zones/{id}/toggle', STALE);
export const submit = write('POST /api/publisher/zones/{id}/submit-audit', STALE);
export const appeal = write('POST /api/publisher/zones/{id}/appeal', STALE);
/** An archived one can be listed and not be shown: its own page is not read anew. */
export const archive = write('DELETE /api/publisher/zones/{id}', ['GET /api/publisher/zones']);

/** One request for many; each of them answers for itself. */
export const bulk = write('POST /api/publisher/zones/bulk', ['GET /api/publisher/zones']);
