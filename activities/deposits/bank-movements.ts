import { createHash } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { knownMovements, readStatementLine } from '../../db/queries/bank-statements.ts';
import { insertRows } from '../../db/schema/insert.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { bankStatementLines } from '../../db/tables/bank-statement.ts';
import {
  contentOf,
  type OtherMovement,
  type Statement,
  type StatementLine,
} from '../../domain/bank-statement/lines.ts';
import { payoutReferencesIn } from '../../domain/bank-statement/match.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { propose } from '../core/approvals.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import type { BookedDebit } from '../withdrawals/bank-remarks.ts';

const DIGEST_LENGTH = 24;
const digestOf = (content: string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, DIGEST_LENGTH).toUpperCase();

/** The bank's own; else what the line says, so that the same line is the same payment. */
export const referenceOf = (line: StatementLine): string =>
  line.reference ?? `LINE-${digestOf(contentOf(line))}`;

/** Debits that name one payout each. */
export const debitsIn = ({ others }: Statement): BookedDebit[] =>
  others.flatMap((movement) => {
    const { direction, isReversal, amountNanos } = movement;
    const [reference, ...more] = payoutReferencesIn(movement.remittance, movement.reference);
    if (direction !== 'OUT' || isReversal || reference === undefined || more.length > 0) return [];
    return [{ reference, amountNanos, bankReference: referenceOf(movement) }];
  });

/** What went out or was taken back, each once whichever statements have it, and the balances. */
export async function keepMovements(
  deps: ActivityDeps,
  tx: Transaction,
  of: { account: string; statementId: number; statement: Statement },
): Promise<void> {
  const { account, statementId, statement } = of;
  const sql = runner(deps.db, tx);
  const named = identified(statement.others);
  const known = await knownMovements(
    sql,
    account,
    named.map(([identity]) => identity),
  );
  const fresh = named.filter(([identity]) => !known.has(identity));
  await insertRows(
    sql,
    bankStatementLines,
    fresh.map(([identity, movement]) => rowOf(movement, { account, statementId, identity })),
  );
  // Of a day that a file has twice its last word counts.
  const balances = new Map(
    statement.balances.map((each) => [`${each.kind} ${each.onDay}`, { statementId, ...each }]),
  );
  await deps.db.models.bankStatementBalances.bulkCreate([...balances.values()], {
    transaction: tx,
  });
}

/** Two fees of a day may say the same: they are the first and the second. */
function identified(others: readonly OtherMovement[]): [string, OtherMovement][] {
  const seen = new Map<string, number>();
  return others.map((movement) => {
    const { direction, isReversal, reference } = movement;
    const content = JSON.stringify([direction, isReversal, reference, contentOf(movement)]);
    const nth = (seen.get(content) ?? 0) + 1;
    seen.set(content, nth);
    return [`${digestOf(content)}-${nth}`, movement];
  });
}

function rowOf(
  movement: OtherMovement,
  of: { account: string; statementId: number; identity: string },
) {
  const { line, bookedOn, amountNanos, currency, payer, remittance } = movement;
  const payouts = payoutReferencesIn(remittance, movement.reference);
  return {
    ...of,
    line,
    bookedOn,
    amountNanos: String(amountNanos),
    currency,
    reference: referenceOf(movement),
    payer,
    remittance,
    direction: movement.direction,
    isReversal: movement.isReversal,
    payoutReference: payouts.length === 1 ? (payouts[0] ?? null) : null,
  };
}

export interface ExplainLine {
  statementId: number;
  lineId: number;
  note: string;
  operatorId: number;
  requestId: string;
}

export function createBankMovementActivities(deps: ActivityDeps) {
  return {
    /**
     * A movement is nothing of the platform's, such as a fee of the bank. Above the limit that waits for a
     * second person, and the answer names the approval. Raises not_found, and state_conflict where it was
     * recorded or explained before, or has paid a refund.
     */
    async explainStatementLine(command: ExplainLine): Promise<{ approvalId: number | null }> {
      const { statementId, lineId, note, operatorId, requestId } = command;
      return await runStep(deps.db, 'bank_statement.explain', async (tx) => {
        const line = await lockUnknownLine(deps, tx, lineId);
        if (line.statementId !== statementId) throw notFound();
        if (line.receiptId !== null || line.explainedAt !== null) {
          throw conflict('It was said before what this movement is.');
        }
        const kind = 'bank_explanation';
        const ask = { note };
        const asked = await propose(deps, tx, { kind, subject: lineId, ask, makerId: operatorId });
        if (asked.state !== 'APPROVED') return { approvalId: asked.id };
        await explain(deps, tx, line, { note, operatorId, requestId });
        return { approvalId: null };
      });
    },
  };
}

type LockedLine = RecordOf<'bankStatementLines'>;

/** Raises not_found, and state_conflict for one that a refund of ours was sent by: that is what it is. */
export async function lockUnknownLine(
  deps: ActivityDeps,
  tx: Transaction,
  id: number,
): Promise<LockedLine> {
  const { bankStatementLines: lines } = deps.db.models;
  const line = await lines.findOne({ where: { id }, transaction: tx, lock: tx.LOCK.UPDATE });
  if (line === null) throw notFound();
  const { statementId } = line;
  const seen = await readStatementLine(runner(deps.db, tx), { id, statementId });
  const refundId = seen?.refundId ?? null;
  if (refundId !== null) {
    throw conflict('A refund of the platform was sent by this movement.', { refund_id: refundId });
  }
  return line;
}

/** By an approval of just this; in the words of who asked for it. */
export async function explain(
  deps: ActivityDeps,
  tx: Transaction,
  line: LockedLine,
  by: { note: string; operatorId: number | null; requestId: string },
): Promise<void> {
  const { note, operatorId, requestId } = by;
  await line.update(
    { explanation: note, explainedBy: operatorId, explainedAt: deps.clock() },
    { transaction: tx },
  );
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: 'bank_statement.explain',
    subject: { type: 'bank_statement', id: line.statementId },
    detail: { line_id: line.id, note },
    requestId,
  });
}
