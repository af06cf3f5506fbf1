import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { moveRow, NOW } from '../../db/schema/move.ts';
import { columnsOf, prefixed, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import { taskDecisions } from '../../db/tables/task-decision.ts';
import { tasks } from '../../db/tables/task.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { TaskKind } from '../../domain/lifecycle/task.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import type { ActivityDeps } from '../deps.ts';

const DECISION = select({
  ...columnsOf(taskDecisions, 'd', ['id', 'taskId', 'status', 'decision', 'reasons', 'operatorId']),
  ...columnsOf(tasks, 't', ['kind', 'payload']),
  ...prefixed('task', columnsOf(tasks, 't', ['status'])),
});
export type LoadedDecision = RowOf<typeof DECISION>;

/**
 * The decision row behind an Update, locked with its task. The Update is only a pair of ids that
 * anybody with access to Temporal could send; what counts is the row an authenticated operator
 * wrote for an open task of this very flow, of one of the `kinds` that the caller applies: a flow that was
 * begun again does not remember what its open tasks ask, and a word about one thing decides no other.
 * Raises not_found or state_conflict otherwise.
 */
export async function loadDecision(
  deps: ActivityDeps,
  tx: Transaction,
  input: DecideInput & { workflowId: string; kinds: readonly TaskKind[] },
): Promise<LoadedDecision> {
  const decision = await readRow(
    runner(deps.db, tx),
    DECISION,
    `SELECT ${DECISION.list} FROM tasks t JOIN task_decisions d ON d.task_id = t.id
     WHERE t.id = $1 AND d.id = $2 AND t.workflow_id = $3 FOR UPDATE`,
    [input.taskId, input.decisionId, input.workflowId],
  );
  if (decision === undefined) throw notFound();
  const { taskStatus, status, kind } = decision;
  if (taskStatus !== 'open' || status !== 'PENDING') {
    throw conflict(`This task is ${taskStatus}.`, { status: taskStatus });
  }
  if (!input.kinds.some((each) => each === kind)) {
    throw conflict('The flow has begun again and has yet to ask this: answer once more.', { kind });
  }
  return decision;
}

/** The decision took effect: its task is decided, in the transaction of that effect. */
export async function markDecided(
  deps: ActivityDeps,
  tx: Transaction,
  { id, taskId }: { id: number; taskId: number },
): Promise<void> {
  const sql = runner(deps.db, tx);
  await moveRow(sql, tasks, {
    state: 'status',
    action: 'decide',
    where: { id: taskId },
    set: { decisionId: id, decidedAt: NOW },
  });
  await moveRow(sql, taskDecisions, { state: 'status', action: 'apply', where: { id, taskId } });
}
