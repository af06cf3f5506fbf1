import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { ref } from '../../db/schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import { payouts } from '../../db/tables/payout.ts';
import { withdrawals } from '../../db/tables/withdrawal.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { canBeLookedUp, SEND_TRIES_MAX } from '../../domain/lifecycle/payout.ts';
import {
  CANCELLED_BY_PLATFORM,
  isCancellable,
  type WithdrawalStatus,
} from '../../domain/lifecycle/withdrawal.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import {
  type LookFirst,
  type WithdrawalState,
  withdrawalWorkflowId,
} from '../../workflows/contracts/withdrawal.ts';
import type { ActivityDeps } from '../deps.ts';
import { recordAudit } from '../core/audit.ts';
import { runOnce } from '../core/run-once.ts';
import { reportOperation } from '../core/operations.ts';
import { openQuestion } from '../review/open-question.ts';
import { openPayout } from './payout-order.ts';
import { applyPayoutDecision } from './payout-outcome.ts';
import { loadDecision, markDecided } from '../review/task-decisions.ts';
import { applyReview, findRisks, routeReview } from './withdrawal-review.ts';
import { lockWithdrawal, moveWithdrawal, voidWithdrawal } from './withdrawal-moves.ts';

/** The steps of workflows/withdrawal.ts up to the payout. What is true is read from the rows. */
export function createWithdrawalFlowActivities(deps: ActivityDeps) {
  return {
    async readWithdrawal({ withdrawalId }: { withdrawalId: number }): Promise<WithdrawalState> {
      return await readState(deps, withdrawalId);
    },

    /** Key `withdrawal:<id>:review:<round>`: findings, then approval or a person's task. */
    async reviewWithdrawal(input: { withdrawalId: number; round: number }): Promise<string> {
      const key = `withdrawal:${input.withdrawalId}:review:${input.round}`;
      return await runOnce(deps.db, key, async (tx) => {
        const withdrawal = await lockWithdrawal(deps, tx, input);
        const waits = withdrawal.status === 'PENDING' || withdrawal.status === 'RISK_HOLD';
        if (!waits) return withdrawal.status;
        return await routeReview(deps, tx, withdrawal, input.round);
      });
    },

    /**
     * Key `withdrawal:<id>:decide:<decision>`. Raises not_found or state_conflict for a decision
     * that is not one, or that no longer fits. `lookFirst`: ask the provider, then decide again.
     */
    async applyWithdrawalDecision(input: Decided): Promise<WithdrawalStatus | LookFirst> {
      if (await mustLookFirst(deps, input)) return { lookFirst: true };
      const key = `withdrawal:${input.withdrawalId}:decide:${input.decision.decisionId}`;
      return await runOnce(deps.db, key, async (tx) => await decide(deps, tx, input));
    },

    /**
     * A cancel in Temporal's pages: as its owner's, where it comes in time; later it is refused. What
     * came of it is in the audit log. Harmless twice.
     */
    async answerWithdrawalCancel(input: { withdrawalId: number }): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const withdrawal = await lockWithdrawal(deps, tx, input);
        const { id, publisherId: accountId, status } = withdrawal;
        const isHeeded = isCancellable(status);
        if (isHeeded) {
          await voidWithdrawal(deps, tx, withdrawal, {
            action: 'cancel',
            reasons: [{ code: CANCELLED_BY_PLATFORM }],
            report: { status: 'cancelled', phase: 'cancelled' },
          });
        }
        await recordAudit(deps.db, tx, {
          actor: { type: 'SYSTEM', id: null },
          action: isHeeded ? 'withdrawal.cancel' : 'withdrawal.cancel_refused',
          subject: { type: 'withdrawal', id },
          detail: { asked_in: 'temporal', status },
          accountId,
        });
      });
    },

    /**
     * The point of no return, once the cooling-off window is over. A publisher that was suspended
     * meanwhile, or whose identity is no longer approved, goes to RISK_HOLD instead. Harmless twice;
     * answers the status after it.
     */
    async beginPayout(input: { withdrawalId: number }): Promise<WithdrawalStatus> {
      return await inTransaction(deps.db, async (tx) => {
        const withdrawal = await lockWithdrawal(deps, tx, input);
        const { status, notBefore } = withdrawal;
        if (status !== 'APPROVED' || (notBefore !== null && notBefore > deps.clock())) {
          return status;
        }
        const findings = await findRisks(deps, tx, withdrawal);
        if (findings.some(({ severity }) => severity === 'blocker')) {
          await moveWithdrawal(deps, tx, withdrawal, { action: 'flag_risk', findings });
          return withdrawal.status;
        }
        await moveWithdrawal(deps, tx, withdrawal, { action: 'begin' });
        await openPayout(deps, tx, withdrawal);
        await reportOperation(deps, tx, withdrawalWorkflowId(withdrawal.id), {
          status: 'running',
          phase: 'processing',
        });
        return withdrawal.status;
      });
    },
  };
}

interface Decided {
  withdrawalId: number;
  decision: DecideInput;
}

const LEFT_MEANWHILE =
  'It was sent while this was decided, and its provider is asked first: decide again.';

const UNLOOKED = select({ withdrawalId: payouts.columns.withdrawalId.of('p.withdrawal_id') });

async function decide(
  deps: ActivityDeps,
  tx: Transaction,
  input: Decided,
): Promise<WithdrawalStatus> {
  const withdrawal = await lockWithdrawal(deps, tx, input);
  // It has left between the two looks, by a sender that was thought dead.
  if (await mustLookFirst(deps, input, tx)) throw conflict(LEFT_MEANWHILE);
  const decision = await loadDecision(deps, tx, {
    ...input.decision,
    workflowId: withdrawalWorkflowId(withdrawal.id),
    kinds: ['withdrawal_review', 'withdrawal_second_approval', 'payout_unknown'],
  });
  // First, because the end of a withdrawal voids the tasks that are still open.
  await markDecided(deps, tx, decision);
  if (decision.kind === 'payout_unknown') await applyPayoutDecision(deps, tx, withdrawal, decision);
  else await applyReview(deps, tx, withdrawal, decision);
  return withdrawal.status;
}

/** Whoever says that nothing was paid while the provider may know better has it asked first. */
async function mustLookFirst(
  deps: ActivityDeps,
  { withdrawalId, decision }: Decided,
  tx?: Transaction,
): Promise<boolean> {
  const row = await readRow(
    runner(deps.db, tx),
    UNLOOKED,
    `SELECT ${UNLOOKED.list} FROM task_decisions d JOIN tasks t ON t.id = d.task_id
     JOIN payouts p ON p.withdrawal_id = $1
     WHERE d.id = $2 AND t.id = $3 AND t.workflow_id = $4 AND t.kind = 'payout_unknown'
       AND d.decision = 'confirm_failed' AND d.status = 'PENDING' AND t.status = 'open'
       AND p.state IN ('ACCEPTED', 'UNKNOWN')
       AND (p.looked_at IS NULL OR p.looked_at < d.created_at)`,
    [withdrawalId, decision.decisionId, decision.taskId, withdrawalWorkflowId(withdrawalId)],
  );
  return row !== undefined;
}

const STATE = select({
  ...columnsOf(withdrawals, 'w', ['status', 'reviewRound', 'notBefore']),
  payout: payouts.columns.state.orNull().of('p.state'),
  tries: payouts.columns.tries.orNull().of('p.tries'),
  looks: payouts.columns.looks.orNull().of('p.looks'),
  // A refused step is asked about by the run that met it, which does not read this meanwhile.
  taskId: ref().orNull()
    .of(`(SELECT t.id FROM tasks t WHERE t.workflow_id = $2 AND t.status = 'open'
      AND t.kind <> 'money_refused' LIMIT 1)`),
});

async function readState(deps: ActivityDeps, withdrawalId: number): Promise<WithdrawalState> {
  const row = await readRow(
    runner(deps.db),
    STATE,
    `SELECT ${STATE.list} FROM withdrawals w LEFT JOIN payouts p ON p.withdrawal_id = w.id
     WHERE w.id = $1`,
    [withdrawalId, withdrawalWorkflowId(withdrawalId)],
  );
  if (row === undefined) throw notFound();
  const step = stepOf(row);
  const payout = row.payout === null ? {} : { payout: row.payout };
  if (step.next !== 'decision') return { ...step, ...payout };
  const question = await openQuestion(deps, withdrawalWorkflowId(withdrawalId));
  return { ...step, ...payout, ...(question === null ? {} : { question }) };
}

function stepOf(row: RowOf<typeof STATE>): WithdrawalState {
  const { status, taskId } = row;
  switch (status) {
    case 'PENDING':
    case 'RISK_HOLD':
      return taskId === null
        ? { status, next: 'review', round: row.reviewRound + 1 }
        : { status, next: 'decision', taskId };
    case 'APPROVED':
      return { status, next: 'cool', until: (row.notBefore ?? new Date(0)).toISOString() };
    case 'PROCESSING':
    case 'UNKNOWN':
      return taskId === null
        ? { status, ...payoutStep(row) }
        : { status, next: 'decision', taskId, ...looksOf(row) };
    case 'PAID':
    case 'FAILED':
    case 'RETURNED':
    case 'REJECTED':
    case 'CANCELLED':
      return { status, next: 'closed' };
  }
}

/** Of an order that its provider may still tell of. */
const looksOf = ({ payout, looks }: RowOf<typeof STATE>): { looks?: number } =>
  payout !== null && canBeLookedUp(payout) ? { looks: looks ?? 0 } : {};

function payoutStep({ payout, tries, looks }: RowOf<typeof STATE>) {
  switch (payout) {
    case 'READY':
      if (tries !== null && tries >= SEND_TRIES_MAX) return { next: 'ask' } as const;
      return { next: 'send', tries: tries ?? 0 } as const;
    case 'SENDING':
      return { next: 'lost' } as const;
    case 'ACCEPTED':
    case 'UNKNOWN':
      return { next: 'look', looks: looks ?? 0 } as const;
    // A bank file waits for whoever carries it to the bank. An order that says it has ended while
    // its withdrawal has not cannot happen; a person is notified rather than nobody.
    case 'FILE':
    case 'SETTLED':
    case 'REJECTED':
    case null:
      return { next: 'ask' } as const;
  }
}
