import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import { tasks } from '../../db/tables/task.ts';
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

/** The question that a flow waits on, as it shows it; null when none is open. `kind` is a LIKE pattern. */
export async function openQuestion(
  deps: ActivityDeps,
  workflowId: string,
  tx?: Transaction,
  kind = '%',
): Promise<Question | null> {
  const row = await readRow(
    runner(deps.db, tx),
    QUESTION,
    `SELECT ${QUESTION.list} FROM tasks t WHERE t.workflow_id = $1 AND t.status = 'open' AND t.kind LIKE $2 LIMIT 1`,
    [workflowId, kind],
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
