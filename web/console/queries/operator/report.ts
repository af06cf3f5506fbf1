import type { Ask } from '../../../client/client.ts';
import { read } from '../../api.ts';

/** What the whole platform did and earned. */
type ReportQuery = NonNullable<Ask<'GET /api/admin/statistics/report'>['query']>;
export const report = (query: ReportQuery) => read('GET /api/admin/statistics/report', { query });
