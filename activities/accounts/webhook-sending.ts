import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { findWebhookCall, type WebhookCall } from '../../db/queries/webhooks.ts';
import { flag } from '../../db/schema/column.ts';
import { moveRows, NEXT_VERSION, NOW, secondsFromNow } from '../../db/schema/move.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { webhookDeliveries } from '../../db/tables/webhook-delivery.ts';
import { webhookEndpoints } from '../../db/tables/webhook-endpoint.ts';
import { TEST_KIND, WEBHOOK_FAILING_DAYS } from '../../domain/webhook.ts';
import type { WebhookAttempt, WebhookResult } from '../../workflows/contracts/webhook.ts';
import { recordOwn, statusChange } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';
import { type Called, callServer } from '../providers/call.ts';
import { notify } from './notifications.ts';
import { webhookHeaders } from './webhook-signature.ts';
import { secretPlaceOf } from './webhooks.ts';

export function createWebhookSendingActivities(deps: ActivityDeps) {
  return {
    /**
     * One call of an owner's server; any 2xx ends it. At least once by nature: a worker that dies
     * between the answer and its row calls again, under the same webhook-id.
     */
    async sendWebhook(input: WebhookAttempt): Promise<WebhookResult> {
      const call = await findWebhookCall(runner(deps.db), input.deliveryId);
      // Its endpoint was deleted, and with it what waited.
      if (call === undefined) return { state: 'DEAD', outcome: 'DELETED' };
      if (call.status === 'DELIVERED') return { state: 'DELIVERED', outcome: 'BEFORE' };
      const isWanted = call.endpointStatus === 'ACTIVE' || call.kind === TEST_KIND;
      const called = isWanted ? await send(deps, call) : NOT_CALLED;
      const isLast = input.nextAfterSeconds === null || !isWanted;
      await inTransaction(deps.db, async (tx) => {
        // The endpoint first, as whoever deletes it holds it first.
        if (isWanted && call.kind !== TEST_KIND) await judge(deps, tx, { call, called });
        await keep(deps, tx, { call, input, called, isLast });
      });
      const state = called.isTaken ? 'DELIVERED' : isLast ? 'DEAD' : 'MISSED';
      return { state, outcome: called.outcome };
    },
  };
}

const NOT_CALLED: Called = {
  isTaken: false,
  outcome: 'ENDPOINT_NOT_ACTIVE',
  tookMs: 0,
  answer: null,
};

async function send(deps: ActivityDeps, call: WebhookCall): Promise<Called> {
  const { sealer } = deps.providers;
  const now = deps.clock();
  const holds = call.beforeUntil !== null && call.beforeUntil > now;
  const secrets = [call.sealedSecret, ...(holds ? [call.sealedBefore ?? ''] : [])].map((sealed) =>
    sealer.open(sealed, secretPlaceOf({ accountId: call.accountId, id: call.endpointId })),
  );
  const unixSeconds = Math.floor(now.getTime() / 1_000);
  return await callServer(deps.providers.outbound.fetch, call.url, {
    method: 'POST',
    headers: webhookHeaders({ id: call.eventId, unixSeconds, body: call.body, secrets }),
    body: call.body,
  });
}

async function keep(
  deps: ActivityDeps,
  tx: Transaction,
  attempt: { call: WebhookCall; input: WebhookAttempt; called: Called; isLast: boolean },
): Promise<void> {
  const { call, input, called, isLast } = attempt;
  const { isTaken, outcome, tookMs, answer } = called;
  const isMissed = !isTaken && !isLast;
  await moveRows(runner(deps.db, tx), webhookDeliveries, {
    state: 'status',
    action: isMissed ? 'miss' : isTaken ? 'deliver' : 'give_up',
    where: { id: call.id },
    set: {
      attempts: Math.max(call.attempts, input.attempt),
      lastOutcome: outcome,
      tookMs,
      answer,
      nextAttemptAt: isMissed ? secondsFromNow(input.nextAfterSeconds ?? 0) : null,
      deliveredAt: isTaken ? NOW : null,
      updatedAt: NOW,
    },
  });
}

const JUDGED = select({
  isOver: flag().orNull().of(`failing_since < now() - ${WEBHOOK_FAILING_DAYS} * interval '1 day'`),
});

/** Who takes something is well again; who has taken nothing for days is called no more, and told. */
async function judge(
  deps: ActivityDeps,
  tx: Transaction,
  { call, called }: { call: WebhookCall; called: Called },
): Promise<void> {
  const sql = runner(deps.db, tx);
  const { endpointId: id, accountId } = call;
  const judged = await readRow(
    sql,
    JUDGED,
    `UPDATE webhook_endpoints
     SET failing_since = CASE WHEN $2 THEN NULL ELSE COALESCE(failing_since, now()) END
     WHERE id = $1 AND (NOT $2 OR failing_since IS NOT NULL)
     RETURNING ${JUDGED.list}`,
    [id, called.isTaken],
  );
  if (judged?.isOver !== true) return;
  const [disabled] = await moveRows(sql, webhookEndpoints, {
    state: 'status',
    action: 'disable',
    where: { id },
    set: { version: NEXT_VERSION, updatedAt: NOW },
  });
  if (disabled === undefined) return;
  const subject = { type: 'webhook', id };
  await recordOwn(deps.db, tx, {
    accountId,
    by: { operatorId: null },
    action: 'webhook.disable',
    subject,
    changes: statusChange('ACTIVE', 'DISABLED'),
  });
  const params = { name: new URL(disabled.url).host };
  await notify(deps, tx, { accountId, kind: 'webhook_disabled', subject, params });
}
