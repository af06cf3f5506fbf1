import type { Transaction } from 'sequelize';
import { type Db, runner } from '../../db/postgres.ts';
import { insertRows } from '../../db/schema/insert.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { ledgerAccounts } from '../../db/tables/ledger-account.ts';
import { ledgerBatches } from '../../db/tables/ledger-batch.ts';
import { ledgerTransfers } from '../../db/tables/ledger-transfer.ts';
import type { AccountCode } from '../../domain/ledger/chart.ts';
import { debtAccountsOf, debtsPaid } from '../../domain/ledger/debts.ts';
import type { Posting, PostingBatch } from '../../domain/ledger/postings.ts';

export const PLATFORM_CURRENCY = 'USD';

/** `id` where it was taken before (db/next-id.ts), for rows that name the batch and were written first. */
type NamedBatch = PostingBatch & { id?: number };

/**
 * The one function that moves money. Opens missing accounts, locks all touched ones in id order so
 * that opposite batches cannot deadlock, and writes the batch under its idempotency key: a second
 * call with the same key changes nothing and answers the first batch's id. Each transfer says what it
 * leaves on both sides; the database moves the balances, and refuses what does not add up. What a publisher
 * owes is paid in the batch that brings something to pay it with (domain/ledger/debts.ts).
 * Raises the driver's error on the `no_overdraft` constraint; nothing is written then.
 */
export async function postEntries(
  db: Db,
  tx: Transaction,
  batch: NamedBatch,
): Promise<{ batchId: number; posted: boolean }> {
  const sql = runner(db, tx);
  const { batchId, posted } = await insertBatch(sql, batch);
  if (!posted || batch.postings.length === 0) return { batchId, posted };

  const named = batch.postings.flatMap((posting) => [posting.debit, posting.credit]);
  const codes = [...new Set([...named, ...debtAccountsOf(batch.postings)])];
  const accounts = await lockAccounts(sql, codes);
  const transferOf = (posting: Posting) => {
    const debit = accountOf(accounts, posting.debit);
    const credit = accountOf(accounts, posting.credit);
    debit.balanceNanos -= posting.amountNanos;
    credit.balanceNanos += posting.amountNanos;
    return {
      batchId,
      currency: PLATFORM_CURRENCY,
      debitId: debit.id,
      creditId: credit.id,
      amountNanos: posting.amountNanos,
      type: posting.type,
      subjectType: posting.subject?.type ?? null,
      subjectId: posting.subject?.id ?? null,
      eventCount: posting.eventCount ?? 1,
      debitBalanceAfterNanos: debit.balanceNanos,
      creditBalanceAfterNanos: credit.balanceNanos,
    };
  };
  const transfers = batch.postings.map(transferOf);
  const paid = debtsPaid(batch.postings, (code) => accountOf(accounts, code).balanceNanos);
  await insertRows(sql, ledgerTransfers, [...transfers, ...paid.map(transferOf)]);
  return { batchId, posted };
}

const BATCH = select(columnsOf(ledgerBatches, 'ledger_batches', ['id']));

async function insertBatch(
  sql: SqlRunner,
  { id, ...batch }: NamedBatch,
): Promise<{ batchId: number; posted: boolean }> {
  const inserted = await readRow(
    sql,
    BATCH,
    `INSERT INTO ledger_batches (${id === undefined ? '' : 'id, '}idempotency_key, kind, ref)
     VALUES (${id === undefined ? '' : '$4, '}$1, $2, $3)
     ON CONFLICT (idempotency_key) DO NOTHING RETURNING ${BATCH.list}`,
    [
      batch.idempotencyKey,
      batch.kind,
      JSON.stringify(batch.ref),
      ...(id === undefined ? [] : [id]),
    ],
  );
  if (inserted !== undefined) return { batchId: inserted.id, posted: true };
  const first = await readRow(
    sql,
    BATCH,
    `SELECT ${BATCH.list} FROM ledger_batches WHERE idempotency_key = $1`,
    [batch.idempotencyKey],
  );
  if (first === undefined) throw new Error(`ledger batch ${batch.idempotencyKey} vanished`);
  return { batchId: first.id, posted: false };
}

const ACCOUNT = select(columnsOf(ledgerAccounts, 'a', ['id', 'code', 'balanceNanos']));
type Account = RowOf<typeof ACCOUNT>;

function accountOf(accounts: ReadonlyMap<AccountCode, Account>, code: AccountCode): Account {
  const account = accounts.get(code);
  if (account === undefined) throw new Error(`ledger account ${code} was not opened`);
  return account;
}

/** The owner of the tables opens and locks them: the application may not (db/application-role.ts). */
async function lockAccounts(
  sql: SqlRunner,
  codes: AccountCode[],
): Promise<Map<AccountCode, Account>> {
  const rows = await readRows(
    sql,
    ACCOUNT,
    `SELECT ${ACCOUNT.list} FROM ledger_hold_accounts($1::text[], $2) a`,
    [codes, PLATFORM_CURRENCY],
  );
  return new Map(rows.map((account) => [account.code, account]));
}
