import type { Answer, Ask } from '../../../client/client.ts';
import { read, write } from '../../api.ts';

type Query = NonNullable<Ask<'GET /api/admin/factor-recoveries'>['query']>;
export type Recovery = Answer<'GET /api/admin/factor-recoveries'>['items'][number];

export const recoveries = (query: Query) =>
  read('GET /api/admin/factor-recoveries', { query: { page_size: 20, ...query } });

const MOVED = ['GET /api/admin/factor-recoveries', 'GET /api/admin/approvals'] as const;
export const vouch = write('POST /api/admin/factor-recoveries/{id}/vouch', [...MOVED]);
export const refuse = write('POST /api/admin/factor-recoveries/{id}/refuse', [...MOVED]);
