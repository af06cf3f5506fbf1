import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import { tasks } from '../../db/tables/task.ts';
import type { TaskKind } from '../../domain/lifecycle/task.ts';
import { nextReminder } from '../../domain/task-rules.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import type { ActivityDeps } from '../deps.ts';

const QUESTION = select(
  columnsOf(tasks, 't', [
    'id',
    'kind',
    'requiredRole',
    'openedAt',
    'dueAt',
    'remindedAt',
    'escalatedAt',
  ]),
);

/**
 * The question that a flow waits on, as it shows it; null when none is open. One about a refused step is
 * found by its kind alone: a flow that has begun again may go on without it, and it is none of its own.
 */
export async function openQuestion(
  deps: ActivityDeps,
  workflowId: string,
  tx?: Transaction,
  kind?: TaskKind,
): Promise<Question | null> {
  const row = await readRow(
    runner(deps.db, tx),
    QUESTION,
    `SELECT ${QUESTION.list} FROM tasks t WHERE t.workflow_id = $1 AND t.status = 'open'
       AND CASE WHEN $2::text IS NULL THEN t.kind NOT LIKE '%\\_refused' ELSE t.kind = $2 END LIMIT 1`,
    [workflowId, kind ?? null],
  );
  return row === undefined ? null : presented(row);
}

const presented = (row: RowOf<typeof QUESTION>): Question => ({
  taskId: row.id,
  kind: row.kind,
  role: row.requiredRole,
  dueAt: row.dueAt?.toISOString() ?? null,
  remindAt: nextReminder(row)?.toISOString() ?? null,
});
