import type { Answer, Ask } from '../../../client/client.ts';
import { read } from '../../api.ts';

/** What was not billed, and why. */
export type UnbilledQuery = NonNullable<Ask<'GET /api/admin/unbilled-events'>['query']>;
export type Unbilled = Answer<'GET /api/admin/unbilled-events'>['items'][number];
export type LatestUnbilled = Answer<'GET /api/admin/unbilled-events/latest'>['items'][number];

export const unbilledEvents = (query: UnbilledQuery) =>
  read('GET /api/admin/unbilled-events', { query });
export const latestUnbilled = ({ group_by: _none, ...query }: UnbilledQuery) =>
  read('GET /api/admin/unbilled-events/latest', { query });
