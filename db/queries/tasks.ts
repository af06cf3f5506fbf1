import { json } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { operators } from '../tables/operator.ts';
import { type TaskDecisionRow, taskDecisions } from '../tables/task-decision.ts';
import { tasks } from '../tables/task.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

type Decision = Pick<
  TaskDecisionRow,
  'id' | 'decision' | 'reasons' | 'note' | 'evidenceMediaId' | 'operatorId'
> & { operator: string; createdAt: string };

const TASK = select({
  ...columnsOf(tasks, 't'),
  assigneeName: operators.columns.username.orNull().of('o.username'),
  /** The decision that took effect. */
  decision: json<Decision>().orNull().of(`(
    SELECT jsonb_build_object('id', d.id, 'decision', d.decision, 'reasons', d.reasons,
      'note', d.note, 'evidenceMediaId', d.evidence_media_id, 'operatorId', d.operator_id,
      'operator', w.username, 'createdAt', d.created_at)
    FROM task_decisions d JOIN operators w ON w.id = d.operator_id WHERE d.id = t.decision_id)`),
});
export type TaskScreen = RowOf<typeof TASK>;

export interface TaskFilter {
  id?: number | undefined;
  kind?: string | undefined;
  status?: string | undefined;
  assigneeId?: number | undefined;
  unassigned?: boolean | undefined;
  limit: number;
  offset: number;
}

const FILTER = `($1::bigint IS NULL OR t.id = $1) AND ($2::text IS NULL OR t.kind = $2)
  AND ($3::text IS NULL OR t.status = $3) AND ($4::bigint IS NULL OR t.assignee_id = $4)
  AND (NOT $5::boolean OR t.assignee_id IS NULL)`;

/** Oldest first: what waits longest is at the head of the queue. */
export async function listTasks(
  sql: SqlRunner,
  filter: TaskFilter,
): Promise<{ items: TaskScreen[]; total: number }> {
  const bound = [
    filter.id ?? null,
    filter.kind ?? null,
    filter.status ?? null,
    filter.assigneeId ?? null,
    filter.unassigned ?? false,
  ];
  const items = await readRows(
    sql,
    TASK,
    `SELECT ${TASK.list}
     FROM (SELECT * FROM tasks t WHERE ${FILTER} ORDER BY t.id LIMIT $6 OFFSET $7) t
     LEFT JOIN operators o ON o.id = t.assignee_id ORDER BY t.id`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM tasks t WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

const DECISION_STATE = select(columnsOf(taskDecisions, 'd', ['status', 'refusal']));

/** Whether the task's flow has taken or refused the decision. */
export async function readDecisionState(
  sql: SqlRunner,
  decisionId: number,
): Promise<RowOf<typeof DECISION_STATE> | undefined> {
  const statement = `SELECT ${DECISION_STATE.list} FROM task_decisions d WHERE d.id = $1`;
  return await readRow(sql, DECISION_STATE, statement, [decisionId]);
}
