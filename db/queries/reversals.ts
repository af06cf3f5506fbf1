import { nanos, ref, text } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { operations } from '../tables/operation.ts';
import { reversals } from '../tables/reversal.ts';
import { totalOf } from './page-total.ts';

const REVERSAL = select({
  ...columnsOf(reversals, 'r'),
  maker: text().of('m.username'),
  checker: text().orNull().of('c.username'),
  taskId: ref().orNull()
    .of(`(SELECT t.id FROM tasks t WHERE t.workflow_id = 'reversal:' || r.id AND t.status = 'open'
      LIMIT 1)`),
  timeline: operations.columns.timeline
    .orNull()
    .of(`(SELECT o.timeline FROM operations o WHERE o.workflow_id = 'reversal:' || r.id LIMIT 1)`),
});
export type ShownReversal = RowOf<typeof REVERSAL>;

export interface ReversalFilter {
  id?: number | undefined;
  status?: string | undefined;
  limit: number;
  offset: number;
}

const FILTER = `($1::bigint IS NULL OR r.id = $1) AND ($2::text IS NULL OR r.status = $2)`;

/** Newest first. */
export async function listReversals(
  sql: SqlRunner,
  { id, status, ...page }: ReversalFilter,
): Promise<{ items: ShownReversal[]; total: number }> {
  const bound = [id ?? null, status ?? null];
  const items = await readRows(
    sql,
    REVERSAL,
    `SELECT ${REVERSAL.list} FROM reversals r JOIN operators m ON m.id = r.maker_id
     LEFT JOIN operators c ON c.id = r.checker_id
     WHERE ${FILTER} ORDER BY r.id DESC LIMIT $3 OFFSET $4`,
    [...bound, page.limit, page.offset],
  );
  const total = await totalOf(
    sql,
    { ...page, rows: items.length },
    { text: `SELECT count(*) AS total FROM reversals r WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

const PARTY = select({
  accountId: ref().of('i.account_id'),
  name: text().of('COALESCE(a.company_name, a.username)'),
  events: ref().of('count(*)'),
  nanos: nanos().of('sum(i.nanos)::bigint'),
  balanceNanos: nanos().of(`COALESCE((SELECT sum(l.balance_nanos) FROM ledger_accounts l
    WHERE l.owner_id = i.account_id AND l.owner_type = a.kind), 0)::bigint`),
});
export type ReversalParty = RowOf<typeof PARTY>;

const REASON = select({
  reason: text().of('i.reason'),
  events: ref().of('count(*)'),
  priceNanos: nanos().of('sum(i.price_nanos)::bigint'),
  publisherNanos: nanos().of('sum(i.publisher_nanos)::bigint'),
});
export type ReversalReasonSum = RowOf<typeof REASON>;

export interface ReversalParties {
  advertisers: ReversalParty[];
  publishers: ReversalParty[];
  reasons: ReversalReasonSum[];
}

/** What it costs or brings each side, the largest sums first, with all that each account holds now. */
export async function readReversalParties(
  sql: SqlRunner,
  reversalId: number,
  limit: number,
): Promise<ReversalParties> {
  const parties = async (side: 'advertiser' | 'publisher', money: string) =>
    await readRows(
      sql,
      PARTY,
      `SELECT ${PARTY.list} FROM (SELECT ${side}_id AS account_id, ${money} AS nanos
         FROM reversal_items WHERE reversal_id = $1) i
       JOIN accounts a ON a.id = i.account_id
       GROUP BY i.account_id, a.company_name, a.username, a.kind ORDER BY sum(i.nanos) DESC, i.account_id LIMIT $2`,
      [reversalId, limit],
    );
  return {
    advertisers: await parties('advertiser', 'price_nanos'),
    publishers: await parties('publisher', 'publisher_nanos'),
    reasons: await readRows(
      sql,
      REASON,
      `SELECT ${REASON.list} FROM reversal_items i WHERE i.reversal_id = $1
       GROUP BY i.reason ORDER BY count(*) DESC, i.reason LIMIT $2`,
      [reversalId, limit],
    ),
  };
}

const SUMS = select({
  events: ref().of('count(*)'),
  priceNanos: nanos().of('COALESCE(sum(i.price_nanos), 0)::bigint'),
  publisherNanos: nanos().of('COALESCE(sum(i.publisher_nanos), 0)::bigint'),
  contentHash: text().of(`encode(sha256(convert_to(COALESCE(string_agg(
    i.day || ' ' || i.event_id || ' ' || i.reason || ' ' || i.price_nanos || ' ' || i.publisher_nanos,
    E'\\n' ORDER BY i.day, i.event_id), ''), 'UTF8')), 'hex')`),
});

/** Of all its items, and their hash as the database makes it: the same items are the same hash. */
export async function sumReversalItems(
  sql: SqlRunner,
  reversalId: number,
): Promise<RowOf<typeof SUMS>> {
  const row = await readRow(
    sql,
    SUMS,
    `SELECT ${SUMS.list} FROM reversal_items i WHERE i.reversal_id = $1`,
    [reversalId],
  );
  if (row === undefined) throw new Error('a sum has no row');
  return row;
}
