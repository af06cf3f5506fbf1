import type { Ask } from '../../../client/client.ts';
import { read, write } from '../../api.ts';

/** What was said against removed events, and what became of it. */
type Query = NonNullable<Ask<'GET /api/publisher/removal-appeals'>['query']>;

export const list = (query: Query) =>
  read('GET /api/publisher/removal-appeals', { query: { page_size: 20, ...query } });
export const open = write('POST /api/publisher/removal-appeals', [
  'GET /api/publisher/removal-appeals',
]);
