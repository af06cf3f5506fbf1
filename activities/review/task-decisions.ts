import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import type { ActivityDeps } from '../deps.ts';
import type { DecisionReason, TaskKind } from './tasks.ts';

export interface LoadedDecision {
  id: number;
  taskId: number;
  kind: TaskKind;
  decision: string;
  reasons: DecisionReason[];
  operatorId: number;
  payload: Record<string, unknown>;
}

/**
 * The decision row behind an Update, locked with its task. The Update is only a pair of ids that
 * anybody with access to Temporal could send; what counts is the row an authenticated operator
 * wrote for an open task of this very flow. Raises not_found or state_conflict otherwise.
 */
export async function loadDecision(
  deps: ActivityDeps,
  tx: Transaction,
  input: DecideInput & { workflowId: string },
): Promise<LoadedDecision> {
  const { rows } = await runner(deps.db, tx).query<{
    kind: TaskKind;
    task_status: string;
    status: string;
    decision: string;
    reasons: DecisionReason[];
    operator_id: string;
    payload: Record<string, unknown>;
  }>(
    `SELECT t.kind, t.status AS task_status, d.status, d.decision, d.reasons, d.operator_id, t.payload
     FROM tasks t JOIN task_decisions d ON d.task_id = t.id
     WHERE t.id = $1 AND d.id = $2 AND t.workflow_id = $3 FOR UPDATE`,
    [input.taskId, input.decisionId, input.workflowId],
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  if (row.task_status !== 'open' || row.status !== 'PENDING') {
    throw conflict(`This task is ${row.task_status}.`, { status: row.task_status });
  }
  return {
    id: input.decisionId,
    taskId: input.taskId,
    kind: row.kind,
    decision: row.decision,
    reasons: row.reasons,
    operatorId: Number(row.operator_id),
    payload: row.payload,
  };
}

/** The decision took effect: its task is decided, in the transaction of that effect. */
export async function markDecided(
  deps: ActivityDeps,
  tx: Transaction,
  decision: { id: number; taskId: number },
): Promise<void> {
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `WITH task AS (
       UPDATE tasks SET status = 'decided', decision_id = $2, decided_at = now()
       WHERE id = $1 AND status = 'open' RETURNING id)
     UPDATE task_decisions d SET status = 'APPLIED' FROM task
     WHERE d.id = $2 AND d.task_id = task.id AND d.status = 'PENDING' RETURNING d.id`,
    [decision.taskId, decision.id],
  );
  if (rows.length === 0) throw conflict('This task was decided before.');
}
