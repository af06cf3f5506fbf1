import { runner } from '../../db/postgres.ts';
import { moveRows, NOW } from '../../db/schema/move.ts';
import { approvals } from '../../db/tables/approval.ts';
import { conflict } from '../../domain/errors.ts';
import type { ReversalStatus } from '../../domain/lifecycle/reversal.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import { type ReversalInput, reversalWorkflowId } from '../../workflows/contracts/reversal.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import { consent, propose } from '../core/approvals.ts';
import { moveRecord } from '../core/move-record.ts';
import { reportOperation } from '../core/operations.ts';
import { runOnce } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { openQuestion } from '../review/open-question.ts';
import { loadDecision, markDecided } from '../review/task-decisions.ts';
import { openTask } from '../review/tasks.ts';
import { auditReversal, endReversal, lockReversal } from './reversal-moves.ts';

/** A second person should look within three days. */
const DUE_MS = 3 * 86_400_000;

/** Key `reversal:{id}:task`. Undefined when it was cancelled meanwhile. */
export async function openReversalTask(
  deps: ActivityDeps,
  input: ReversalInput,
): Promise<Question | undefined> {
  const workflowId = reversalWorkflowId(input);
  const question = await runOnce(deps.db, `${workflowId}:task`, async (tx) => {
    const reversal = await lockReversal(deps, tx, input.reversalId);
    if (reversal.status !== 'PREVIEW') return null;
    const { id, events, makerId } = reversal;
    await propose(deps, tx, { kind: 'reversal', subject: id, makerId });
    await openTask(deps, tx, {
      kind: 'reversal_second_approval',
      subject: { type: 'reversal', id },
      accountId: null,
      heading: { form: 'REVERSAL', events },
      decisions: ['approve', 'reject'],
      makerId,
      workflowId,
      dedupeKey: `${workflowId}:task`,
      dueAt: new Date(deps.clock().getTime() + DUE_MS),
    });
    await reportOperation(deps, tx, workflowId, { status: 'waiting_human', phase: 'preview' });
    return await openQuestion(deps, workflowId, tx);
  });
  return question ?? undefined;
}

/**
 * Key `reversal:{id}:apply:{decision}`. Raises state_conflict for whoever asked for it, and where it was
 * decided or cancelled before.
 */
export async function applyReversalDecision(
  deps: ActivityDeps,
  input: ReversalInput & { decision: DecideInput },
): Promise<ReversalStatus> {
  const workflowId = reversalWorkflowId(input);
  const key = `${workflowId}:apply:${input.decision.decisionId}`;
  return await runOnce(deps.db, key, async (tx) => {
    const decided = await loadDecision(deps, tx, {
      ...input.decision,
      workflowId,
      kinds: ['reversal_second_approval'],
    });
    const reversal = await lockReversal(deps, tx, input.reversalId);
    const { id: reversalId, makerId, contentHash } = reversal;
    const { operatorId } = decided;
    const isApproved = decided.decision === 'approve';
    const approval = { kind: 'reversal', subject: reversalId } as const;
    if (isApproved) {
      const given = await consent(deps, tx, { ...approval, makerId, deciderId: operatorId });
      if (given === 'SECOND') throw conflict('A second person must approve this.');
      await moveRecord(deps.db, tx, 'reversals', {
        record: reversal,
        state: 'status',
        action: 'approve',
        set: { checkerId: operatorId, decidedAt: NOW },
      });
      await reportOperation(deps, tx, workflowId, { status: 'running', phase: 'applying' });
    } else {
      await moveRows(runner(deps.db, tx), approvals, {
        state: 'state',
        action: 'refuse',
        where: { kind: approval.kind, subject: String(reversalId) },
        set: { checkerId: operatorId, decidedAt: NOW },
      });
      await endReversal(deps, tx, reversal, { action: 'reject', checkerId: operatorId });
    }
    const action = isApproved ? 'reversal.approve' : 'reversal.reject';
    await auditReversal(deps, tx, { reversalId, operatorId, action, contentHash });
    await markDecided(deps, tx, decided);
    return reversal.status;
  });
}
