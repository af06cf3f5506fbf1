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
export const suspendOperator = write('POST /api/admin/operators/{id}/suspend', [
  ...ACCESS,
  'GET /api/admin/operator-invitations',
]);
export const restoreOperator = write('POST /api/admin/operators/{id}/restore', ACCESS);
export const changeRole = write('POST /api/admin/operators/{id}/role', [
  ...ACCESS,
  'GET /api/admin/operator-invitations',
]);

export type OperatorInvitation = Answer<'GET /api/admin/operator-invitations'>['items'][number];
export const openInvitations = (page: number) =>
  read('GET /api/admin/operator-invitations', { query: { status: 'OPEN', page } });
const INVITED = ['GET /api/admin/operator-invitations', 'GET /api/admin/audit-log'] as const;
export const inviteOperator = write('POST /api/admin/operator-invitations', INVITED);
export const resendInvitation = write('POST /api/admin/operator-invitations/{id}/resend', INVITED);
export const takeBackInvitation = write(
  'POST /api/admin/operator-invitations/{id}/take-back',
  INVITED,
);
