import { nanos } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { ledgerTransfers } from '../tables/ledger-transfer.ts';
import { totalOf } from './page-total.ts';
import { cursorOrder } from './sorting.ts';

export interface MoveFilter {
  type?: string | undefined;
  /** `created_at` is oldest first. */
  sort?: string | undefined;
  /** Moves behind this id: later ones do not shift the page. */
  cursor?: number | undefined;
  limit: number;
  offset: number;
}

type Direction = ReturnType<typeof cursorOrder>;

/** Where a list without a cursor begins. */
const BEFORE_ALL_IDS = { ASC: '0', DESC: '9223372036854775807' } as const;

/** Conditions on ledger_accounts that name an owner's accounts; `$1` is the owner. */
const ACCOUNTS = {
  code: 'code = $1',
  publisher: `owner_type = 'PUBLISHER' AND owner_id = $1`,
} as const;

const OF_TYPE = '($2::text IS NULL OR t.type = $2)';

/**
 * As many of one side, in the list's direction, as the page could need. The bounds and the order are those of the
 * side's index and of no other: when one account has most transfers, the planner would otherwise look
 * for another account's among everybody's. Moves between an owner's own accounts change no total
 * and are left out.
 */
const side = (
  { by, beyond }: Direction,
  [own, other, sign]: ['credit_id' | 'debit_id', string, 1 | -1],
): string => `
  SELECT side.id, ${sign} AS sign FROM own CROSS JOIN LATERAL (
    SELECT t.id FROM ledger_transfers t
    WHERE t.${own} ${by === 'ASC' ? '<=' : '>='} own.id
      AND (t.${own}, t.id) ${beyond} (own.id, COALESCE($3::bigint, ${BEFORE_ALL_IDS[by]}))
      AND t.${other} NOT IN (SELECT id FROM own) AND ${OF_TYPE}
    ORDER BY t.${own} ${by}, t.id ${by} LIMIT $4::bigint + $5::bigint) side`;
const movesOf = (direction: Direction): string =>
  `${side(direction, ['credit_id', 'debit_id', 1])} UNION ALL ${side(direction, ['debit_id', 'credit_id', -1])}`;

/** A range of one, again for the index alone. */
const countOf = (own: 'credit_id' | 'debit_id', condition = ''): string => `(
  SELECT COALESCE(sum(counted.moves), 0) FROM own CROSS JOIN LATERAL (
    SELECT count(*) AS moves FROM ledger_transfers t
    WHERE t.${own} BETWEEN own.id AND own.id AND ${OF_TYPE} ${condition}) counted)`;
/** Moves between own accounts are in both sides; looking the debits through finds them: these are few. */
const WITHIN = `CASE WHEN (SELECT count(*) FROM own) > 1
  THEN ${countOf('debit_id', 'AND t.credit_id IN (SELECT id FROM own)')} ELSE 0 END`;
const TOTAL = `${countOf('credit_id')} + ${countOf('debit_id')} - 2 * ${WITHIN}`;

/** The newest transfer of one account's side up to transfer `t`, and what it left there. */
const latest = (own: 'credit' | 'debit'): string => `(
  SELECT x.id, x.${own}_id AS account, x.${own}_balance_after_nanos AS nanos FROM ledger_transfers x
  WHERE (x.${own}_id, x.id) <= (own.id, t.id) ORDER BY x.${own}_id DESC, x.id DESC LIMIT 1)`;

const MOVE = select({
  ...columnsOf(ledgerTransfers, 't', [
    'id',
    'type',
    'currency',
    'subjectType',
    'subjectId',
    'eventCount',
    'createdAt',
  ]),
  /** Signed: what the owner's balance gained or lost. */
  amountNanos: nanos().of('page.sign * t.amount_nanos'),
  /** Of the whole ledger up to this move, whatever the list is narrowed to. */
  balanceAfterNanos: nanos().of(`(SELECT sum(left_there.nanos) FROM own CROSS JOIN LATERAL (
    SELECT nanos FROM (${latest('credit')} UNION ALL ${latest('debit')}) sides
    WHERE account = own.id ORDER BY id DESC LIMIT 1) left_there)`),
});
/** One transfer as the owner of one of its sides sees it. */
export type BalanceMove = RowOf<typeof MOVE>;

/**
 * Newest first unless `sort` says otherwise. An account's transfers have their ids in the order in which they were applied, for
 * whoever posts has locked it before, and each keeps the balance that it left: the balance after a move
 * is what the newest transfer up to it left on each of the owner's accounts. So no page adds up history.
 */
export async function listMoves(
  sql: SqlRunner,
  owner: { accounts: keyof typeof ACCOUNTS; value: string | number },
  filter: MoveFilter,
): Promise<{ items: BalanceMove[]; total: number }> {
  const own = `own AS MATERIALIZED (SELECT id FROM ledger_accounts WHERE ${ACCOUNTS[owner.accounts]})`;
  const values = [owner.value, filter.type ?? null];
  const direction = cursorOrder(filter.sort);
  const items = await readRows(
    sql,
    MOVE,
    `WITH ${own},
     page AS (SELECT id, sign FROM (${movesOf(direction)}) moves
       ORDER BY id ${direction.by} LIMIT $4 OFFSET $5)
     SELECT ${MOVE.list} FROM page JOIN ledger_transfers t ON t.id = page.id
     ORDER BY page.id ${direction.by}`,
    [...values, filter.cursor ?? null, filter.limit, filter.offset],
  );
  const page = { ...filter, rows: items.length };
  const total = await totalOf(sql, page, {
    text: `WITH ${own} SELECT ${TOTAL} AS total`,
    values,
  });
  return { items, total };
}
