import { columnsOf, prefixed, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { type WebhookDeliveryRow, webhookDeliveries } from '../tables/webhook-delivery.ts';
import { type WebhookEndpointRow, webhookEndpoints } from '../tables/webhook-endpoint.ts';
import { totalOf } from './page-total.ts';

const ENDPOINT = select(columnsOf(webhookEndpoints, 'e'));
const DELIVERY = select(columnsOf(webhookDeliveries, 'd'));
const CALL = select({
  ...columnsOf(webhookDeliveries, 'd', [
    'id',
    'endpointId',
    'accountId',
    'eventId',
    'kind',
    'body',
    'status',
    'attempts',
  ]),
  ...columnsOf(webhookEndpoints, 'e', ['url', 'sealedSecret', 'sealedBefore', 'beforeUntil']),
  ...prefixed('endpoint', columnsOf(webhookEndpoints, 'e', ['status'])),
});
export type WebhookCall = RowOf<typeof CALL>;

/** What a call needs; undefined when its endpoint was deleted. */
export async function findWebhookCall(
  sql: SqlRunner,
  id: number,
): Promise<WebhookCall | undefined> {
  return await readRow(
    sql,
    CALL,
    `SELECT ${CALL.list} FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE d.id = $1`,
    [id],
  );
}

/** In the order they were made; an account has few of them. One of them when `id` names it. */
export async function listWebhooks(
  sql: SqlRunner,
  { accountId, id }: { accountId: number; id?: number },
): Promise<WebhookEndpointRow[]> {
  return await readRows(
    sql,
    ENDPOINT,
    `SELECT ${ENDPOINT.list} FROM webhook_endpoints e
     WHERE e.account_id = $1 AND ($2::bigint IS NULL OR e.id = $2) ORDER BY e.id LIMIT 100`,
    [accountId, id ?? null],
  );
}

export interface DeliveryFilter {
  endpointId: number;
  accountId: number;
  status?: string | undefined;
  /** This one alone. */
  id?: number;
  limit: number;
  offset: number;
}

/** Newest first. */
export async function listWebhookDeliveries(
  sql: SqlRunner,
  filter: DeliveryFilter,
): Promise<{ rows: WebhookDeliveryRow[]; total: number }> {
  const where = `d.endpoint_id = $1 AND d.account_id = $2 AND ($3::text IS NULL OR d.status = $3)
    AND ($4::bigint IS NULL OR d.id = $4)`;
  const { endpointId, accountId, status, id } = filter;
  const bound = [endpointId, accountId, status ?? null, id ?? null];
  const rows = await readRows(
    sql,
    DELIVERY,
    `SELECT ${DELIVERY.list} FROM webhook_deliveries d WHERE ${where}
     ORDER BY d.id DESC LIMIT $5 OFFSET $6`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    { text: `SELECT count(*) AS total FROM webhook_deliveries d WHERE ${where}`, values: bound },
  );
  return { rows, total };
}
