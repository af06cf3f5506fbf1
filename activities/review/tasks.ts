import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { conflict, DomainError, invalid, notFound } from '../../domain/errors.ts';
import type { ReviewFinding } from '../../db/tables/json.ts';
import type { TaskRow } from '../../db/tables/task.ts';
import {
  DECIDE_UPDATE,
  type DecideInput,
  decisionUpdateId,
} from '../../workflows/contracts/decision.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { runStep } from '../core/run-once.ts';

export type TaskKind = TaskRow['kind'];
export type OperatorRole = TaskRow['requiredRole'];

/** A coded reason of a decision, as the decided thing's owner will read it. */
export interface DecisionReason {
  code: string;
  field?: string | undefined;
  note?: string | undefined;
}

export interface NewTask {
  kind: TaskKind;
  subject: { type: string; id: number };
  accountId: number | null;
  summary: string;
  findings?: readonly ReviewFinding[];
  decisions: string[];
  payload?: Record<string, unknown>;
  requiredRole: OperatorRole;
  /** Whoever made the step that this task checks may not decide it (four eyes). */
  makerId?: number | null;
  workflowId: string;
  /** One task per key; the same key again answers the first task. */
  dedupeKey: string;
  dueAt?: Date | null;
}

/** Puts a question to the operators, in the transaction of the step that raises it. Answers its id. */
export async function openTask(
  deps: ActivityDeps,
  tx: Transaction,
  task: NewTask,
): Promise<number> {
  const sql = runner(deps.db, tx);
  const inserted = await sql.query<{ id: string }>(
    `INSERT INTO tasks (kind, subject_type, subject_id, account_id, summary, findings, decisions,
       payload, required_role, maker_id, workflow_id, dedupe_key, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (dedupe_key) DO NOTHING RETURNING id`,
    [
      task.kind,
      task.subject.type,
      task.subject.id,
      task.accountId,
      task.summary,
      JSON.stringify(task.findings ?? []),
      JSON.stringify(task.decisions),
      JSON.stringify(task.payload ?? {}),
      task.requiredRole,
      task.makerId ?? null,
      task.workflowId,
      task.dedupeKey,
      task.dueAt ?? null,
    ],
  );
  const [row] =
    inserted.rows.length > 0
      ? inserted.rows
      : (
          await sql.query<{ id: string }>('SELECT id FROM tasks WHERE dedupe_key = $1', [
            task.dedupeKey,
          ])
        ).rows;
  if (row === undefined) throw new Error(`task ${task.dedupeKey} vanished`);
  return Number(row.id);
}

export interface TaskDecisionCommand {
  taskId: number;
  operator: { id: number; role: string };
  decision: string;
  reasons: DecisionReason[];
  note: string | null;
  evidenceMediaId: number | null;
  requestId: string;
}

interface OpenTaskRow {
  kind: TaskKind;
  status: string;
  decisions: string[];
  required_role: OperatorRole;
  maker_id: string | null;
  workflow_id: string;
}

export function createTaskActivities(deps: ActivityDeps) {
  return {
    /**
     * Writes an operator's decision and the Update that carries it to the task's flow. Raises
     * not_found, forbidden_role (role, four eyes), validation_failed (a decision the task does not
     * offer, a rejection without reasons, unknown evidence), state_conflict (decided before, or being decided).
     */
    async decideTask(
      command: TaskDecisionCommand,
    ): Promise<{ decisionId: number; outboxId: number }> {
      return await runStep(deps.db, 'task.decide', async (tx) => {
        const task = await lockTask(deps, tx, command.taskId);
        checkDecision(task, command);
        await checkEvidence(deps, tx, command.evidenceMediaId);
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
            workflowId: task.workflow_id,
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
      await runStep(deps.db, `decision.refuse:${input.decisionId}`, async (tx) => {
        await runner(deps.db, tx).query(
          `UPDATE task_decisions SET status = 'REFUSED', refusal = $3
           WHERE id = $1 AND task_id = $2 AND status = 'PENDING' RETURNING id`,
          [input.decisionId, input.taskId, message],
        );
      });
    },

    /** Gives an open task to an operator whose role may decide it, or back to the queue (null). */
    async assignTask(command: {
      taskId: number;
      operatorId: number;
      assigneeId: number | null;
      requestId: string;
    }): Promise<void> {
      await runStep(deps.db, 'task.assign', async (tx) => {
        const task = await lockTask(deps, tx, command.taskId);
        if (task.status !== 'open') throw conflict(`This task is ${task.status}.`);
        await checkAssignee(deps, tx, task, command.assigneeId);
        await runner(deps.db, tx).query(
          'UPDATE tasks SET assignee_id = $2 WHERE id = $1 RETURNING id',
          [command.taskId, command.assigneeId],
        );
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: command.operatorId },
          action: 'task.assign',
          subject: { type: 'task', id: command.taskId },
          detail: { assignee_id: command.assigneeId },
          requestId: command.requestId,
        });
      });
    },
  };
}

async function lockTask(deps: ActivityDeps, tx: Transaction, taskId: number): Promise<OpenTaskRow> {
  const { rows } = await runner(deps.db, tx).query<OpenTaskRow>(
    `SELECT kind, status, decisions, required_role, maker_id, workflow_id
     FROM tasks WHERE id = $1 FOR UPDATE`,
    [taskId],
  );
  const [task] = rows;
  if (task === undefined) throw notFound();
  return task;
}

function checkDecision(task: OpenTaskRow, command: TaskDecisionCommand): void {
  const { operator } = command;
  if (operator.role !== 'ADMIN' && operator.role !== task.required_role) {
    throw new DomainError('forbidden_role');
  }
  if (task.maker_id !== null && Number(task.maker_id) === operator.id) {
    throw new DomainError('forbidden_role', {
      message: 'A second person must decide this: you made the step it checks.',
    });
  }
  if (task.status !== 'open')
    throw conflict(`This task is ${task.status}.`, { status: task.status });
  if (!task.decisions.includes(command.decision)) {
    throw invalid({
      field: 'decision',
      code: 'one_of',
      message: `must be one of: ${task.decisions.join(', ')}`,
    });
  }
  if (
    task.kind.endsWith('_review') &&
    command.decision === 'reject' &&
    command.reasons.length === 0
  ) {
    throw invalid({ field: 'reasons', code: 'required', message: 'A rejection needs a reason.' });
  }
}

/** Evidence that is not there proves nothing to whoever looks at the decision later. */
async function checkEvidence(
  deps: ActivityDeps,
  tx: Transaction,
  mediaId: number | null,
): Promise<void> {
  if (mediaId === null) return;
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    'SELECT id FROM media WHERE id = $1 FOR SHARE',
    [mediaId],
  );
  if (rows.length > 0) return;
  throw invalid({ field: 'evidence_media_id', code: 'unknown', message: 'No such media.' });
}

/** The unique index on task_decisions lets one decision at a time through. */
async function insertDecision(
  deps: ActivityDeps,
  tx: Transaction,
  command: TaskDecisionCommand,
): Promise<number> {
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `INSERT INTO task_decisions (task_id, operator_id, decision, reasons, note, evidence_media_id)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
    [
      command.taskId,
      command.operator.id,
      command.decision,
      JSON.stringify(command.reasons),
      command.note,
      command.evidenceMediaId,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw conflict('Another decision on this task is being applied.');
  return Number(row.id);
}

async function checkAssignee(
  deps: ActivityDeps,
  tx: Transaction,
  task: OpenTaskRow,
  assigneeId: number | null,
): Promise<void> {
  if (assigneeId === null) return;
  const { rows } = await runner(deps.db, tx).query<{ role: string }>(
    `SELECT role FROM operators WHERE id = $1 AND status = 'ACTIVE'`,
    [assigneeId],
  );
  const [operator] = rows;
  if (
    operator === undefined ||
    (operator.role !== 'ADMIN' && operator.role !== task.required_role)
  ) {
    throw invalid({
      field: 'assignee_id',
      code: 'not_allowed',
      message: `must be an active operator with the role ${task.required_role}`,
    });
  }
}
