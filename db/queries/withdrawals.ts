import { type PayoutStage, STATUSES_OF_STAGE } from '../../domain/payout-stage.ts';
import { json, nanos, ref, text, time } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { sqlName } from '../schema/table.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { type PayoutRow, payouts } from '../tables/payout.ts';
import { withdrawals } from '../tables/withdrawal.ts';
import { nameOfAccount } from './account-admin.ts';
import { type BalanceMove, listMoves, type MoveFilter } from './ledger-moves.ts';
import { totalOf } from './page-total.ts';
import { STAGE, STAGE_SINCE } from './payout-board.ts';
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
  'fileTakenAt',
  'bankStatus',
  'bankCode',
  'bankWords',
] as const;
/** Of the file that it is carried in: with others, or its own; none once its own was taken back. */
const FILE_FIELDS = ['fileName', 'fileSha256'] as const;
const PAYOUT_JSON = [
  ...PAYOUT_FIELDS.map((name) => `'${name}', p.${sqlName(payouts, name)}`),
  ...FILE_FIELDS.map((name) => {
    const column = sqlName(payouts, name);
    return `'${name}', COALESCE(f.${column}, CASE WHEN NOT EXISTS (SELECT FROM payout_file_take_backs b
      WHERE b.reference = p.external_ref) THEN p.${column} END)`;
  }),
];
type PayoutJson = Omit<
  Pick<PayoutRow, (typeof PAYOUT_FIELDS | typeof FILE_FIELDS)[number]>,
  'fileTakenAt'
> & { fileTakenAt: string | null };

const { sealedAccount: _sealed, ...SHOWN } = columnsOf(withdrawals, 'w');
const WITHDRAWAL = select({
  ...SHOWN,
  publisherName: nameOfAccount('w.publisher_id'),
  stage: text<PayoutStage>().orNull().of(STAGE),
  stageSince: time().of(STAGE_SINCE),
  /** The question that is open about it, */
  taskId: ref().orNull().of('t.id'),
  /** and who has decided before, where it is put to another person. */
  askedBy: text().orNull().of(`(SELECT o.username FROM operators o WHERE o.id = t.maker_id
    AND (t.kind = 'withdrawal_second_approval' OR (t.heading ->> 'second')::boolean))`),
  payout: json<PayoutJson>()
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
  stage?: PayoutStage | undefined;
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
  AND ($6::date IS NULL OR w.created_at < ($6::date + 1)::timestamp AT TIME ZONE 'UTC')
  AND ($7::text IS NULL OR (w.status = ANY ($8::text[]) AND ${STAGE} = $7))`;

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
    filter.stage ?? null,
    filter.stage === undefined ? [] : STATUSES_OF_STAGE[filter.stage],
  ];
  const order = orderBy(ORDER_SORTS, filter.sort, 'w');
  const items = await readRows(
    sql,
    WITHDRAWAL,
    `SELECT ${WITHDRAWAL.list}
     FROM (SELECT * FROM withdrawals w WHERE ${WITHDRAWAL_FILTER}
       ORDER BY ${order} LIMIT $9 OFFSET $10) w
     LEFT JOIN payouts p ON p.withdrawal_id = w.id LEFT JOIN payout_files f ON f.id = p.file_id
     LEFT JOIN LATERAL (SELECT * FROM tasks t WHERE t.workflow_id = 'withdrawal:' || w.id
       AND t.status = 'open' ORDER BY t.id DESC LIMIT 1) t ON true
     ORDER BY ${order}`,
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
