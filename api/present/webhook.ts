import type * as yup from 'yup';
import type { WebhookDeliveryRow } from '../../db/tables/webhook-delivery.ts';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoint.ts';
import { DELIVERY_STATUSES, WEBHOOK_STATUSES } from '../../domain/lifecycle/webhook.ts';
import { NOTIFICATION_KINDS } from '../../domain/notifications.ts';
import {
  address,
  idOf,
  listOf,
  moving,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

/** interface 5.11 */
const fields = {
  id: idOf(),
  url: address(),
  kinds: listOf(oneOf(NOTIFICATION_KINDS)),
  status: oneOf(WEBHOOK_STATUSES),
  /** Since when nothing was taken. */
  failing_since: moving(timeOrNull()),
  /** Until when the secret before the present one signs as well. */
  old_secret_until: moving(timeOrNull()),
  version: moving(whole().min(1)),
  created_at: time(),
  updated_at: moving(time()),
};
export const webhookShape = record(fields, 'Webhook');
export const webhooksShape = record({ items: listOf(webhookShape) });
/** The secret is shown when it is made, and never again. */
export const webhookWithSecretShape = record({ ...fields, secret: words() }, 'WebhookWithSecret');

export const presentWebhook = (row: WebhookEndpointRow): yup.InferType<typeof webhookShape> => ({
  id: row.id,
  url: row.url,
  kinds: row.kinds,
  status: row.status,
  failing_since: row.failingSince?.toISOString() ?? null,
  old_secret_until: row.beforeUntil?.toISOString() ?? null,
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const webhookDeliveryShape = record(
  {
    id: idOf(),
    /** The `webhook-id` of all its attempts. */
    event_id: words(),
    kind: words(),
    status: oneOf(DELIVERY_STATUSES),
    attempts: whole().min(0),
    next_attempt_at: timeOrNull(),
    last_outcome: wordsOrNull(),
    took_ms: wholeOrNull(),
    answer: wordsOrNull(),
    /** What is sent, to the letter. */
    body: words(),
    delivered_at: timeOrNull(),
    created_at: time(),
    updated_at: time(),
  },
  'WebhookDelivery',
);

export const presentWebhookDelivery = (
  row: WebhookDeliveryRow,
): yup.InferType<typeof webhookDeliveryShape> => ({
  id: row.id,
  event_id: row.eventId,
  kind: row.kind,
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
  last_outcome: row.lastOutcome,
  took_ms: row.tookMs,
  answer: row.answer,
  body: row.body,
  delivered_at: row.deliveredAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
