import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { notFound } from '../../domain/errors.ts';
import { type DepositStatus, OPEN_DEPOSIT_STATUSES } from '../../domain/lifecycle/deposit.ts';
import { takesAnyAmount } from '../../domain/deposit-terms.ts';
import { type Nanos, NANOS_PER_UNIT } from '../../domain/money.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import { depositWorkflowId } from '../../workflows/contracts/deposit.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import { moveDeposit } from './deposit-moves.ts';
import { beginRefund } from './deposit-refunds.ts';
import { lockDeposit } from './deposits.ts';
import type { ActivityDeps } from '../deps.ts';
import { recordAudit } from '../core/audit.ts';
import { runOnce } from '../core/run-once.ts';
import {
  askOperator,
  consentTo,
  creditReceipt,
  lockReceipt,
  startSuspenseFlow,
} from './deposit-receipts.ts';
import { openQuestion } from '../review/open-question.ts';
import { type LoadedDecision, loadDecision, markDecided } from '../review/task-decisions.ts';
import { flag, refs } from '../../db/schema/column.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { type DepositRow, deposits } from '../../db/tables/deposit.ts';
import type { Settings } from '../../domain/settings.ts';

export interface DepositState {
  status: DepositStatus;
  /** No more money is expected: what comes later has a flow of its own. */
  closed: boolean;
  /** Receipts that this flow has not looked at yet, oldest first. */
  receiptIds: number[];
  /** Its provider has not been told of it yet; absent in histories of builds before. */
  isUnopened?: boolean;
  /** What this flow waits on. */
  question?: Question;
}

/** The steps of workflows/deposit.ts. A signal is only a nudge; what is true is read here. */
export function createDepositFlowActivities(deps: ActivityDeps) {
  return {
    async readDeposit({ depositId }: { depositId: number }): Promise<DepositState> {
      return await readState(deps, depositId);
    },

    /**
     * Key `deposit:<id>:confirm:<receipt>`; its presence marks the receipt as looked at. The exact
     * amount pays the order, above the limit after a second person; another amount asks an
     * operator; money for an order that is no longer open goes to a suspense flow.
     */
    async confirmReceipt(input: { depositId: number; receiptId: number }): Promise<string> {
      const key = confirmKey(input.depositId, input.receiptId);
      return await runOnce(deps.db, key, async (tx) => {
        const deposit = await lockDeposit(deps, tx, input.depositId);
        const receipt = await lockReceipt(deps, tx, input.receiptId);
        if (receipt.depositId !== deposit.id) throw notFound();
        if (receipt.state !== 'SUSPENSE') return receipt.state;
        if (
          deposit.status !== 'CONFIRMING' ||
          (await openQuestion(deps, depositWorkflowId(deposit.id), tx)) !== null
        ) {
          await startSuspenseFlow(deps, tx, { deposit, receipt });
          return 'SUSPENSE';
        }
        const settings = await loadSettings(runner(deps.db, tx));
        if (!fitsOrder(settings, deposit, receipt.amountNanos)) {
          await moveDeposit(deps, tx, deposit, 'review');
          await askOperator(deps, tx, { deposit, receipt, kind: 'deposit_review' });
          return 'REVIEW';
        }
        const move = { receipt, kind: 'deposit_credit', deciderId: null } as const;
        if ((await consentTo(deps, tx, move)) === 'SECOND') {
          await askOperator(deps, tx, { deposit, receipt, kind: 'deposit_second_approval' });
          return 'SECOND_APPROVAL';
        }
        await creditReceipt(deps, tx, deposit, receipt);
        await moveDeposit(deps, tx, deposit, 'credit');
        return 'PAID';
      });
    },

    /** Key `deposit:<id>:decide:<decision>`. Raises not_found or state_conflict for a decision that is not one. */
    async applyDepositDecision(input: {
      depositId: number;
      decision: DecideInput;
    }): Promise<DepositStatus> {
      const key = `deposit:${input.depositId}:decide:${input.decision.decisionId}`;
      return await runOnce(deps.db, key, async (tx) => {
        const deposit = await lockDeposit(deps, tx, input.depositId);
        const decision = await loadDecision(deps, tx, {
          ...input.decision,
          workflowId: depositWorkflowId(deposit.id),
          kinds: ['deposit_review', 'deposit_second_approval'],
        });
        const receipt = await lockReceipt(deps, tx, Number(decision.payload['receipt_id']));
        await applyDecision(deps, tx, { deposit, receipt, decision });
        await markDecided(deps, tx, decision);
        return deposit.status;
      });
    },

    /** A cancel in Temporal's pages: as its owner's before money came; later refused. Harmless twice. */
    async answerDepositCancel({ depositId }: { depositId: number }): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const deposit = await lockDeposit(deps, tx, depositId);
        const { status } = deposit;
        const isHeeded = status === 'PENDING';
        if (isHeeded) await moveDeposit(deps, tx, deposit, 'cancel');
        await recordAudit(deps.db, tx, {
          actor: { type: 'SYSTEM', id: null },
          action: isHeeded ? 'deposit.cancel' : 'deposit.cancel_refused',
          subject: { type: 'deposit', id: depositId },
          detail: { asked_in: 'temporal', status },
          accountId: deposit.advertiserId,
        });
      });
    },

    /** Answers EXPIRED, or another status when money or a cancel was faster. */
    async expireDeposit({ depositId }: { depositId: number }): Promise<DepositStatus> {
      return await inTransaction(deps.db, async (tx) => {
        const deposit = await lockDeposit(deps, tx, depositId);
        if (deposit.status === 'PENDING') await moveDeposit(deps, tx, deposit, 'expire');
        return deposit.status;
      });
    },
  };
}

/** Just what was ordered; where the payer chooses the amount, whatever is not below the minimum. */
function fitsOrder(
  settings: Settings,
  { amountNanos, paymentMethod }: Pick<DepositRow, 'amountNanos' | 'paymentMethod'>,
  receivedNanos: Nanos,
): boolean {
  if (receivedNanos === amountNanos) return true;
  const minimum = BigInt(settings[`deposit.minimum.${paymentMethod}`]) * NANOS_PER_UNIT;
  return takesAnyAmount(paymentMethod) && receivedNanos >= minimum;
}

/** Above the limit the first person's word asks for a second one. */
async function applyDecision(
  deps: ActivityDeps,
  tx: Transaction,
  { deposit, receipt, decision }: Decided,
): Promise<void> {
  const isApproval = decision.decision === 'approve';
  const { operatorId: deciderId } = decision;
  const consented = await consentTo(deps, tx, {
    receipt,
    kind: isApproval ? 'deposit_credit' : 'deposit_refund',
    deciderId,
  });
  if (consented === 'SECOND') {
    const kind = isApproval ? 'deposit_second_approval' : 'deposit_review';
    await askOperator(deps, tx, { deposit, receipt, kind, second: deciderId });
    return;
  }
  if (isApproval) {
    await creditReceipt(deps, tx, deposit, receipt);
    await moveDeposit(deps, tx, deposit, 'credit');
    return;
  }
  if (deposit.status === 'CONFIRMING') await moveDeposit(deps, tx, deposit, 'review');
  // The order ends when its money is back where it came from, which may take its provider days.
  await beginRefund(deps, tx, receipt, { closesOrder: true });
  await startSuspenseFlow(deps, tx, { deposit, receipt, isRefunding: true });
}

interface Decided {
  deposit: RecordOf<'deposits'>;
  receipt: RecordOf<'depositReceipts'>;
  decision: LoadedDecision;
}

const confirmKey = (depositId: number, receiptId: number): string =>
  `deposit:${depositId}:confirm:${receiptId}`;

const STATE = select({
  status: deposits.columns.status.of('d.status'),
  receiptIds: refs().of(`ARRAY(SELECT r.id FROM deposit_receipts r
    WHERE r.deposit_id = d.id AND r.state = 'SUSPENSE' AND NOT EXISTS (
      SELECT 1 FROM effects e WHERE e.key = 'deposit:' || d.id || ':confirm:' || r.id)
    ORDER BY r.id)`),
  isUnopened: flag().of(`EXISTS (SELECT 1 FROM deposit_payments p
    WHERE p.deposit_id = d.id AND p.opened_at IS NULL AND p.refused IS NULL)`),
});

/** One statement, one snapshot: a closed order and its unseen receipts belong together. */
async function readState(deps: ActivityDeps, depositId: number): Promise<DepositState> {
  const row = await readRow(
    runner(deps.db),
    STATE,
    `SELECT ${STATE.list} FROM deposits d WHERE d.id = $1`,
    [depositId],
  );
  if (row === undefined) throw notFound();
  const closed = !OPEN_DEPOSIT_STATUSES.includes(row.status);
  const question = await openQuestion(deps, depositWorkflowId(depositId));
  return { ...row, closed, ...(question === null ? {} : { question }) };
}
