import { read } from '../../api.ts';
import type { Ask } from '../../../client/client.ts';

type Query = NonNullable<Ask<'GET /api/advertiser/operations'>['query']>;

/** What goes on by itself: reviews, generated media, exports, proofs of identity. */
export const list = (query: Query) => read('GET /api/advertiser/operations', { query });
export const latest = list({ page_size: 5 });
