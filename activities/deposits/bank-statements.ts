import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import {
  knownPayments,
  type LineOfOrder,
  readStatementLine,
} from '../../db/queries/bank-statements.ts';
import { insertRows } from '../../db/schema/insert.ts';
import { bankStatementLines } from '../../db/tables/bank-statement.ts';
import {
  at,
  type STATEMENT_FORMATS,
  type Statement,
  type StatementLine,
} from '../../domain/bank-statement/lines.ts';
import { bankReferenceKey } from '../../domain/bank-reference.ts';
import { orderReferencesIn, whyUnmatched } from '../../domain/bank-statement/match.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../core/audit.ts';
import { type BulkOutcome, forEachOf } from '../core/bulk.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { applyBookedDebits, isOurs } from '../withdrawals/bank-remarks.ts';
import {
  createBankMovementActivities,
  debitsIn,
  keepMovements,
  referenceOf,
} from './bank-movements.ts';
import { referenceTaken, takeReceipt, tookReference } from './deposits.ts';

interface ByOperator {
  operatorId: number;
  requestId: string;
}

export interface ImportStatement extends ByOperator {
  /** Which of the platform's accounts it is of. */
  account: string;
  fileName: string | null;
  format: (typeof STATEMENT_FORMATS)[number];
  sha256: string;
  statement: Statement;
}

export interface RecordLines extends ByOperator {
  statementId: number;
  /** The order of each, where it is not the one that is proposed. */
  lines: readonly { id: number; depositId: number | null }[];
  isRehearsal: boolean;
}

/** What the bank says has arrived, and how it becomes receipts (interface 5.12). */
export function createBankStatementActivities(deps: ActivityDeps) {
  return {
    ...createBankMovementActivities(deps),

    /**
     * Keeps each payment of an account once, whichever statements have it; the same file again is the
     * statement that it was. Raises validation_failed, naming the row, where a reference stands for
     * another payment already.
     */
    async importStatement(
      command: ImportStatement,
    ): Promise<{ statementId: number; repeated: boolean }> {
      return await runStep(
        deps.db,
        'bank_statement.import',
        async (tx) => await keep(deps, tx, command),
      );
    },

    /**
     * Each line becomes a receipt of its order by the same path as one that is typed in, in a
     * transaction of its own; a rehearsal leaves nothing. Refuses line by line: not_found,
     * state_conflict (recorded before, no exact match and no order named), already_claimed.
     */
    async recordStatementLines(command: RecordLines): Promise<BulkOutcome[]> {
      const orders = new Map(command.lines.map(({ id, depositId }) => [id, depositId]));
      const { isRehearsal } = command;
      const step = 'bank_statement.record' as const;
      return await forEachOf(
        deps.db,
        { ids: [...orders.keys()], step, isRehearsal },
        async (tx, id) => {
          await recordLine(deps, tx, { ...command, id, depositId: orders.get(id) ?? null });
        },
      );
    },
  };
}

async function keep(
  deps: ActivityDeps,
  tx: Transaction,
  command: ImportStatement,
): Promise<{ statementId: number; repeated: boolean }> {
  const { account, fileName, format, sha256, statement, operatorId, requestId } = command;
  const sql = runner(deps.db, tx);
  // One at a time per account: each sees the payments of those before it.
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `bank-statement:${bankReferenceKey(account)}`,
  ]);
  const { bankStatements } = deps.db.models;
  const earlier = await bankStatements.findOne({ where: { account, sha256 }, transaction: tx });
  const paysOut = isOurs(account, deps.providers.payouts.origin);
  if (paysOut) await applyBookedDebits(deps, tx, { debits: debitsIn(statement), operatorId });
  if (earlier !== null) return { statementId: earlier.id, repeated: true };
  const fresh = await withoutKnown(deps, tx, account, statement.lines);
  const { id: statementId } = await bankStatements.create(
    {
      account,
      fileName,
      format,
      sha256,
      lineCount: statement.lines.length,
      addedCount: fresh.length,
      outgoingCount: statement.others.length,
      operatorId,
      paysOut,
      takesIn: isOurs(account, deps.providers.rails.payee),
    },
    { transaction: tx },
  );
  await insertRows(
    sql,
    bankStatementLines,
    fresh.map((line) => rowOf(line, { account, statementId })),
  );
  await keepMovements(deps, tx, { account, statementId, statement });
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: 'bank_statement.import',
    subject: { type: 'bank_statement', id: statementId },
    detail: { account, sha256, lines: statement.lines.length, added: fresh.length },
    requestId,
  });
  return { statementId, repeated: false };
}

/** Of these only what no statement of the account had before. */
async function withoutKnown(
  deps: ActivityDeps,
  tx: Transaction,
  account: string,
  lines: readonly StatementLine[],
): Promise<StatementLine[]> {
  const references = lines.map(referenceOf);
  const known = await knownPayments(runner(deps.db, tx), account, references);
  const faults = lines.flatMap((line) => {
    const earlier = known.get(referenceOf(line));
    if (earlier === undefined) return [];
    if (earlier.amountNanos === line.amountNanos && earlier.bookedOn === line.bookedOn) return [];
    const message = `reference ${referenceOf(line)} is a payment of another day or amount already.`;
    return [at(line.line, null, 'already_claimed', message)];
  });
  if (faults.length > 0) throw invalid(...faults.slice(0, FAULTS_MAX));
  return lines.filter((line) => !known.has(referenceOf(line)));
}

const FAULTS_MAX = 20;

function rowOf(line: StatementLine, of: { account: string; statementId: number }) {
  const orders = orderReferencesIn(line.remittance, line.reference);
  return {
    ...of,
    line: line.line,
    bookedOn: line.bookedOn,
    amountNanos: String(line.amountNanos),
    currency: line.currency,
    reference: referenceOf(line),
    payer: line.payer,
    remittance: line.remittance,
    orderReference: orders.length === 1 ? (orders[0] ?? null) : null,
    hasSeveral: orders.length > 1,
  };
}

interface RecordLine extends ByOperator {
  statementId: number;
  id: number;
  depositId: number | null;
}

async function recordLine(deps: ActivityDeps, tx: Transaction, command: RecordLine): Promise<void> {
  const { statementId, id, operatorId, requestId } = command;
  const record = await deps.db.models.bankStatementLines.findOne({
    where: { id, statementId },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  const line = await readStatementLine(runner(deps.db, tx), { id, statementId });
  if (record === null || line === undefined) throw notFound();
  if (record.receiptId !== null) throw conflict('This line was recorded before.');
  const depositId = command.depositId ?? proposedOrder(line);
  const receiptId = await receive(deps, tx, {
    depositId,
    amountNanos: line.amountNanos,
    reference: line.reference,
    receivedAt: new Date(`${line.bookedOn}T00:00:00Z`),
    evidence: null,
    operatorId,
    requestId,
  });
  const recorded = { receiptId, recordedBy: operatorId, recordedAt: deps.clock() };
  await record.update(recorded, { transaction: tx });
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: 'bank_statement.record',
    subject: { type: 'bank_statement', id: statementId },
    detail: { line_id: id, deposit_id: depositId, receipt_id: receiptId },
    requestId,
  });
}

function proposedOrder(line: LineOfOrder): number {
  const why = whyUnmatched(line, line.order);
  if (why === null && line.order !== null) return line.order.id;
  throw conflict(`No order waits for just this (${why}); name the order that it is for.`);
}

async function receive(
  deps: ActivityDeps,
  tx: Transaction,
  command: Parameters<typeof takeReceipt>[2],
): Promise<number> {
  try {
    return (await takeReceipt(deps, tx, command)).receiptId;
  } catch (error) {
    if (tookReference(error)) throw referenceTaken();
    throw error;
  }
}
