import type { Answer, Ask } from '../../../client/client.ts';
import { read, write } from '../../api.ts';

export type ApprovalQuery = NonNullable<Ask<'GET /api/admin/approvals'>['query']>;
export type Approval = Answer<'GET /api/admin/approvals'>['items'][number];
export type ApprovalPage = Answer<'GET /api/admin/approvals/{id}'>;

export const approvals = (query: ApprovalQuery) =>
  read('GET /api/admin/approvals', { query: { page_size: 20, ...query } });
export const approval = (id: number) => read('GET /api/admin/approvals/{id}', { path: { id } });

const MOVED = [
  'GET /api/admin/approvals',
  'GET /api/admin/approvals/{id}',
  'GET /api/admin/withdrawals',
  'GET /api/admin/withdrawals/{id}',
  'GET /api/admin/withdrawals/stages',
  'GET /api/admin/settings',
  'GET /api/admin/money-terms',
  'GET /api/admin/factor-recoveries',
  'GET /api/admin/deposits',
  'GET /api/admin/deposits/{id}',
  'GET /api/admin/tasks',
  'GET /api/admin/tasks/counts',
] as const;
export const approve = write('POST /api/admin/approvals/{id}/approve', [...MOVED]);
export const refuse = write('POST /api/admin/approvals/{id}/refuse', [...MOVED]);
export const withdraw = write('POST /api/admin/approvals/{id}/withdraw', [...MOVED]);
