import { api, queryClient, read, write } from '../../api.ts';
import type { Answer, Ask } from '../../../client/client.ts';

const STALE = [
  'GET /api/advertiser/creatives',
  'GET /api/advertiser/creatives/{id}',
  'GET /api/advertiser/creatives/{id}/revisions',
  'GET /api/advertiser/ads',
  'GET /api/advertiser/campaigns',
] as const;

type Query = NonNullable<Ask<'GET /api/advertiser/creatives'>['query']>;

export const list = (query: Query) =>
  read('GET /api/advertiser/creatives', { query: { page_size: 24, ...query } });
export const one = (id: number) => read('GET /api/advertiser/creatives/{id}', { path: { id } });
export const revisions = (id: number, page = 1) =>
  read('GET /api/advertiser/creatives/{id}/revisions', {
    path: { id },
    query: { page, page_size: 20 },
  });

export const create = write('POST /api/advertiser/creatives', STALE);
export const save = write('PUT /api/advertiser/creatives/{id}', STALE);
export const toggle = write('POST /api/advertiser/creatives/{id}/toggle', STALE);
export const submit = write('POST /api/advertiser/creatives/{id}/submit-audit', STALE);
export const archive = write('DELETE /api/advertiser/creatives/{id}', STALE);

/** The media library and what is made for it. */
export type Asset = Answer<'GET /api/advertiser/media/{id}'>;

export const assetOf = (id: number) => read('GET /api/advertiser/media/{id}', { path: { id } });
export const makeImage = write('POST /api/advertiser/media/ai-image', []);
export const makeVideo = write('POST /api/advertiser/media/ai-video', []);
export const makeCopy = write('POST /api/advertiser/media/ai-copy', []);

/** The same bytes are the same asset, so a repeated upload makes nothing twice. */
export async function upload(file: File): Promise<Asset> {
  const route = 'POST /api/advertiser/media/upload';
  const body = new FormData();
  body.append('file', file);
  const asset = await api(route).call(route, { body });
  await queryClient.invalidateQueries({ queryKey: ['GET /api/advertiser/media'] });
  return asset;
}
