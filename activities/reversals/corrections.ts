import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { insertRows } from '../../db/schema/insert.ts';
import { nanos, ref } from '../../db/schema/column.ts';
import { readRows, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { ROLLUP_KEY_SOURCE, ROLLUP_TABLES, ROLLUPS } from '../../db/queries/rollups.ts';
import { eventCorrections } from '../../db/tables/event-correction.ts';
import type { Nanos } from '../../domain/money.ts';
import { presentAmount } from '../../domain/money.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import { forgetLowBalance, notify } from '../accounts/notifications.ts';
import { PLATFORM_CURRENCY } from '../core/ledger.ts';
import { publishInventory } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';

/** One after the other, platform-wide, until the caller commits: corrections are few, and often of the same accounts. */
export async function holdCorrections(sql: SqlRunner): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('event-corrections', 0))`);
}

export interface Correction {
  day: string;
  eventId: string;
  /** Why it counts no more; null when it counts now. */
  reason: string | null;
  priceDeltaNanos: Nanos;
  publisherDeltaNanos: Nanos;
}

/**
 * Writes the corrections of one posted batch, and what reports show of them, in the batch's transaction. The
 * database refuses what was corrected before, and what nobody approved.
 */
export async function writeCorrections(
  sql: SqlRunner,
  { batchId, ...by }: { batchId: number; reversalId: number | null; appealId: number | null },
  corrections: readonly Correction[],
): Promise<void> {
  await insertRows(
    sql,
    eventCorrections,
    corrections.map((each) => ({ ...each, ...by, billable: each.reason === null, batchId })),
  );
  // Rows that settlement shares come last, so that they are locked only briefly.
  for (const table of ROLLUP_TABLES) await sql.query(rollupStatement(table), [batchId]);
}

const COUNTED = {
  impressions: 'impression',
  clicks: 'click_verify',
  conversions: 'conversion',
  views: 'video_view',
} as const;

/** What one batch of corrections moves in one rollup, by the keys that the books recompute it by. */
function rollupStatement(table: (typeof ROLLUP_TABLES)[number]): string {
  const { keys, money } = ROLLUPS[table];
  const moved = money === 'spend_nanos' ? 'c.price_delta_nanos' : 'c.publisher_delta_nanos';
  const turned = 'CASE WHEN c.billable THEN 1 ELSE -1 END';
  const counts: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(COUNTED).map(([name, kind]) => [
        name,
        `COALESCE(sum(${turned}) FILTER (WHERE e.kind = '${kind}'), 0)`,
      ]),
    ),
    removed: `-COALESCE(sum(${turned}) FILTER (WHERE e.kind <> 'video_view'), 0)`,
    [money]: `sum(${moved})`,
  };
  const names = Object.keys(counts);
  return `INSERT INTO ${table} AS t (${[...keys, ...names].join(', ')})
    SELECT ${keys.map((key) => ROLLUP_KEY_SOURCE[key] ?? `e.${key}`).join(', ')},
      ${Object.values(counts).join(', ')}
    FROM event_corrections c JOIN events e ON e.day = c.day AND e.id = c.event_id
    WHERE c.batch_id = $1 GROUP BY ${keys.map((_, at) => at + 1).join(', ')}
    ORDER BY ${keys.map((_, at) => at + 1).join(', ')}
    ON CONFLICT (${keys.join(', ')}) DO UPDATE
      SET ${names.map((name) => `${name} = t.${name} + EXCLUDED.${name}`).join(', ')}`;
}

/** An advertiser has another balance: serving hears of it, and a low one may be told of again. */
export async function tellServing(
  deps: ActivityDeps,
  tx: Transaction,
  advertiserIds: readonly number[],
): Promise<void> {
  for (const id of new Set(advertiserIds)) {
    await forgetLowBalance(deps, tx, id);
    await publishInventory(deps.outbox, tx, { topic: 'advertiser', id });
  }
}

const MOVED = select({ accountId: ref().of('e.account_id'), nanos: nanos().of('e.nanos') });

/** One piece of news per account whose money corrections moved; `of` is a column and its value. */
export async function tellCorrected(
  deps: ActivityDeps,
  tx: Transaction,
  of: { column: 'reversal_id' | 'appeal_id'; id: number },
  kinds: { advertiser: NotificationKind | null; publisher: NotificationKind },
): Promise<void> {
  const sides = [
    ['advertiser_id', 'price_delta_nanos', kinds.advertiser],
    ['publisher_id', 'publisher_delta_nanos', kinds.publisher],
  ] as const;
  for (const [owner, money, kind] of sides) {
    if (kind === null) continue;
    const rows = await readRows(
      runner(deps.db, tx),
      MOVED,
      `SELECT ${MOVED.list} FROM (SELECT v.${owner} AS account_id, abs(sum(c.${money}))::bigint AS nanos
         FROM event_corrections c JOIN events v ON v.day = c.day AND v.id = c.event_id
         WHERE c.${of.column} = $1 GROUP BY 1) e WHERE e.nanos > 0 ORDER BY 1`,
      [of.id],
    );
    for (const { accountId, nanos: amountNanos } of rows) {
      await notify(deps, tx, {
        accountId,
        kind,
        subject: null,
        params: { amount: presentAmount(amountNanos), currency: PLATFORM_CURRENCY },
        dedupeKey: `${of.column}:${of.id}:${accountId}`,
      });
    }
  }
}
