import { read } from '../../api.ts';

/** What goes on by itself: reviews, generated media, exports, proofs of identity. */
export const latest = read('GET /api/advertiser/operations', { query: { page_size: 5 } });
