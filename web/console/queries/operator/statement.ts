import type { Answer, Ask } from '../../../client/client.ts';
import { api, read, write } from '../../api.ts';

/** What the bank says has arrived, held against orders. */
const UPLOAD = 'POST /api/admin/bank-statements';
type LineQuery = NonNullable<Ask<'GET /api/admin/bank-statements/{id}/lines'>['query']>;
export type StatementQuery = Ask<typeof UPLOAD>['query'];
export type BankStatement = Answer<'GET /api/admin/bank-statements/{id}'>;
type Uploaded = Answer<typeof UPLOAD>;
export type StatementLine = Answer<'GET /api/admin/bank-statements/{id}/lines'>['items'][number];

export const statements = (query: { page?: number | undefined }) =>
  read('GET /api/admin/bank-statements', { query: { page_size: 20, ...query } });
export const statementOf = (id: number) =>
  read('GET /api/admin/bank-statements/{id}', { path: { id } });
export const linesOf = (id: number, query: LineQuery) =>
  read('GET /api/admin/bank-statements/{id}/lines', {
    path: { id },
    query: { page_size: 50, ...query },
  });
export const position = read('GET /api/admin/bank-statements/position');
export type Position = Answer<'GET /api/admin/bank-statements/position'>;
export const explainLine = write('POST /api/admin/bank-statements/{id}/explain', [
  'GET /api/admin/bank-statements',
  'GET /api/admin/bank-statements/{id}',
  'GET /api/admin/bank-statements/{id}/lines',
  'GET /api/admin/bank-statements/position',
]);
export const recordLines = write('POST /api/admin/bank-statements/{id}/record', [
  'GET /api/admin/bank-statements',
  'GET /api/admin/bank-statements/{id}',
  'GET /api/admin/bank-statements/{id}/lines',
  'GET /api/admin/bank-statements/position',
  'GET /api/admin/deposits',
  'GET /api/admin/deposits/{id}',
  'GET /api/admin/tasks/counts',
]);

export async function uploadStatement(file: File, query: StatementQuery): Promise<Uploaded> {
  const body = new FormData();
  body.set('file', file);
  return await api(UPLOAD).call(UPLOAD, { query, body });
}

const UPLOAD_CAMT = 'POST /api/admin/bank-statements/camt053';

/** Names its own account and needs no mapping. */
export async function uploadCamt(file: File): Promise<Uploaded> {
  const body = new FormData();
  body.set('file', file);
  return await api(UPLOAD_CAMT).call(UPLOAD_CAMT, { body });
}

const UPLOAD_STATUS = 'POST /api/admin/payout-status-files';
export type StatusFile = Answer<typeof UPLOAD_STATUS>;

/** What the bank says of orders that were carried to it. */
export async function uploadStatus(file: File): Promise<StatusFile> {
  const body = new FormData();
  body.set('file', file);
  return await api(UPLOAD_STATUS).call(UPLOAD_STATUS, { body });
}
