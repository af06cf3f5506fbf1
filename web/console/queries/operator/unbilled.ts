import type { Answer, Ask } from '../../../client/client.ts';
import { read } from '../../api.ts';

/** What waits for its advertiser, and what was not billed. */
export type UnbilledQuery = NonNullable<Ask<'GET /api/admin/unbilled-events'>['query']>;
export type Unbilled = Answer<'GET /api/admin/unbilled-events'>['items'][number];
export type LatestUnbilled = Answer<'GET /api/admin/unbilled-events/latest'>['items'][number];

export type HeldConversion = Answer<'GET /api/admin/held-conversions'>['items'][number];
export const heldConversions = (
  query: NonNullable<Ask<'GET /api/admin/held-conversions'>['query']>,
) => read('GET /api/admin/held-conversions', { query: { page_size: 20, ...query } });

export const unbilledEvents = (query: UnbilledQuery) =>
  read('GET /api/admin/unbilled-events', { query });
export const latestUnbilled = ({ group_by: _none, ...query }: UnbilledQuery) =>
  read('GET /api/admin/unbilled-events/latest', { query });
