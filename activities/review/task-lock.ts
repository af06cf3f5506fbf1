import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { operators } from '../../db/tables/operator.ts';
import { taskDecisions } from '../../db/tables/task-decision.ts';
import { conflict, DomainError, notFound } from '../../domain/errors.ts';
import { holderOf, mayDecide, mayRead, type TaskLease } from '../../domain/task-rules.ts';
import type { ActivityDeps } from '../deps.ts';

export type Task = RecordOf<'tasks'>;

/** Who asks, as the token says. */
export interface Decider {
  id: number;
  role: string;
}

/** Every step of the desk stands in line here; raises not_found. */
export async function lockTask(deps: ActivityDeps, tx: Transaction, taskId: number): Promise<Task> {
  const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
  const task = await deps.db.models.tasks.findByPk(taskId, lock);
  if (task === null) throw notFound();
  return task;
}

/** Raises forbidden_role: what a task is about is its role's alone, and so is who gets it. */
export function checkRole(task: Task, operator: Decider): void {
  if (!mayDecide(operator.role, task.requiredRole)) throw new DomainError('forbidden_role');
}

/** Raises forbidden_role for whoever may not read it. */
export function checkReader(task: Task, operator: Decider): void {
  if (!mayRead(operator.role, task.kind)) throw new DomainError('forbidden_role');
}

/** Raises forbidden_role: another role's, or a step of one's own (four eyes). */
export function checkDecider(task: Task, operator: Decider): void {
  checkRole(task, operator);
  if (task.makerId === operator.id) {
    throw new DomainError('forbidden_role', {
      message: 'A second person must decide this: you made the step it checks.',
    });
  }
}

/** The lease that is alive now; null is nobody's. */
async function leaseOf(deps: ActivityDeps, tx: Transaction, task: Task): Promise<TaskLease | null> {
  const held = holderOf(task, deps.clock());
  if (held === null) return null;
  const { username } = await deps.db.models.operators.findByPk(held.operatorId, {
    transaction: tx,
    rejectOnEmpty: true,
  });
  return { ...held, username };
}

/** Raises state_conflict that names the holder while another operator works on it. */
export async function refuseForeignLease(
  deps: ActivityDeps,
  tx: Transaction,
  { task, operatorId }: { task: Task; operatorId: number },
): Promise<void> {
  const lease = await leaseOf(deps, tx, task);
  if (lease === null || lease.operatorId === operatorId) return;
  const until = lease.until.toISOString();
  throw conflict(`${lease.username} works on this task until ${until}.`, {
    lease: { operator_id: lease.operatorId, username: lease.username, until },
  });
}

const MADE = select({
  ...columnsOf(taskDecisions, 'd', ['decision', 'createdAt']),
  ...columnsOf(operators, 'o', ['username']),
});

/** Raises state_conflict that says who was faster, with what; also while the flow has yet to take it. */
export async function refuseDecided(
  deps: ActivityDeps,
  tx: Transaction,
  { id, status }: Task,
): Promise<void> {
  const made = await readRow(
    runner(deps.db, tx),
    MADE,
    `SELECT ${MADE.list} FROM task_decisions d JOIN operators o ON o.id = d.operator_id
     WHERE d.task_id = $1 AND d.status <> 'REFUSED'`,
    [id],
  );
  if (made !== undefined) {
    throw conflict(`${made.username} has decided this task: ${made.decision}.`, {
      status,
      decided_by: made.username,
      decision: made.decision,
      decided_at: made.createdAt.toISOString(),
    });
  }
  if (status !== 'open')
    throw conflict(`This task is ${status}: nobody need decide it.`, { status });
}
