import type { Answer, Ask } from '../../../client/client.ts';
import { read, type ReadName, write } from '../../api.ts';

/** The one queue of every human decision, and what can be done with one. */
const QUEUE = ['GET /api/admin/tasks', 'GET /api/admin/tasks/counts'] as const satisfies ReadName[];

/** A decision moves the thing itself, and money. */
const DECIDED = [
  ...QUEUE,
  'GET /api/admin/deposits',
  'GET /api/admin/deposits/{id}',
  'GET /api/admin/withdrawals',
  'GET /api/admin/withdrawals/{id}',
  'GET /api/admin/withdrawals/stages',
  'GET /api/admin/operations',
  'GET /api/admin/reversals',
  'GET /api/admin/reversals/{id}',
] as const satisfies ReadName[];

type Query = NonNullable<Ask<'GET /api/admin/tasks'>['query']>;
export type TaskRow = Answer<'GET /api/admin/tasks'>['items'][number];
export type TaskPage = Answer<'GET /api/admin/tasks/{id}'>;
export type TaskKind = TaskRow['kind'];
export type FilmChain = Answer<'POST /api/admin/tasks/{id}/film'>;
export type Decision = Ask<'POST /api/admin/tasks/{id}/decision'>['body'];

export const list = (query: Query) =>
  read('GET /api/admin/tasks', { query: { page_size: 20, ...query } });
export const counts = read('GET /api/admin/tasks/counts');
export const one = (id: number) => read('GET /api/admin/tasks/{id}', { path: { id } });
/** Who it may be given to. */
export const assignees = (id: number) =>
  read('GET /api/admin/tasks/{id}/assignees', { path: { id } });
/** With its whole number, which the page of a task masks; the look is on record. */
export const proof = (id: number) => read('GET /api/admin/kyc/{id}', { path: { id } });
/** Of one kind, or of all. */
export const reasonsFor = (kind?: TaskKind) =>
  read('GET /api/admin/review-reasons', { query: { kind } });

export const claimNext = write('POST /api/admin/tasks/claim-next', QUEUE);
/** Their answers are put in place by whoever asks; a queue is not read anew for each renewal. */
export const claim = write('POST /api/admin/tasks/{id}/claim', []);
export const release = write('POST /api/admin/tasks/{id}/release', QUEUE);
export const assign = write('POST /api/admin/tasks/{id}/assign', [
  ...QUEUE,
  'GET /api/admin/tasks/{id}',
]);
export const decide = write('POST /api/admin/tasks/{id}/decision', DECIDED);
/** It moves nothing: what a server answers now is in the answer alone. */
export const fetchFilm = write('POST /api/admin/tasks/{id}/film', []);
export const addNote = write('POST /api/admin/tasks/{id}/notes', ['GET /api/admin/tasks/{id}']);
