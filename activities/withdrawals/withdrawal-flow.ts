import { inTransaction, runner } from '../../db/postgres.ts';
import { notFound } from '../../domain/errors.ts';
import type { WithdrawalStatus } from '../../domain/lifecycle/withdrawal.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import {
  type WithdrawalState,
  withdrawalWorkflowId,
} from '../../workflows/contracts/withdrawal.ts';
import type { ActivityDeps } from '../deps.ts';
import { runOnce } from '../core/run-once.ts';
import { reportOperation } from '../core/operations.ts';
import { applyPayoutDecision, openPayout } from './payout-outcome.ts';
import { loadDecision, markDecided } from '../review/task-decisions.ts';
import { applyReview, findRisks, routeReview } from './withdrawal-review.ts';
import { lockWithdrawal, moveWithdrawal } from './withdrawal-moves.ts';

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
     * that is not one, or that no longer fits.
     */
    async applyWithdrawalDecision(input: {
      withdrawalId: number;
      decision: DecideInput;
    }): Promise<WithdrawalStatus> {
      const key = `withdrawal:${input.withdrawalId}:decide:${input.decision.decisionId}`;
      return await runOnce(deps.db, key, async (tx) => {
        const withdrawal = await lockWithdrawal(deps, tx, input);
        const decision = await loadDecision(deps, tx, {
          ...input.decision,
          workflowId: withdrawalWorkflowId(withdrawal.id),
        });
        // First, because the end of a withdrawal voids the tasks that are still open.
        await markDecided(deps, tx, decision);
        if (decision.kind === 'payout_unknown') {
          await applyPayoutDecision(deps, tx, withdrawal, decision);
        } else {
          await applyReview(deps, tx, withdrawal, decision);
        }
        return withdrawal.status;
      });
    },

    /**
     * The point of no return, once the cooling-off window is over. A publisher that was suspended
     * meanwhile, or whose identity is no longer approved, goes on hold instead. Harmless twice;
     * answers the status that holds.
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
          await moveWithdrawal(deps, tx, withdrawal, { action: 'hold', findings });
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

interface StateRow {
  status: WithdrawalStatus;
  review_round: number;
  not_before: Date | null;
  payout: 'READY' | 'SENDING' | 'FILE' | 'ACCEPTED' | 'UNKNOWN' | 'SETTLED' | 'REJECTED' | null;
  tries: number | null;
  looks: number | null;
  task_id: string | null;
}

async function readState(deps: ActivityDeps, withdrawalId: number): Promise<WithdrawalState> {
  const { rows } = await runner(deps.db).query<StateRow>(
    `SELECT w.status, w.review_round, w.not_before, p.state AS payout, p.tries, p.looks,
       (SELECT t.id FROM tasks t WHERE t.workflow_id = $2 AND t.status = 'open' LIMIT 1) AS task_id
     FROM withdrawals w LEFT JOIN payouts p ON p.withdrawal_id = w.id WHERE w.id = $1`,
    [withdrawalId, withdrawalWorkflowId(withdrawalId)],
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  return stepOf(row);
}

function stepOf(row: StateRow): WithdrawalState {
  const { status } = row;
  const decision = row.task_id === null ? undefined : Number(row.task_id);
  switch (status) {
    case 'PENDING':
    case 'RISK_HOLD':
      return decision === undefined
        ? { status, next: 'review', round: row.review_round + 1 }
        : { status, next: 'decision', taskId: decision };
    case 'APPROVED':
      return { status, next: 'cool', until: (row.not_before ?? new Date(0)).toISOString() };
    case 'PROCESSING':
    case 'UNKNOWN':
      return decision === undefined
        ? { status, ...payoutStep(row) }
        : { status, next: 'decision', taskId: decision };
    case 'PAID':
    case 'FAILED':
    case 'RETURNED':
    case 'REJECTED':
    case 'CANCELLED':
      return { status, next: 'closed' };
  }
}

function payoutStep({ payout, tries, looks }: StateRow) {
  switch (payout) {
    case 'READY':
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
