import type { PayoutChannel, WithdrawalStatus } from '../../domain/lifecycle/withdrawal.ts';
import type { ReviewFinding, ReviewReason } from '../tables/json.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { type BalanceMove, listMoves } from './ledger-moves.ts';
import { totalOf } from './page-total.ts';

/** A publisher's money as the ledger has it. Nanos. */
export interface PublisherBalance {
  withdrawableNanos: bigint;
  /** Earned, but not yet old enough to be withdrawn (interface 4.12). */
  maturingNanos: bigint;
  /** Set aside for withdrawals under way. */
  heldNanos: bigint;
  paidTotalNanos: bigint;
}

export async function readPublisherBalance(
  sql: SqlRunner,
  publisherId: number,
): Promise<PublisherBalance> {
  const { rows } = await sql.query<Record<'withdrawable' | 'maturing' | 'held' | 'paid', string>>(
    `SELECT COALESCE(sum(balance_nanos) FILTER (WHERE code = 'pub:' || $1 || ':withdrawable'), 0) AS withdrawable,
       COALESCE(sum(balance_nanos) FILTER (WHERE code LIKE 'pub:' || $1 || ':earned:%'), 0) AS maturing,
       COALESCE(sum(balance_nanos) FILTER (WHERE code = 'pub:' || $1 || ':hold'), 0) AS held,
       (SELECT COALESCE(sum(amount_nanos), 0) FROM withdrawals
        WHERE publisher_id = $2 AND status = 'PAID') AS paid
     FROM ledger_accounts WHERE owner_type = 'PUBLISHER' AND owner_id = $2`,
    [String(publisherId), publisherId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a query without rows');
  return {
    withdrawableNanos: BigInt(row.withdrawable),
    maturingNanos: BigInt(row.maturing),
    heldNanos: BigInt(row.held),
    paidTotalNanos: BigInt(row.paid),
  };
}

/** Newest first: what the publisher's whole balance gained or lost. */
export async function listPublisherTransactions(
  sql: SqlRunner,
  filter: { publisherId: number; beforeId?: number | undefined },
  window: { limit: number; offset: number },
): Promise<{ rows: BalanceMove[]; total: number }> {
  const owner = { accounts: 'publisher', value: filter.publisherId } as const;
  const { items, total } = await listMoves(sql, owner, { ...window, beforeId: filter.beforeId });
  return { rows: items, total };
}

export interface WithdrawalRow {
  id: number;
  publisherId: number;
  amountNanos: bigint;
  feeNanos: bigint;
  taxNanos: bigint;
  arrivalNanos: bigint;
  currency: string;
  channel: PayoutChannel;
  accountMasked: string | null;
  bankCardId: number | null;
  status: WithdrawalStatus;
  reasons: ReviewReason[];
  findings: ReviewFinding[];
  notBefore: Date | null;
  providerReference: string | null;
  paidAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** The order to the bank or provider, once there is one. */
  payout: PayoutRow | null;
}

export interface PayoutRow {
  state: string;
  external_ref: string;
  tries: number;
  looks: number;
  last_outcome: string | null;
  file_name: string | null;
  file_sha256: string | null;
}

export interface WithdrawalFilter {
  id?: number | undefined;
  /** Always given on a publisher's own pages. */
  publisherId?: number | undefined;
  status?: string | undefined;
  channel?: string | undefined;
  /** Whole UTC days of the request, both ends included. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  limit: number;
  offset: number;
}

type StoredWithdrawal = Omit<
  WithdrawalRow,
  | 'id'
  | 'publisherId'
  | 'amountNanos'
  | 'feeNanos'
  | 'taxNanos'
  | 'arrivalNanos'
  | 'bankCardId'
  | 'reasons'
> &
  Record<
    'id' | 'publisherId' | 'amountNanos' | 'feeNanos' | 'taxNanos' | 'arrivalNanos',
    string
  > & { bankCardId: string | null; reasons: ReviewReason[] | null };

const WITHDRAWAL_FILTER = `($1::bigint IS NULL OR w.id = $1)
  AND ($2::bigint IS NULL OR w.publisher_id = $2)
  AND ($3::text IS NULL OR w.status = $3) AND ($4::text IS NULL OR w.channel = $4)
  AND ($5::date IS NULL OR w.created_at >= $5::date::timestamp AT TIME ZONE 'UTC')
  AND ($6::date IS NULL OR w.created_at < ($6::date + 1)::timestamp AT TIME ZONE 'UTC')`;

/** Newest first. */
export async function listWithdrawals(
  sql: SqlRunner,
  filter: WithdrawalFilter,
): Promise<{ items: WithdrawalRow[]; total: number }> {
  const bound = [
    filter.id ?? null,
    filter.publisherId ?? null,
    filter.status ?? null,
    filter.channel ?? null,
    filter.startDate ?? null,
    filter.endDate ?? null,
  ];
  const { rows } = await sql.query<StoredWithdrawal>(
    `SELECT w.id, w.publisher_id AS "publisherId", w.amount_nanos AS "amountNanos",
       w.fee_nanos AS "feeNanos", w.tax_nanos AS "taxNanos", w.arrival_nanos AS "arrivalNanos",
       w.currency, w.channel, w.account_masked AS "accountMasked", w.bank_card_id AS "bankCardId",
       w.status, w.reasons, w.findings, w.not_before AS "notBefore",
       w.provider_reference AS "providerReference", w.paid_at AS "paidAt", w.version,
       w.created_at AS "createdAt", w.updated_at AS "updatedAt",
       CASE WHEN p.withdrawal_id IS NOT NULL THEN jsonb_build_object('state', p.state,
         'external_ref', p.external_ref, 'tries', p.tries, 'looks', p.looks,
         'last_outcome', p.last_outcome, 'file_name', p.file_name, 'file_sha256', p.file_sha256)
       END AS payout
     FROM (SELECT * FROM withdrawals w WHERE ${WITHDRAWAL_FILTER}
       ORDER BY w.id DESC LIMIT $7 OFFSET $8) w
     LEFT JOIN payouts p ON p.withdrawal_id = w.id ORDER BY w.id DESC`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    {
      text: `SELECT count(*) AS total FROM withdrawals w WHERE ${WITHDRAWAL_FILTER}`,
      values: bound,
    },
  );
  return { items: rows.map(asWithdrawal), total };
}

const asWithdrawal = (row: StoredWithdrawal): WithdrawalRow => ({
  ...row,
  id: Number(row.id),
  publisherId: Number(row.publisherId),
  amountNanos: BigInt(row.amountNanos),
  feeNanos: BigInt(row.feeNanos),
  taxNanos: BigInt(row.taxNanos),
  arrivalNanos: BigInt(row.arrivalNanos),
  bankCardId: row.bankCardId === null ? null : Number(row.bankCardId),
  reasons: row.reasons ?? [],
});
