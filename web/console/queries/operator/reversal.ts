import type { Answer, Ask } from '../../../client/client.ts';
import { read, write } from '../../api.ts';
import { order } from '../../order-keys.ts';

/** What was billed and is taken back. */
type Query = NonNullable<Ask<'GET /api/admin/reversals'>['query']>;
export type ReversalBody = Ask<'POST /api/admin/reversals'>['body'];
export type Reversal = Answer<'GET /api/admin/reversals'>['items'][number];
export type ReversalPage = Answer<'GET /api/admin/reversals/{id}'>;

export const REVERSAL_STATUSES = [
  'PREPARING',
  'PREVIEW',
  'APPLYING',
  'APPLIED',
  'EMPTY',
  'REJECTED',
  'CANCELLED',
  'FAILED',
] as const satisfies readonly Reversal['status'][];

export const reversals = (query: Query) =>
  read('GET /api/admin/reversals', { query: { page_size: 20, ...query } });
export const reversalOf = (id: number) => read('GET /api/admin/reversals/{id}', { path: { id } });
const CHANGED = ['GET /api/admin/reversals', 'GET /api/admin/reversals/{id}'] as const;
export const requestReversal = order('POST /api/admin/reversals', [...CHANGED]);
export const cancelReversal = write('POST /api/admin/reversals/{id}/cancel', [
  ...CHANGED,
  'GET /api/admin/tasks',
  'GET /api/admin/tasks/counts',
]);
