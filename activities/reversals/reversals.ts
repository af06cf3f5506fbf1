import { notFound } from '../../domain/errors.ts';
import type { ReversalStatus } from '../../domain/lifecycle/reversal.ts';
import {
  checkScope,
  type ReversalReason,
  type ReversalScope,
  type ReversalSource,
} from '../../domain/reversal.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import {
  REVERSAL_WAKE_SIGNAL,
  type ReversalInput,
  reversalStart,
  reversalWorkflowId,
} from '../../workflows/contracts/reversal.ts';
import { openOperation } from '../core/operations.ts';
import { startFlow } from '../core/outbox.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { voidTasks } from '../review/tasks.ts';
import { auditReversal, endReversal, lockReversal } from './reversal-moves.ts';
import { applyReversal } from './reversal-batches.ts';
import { applyReversalDecision, openReversalTask } from './reversal-decision.ts';
import { prepareReversal } from './reversal-preview.ts';

export interface ReversalRequest {
  source: ReversalSource;
  scope: ReversalScope;
  reason: ReversalReason;
  note: string;
  operatorId: number;
  requestId: string;
}

export function createReversalActivities(deps: ActivityDeps) {
  return {
    /** Looks for billed events and asks a second person. Raises validation_failed for a scope that is none. */
    requestReversal: async (request: ReversalRequest): Promise<{ reversalId: number }> => {
      const { source, scope, reason, note, operatorId: makerId } = request;
      checkScope(source, scope, deps.clock());
      return await runStep(deps.db, 'reversal.request', async (tx) => {
        const values = { source, scope, reason, note, makerId };
        const { id: reversalId } = await deps.db.models.reversals.create(values, {
          transaction: tx,
        });
        await openOperation(deps, tx, {
          accountId: null,
          kind: 'reversal',
          subject: { type: 'reversal', id: reversalId },
          workflowId: reversalWorkflowId({ reversalId }),
          note: source,
        });
        await auditReversal(deps, tx, { ...request, reversalId, action: 'reversal.request' });
        await startFlow(deps, tx, reversalStart({ reversalId }));
        return { reversalId };
      });
    },

    /** Nothing of it is taken back. Raises not_found, and state_conflict once it was approved. */
    cancelReversal: async (command: {
      reversalId: number;
      operatorId: number;
      requestId: string;
    }): Promise<void> => {
      const { reversalId } = command;
      const workflowId = reversalWorkflowId({ reversalId });
      await runStep(deps.db, 'reversal.cancel', async (tx) => {
        const reversal = await lockReversal(deps, tx, reversalId);
        await endReversal(deps, tx, reversal, { action: 'cancel', checkerId: null });
        await voidTasks(deps, tx, workflowId);
        await auditReversal(deps, tx, { ...command, action: 'reversal.cancel' });
        await deps.outbox.enqueue(tx, {
          kind: 'workflow_signal',
          dedupeKey: `${workflowId}:cancelled`,
          payload: { workflowId, signal: REVERSAL_WAKE_SIGNAL },
        });
      });
    },

    prepareReversal: async (input: ReversalInput) => await prepareReversal(deps, input),
    applyReversal: async (input: ReversalInput) => await applyReversal(deps, input),

    readReversalStatus: async ({ reversalId }: ReversalInput): Promise<ReversalStatus> => {
      const found = await deps.db.models.reversals.findByPk(reversalId);
      if (found === null) throw notFound();
      return found.status;
    },

    openReversalTask: async (input: ReversalInput) => await openReversalTask(deps, input),
    applyReversalDecision: async (input: ReversalInput & { decision: DecideInput }) =>
      await applyReversalDecision(deps, input),
  };
}
