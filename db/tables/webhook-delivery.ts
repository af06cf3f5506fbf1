import { webhookDeliveryLifecycle } from '../../domain/lifecycle/webhook.ts';
import type { WebhookKind } from '../../domain/webhook.ts';
import { id, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const webhookDeliveries = table('webhook_deliveries', {
  id: id(),
  endpointId: ref(),
  accountId: ref(),
  eventId: text(),
  kind: text<WebhookKind>(),
  body: text(),
  status: state(webhookDeliveryLifecycle).byDefault(),
  attempts: whole().byDefault(),
  nextAttemptAt: time().orNull().byDefault(),
  lastOutcome: text().orNull(),
  tookMs: whole().orNull(),
  answer: text().orNull(),
  deliveredAt: time().orNull(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
});
export type WebhookDeliveryRow = Row<typeof webhookDeliveries>;
