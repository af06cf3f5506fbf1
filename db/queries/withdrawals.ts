import { json, nanos } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { sqlName } from '../schema/table.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { type PayoutRow, payouts } from '../tables/payout.ts';
import { withdrawals } from '../tables/withdrawal.ts';
import { nameOfAccount } from './account-admin.ts';
import { type BalanceMove, listMoves, type MoveFilter } from './ledger-moves.ts';
import { totalOf } from './page-total.ts';
import { partOf, shareOf } from './report-held.ts';
import { ORDER_SORTS, orderBy } from './sorting.ts';

/** What publisher $1's ledger accounts of one kind hold together. */
const heldBy = (condition: string) =>
  nanos().of(`COALESCE(sum(balance_nanos) FILTER (WHERE ${condition}), 0)`);

/** A publisher's money as the ledger has it. */
const BALANCE = select({
  withdrawableNanos: heldBy(`code = 'pub:' || $1::bigint || ':withdrawable'`),
  /** Earned, but not yet old enough to be withdrawn (interface 4.12). */
  maturingNanos: heldBy(`code LIKE 'pub:' || $1::bigint || ':earned:%'`),
  /** Set aside for withdrawals under way. */
  heldNanos: heldBy(`code = 'pub:' || $1::bigint || ':hold'`),
  /** Taken back after it could be withdrawn: paid before anything may be. */
  debtNanos: nanos().of(
    `-COALESCE(sum(balance_nanos) FILTER (WHERE code = 'pub:' || $1::bigint || ':debt'), 0)`,
  ),
  paidTotalNanos: nanos().of(`(SELECT COALESCE(sum(amount_nanos), 0) FROM withdrawals
    WHERE publisher_id = $1 AND status = 'PAID')`),
  /**
   * Their share, at today's terms, of conversions that advertisers may still reject; in no account yet. The
   * terms are looked up once, not for each of them.
   */
  pendingNanos: nanos().of(`(SELECT COALESCE(sum(${partOf('v.price_nanos', 's.ppm')}), 0)::bigint
    FROM conversions v CROSS JOIN (SELECT ${shareOf('$1', 'now()')} AS ppm OFFSET 0) s
    WHERE v.publisher_id = $1 AND v.status = 'PENDING')`),
});
export type PublisherBalance = RowOf<typeof BALANCE>;

export async function readPublisherBalance(
  sql: SqlRunner,
  publisherId: number,
): Promise<PublisherBalance> {
  const row = await readRow(
    sql,
    BALANCE,
    `SELECT ${BALANCE.list} FROM ledger_accounts WHERE owner_type = 'PUBLISHER' AND owner_id = $1`,
    [publisherId],
  );
  if (row === undefined) throw new Error('a query without rows');
  return row;
}

/** Newest first: what the publisher's whole balance gained or lost. */
export const listPublisherTransactions = async (
  sql: SqlRunner,
  { publisherId, ...filter }: MoveFilter & { publisherId: number },
): Promise<{ items: BalanceMove[]; total: number }> =>
  await listMoves(sql, { accounts: 'publisher', value: publisherId }, filter);

/** Of the order to the bank or provider; none of these loses anything as JSON. */
const PAYOUT_FIELDS = [
  'state',
  'externalRef',
  'tries',
  'looks',
  'lastOutcome',
  'fileName',
  'fileSha256',
  'bankStatus',
  'bankCode',
  'bankWords',
] as const;
const PAYOUT_JSON = PAYOUT_FIELDS.map((name) => `'${name}', p.${sqlName(payouts, name)}`);

const { sealedAccount: _sealed, ...SHOWN } = columnsOf(withdrawals, 'w');
const WITHDRAWAL = select({
  ...SHOWN,
  publisherName: nameOfAccount('w.publisher_id'),
  payout: json<Pick<PayoutRow, (typeof PAYOUT_FIELDS)[number]>>()
    .orNull()
    .of(
      `CASE WHEN p.withdrawal_id IS NOT NULL THEN jsonb_build_object(${PAYOUT_JSON.join(', ')}) END`,
    ),
});
/** A request without its sealed account, and with its payout once there is one. */
export type ShownWithdrawal = RowOf<typeof WITHDRAWAL>;

export interface WithdrawalFilter {
  id?: number | undefined;
  /** Always given on a publisher's own pages. */
  publisherId?: number | undefined;
  status?: string | undefined;
  channel?: string | undefined;
  /** Whole UTC days of the request, both ends included. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** One of ORDER_SORTS; newest first when absent. */
  sort?: string | undefined;
  limit: number;
  offset: number;
}

const WITHDRAWAL_FILTER = `($1::bigint IS NULL OR w.id = $1)
  AND ($2::bigint IS NULL OR w.publisher_id = $2)
  AND ($3::text IS NULL OR w.status = $3) AND ($4::text IS NULL OR w.channel = $4)
  AND ($5::date IS NULL OR w.created_at >= $5::date::timestamp AT TIME ZONE 'UTC')
  AND ($6::date IS NULL OR w.created_at < ($6::date + 1)::timestamp AT TIME ZONE 'UTC')`;

export async function listWithdrawals(
  sql: SqlRunner,
  filter: WithdrawalFilter,
): Promise<{ items: ShownWithdrawal[]; total: number }> {
  const bound = [
    filter.id ?? null,
    filter.publisherId ?? null,
    filter.status ?? null,
    filter.channel ?? null,
    filter.startDate ?? null,
    filter.endDate ?? null,
  ];
  const order = orderBy(ORDER_SORTS, filter.sort, 'w');
  const items = await readRows(
    sql,
    WITHDRAWAL,
    `SELECT ${WITHDRAWAL.list}
     FROM (SELECT * FROM withdrawals w WHERE ${WITHDRAWAL_FILTER}
       ORDER BY ${order} LIMIT $7 OFFSET $8) w
     LEFT JOIN payouts p ON p.withdrawal_id = w.id ORDER BY ${order}`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    {
      text: `SELECT count(*) AS total FROM withdrawals w WHERE ${WITHDRAWAL_FILTER}`,
      values: bound,
    },
  );
  return { items, total };
}
