import type { Answer, Ask } from '../../../client/client.ts';
import { read } from '../../api.ts';
import { order } from '../../order-keys.ts';

/** Unused balance that goes back to whoever paid it. */
type Query = NonNullable<Ask<'GET /api/admin/balance-refunds'>['query']>;
export type RefundBody = Ask<'POST /api/admin/balance-refunds'>['body'];
export type Refund = Answer<'GET /api/admin/balance-refunds'>['items'][number];
export type RefundPage = Answer<'GET /api/admin/balance-refunds/{id}'>;
export type RefundPlan = Answer<'GET /api/admin/advertisers/{id}/refundable'>;

export const REFUND_STATUSES = [
  'REQUESTED',
  'RETURNING',
  'RETURNED',
  'KEPT',
] as const satisfies readonly Refund['status'][];

export const refunds = (query: Query) =>
  read('GET /api/admin/balance-refunds', { query: { page_size: 20, ...query } });
export const refundOf = (id: number) =>
  read('GET /api/admin/balance-refunds/{id}', { path: { id } });
/** What would happen, before anybody asks; without an amount all that can go back. */
export const refundPlan = (id: number, amount: number | null) =>
  read('GET /api/admin/advertisers/{id}/refundable', {
    path: { id },
    query: amount === null ? {} : { amount: String(amount) },
  });
export const requestRefund = order('POST /api/admin/balance-refunds', [
  'GET /api/admin/balance-refunds',
  'GET /api/admin/approvals',
  'GET /api/admin/advertisers/{id}',
]);
