import type { Client } from '@temporalio/client';
import { runner } from '../../db/postgres.ts';
import { text } from '../../db/schema/column.ts';
import { moveRows, NOW } from '../../db/schema/move.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import { tasks } from '../../db/tables/task.ts';
import type { ActivityDeps } from '../deps.ts';
import { runOf } from './executions.ts';

const ASKED = select({
  ...columnsOf(tasks, 't', ['id', 'workflowId']),
  askedBy: text().of(`t.payload->>'run_id'`),
});

/**
 * Voids the questions about refused steps that nobody asks any more: their flow was terminated, reset or
 * lost, and goes on without them, or has ended. One whose step is refused again takes its question over, or
 * asks anew. Answers how many.
 */
export async function voidAbandonedQuestions(
  deps: ActivityDeps & { temporal: Client },
  isOpen: (workflowId: string) => boolean,
): Promise<number> {
  const sql = runner(deps.db);
  const asked = await readRows(
    sql,
    ASKED,
    `SELECT ${ASKED.list} FROM tasks t WHERE t.status = 'open' AND t.kind LIKE '%\\_refused'
       AND t.payload ? 'run_id'`,
  );
  let voided = 0;
  for (const { id, workflowId, askedBy } of asked) {
    const run = await runOf(deps.temporal, workflowId);
    // A row that is open has a flow again in a moment, which may ask the same; so may one that is at a step.
    const isAsked = run === null ? isOpen(workflowId) : run.runId === askedBy || !run.isWaiting;
    if (isAsked) continue;
    await moveRows(sql, tasks, {
      state: 'status',
      action: 'void',
      where: { id },
      set: { decidedAt: NOW },
    });
    deps.log.warn({ flow: workflowId, task: id }, 'nobody asks this any more: void');
    voided += 1;
  }
  return voided;
}
