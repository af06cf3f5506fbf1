import { placeOf, type SealedPlace } from '../../db/sealed-columns.ts';
import { nextId } from '../../db/next-id.ts';
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { FieldChange } from '../../db/tables/audit-entry.ts';
import { webhookEndpoints } from '../../db/tables/webhook-endpoint.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import {
  SECRET_BYTES,
  SECRET_OVERLAP_MS,
  WEBHOOKS_MAX,
  webhookSecret,
} from '../../domain/webhook.ts';
import { changesBetween, recordOwn, valuesOf } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';

/** Secrets are shown when they are made, and open for signing alone; the one before is bound in alike. */
export const secretPlaceOf = ({
  accountId,
  id,
}: Pick<WebhookKey, 'accountId' | 'id'>): SealedPlace =>
  placeOf('webhook_endpoints.sealed_secret', accountId, id);

interface WebhookKey {
  id: number;
  accountId: number;
  ifMatch?: readonly number[] | undefined;
}

export interface WebhookPatch {
  url?: string | undefined;
  kinds?: NotificationKind[] | undefined;
  status?: 'ACTIVE' | 'PAUSED' | undefined;
}

/** interface 5.11: servers that an account wants to be told on. */
export function createWebhookActivities(deps: ActivityDeps) {
  const { db } = deps;
  return {
    /** Raises state_conflict when there are too many. */
    addWebhook: async (webhook: {
      accountId: number;
      url: string;
      kinds: NotificationKind[];
    }): Promise<{ id: number }> =>
      await runStep(db, 'webhook.add', async (tx) => {
        const { accountId, kinds } = webhook;
        await expectRoom(deps, tx, accountId);
        const id = await nextId(runner(db, tx), 'webhook_endpoints');
        await db.models.webhookEndpoints.create(
          {
            ...webhook,
            id,
            kinds: [...new Set(kinds)],
            sealedSecret: newSecret(deps, { accountId, id }),
          },
          { transaction: tx },
        );
        await tell(deps, tx, { accountId, id }, 'create');
        return { id };
      }),

    /** For the answer of the request that made it. Raises not_found. */
    async showWebhookSecret({ id, accountId }: WebhookKey): Promise<string> {
      const endpoint = await db.models.webhookEndpoints.findOne({ where: { id, accountId } });
      if (endpoint === null) throw notFound();
      return deps.providers.sealer.open(endpoint.sealedSecret, secretPlaceOf(endpoint));
    },

    /** What is undefined stays. Raises not_found, precondition_failed. */
    async updateWebhook(key: WebhookKey, { status, ...patch }: WebhookPatch): Promise<void> {
      await inTransaction(db, async (tx) => {
        const endpoint = await lock(deps, tx, key);
        const before = valuesOf(endpoint, SHOWN);
        if (status !== undefined && status !== endpoint.status) {
          await moveRecord(db, tx, 'webhookEndpoints', {
            record: endpoint,
            state: 'status',
            action: status === 'ACTIVE' ? 'resume' : 'pause',
            // Whoever resumes it says that it is well again.
            set: { failingSince: null },
          });
        }
        const { url = endpoint.url, kinds = endpoint.kinds } = patch;
        const isElsewhere = url !== endpoint.url;
        const version = endpoint.version + 1;
        await endpoint.update({ url, kinds: [...new Set(kinds)], version }, { transaction: tx });
        const changes = changesBetween(webhookEndpoints, SHOWN, { before, after: endpoint });
        // An address may hold a secret of its receiver.
        const all = [...(isElsewhere ? [{ field: 'url' }] : []), ...changes];
        await tell(deps, tx, key, { verb: 'update', changes: all });
      });
    },

    /** With what waits to be sent, and the log. Raises not_found, precondition_failed. */
    async deleteWebhook(key: WebhookKey): Promise<void> {
      await inTransaction(db, async (tx) => {
        const endpoint = await lock(deps, tx, key);
        await endpoint.destroy({ transaction: tx });
        await tell(deps, tx, key, 'delete');
      });
    },

    /** The one before signs as well for a day; the one before that no more. Raises not_found. */
    async rotateWebhookSecret(key: WebhookKey): Promise<void> {
      await runStep(db, 'webhook.rotate_secret', async (tx) => {
        const endpoint = await lock(deps, tx, key);
        await endpoint.update(
          {
            sealedBefore: endpoint.sealedSecret,
            beforeUntil: new Date(deps.clock().getTime() + SECRET_OVERLAP_MS),
            sealedSecret: newSecret(deps, key),
            version: endpoint.version + 1,
          },
          { transaction: tx },
        );
        await tell(deps, tx, key, 'rotate_secret');
      });
    },
  };
}

const SHOWN = ['kinds', 'status'];

const newSecret = ({ providers }: ActivityDeps, key: WebhookKey): string =>
  providers.sealer.seal(webhookSecret(randomBytes(SECRET_BYTES)), secretPlaceOf(key));

/** One after another: counting needs the one before to be done. */
async function expectRoom(deps: ActivityDeps, tx: Transaction, accountId: number): Promise<void> {
  await runner(deps.db, tx).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `webhooks:${accountId}`,
  ]);
  const kept = await deps.db.models.webhookEndpoints.count({
    where: { accountId },
    transaction: tx,
  });
  if (kept >= WEBHOOKS_MAX) {
    throw conflict(`At most ${WEBHOOKS_MAX} webhooks are kept. Delete one first.`, {
      max: WEBHOOKS_MAX,
    });
  }
}

async function lock(
  deps: ActivityDeps,
  tx: Transaction,
  { id, accountId, ifMatch }: WebhookKey,
): Promise<RecordOf<'webhookEndpoints'>> {
  const endpoint = await deps.db.models.webhookEndpoints.findOne({
    where: { id, accountId },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (endpoint === null) throw notFound();
  expectVersion(ifMatch, endpoint.version);
  return endpoint;
}

type Verb = 'create' | 'update' | 'delete' | 'rotate_secret';

async function tell(
  deps: ActivityDeps,
  tx: Transaction,
  { id, accountId }: WebhookKey,
  told: Verb | { verb: Verb; changes: FieldChange[] },
): Promise<void> {
  const subject = { type: 'webhook', id };
  const { verb, changes } = typeof told === 'string' ? { verb: told, changes: [] } : told;
  await recordOwn(deps.db, tx, { accountId, action: `webhook.${verb}`, subject, changes });
}
