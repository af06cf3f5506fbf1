import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { moveRows } from '../../db/schema/move.ts';
import type { ReviewReason } from '../../db/tables/json.ts';
import { taskDecisions } from '../../db/tables/task-decision.ts';
import { conflict, invalid, type FieldError } from '../../domain/errors.ts';
import { blockersOf } from '../../domain/review-findings.ts';
import { isReadByOwner, reasonCodesOf } from '../../domain/review-reasons.ts';
import { mayDecide } from '../../domain/task-rules.ts';
import {
  DECIDE_UPDATE,
  type DecideInput,
  decisionUpdateId,
} from '../../workflows/contracts/decision.ts';
import { tellAssignee } from '../accounts/operator-notices.ts';
import { recordAudit } from '../core/audit.ts';
import { requireOwnEvidence } from '../core/evidence.ts';
import type { ActivityDeps } from '../deps.ts';
import { runStep } from '../core/run-once.ts';
import {
  checkDecider,
  checkRole,
  type Decider,
  lockTask,
  refuseDecided,
  refuseForeignLease,
  type Task,
} from './task-lock.ts';
import { refreshFindings } from './task-findings.ts';

export interface TaskDecisionCommand {
  taskId: number;
  operator: Decider;
  decision: string;
  reasons: ReviewReason[];
  note: string | null;
  evidenceMediaId: number | null;
  /** What the operator has uploaded to show for it (receipt_evidence). */
  evidenceId?: number | null;
  requestId: string;
}

export function createTaskActivities(deps: ActivityDeps) {
  return {
    /**
     * Writes an operator's decision and the Update that carries it to the task's flow. Raises
     * not_found, forbidden_role (role, four eyes), validation_failed (a decision the task does not
     * offer, a rejection without reasons or with one of no catalogue, unknown evidence), state_conflict (decided before, being
     * decided, in another operator's hands, or an approval over a blocker).
     */
    async decideTask(
      command: TaskDecisionCommand,
    ): Promise<{ decisionId: number; outboxId: number }> {
      // Kept also when the decision is refused: whoever looks again sees what is so now.
      if (command.decision === 'approve') await refreshTask(deps, command.taskId);
      return await runStep(deps.db, 'task.decide', async (tx) => {
        const task = await lockTask(deps, tx, command.taskId);
        checkDecider(task, command.operator);
        await refuseDecided(deps, tx, task);
        checkDecision(task, command);
        refuseOverBlockers(task, command);
        await refuseForeignLease(deps, tx, { task, operatorId: command.operator.id });
        await checkEvidence(deps, tx, task, command.evidenceMediaId);
        const { evidenceId = null, operator } = command;
        await requireOwnEvidence(deps, tx, { evidenceId, operatorId: operator.id });
        const decisionId = await insertDecision(deps, tx, command);
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: command.operator.id },
          action: 'task.decide',
          subject: { type: 'task', id: command.taskId },
          detail: { kind: task.kind, decision: command.decision, decision_id: decisionId },
          requestId: command.requestId,
        });
        const input: DecideInput = { taskId: command.taskId, decisionId };
        const outboxId = await deps.outbox.enqueue(tx, {
          kind: 'workflow_update',
          dedupeKey: decisionUpdateId(decisionId),
          payload: {
            workflowId: task.workflowId,
            update: DECIDE_UPDATE,
            updateId: decisionUpdateId(decisionId),
            input,
          },
        });
        return { decisionId, outboxId };
      });
    },

    /** The flow refused the decision for good: it is kept, and another one may be made. */
    async refuseDecision(input: DecideInput, message: string): Promise<void> {
      await moveRows(runner(deps.db), taskDecisions, {
        state: 'status',
        action: 'refuse',
        where: { id: input.decisionId, taskId: input.taskId },
        set: { refusal: message },
      });
    },

    /**
     * Gives an open task to an operator whose role may decide it, who is told, or back to the queue (null). Raises
     * forbidden_role for whoever may not decide it themselves.
     */
    async assignTask(command: {
      taskId: number;
      operator: Decider;
      assigneeId: number | null;
      requestId: string;
    }): Promise<void> {
      await runStep(deps.db, 'task.assign', async (tx) => {
        const task = await lockTask(deps, tx, command.taskId);
        checkRole(task, command.operator);
        await refuseDecided(deps, tx, task);
        await checkAssignee(deps, tx, task, command.assigneeId);
        const { assigneeId: before, kind } = task;
        const { assigneeId } = command;
        await task.update({ assigneeId }, { transaction: tx });
        if (assigneeId !== null && assigneeId !== before && assigneeId !== command.operator.id) {
          const given = { operatorId: assigneeId, taskId: task.id, params: { task_kind: kind } };
          await tellAssignee(deps, tx, given);
        }
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: command.operator.id },
          action: 'task.assign',
          subject: { type: 'task', id: command.taskId },
          detail: { assignee_id: command.assigneeId },
          requestId: command.requestId,
        });
      });
    },
  };
}

async function refreshTask(deps: ActivityDeps, taskId: number): Promise<void> {
  await runStep(deps.db, 'task.refresh', async (tx) => {
    const task = await lockTask(deps, tx, taskId);
    if (task.status === 'open') await refreshFindings(deps, tx, task);
  });
}

/**
 * Refused here, a decision never reaches its flow, whose history is bounded. The flow looks again:
 * what comes between is refused there.
 */
function refuseOverBlockers(task: Task, { decision }: TaskDecisionCommand): void {
  if (decision !== 'approve') return;
  const codes = blockersOf(task.findings).map(({ code }) => code);
  if (codes.length > 0) throw conflict(`Cannot approve: ${codes.join(', ')}.`, { blockers: codes });
}

function checkDecision(task: Task, command: TaskDecisionCommand): void {
  if (!task.decisions.includes(command.decision)) {
    throw invalid({
      field: 'decision',
      code: 'one_of',
      message: `must be one of: ${task.decisions.join(', ')}`,
    });
  }
  if (isReadByOwner(task.kind) && command.decision === 'reject' && command.reasons.length === 0) {
    throw invalid({ field: 'reasons', code: 'required', message: 'A rejection needs a reason.' });
  }
  if (command.decision === 'sent_back' && (command.note ?? '').trim() === '') {
    const message = 'Write under which reference it was sent back.';
    throw invalid({ field: 'note', code: 'required', message });
  }
  const codes = reasonCodesOf(task.kind);
  const unknown = command.reasons.flatMap(({ code }, at) =>
    codes.includes(code)
      ? []
      : [
          {
            field: `reasons[${at}].code`,
            code: 'one_of',
            message: `must be one of: ${codes.join(', ')}`,
          },
        ],
  );
  const faults = [...unknown, ...(isReadByOwner(task.kind) ? unsaidOf(command) : [])];
  if (faults.length > 0) throw invalid(...faults);
}

/** "Another reason" says nothing to the owner unless somebody says it. */
const unsaidOf = ({ reasons }: TaskDecisionCommand): FieldError[] =>
  reasons.flatMap(({ code, note }, at) =>
    code === 'OTHER' && (note ?? '').trim() === ''
      ? [
          {
            field: `reasons[${at}].note`,
            code: 'required',
            message: 'Write to the owner what the reason is.',
          },
        ]
      : [],
  );

/** Media of somebody else, or that are not there, prove nothing to whoever looks at the decision later. */
async function checkEvidence(
  deps: ActivityDeps,
  tx: Transaction,
  { accountId: advertiserId }: Task,
  mediaId: number | null,
): Promise<void> {
  if (mediaId === null) return;
  const lock = tx.LOCK.SHARE;
  const of = { id: mediaId, advertiserId: advertiserId ?? 0 };
  const evidence = await deps.db.models.media.findOne({ where: of, transaction: tx, lock });
  if (evidence !== null) return;
  throw invalid({ field: 'evidence_media_id', code: 'unknown', message: 'No such media.' });
}

/** The task's lock lets one decision at a time through; a unique index is behind it. */
async function insertDecision(
  deps: ActivityDeps,
  tx: Transaction,
  command: TaskDecisionCommand,
): Promise<number> {
  const { taskId, operator, evidenceId = null, ...said } = command;
  const { decision, reasons, note, evidenceMediaId } = said;
  const { id } = await deps.db.models.taskDecisions.create(
    { taskId, operatorId: operator.id, decision, reasons, note, evidenceMediaId, evidenceId },
    { transaction: tx },
  );
  return id;
}

async function checkAssignee(
  deps: ActivityDeps,
  tx: Transaction,
  task: Task,
  assigneeId: number | null,
): Promise<void> {
  if (assigneeId === null) return;
  const operator = await deps.db.models.operators.findOne({
    where: { id: assigneeId, status: 'ACTIVE' },
    transaction: tx,
  });
  if (assigneeId === task.makerId) {
    throw invalid({
      field: 'assignee_id',
      code: 'not_allowed',
      message: 'made the step that this task checks: a second person must decide it',
    });
  }
  if (operator === null || !mayDecide(operator.role, task.requiredRole)) {
    throw invalid({
      field: 'assignee_id',
      code: 'not_allowed',
      message: `must be an active operator with the role ${task.requiredRole}`,
    });
  }
}
