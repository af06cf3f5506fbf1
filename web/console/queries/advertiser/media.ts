import type { Answer, Ask } from '../../../client/client.ts';
import { api, queryClient, read, write } from '../../api.ts';

/** The media library and what is made for it. */
export type Asset = Answer<'GET /api/advertiser/media/{id}'>;

const STALE = ['GET /api/advertiser/media'] as const;

type Query = NonNullable<Ask<'GET /api/advertiser/media'>['query']>;

export const list = (query: Query) =>
  read('GET /api/advertiser/media', { query: { page_size: 24, ...query } });
export const assetOf = (id: number) => read('GET /api/advertiser/media/{id}', { path: { id } });
export const makeImage = write('POST /api/advertiser/media/ai-image', []);
export const makeVideo = write('POST /api/advertiser/media/ai-video', []);
export const makeCopy = write('POST /api/advertiser/media/ai-copy', []);
/** Of what was asked for above, where it is watched. */
export const cancel = write('POST /api/advertiser/operations/{id}/cancel', [
  'GET /api/advertiser/operations',
  'GET /api/advertiser/operations/{id}',
]);
export const remove = write('DELETE /api/advertiser/media/{id}', STALE);

export const UPLOAD = 'POST /api/advertiser/media/upload';

/** The same bytes are the same asset, so a repeated upload makes nothing twice. */
export async function upload(file: File): Promise<Asset> {
  const body = new FormData();
  body.append('file', file);
  const asset = await api(UPLOAD).call(UPLOAD, { body });
  await queryClient.invalidateQueries({ queryKey: STALE });
  return asset;
}
