import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

export interface LedgerAccountRow {
  id: number;
  code: string;
  currency: string;
  ownerType: string | null;
  ownerId: number | null;
  floorNanos: bigint | null;
  balanceNanos: bigint;
  createdAt: Date;
}

export interface LedgerAccountFilter {
  /** LIKE pattern over the code. */
  pattern?: string | undefined;
  ownerType?: string | undefined;
  ownerId?: number | undefined;
  limit: number;
  offset: number;
}

type StoredAccount = Omit<LedgerAccountRow, 'id' | 'ownerId' | 'floorNanos' | 'balanceNanos'> & {
  id: string;
  ownerId: string | null;
  floorNanos: string | null;
  balanceNanos: string;
};

const ACCOUNT_FILTER = `($1::text IS NULL OR code LIKE $1)
  AND ($2::text IS NULL OR owner_type = $2) AND ($3::bigint IS NULL OR owner_id = $3)`;

export async function listLedgerAccounts(
  sql: SqlRunner,
  filter: LedgerAccountFilter,
): Promise<{ items: LedgerAccountRow[]; total: number }> {
  const bound = [filter.pattern ?? null, filter.ownerType ?? null, filter.ownerId ?? null];
  const { rows } = await sql.query<StoredAccount>(
    `SELECT id, code, currency, owner_type AS "ownerType", owner_id AS "ownerId",
       floor_nanos AS "floorNanos", balance_nanos AS "balanceNanos", created_at AS "createdAt"
     FROM ledger_accounts WHERE ${ACCOUNT_FILTER} ORDER BY code LIMIT $4 OFFSET $5`,
    [...bound, filter.limit, filter.offset],
  );
  const items = rows.map((row) => ({
    ...row,
    id: Number(row.id),
    ownerId: row.ownerId === null ? null : Number(row.ownerId),
    floorNanos: row.floorNanos === null ? null : BigInt(row.floorNanos),
    balanceNanos: BigInt(row.balanceNanos),
  }));
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    {
      text: `SELECT count(*) AS total FROM ledger_accounts WHERE ${ACCOUNT_FILTER}`,
      values: bound,
    },
  );
  return { items, total };
}

export interface LedgerTransferRow {
  id: number;
  batchId: number;
  batchKind: string;
  debit: string;
  credit: string;
  amountNanos: bigint;
  currency: string;
  type: string;
  subjectType: string | null;
  subjectId: number | null;
  eventCount: number;
  createdAt: Date;
}

export interface LedgerTransferFilter {
  accountId?: number | undefined;
  batchId?: number | undefined;
  type?: string | undefined;
  /** Transfers before this id: a cursor that later ones do not shift. */
  beforeId?: number | undefined;
  limit: number;
  offset: number;
}

type StoredTransfer = Omit<LedgerTransferRow, 'id' | 'batchId' | 'amountNanos' | 'subjectId'> & {
  id: string;
  batchId: string;
  amountNanos: string;
  subjectId: string | null;
};

const TRANSFER_FILTER = `($1::bigint IS NULL OR t.debit_id = $1 OR t.credit_id = $1)
  AND ($2::bigint IS NULL OR t.batch_id = $2) AND ($3::text IS NULL OR t.type = $3)`;

/** Newest first, whole platform. */
export async function listLedgerTransfers(
  sql: SqlRunner,
  filter: LedgerTransferFilter,
): Promise<{ items: LedgerTransferRow[]; total: number }> {
  const bound = [filter.accountId ?? null, filter.batchId ?? null, filter.type ?? null];
  const { rows } = await sql.query<StoredTransfer>(
    `SELECT t.id, t.batch_id AS "batchId", b.kind AS "batchKind", d.code AS debit, c.code AS credit,
       t.amount_nanos AS "amountNanos", t.currency, t.type, t.subject_type AS "subjectType",
       t.subject_id AS "subjectId", t.event_count AS "eventCount", t.created_at AS "createdAt"
     FROM (SELECT * FROM ledger_transfers t
       WHERE ${TRANSFER_FILTER} AND ($4::bigint IS NULL OR t.id < $4)
       ORDER BY t.id DESC LIMIT $5 OFFSET $6) t
     JOIN ledger_batches b ON b.id = t.batch_id
     JOIN ledger_accounts d ON d.id = t.debit_id
     JOIN ledger_accounts c ON c.id = t.credit_id
     ORDER BY t.id DESC`,
    [...bound, filter.beforeId ?? null, filter.limit, filter.offset],
  );
  const items = rows.map((row) => ({
    ...row,
    id: Number(row.id),
    batchId: Number(row.batchId),
    amountNanos: BigInt(row.amountNanos),
    subjectId: row.subjectId === null ? null : Number(row.subjectId),
  }));
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length, cursor: filter.beforeId },
    {
      text: `SELECT count(*) AS total FROM ledger_transfers t WHERE ${TRANSFER_FILTER}`,
      values: bound,
    },
  );
  return { items, total };
}
