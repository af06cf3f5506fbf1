import { read, write } from '../../api.ts';
import { order } from '../../order-keys.ts';
import type { Ask } from '../../../client/client.ts';

const STALE = [
  'GET /api/advertiser/deposits',
  'GET /api/advertiser/deposits/{id}',
  'GET /api/advertiser/deposits/balance',
] as const;

type Query = NonNullable<Ask<'GET /api/advertiser/deposits'>['query']>;
type TransactionQuery = NonNullable<Ask<'GET /api/advertiser/deposits/transactions'>['query']>;

export const list = (query: Query) =>
  read('GET /api/advertiser/deposits', { query: { page_size: 20, ...query } });
/** Every way to pay, and why one cannot be used. */
export const methods = read('GET /api/advertiser/deposits/methods');
export const one = (id: number) => read('GET /api/advertiser/deposits/{id}', { path: { id } });
export const transactions = (query: TransactionQuery) =>
  read('GET /api/advertiser/deposits/transactions', { query: { page_size: 20, ...query } });

export const create = order('POST /api/advertiser/deposits', STALE);
export const cancel = write('POST /api/advertiser/deposits/{id}/cancel', STALE);
