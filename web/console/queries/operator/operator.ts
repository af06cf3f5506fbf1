import type { Answer, Ask } from '../../../client/client.ts';
import { read, write } from '../../api.ts';

type OperatorQuery = NonNullable<Ask<'GET /api/admin/operators'>['query']>;
export type Operator = Answer<'GET /api/admin/operators'>['items'][number];

export const operators = (query: OperatorQuery) =>
  read('GET /api/admin/operators', { query: { page_size: 20, ...query } });
export const endOperatorSessions = write('POST /api/admin/operators/{id}/end-sessions', [
  'GET /api/admin/audit-log',
]);
const ACCESS = [
  'GET /api/admin/operators',
  'GET /api/admin/approvals',
  'GET /api/admin/audit-log',
] as const;
export const suspendOperator = write('POST /api/admin/operators/{id}/suspend', ACCESS);
export const restoreOperator = write('POST /api/admin/operators/{id}/restore', ACCESS);
export const changeRole = write('POST /api/admin/operators/{id}/role', ACCESS);
export const makeOperator = write('POST /api/admin/operators', [
  'GET /api/admin/operators',
  'GET /api/admin/approvals',
]);
