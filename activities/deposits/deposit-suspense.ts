import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { moveRow } from '../../db/schema/move.ts';
import { taskDecisions } from '../../db/tables/task-decision.ts';
import { notFound } from '../../domain/errors.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import { suspenseWorkflowId } from '../../workflows/contracts/deposit.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import { tellOfDeposit } from './deposit-moves.ts';
import { beginRefund } from './deposit-refunds.ts';
import { lockDeposit } from './deposits.ts';
import type { ActivityDeps } from '../deps.ts';
import { runOnce } from '../core/run-once.ts';
import { askOperator, consentTo, creditReceipt, lockReceipt } from './deposit-receipts.ts';
import { openQuestion } from '../review/open-question.ts';
import { type LoadedDecision, loadDecision, markDecided } from '../review/task-decisions.ts';
import type { RecordOf } from '../../db/schema/models.ts';
type DepositReceipt = RecordOf<'depositReceipts'>;

/** The steps of workflows/suspense.ts: money that fits no open order. */
export function createSuspenseActivities(deps: ActivityDeps) {
  return {
    /**
     * Key `suspense:<receipt>:task`. Null when the receipt has left suspense, also where it was asked before that:
     * a flow that is begun again hears whether it is on its way back.
     */
    async openSuspenseTask(input: { receiptId: number }): Promise<Question | Left> {
      const now = await deps.db.models.depositReceipts.findByPk(input.receiptId);
      if (now !== null && now.state !== 'SUSPENSE') return left(now);
      return await runOnce(deps.db, `suspense:${input.receiptId}:task`, async (tx) => {
        const found = await lockReceipt(deps, tx, input.receiptId);
        if (found.state !== 'SUSPENSE') return left(found);
        const deposit = await deps.db.models.deposits.findByPk(found.depositId, {
          transaction: tx,
        });
        if (deposit === null) throw notFound();
        const { amountNanos } = found;
        const { status } = deposit;
        await tellOfDeposit(deps, tx, { deposit, kind: 'deposit_held', amountNanos, status });
        const taskId = await askOperator(deps, tx, { deposit, receipt: found, kind: 'suspense' });
        return (await openQuestion(deps, suspenseWorkflowId(found.id), tx)) ?? { taskId };
      });
    },

    /** Key `suspense:<receipt>:decide:<decision>`. */
    async applySuspenseDecision(input: {
      receiptId: number;
      decision: DecideInput;
    }): Promise<DepositReceipt['state']> {
      const key = `suspense:${input.receiptId}:decide:${input.decision.decisionId}`;
      return await runOnce(deps.db, key, async (tx) => {
        // The order is locked before the receipt, as everywhere.
        const deposit = await lockDeposit(deps, tx, await depositIdOf(deps, tx, input.receiptId));
        const receipt = await lockReceipt(deps, tx, input.receiptId);
        const decision = await loadDecision(deps, tx, {
          ...input.decision,
          workflowId: suspenseWorkflowId(receipt.id),
          kinds: ['suspense'],
        });
        const kind = decision.decision === 'credit' ? 'deposit_credit' : 'deposit_refund';
        const deciderId = decision.operatorId;
        if ((await consentTo(deps, tx, { receipt, kind, deciderId })) === 'SECOND') {
          await leaveToAnother(deps, tx, decision);
          return receipt.state;
        }
        if (decision.decision === 'credit') {
          await creditReceipt(deps, tx, deposit, receipt);
          const { amountNanos } = receipt;
          const status = 'PAID';
          await tellOfDeposit(deps, tx, { deposit, kind: 'deposit_paid', amountNanos, status });
        } else await beginRefund(deps, tx, receipt, { closesOrder: false });
        await markDecided(deps, tx, decision);
        return receipt.state;
      });
    },
  };
}

/** A type and no interface: it is kept as JSON. */
type Left = { taskId: null; /** Absent of builds before. */ isRefunding?: boolean };
const left = ({ state }: Pick<DepositReceipt, 'state'>): Left => ({
  taskId: null,
  isRefunding: state === 'REFUNDING',
});

/** The question stays, for anybody but whoever has decided it now; what they said is kept as asked for. */
async function leaveToAnother(
  deps: ActivityDeps,
  tx: Transaction,
  { id, taskId, operatorId: makerId }: LoadedDecision,
): Promise<void> {
  await deps.db.models.tasks.update({ makerId }, { where: { id: taskId }, transaction: tx });
  await moveRow(runner(deps.db, tx), taskDecisions, {
    state: 'status',
    action: 'refuse',
    where: { id },
    set: { refusal: 'Noted: above the limit a second person must decide the same.' },
  });
}

async function depositIdOf(
  deps: ActivityDeps,
  tx: Transaction,
  receiptId: number,
): Promise<number> {
  const receipt = await deps.db.models.depositReceipts.findByPk(receiptId, { transaction: tx });
  if (receipt === null) throw notFound();
  return receipt.depositId;
}
