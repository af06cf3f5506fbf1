import type { Answer, Ask } from '../../../client/client.ts';
import { read, write } from '../../api.ts';

/** How the platform does: its flows, what became of an impression, settings, who did what. */
type OperationQuery = NonNullable<Ask<'GET /api/admin/operations'>['query']>;
type TraceQuery = NonNullable<Ask<'GET /api/admin/events'>['query']>;
type AuditQuery = NonNullable<Ask<'GET /api/admin/audit-log'>['query']>;

export type AnyonesOperation = Answer<'GET /api/admin/operations/{id}'>;
export type EventTrace = Answer<'GET /api/admin/events'>;
export type Setting = Answer<'GET /api/admin/settings'>['items'][number];
export type AuditEntry = Answer<'GET /api/admin/audit-log'>['items'][number];
export type PlatformHealth = Answer<'GET /api/admin/health'>;

export const operations = (query: OperationQuery) =>
  read('GET /api/admin/operations', { query: { page_size: 20, ...query } });
export const trace = (query: TraceQuery) => read('GET /api/admin/events', { query });
export const settings = read('GET /api/admin/settings');
export const saveSetting = write('PUT /api/admin/settings/{key}', ['GET /api/admin/settings']);
export const auditLog = (query: AuditQuery) =>
  read('GET /api/admin/audit-log', { query: { page_size: 50, ...query } });
export const health = read('GET /api/admin/health');
export const codecPass = write('POST /api/admin/codec/pass', []);
