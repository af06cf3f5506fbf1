import type { Answer, Ask } from '../../../client/client.ts';
import { read, write } from '../../api.ts';

/** Shares and taxes by their day. */
type Query = NonNullable<Ask<'GET /api/admin/money-terms'>['query']>;
export type TermBody = Ask<'POST /api/admin/money-terms'>['body'];
export type Term = Answer<'GET /api/admin/money-terms'>['items'][number];

export const TERM_KINDS = ['SHARE', 'TAX'] as const satisfies readonly Term['kind'][];
export const TERM_STATUSES = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'VOID',
] as const satisfies readonly Term['status'][];

export const terms = (query: Query) =>
  read('GET /api/admin/money-terms', { query: { page_size: 20, ...query } });
export const proposeTerm = write('POST /api/admin/money-terms', [
  'GET /api/admin/money-terms',
  'GET /api/admin/approvals',
]);
