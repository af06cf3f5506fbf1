import { webhookLifecycle } from '../../domain/lifecycle/webhook.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import { id, json, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const webhookEndpoints = table('webhook_endpoints', {
  id: id(),
  accountId: ref(),
  url: text(),
  kinds: json<NotificationKind[]>(),
  status: state(webhookLifecycle).byDefault(),
  sealedSecret: text(),
  sealedBefore: text().orNull(),
  beforeUntil: time().orNull(),
  failingSince: time().orNull(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
});
export type WebhookEndpointRow = Row<typeof webhookEndpoints>;
