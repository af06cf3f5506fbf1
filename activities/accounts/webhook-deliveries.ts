import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { moveRow, NOW } from '../../db/schema/move.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import { webhookDeliveries } from '../../db/tables/webhook-delivery.ts';
import { notFound } from '../../domain/errors.ts';
import {
  TEST_KIND,
  WEBHOOK_RETRY_SECONDS,
  webhookBody,
  type WebhookEvent,
} from '../../domain/webhook.ts';
import { webhookStart, type WebhookInput } from '../../workflows/contracts/webhook.ts';
import { runStep } from '../core/run-once.ts';
import { startFlow } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';

const QUEUED = select(columnsOf(webhookDeliveries, 'd', ['id', 'accountId', 'attempts']));

/** To every server of the account that wants it, in the transaction of what happened. */
export async function queueWebhooks(
  deps: ActivityDeps,
  tx: Transaction,
  { accountId, ...event }: WebhookEvent & { accountId: number; notificationId: number },
): Promise<void> {
  const queued = await readRows(
    runner(deps.db, tx),
    QUEUED,
    `INSERT INTO webhook_deliveries AS d (endpoint_id, account_id, event_id, kind, body)
     SELECT e.id, e.account_id, $2, $3, $4 FROM webhook_endpoints e
     WHERE e.account_id = $1 AND e.status = 'ACTIVE' AND e.kinds @> to_jsonb($3::text)
     ORDER BY e.id ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING ${QUEUED.list}`,
    [accountId, `msg_${event.notificationId}`, event.kind, webhookBody(event)],
  );
  for (const delivery of queued) await startSending(deps, tx, delivery, WEBHOOK_RETRY_SECONDS);
}

async function startSending(
  deps: ActivityDeps,
  tx: Transaction,
  { id: deliveryId, accountId, attempts }: { id: number; accountId: number; attempts: number },
  retryAfterSeconds: readonly number[],
): Promise<void> {
  const input: WebhookInput = { deliveryId, firstAttempt: attempts + 1, retryAfterSeconds };
  await startFlow(deps, tx, webhookStart(input), { accountId });
}

export function createWebhookDeliveryActivities(deps: ActivityDeps) {
  return {
    /**
     * One call that says that it is a test, whatever the server is told of and also while it is
     * paused; not tried again. Raises not_found.
     */
    testWebhook: async (key: { id: number; accountId: number }): Promise<{ deliveryId: number }> =>
      await runStep(deps.db, 'webhook.test', async (tx) => {
        const { id: endpointId, accountId } = key;
        const endpoint = await deps.db.models.webhookEndpoints.findOne({
          where: key,
          transaction: tx,
        });
        if (endpoint === null) throw notFound();
        const delivery = await deps.db.models.webhookDeliveries.create(
          {
            endpointId,
            accountId,
            eventId: `msg_test_${randomBytes(12).toString('hex')}`,
            kind: TEST_KIND,
            body: webhookBody({
              kind: TEST_KIND,
              at: deps.clock(),
              notificationId: null,
              subject: null,
              params: {},
              text: 'A test: nothing happened',
            }),
          },
          { transaction: tx },
        );
        await startSending(deps, tx, { id: delivery.id, accountId, attempts: 0 }, []);
        return { deliveryId: delivery.id };
      }),

    /** From its beginning again, under the same webhook-id. Raises not_found, state_conflict while it waits. */
    async resendWebhook(key: { id: number; endpointId: number; accountId: number }): Promise<void> {
      await runStep(deps.db, 'webhook.resend', async (tx) => {
        const delivery = await moveRow(runner(deps.db, tx), webhookDeliveries, {
          state: 'status',
          action: 'send_again',
          where: key,
          set: { nextAttemptAt: NOW, deliveredAt: null, updatedAt: NOW },
        });
        const waits = delivery.kind === TEST_KIND ? [] : WEBHOOK_RETRY_SECONDS;
        await startSending(deps, tx, delivery, waits);
      });
    },
  };
}
