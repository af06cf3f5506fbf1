import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { ledgerAccounts } from '../tables/ledger-account.ts';
import { ledgerBatches } from '../tables/ledger-batch.ts';
import { ledgerTransfers } from '../tables/ledger-transfer.ts';
import { nameOfAccount } from './account-admin.ts';
import { totalOf } from './page-total.ts';

const ACCOUNT = select({
  ...columnsOf(ledgerAccounts, 'a'),
  ownerName: nameOfAccount('a.owner_id'),
});
export type ShownLedgerAccount = RowOf<typeof ACCOUNT>;

export interface LedgerAccountFilter {
  /** LIKE pattern over the code. */
  pattern?: string | undefined;
  ownerType?: string | undefined;
  ownerId?: number | undefined;
  limit: number;
  offset: number;
}

const ACCOUNT_FILTER = `($1::text IS NULL OR code LIKE $1)
  AND ($2::text IS NULL OR owner_type = $2) AND ($3::bigint IS NULL OR owner_id = $3)`;

export async function listLedgerAccounts(
  sql: SqlRunner,
  filter: LedgerAccountFilter,
): Promise<{ items: ShownLedgerAccount[]; total: number }> {
  const bound = [filter.pattern ?? null, filter.ownerType ?? null, filter.ownerId ?? null];
  const items = await readRows(
    sql,
    ACCOUNT,
    `SELECT ${ACCOUNT.list} FROM ledger_accounts a
     WHERE ${ACCOUNT_FILTER} ORDER BY code LIMIT $4 OFFSET $5`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    {
      text: `SELECT count(*) AS total FROM ledger_accounts WHERE ${ACCOUNT_FILTER}`,
      values: bound,
    },
  );
  return { items, total };
}

const TRANSFER = select({
  ...columnsOf(ledgerTransfers, 't'),
  batchKind: ledgerBatches.columns.kind.of('b.kind'),
  debit: ledgerAccounts.columns.code.of('d.code'),
  credit: ledgerAccounts.columns.code.of('c.code'),
});
/** A transfer with its batch's kind and the codes of its accounts. */
export type ShownTransfer = RowOf<typeof TRANSFER>;

export interface LedgerTransferFilter {
  accountId?: number | undefined;
  batchId?: number | undefined;
  type?: string | undefined;
  /** Transfers before this id: a cursor that later ones do not shift. */
  beforeId?: number | undefined;
  limit: number;
  offset: number;
}

const TRANSFER_FILTER = `($1::bigint IS NULL OR t.debit_id = $1 OR t.credit_id = $1)
  AND ($2::bigint IS NULL OR t.batch_id = $2) AND ($3::text IS NULL OR t.type = $3)`;

/** Newest first, whole platform. */
export async function listLedgerTransfers(
  sql: SqlRunner,
  filter: LedgerTransferFilter,
): Promise<{ items: ShownTransfer[]; total: number }> {
  const bound = [filter.accountId ?? null, filter.batchId ?? null, filter.type ?? null];
  const items = await readRows(
    sql,
    TRANSFER,
    `SELECT ${TRANSFER.list}
     FROM (SELECT * FROM ledger_transfers t
       WHERE ${TRANSFER_FILTER} AND ($4::bigint IS NULL OR t.id < $4)
       ORDER BY t.id DESC LIMIT $5 OFFSET $6) t
     JOIN ledger_batches b ON b.id = t.batch_id
     JOIN ledger_accounts d ON d.id = t.debit_id
     JOIN ledger_accounts c ON c.id = t.credit_id
     ORDER BY t.id DESC`,
    [...bound, filter.beforeId ?? null, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length, cursor: filter.beforeId },
    {
      text: `SELECT count(*) AS total FROM ledger_transfers t WHERE ${TRANSFER_FILTER}`,
      values: bound,
    },
  );
  return { items, total };
}
