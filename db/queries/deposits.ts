import type { DepositMethod, DepositStatus } from '../../domain/lifecycle/deposit.ts';
import { chart } from '../../domain/ledger/chart.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { type BalanceMove, listMoves, type MoveFilter } from './ledger-moves.ts';
import { totalOf } from './page-total.ts';

export interface DepositRow {
  id: number;
  advertiserId: number;
  amountNanos: bigint;
  currency: string;
  paymentMethod: DepositMethod;
  reference: string;
  status: DepositStatus;
  receivedNanos: bigint;
  expiresAt: Date;
  paidAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface DepositFilter {
  id?: number | undefined;
  /** Always given on an advertiser's own pages. */
  advertiserId?: number | undefined;
  status?: string | undefined;
  paymentMethod?: string | undefined;
  reference?: string | undefined;
  /** Whole UTC days of creation, both ends included. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  limit: number;
  offset: number;
}

type StoredDeposit = Omit<DepositRow, 'id' | 'advertiserId' | 'amountNanos' | 'receivedNanos'> & {
  id: string;
  advertiserId: string;
  amountNanos: string;
  receivedNanos: string;
};

const FILTER = `($1::bigint IS NULL OR id = $1) AND ($2::bigint IS NULL OR advertiser_id = $2)
  AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR payment_method = $4)
  AND ($5::text IS NULL OR reference = $5)
  AND ($6::date IS NULL OR created_at >= $6::date::timestamp AT TIME ZONE 'UTC')
  AND ($7::date IS NULL OR created_at < ($7::date + 1)::timestamp AT TIME ZONE 'UTC')`;

/** Newest first. */
export async function listDeposits(
  sql: SqlRunner,
  filter: DepositFilter,
): Promise<{ items: DepositRow[]; total: number }> {
  const bound = [
    filter.id ?? null,
    filter.advertiserId ?? null,
    filter.status ?? null,
    filter.paymentMethod ?? null,
    filter.reference ?? null,
    filter.startDate ?? null,
    filter.endDate ?? null,
  ];
  const { rows } = await sql.query<StoredDeposit>(
    `SELECT id, advertiser_id AS "advertiserId", amount_nanos AS "amountNanos", currency,
       payment_method AS "paymentMethod", reference, status, received_nanos AS "receivedNanos",
       expires_at AS "expiresAt", paid_at AS "paidAt", created_at AS "createdAt",
       updated_at AS "updatedAt"
     FROM deposits WHERE ${FILTER} ORDER BY id DESC LIMIT $8 OFFSET $9`,
    [...bound, filter.limit, filter.offset],
  );
  const items = rows.map((row) => ({
    ...row,
    id: Number(row.id),
    advertiserId: Number(row.advertiserId),
    amountNanos: BigInt(row.amountNanos),
    receivedNanos: BigInt(row.receivedNanos),
  }));
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    { text: `SELECT count(*) AS total FROM deposits WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

export interface ReceiptRow {
  id: number;
  amountNanos: bigint;
  currency: string;
  provider: string;
  reference: string;
  state: 'SUSPENSE' | 'CREDITED' | 'REFUNDED';
  receivedAt: Date;
  evidenceMediaId: number | null;
  operatorId: number | null;
  createdAt: Date;
}

type StoredReceipt = Omit<ReceiptRow, 'id' | 'amountNanos' | 'evidenceMediaId' | 'operatorId'> & {
  id: string;
  amountNanos: string;
  evidenceMediaId: string | null;
  operatorId: string | null;
};

/** What arrived for one order, oldest first; only the one of `id` when that is given. */
export async function listReceipts(
  sql: SqlRunner,
  { depositId, id }: { depositId: number; id?: number },
): Promise<ReceiptRow[]> {
  const { rows } = await sql.query<StoredReceipt>(
    `SELECT id, amount_nanos AS "amountNanos", currency, provider, provider_reference AS reference,
       state, received_at AS "receivedAt", evidence_media_id AS "evidenceMediaId",
       operator_id AS "operatorId", created_at AS "createdAt"
     FROM deposit_receipts WHERE deposit_id = $1 AND ($2::bigint IS NULL OR id = $2)
     ORDER BY id LIMIT 100`,
    [depositId, id ?? null],
  );
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    amountNanos: BigInt(row.amountNanos),
    evidenceMediaId: row.evidenceMediaId === null ? null : Number(row.evidenceMediaId),
    operatorId: row.operatorId === null ? null : Number(row.operatorId),
  }));
}

export interface AdvertiserBalance {
  availableNanos: bigint;
  /** Orders that wait for their money or for a decision. */
  pendingNanos: bigint;
  spendTodayNanos: bigint;
}

/** Spend comes from the rollup that settlement writes with the transfers, in the same transaction. */
export async function readAdvertiserBalance(
  sql: SqlRunner,
  advertiserId: number,
  now: Date,
): Promise<AdvertiserBalance> {
  const { rows } = await sql.query<{ available: string; pending: string; spend: string }>(
    `SELECT
       COALESCE((SELECT balance_nanos FROM ledger_accounts WHERE code = $2), 0) AS available,
       (SELECT COALESCE(sum(amount_nanos), 0)::bigint FROM deposits
        WHERE advertiser_id = $1 AND status IN ('PENDING', 'CONFIRMING', 'REVIEW')) AS pending,
       (SELECT COALESCE(sum(spend_nanos), 0)::bigint FROM rollup_ad_hours
        WHERE advertiser_id = $1 AND hour >= date_trunc('day', $3::timestamptz, 'UTC')) AS spend`,
    [advertiserId, chart.advertiserAvailable(advertiserId), now],
  );
  const [row] = rows;
  return {
    availableNanos: BigInt(row?.available ?? 0),
    pendingNanos: BigInt(row?.pending ?? 0),
    spendTodayNanos: BigInt(row?.spend ?? 0),
  };
}

/** Newest first: every transfer that touched the advertiser's balance. */
export async function listAdvertiserTransactions(
  sql: SqlRunner,
  { advertiserId, ...filter }: MoveFilter & { advertiserId: number },
): Promise<{ items: BalanceMove[]; total: number }> {
  const owner = { accounts: 'code', value: chart.advertiserAvailable(advertiserId) } as const;
  return await listMoves(sql, owner, filter);
}
