import type { Ask } from '../../../client/client.ts';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { Transaction } from '../../../client/routes.ts';
import { read, write } from '../../api.ts';
import { order } from '../../order-keys.ts';
import type { PageOf } from '../../parts/list-page.tsx';

/** What was earned and paid, where it goes, and what each change makes stale. */
const STALE = [
  'GET /api/publisher/withdrawals',
  'GET /api/publisher/withdrawals/{id}',
  'GET /api/publisher/withdrawals/balance',
  'GET /api/publisher/withdrawals/transactions',
] as const;
const CARDS_STALE = [
  'GET /api/publisher/withdrawals/bank-cards',
  'GET /api/publisher/auth/profile',
] as const;

type Query = NonNullable<Ask<'GET /api/publisher/withdrawals'>['query']>;

/** Always as it is now: somebody is about to decide by it. */
export const balance = { ...read('GET /api/publisher/withdrawals/balance'), staleTime: 0 };
export const methods = read('GET /api/publisher/withdrawals/payment-methods');
export const revenueShare = read('GET /api/publisher/withdrawals/revenue-share');
/** In whose name money may be sent without a closer look. */
export const identity = read('GET /api/publisher/kyc');
export const cards = read('GET /api/publisher/withdrawals/bank-cards');
export const list = (query: Query) =>
  read('GET /api/publisher/withdrawals', { query: { page_size: 20, ...query } });
export const one = (id: number) => read('GET /api/publisher/withdrawals/{id}', { path: { id } });
/** Read page by page, as any other list: its cursor is for programs. */
export const transactions = (query: { page?: number }) =>
  read('GET /api/publisher/withdrawals/transactions', {
    query: { page_size: 50, ...query },
  }) as unknown as UseQueryOptions<PageOf<Transaction>> & { queryKey: QueryKey };

export const request = order('POST /api/publisher/withdrawals', STALE);
export const cancel = write('POST /api/publisher/withdrawals/{id}/cancel', STALE);
export const addCard = write('POST /api/publisher/withdrawals/bank-cards', CARDS_STALE);
export const makeDefault = write('PUT /api/publisher/withdrawals/bank-cards/{id}', CARDS_STALE);
export const removeCard = write('DELETE /api/publisher/withdrawals/bank-cards/{id}', CARDS_STALE);

/** What the flow of a withdrawal may have changed. */
export const PAID = STALE;
