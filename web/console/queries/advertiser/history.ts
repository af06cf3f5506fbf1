import { read } from '../../api.ts';
import type { Ask } from '../../../client/client.ts';

export type HistoryQuery = NonNullable<Ask<'GET /api/advertiser/history'>['query']>;

/** Who changed what, and when. */
export const history = (query: HistoryQuery) =>
  read('GET /api/advertiser/history', { query: { page_size: 20, ...query } });

/** What a review may say, in both languages; it does not change while a page is open. */
export const reviewReasons = {
  ...read('GET /api/advertiser/review-reasons'),
  staleTime: Number.POSITIVE_INFINITY,
};
