import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { ref } from '../../db/schema/column.ts';
import { columnsOf, readRow, readRows, select } from '../../db/schema/selection.ts';
import { sqlValue } from '../../db/schema/table.ts';
import { notifications } from '../../db/tables/notification.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  BALANCE_LOW_NANOS,
  hasOwnLetter,
  isAlwaysWritten,
  type NotificationKind,
  type NotificationParams,
  type StoredWays,
  waysOf,
} from '../../domain/notifications.ts';
import { notificationText } from '../../domain/notification-texts.ts';
import { PLATFORM_CURRENCY } from '../core/ledger.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { queueMail } from './mails.ts';
import type { Notice } from './notice-letter.ts';
import { queueWebhooks } from './webhook-deliveries.ts';

export interface NewNotification {
  accountId: number;
  kind: NotificationKind;
  subject: { type: string; id: number } | null;
  params: NotificationParams;
  /** Told once under this key. */
  dedupeKey?: string;
}

/** A week later the console has shown it anyway. */
const LETTER_LIVES_MS = 7 * 86_400_000;
const WRITTEN = select(columnsOf(notifications, 'notifications', ['id', 'createdAt']));

/** Tells an account what happened, by the ways that it wants, in the transaction of what happened. */
export async function notify(
  deps: ActivityDeps,
  tx: Transaction,
  notification: NewNotification,
): Promise<void> {
  const { accountId, kind, subject, params, dedupeKey } = notification;
  const settings = await deps.db.models.notificationSettings.findByPk(accountId, {
    transaction: tx,
  });
  const ways = waysOf(kind, settings?.ways ?? {});
  const written = await readRow(
    runner(deps.db, tx),
    WRITTEN,
    `INSERT INTO notifications (account_id, kind, subject_type, subject_id, params, shown, dedupe_key)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (dedupe_key) DO NOTHING RETURNING ${WRITTEN.list}`,
    [
      accountId,
      kind,
      subject?.type ?? null,
      subject?.id ?? null,
      sqlValue(notifications, 'params', params),
      ways.console,
      dedupeKey ?? null,
    ],
  );
  if (written === undefined) return;
  await queueWebhooks(deps, tx, {
    accountId,
    kind,
    at: written.createdAt,
    notificationId: written.id,
    subject,
    params,
    text: notificationText(kind, params, 'en', subject?.type),
  });
  if (!ways.mail || hasOwnLetter(kind)) return;
  // What may be turned off is not for whoever else has an address that nobody has confirmed (interface 5.18).
  if (!isAlwaysWritten(kind) && !(await isConfirmed(deps, tx, accountId))) return;
  const expiresAt = new Date(deps.clock().getTime() + LETTER_LIVES_MS);
  const detail = JSON.stringify({ kind, params, subject } satisfies Notice);
  await queueMail(deps, tx, { kind: 'notice', accountId, detail, expiresAt });
}

async function isConfirmed(
  { db }: ActivityDeps,
  tx: Transaction,
  accountId: number,
): Promise<boolean> {
  const owner = await db.models.accounts.findByPk(accountId, { transaction: tx });
  return owner !== null && owner.emailConfirmedAt !== null;
}

export interface BalanceSeen {
  accountId: number;
  balanceNanos: bigint;
}

const LOW = select({ accountId: ref().of('told.account_id') });

/**
 * Tells the advertisers whose balance a batch has taken below what they call low, each once until it is
 * topped up. One statement for a batch in which nobody's is.
 */
export async function notifyLowBalances(
  deps: ActivityDeps,
  tx: Transaction,
  seen: readonly BalanceSeen[],
): Promise<void> {
  if (seen.length === 0) return;
  const low = await readRows(
    runner(deps.db, tx),
    LOW,
    `WITH told AS (
       INSERT INTO notification_settings AS s (account_id, low_told)
       SELECT v.account_id, true FROM json_to_recordset($1::json) AS v (account_id bigint, balance bigint)
         LEFT JOIN notification_settings k ON k.account_id = v.account_id
       WHERE v.balance < COALESCE(k.balance_low_nanos, $2::bigint) AND k.low_told IS NOT TRUE
       ORDER BY v.account_id
       ON CONFLICT (account_id) DO UPDATE SET low_told = true WHERE NOT s.low_told
       RETURNING s.account_id)
     SELECT ${LOW.list} FROM told`,
    [
      JSON.stringify(
        seen.map(({ accountId, balanceNanos }) => ({
          account_id: accountId,
          balance: balanceNanos.toString(),
        })),
      ),
      BALANCE_LOW_NANOS.toString(),
    ],
  );
  const balances = new Map(seen.map(({ accountId, balanceNanos }) => [accountId, balanceNanos]));
  for (const { accountId } of low) {
    const amount = presentAmount(balances.get(accountId) ?? 0n);
    const params = { amount, currency: PLATFORM_CURRENCY };
    await notify(deps, tx, { accountId, kind: 'balance_low', subject: null, params });
  }
}

/** Money arrived: the next time that the balance is low is news again. */
export async function forgetLowBalance(
  deps: ActivityDeps,
  tx: Transaction,
  accountId: number,
): Promise<void> {
  await deps.db.models.notificationSettings.update(
    { lowTold: false },
    { where: { accountId, lowTold: true }, transaction: tx, silent: true },
  );
}

export interface NotificationSettingsPatch {
  accountId: number;
  ways: StoredWays;
  /** Undefined stays; null is the default again. */
  balanceLowNanos: bigint | null | undefined;
  ifMatch: readonly number[] | undefined;
}

export function createNotificationActivities(deps: ActivityDeps) {
  const { db } = deps;
  return {
    /** Those of the account that are named, or all up to one. Answers how many were unread. */
    async readNotifications(command: {
      accountId: number;
      ids: readonly number[] | undefined;
      until: number | undefined;
    }): Promise<number> {
      const { accountId, ids, until } = command;
      return await runStep(db, 'notification.read', async (tx) => {
        const { rows } = await runner(db, tx).query(
          `UPDATE notifications SET read_at = now()
           WHERE account_id = $1 AND shown AND read_at IS NULL
             AND (id = ANY($2::bigint[]) OR id <= $3::bigint) RETURNING 1`,
          [accountId, ids ?? [], until ?? 0],
        );
        return rows.length;
      });
    },

    /** Kinds that are not named stay as they are. Raises precondition_failed. */
    async putNotificationSettings(patch: NotificationSettingsPatch): Promise<void> {
      await inTransaction(db, async (tx) => {
        const row = await lockSettings(deps, tx, patch.accountId);
        expectVersion(patch.ifMatch, row.version);
        const named = Object.entries(patch.ways).map(([kind, ways]) => [
          kind,
          { ...row.ways[kind as NotificationKind], ...ways },
        ]);
        await row.update(
          {
            ways: { ...row.ways, ...Object.fromEntries(named) },
            ...(patch.balanceLowNanos === undefined
              ? {}
              : { balanceLowNanos: patch.balanceLowNanos, lowTold: false }),
            version: row.version + 1,
          },
          { transaction: tx },
        );
      });
    },
  };
}

/** The row is written first, as it is by default: only a row can be locked. */
async function lockSettings(
  { db }: ActivityDeps,
  tx: Transaction,
  accountId: number,
): Promise<RecordOf<'notificationSettings'>> {
  await db.models.notificationSettings.bulkCreate([{ accountId, version: 1 }], {
    ignoreDuplicates: true,
    transaction: tx,
  });
  return await db.models.notificationSettings.findByPk(accountId, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
    rejectOnEmpty: true,
  });
}
