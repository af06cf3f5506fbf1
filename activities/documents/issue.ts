import { runner } from '../../db/postgres.ts';
import {
  accountsWithout,
  dueMonths,
  type MonthTransfers,
  readBatch,
  readMonth,
  readOpening,
  readTransfersOf,
  receiptsDue,
} from '../../db/queries/documents-due.ts';
import { billedLines, BILLING_KINDS } from '../../domain/documents.ts';
import type { ActivityDeps } from '../deps.ts';
import { issue } from './issued.ts';

/**
 * After a month's end: whoever posts dates each transfer when it holds the account, so one of the month before
 * is committed or undone by then.
 */
const SETTLED_AFTER_MS = 3_600_000;
const AT_ONCE = 200;

/**
 * Everything that is due and is not there yet: receipts, and the documents of months that have ended, oldest
 * first. Each is a transaction of its own; one that is there is not written again, whoever else writes. A round
 * that is cut off leaves the rest to the next. Answers how many were issued.
 */
export async function issueDocuments(deps: ActivityDeps, signal?: AbortSignal): Promise<number> {
  let issued = await issueReceipts(deps, signal);
  const before = new Date(deps.clock().getTime() - SETTLED_AFTER_MS);
  for (const month of await dueMonths(runner(deps.db), before)) {
    issued += await issueMonth(deps, month, signal);
  }
  return issued;
}

async function issueReceipts(deps: ActivityDeps, signal?: AbortSignal): Promise<number> {
  let issued = 0;
  let after = 0;
  for (;;) {
    const due = await receiptsDue(runner(deps.db), { after, limit: AT_ONCE });
    for (const { kind, accountId, batchId } of due) {
      signal?.throwIfAborted();
      const lines = await readBatch(runner(deps.db), { kind, accountId, batchId });
      issued += await issue(deps, { kind, accountId, batchId, lines });
      after = batchId;
    }
    if (due.length < AT_ONCE) return issued;
  }
}

async function issueMonth(
  deps: ActivityDeps,
  month: string,
  signal?: AbortSignal,
): Promise<number> {
  const sql = runner(deps.db);
  const transfers = await readTransfersOf(sql, month);
  let issued = 0;
  let after = 0;
  for (;;) {
    const due = await accountsWithout(sql, { month, after, limit: AT_ONCE });
    for (const { accountId } of due) {
      signal?.throwIfAborted();
      issued += await issueOfMonth(deps, accountId, transfers);
      after = accountId;
    }
    if (due.length < AT_ONCE) break;
  }
  await sql.query('INSERT INTO document_months (month) VALUES ($1) ON CONFLICT DO NOTHING', [
    month,
  ]);
  return issued;
}

/** The statement comes last: an account that has it has all of its month. One of nothing is not written. */
async function issueOfMonth(
  deps: ActivityDeps,
  accountId: number,
  transfers: MonthTransfers,
): Promise<number> {
  const sql = runner(deps.db);
  const { month } = transfers;
  const lines = await readMonth(sql, { accountId, ...transfers });
  let issued = 0;
  for (const kind of BILLING_KINDS) {
    const billed = billedLines(kind, lines);
    if (billed.length > 0) issued += await issue(deps, { kind, accountId, month, lines: billed });
  }
  const openingNanos = await readOpening(sql, { accountId, month });
  if (lines.length === 0 && openingNanos === 0n) return issued;
  return issued + (await issue(deps, { kind: 'STATEMENT', accountId, month, lines, openingNanos }));
}
