import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { moveRows, NOW } from '../../db/schema/move.ts';
import type { ReviewFinding } from '../../db/tables/json.ts';
import { tasks } from '../../db/tables/task.ts';
import type { TaskKind } from '../../domain/lifecycle/task.ts';
import { type TaskHeading, taskTitle } from '../../domain/task-heading.ts';
import { DECIDER_OF } from '../../domain/task-rules.ts';
import type { ActivityDeps } from '../deps.ts';

export interface NewTask {
  kind: TaskKind;
  subject: { type: string; id: number };
  accountId: number | null;
  heading: TaskHeading;
  findings?: ReviewFinding[];
  decisions: string[];
  payload?: Record<string, unknown>;
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
  const { subject, dedupeKey } = task;
  await deps.db.models.tasks.bulkCreate(
    [
      {
        kind: task.kind,
        subjectType: subject.type,
        subjectId: subject.id,
        accountId: task.accountId,
        summary: taskTitle(task),
        heading: task.heading,
        findings: task.findings ?? [],
        decisions: task.decisions,
        payload: task.payload ?? {},
        requiredRole: DECIDER_OF[task.kind],
        makerId: task.makerId ?? null,
        workflowId: task.workflowId,
        dedupeKey,
        dueAt: task.dueAt ?? null,
      },
    ],
    { ignoreDuplicates: true, transaction: tx },
  );
  const { id } = await deps.db.models.tasks.findOne({
    where: { dedupeKey },
    transaction: tx,
    rejectOnEmpty: true,
  });
  return id;
}

/** Its flow has ended otherwise: nobody need decide any more. */
export async function voidTasks(
  deps: ActivityDeps,
  tx: Transaction,
  workflowId: string,
): Promise<void> {
  await moveRows(runner(deps.db, tx), tasks, {
    state: 'status',
    action: 'void',
    where: { workflowId },
    set: { decidedAt: NOW },
  });
}
