import type { Answer, Ask } from '../../../client/client.ts';
import { api, read, write } from '../../api.ts';

const UPLOAD = 'POST /api/advertiser/conversions/decisions';
export const STALE = [
  'GET /api/advertiser/conversions',
  'GET /api/advertiser/trackers/{id}/conversions',
] as const;

type Query = NonNullable<Ask<'GET /api/advertiser/conversions'>['query']>;
export type Decided = Answer<typeof UPLOAD>;

export const list = (query: Query) =>
  read('GET /api/advertiser/conversions', { query: { page_size: 20, ...query } });

export const decideMany = write('POST /api/advertiser/conversions/bulk', STALE);

/** Each line answers for itself; a dry run keeps nothing. */
export async function uploadDecisions(file: File, isDry: boolean): Promise<Decided> {
  const body = new FormData();
  body.set('file', file);
  return await api(UPLOAD).call(UPLOAD, { query: { dry_run: isDry }, body });
}
