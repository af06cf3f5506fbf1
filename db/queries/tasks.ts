import { json, ref, time } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { operators } from '../tables/operator.ts';
import type { ReceiptEvidenceRow } from '../tables/receipt-evidence.ts';
import { type TaskDecisionRow, taskDecisions } from '../tables/task-decision.ts';
import { tasks } from '../tables/task.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

type Evidence = Pick<ReceiptEvidenceRow, 'id' | 'name' | 'mime' | 'bytes'>;
type Decision = Pick<
  TaskDecisionRow,
  'id' | 'decision' | 'reasons' | 'note' | 'evidenceMediaId' | 'operatorId'
> & { operator: string; createdAt: string; evidence: Evidence | null };

const TASK = select({
  ...columnsOf(tasks, 't'),
  assigneeName: operators.columns.username.orNull().of('o.username'),
  holderName: operators.columns.username.orNull().of('h.username'),
  /** The decision that took effect. */
  decision: json<Decision>().orNull().of(`(
    SELECT jsonb_build_object('id', d.id, 'decision', d.decision, 'reasons', d.reasons,
      'note', d.note, 'evidenceMediaId', d.evidence_media_id, 'operatorId', d.operator_id,
      'evidence', (SELECT jsonb_build_object('id', e.id, 'name', e.name, 'mime', e.mime, 'bytes', e.bytes)
        FROM receipt_evidence e WHERE e.id = d.evidence_id),
      'operator', w.username, 'createdAt', d.created_at)
    FROM task_decisions d JOIN operators w ON w.id = d.operator_id WHERE d.id = t.decision_id)`),
});
export type TaskScreen = RowOf<typeof TASK>;

/** What waits longest past its time is at the head; of equal ones the first that was asked. */
const ORDERS = {
  due_at: 't.due_at, t.id',
  opened_at: 't.opened_at, t.id',
  '-opened_at': 't.opened_at DESC, t.id DESC',
} as const;
export type TaskSort = keyof typeof ORDERS;
export const TASK_SORTS = Object.keys(ORDERS) as TaskSort[];

export interface TaskFilter {
  id?: number | undefined;
  /** Any of these; absent is every kind. */
  kinds?: readonly string[] | undefined;
  status?: string | undefined;
  assigneeId?: number | undefined;
  unassigned?: boolean | undefined;
  subjectType?: string | undefined;
  subjectId?: number | undefined;
  /** In this operator's hands at this moment: by a lease, or assigned. */
  mineOf?: { operatorId: number; now: Date } | undefined;
  sort?: TaskSort | undefined;
  limit: number;
  offset: number;
}

const FILTER = `($1::bigint IS NULL OR t.id = $1) AND ($2::text[] IS NULL OR t.kind = ANY($2))
  AND ($3::text IS NULL OR t.status = $3) AND ($4::bigint IS NULL OR t.assignee_id = $4)
  AND (NOT $5::boolean OR t.assignee_id IS NULL)
  AND ($6::text IS NULL OR t.subject_type = $6) AND ($7::bigint IS NULL OR t.subject_id = $7)
  AND ($8::bigint IS NULL OR t.assignee_id = $8
    OR (t.lease_operator_id = $8 AND t.lease_until > $9::timestamptz))`;

/** The most urgent first, unless another order is asked for. */
export async function listTasks(
  sql: SqlRunner,
  filter: TaskFilter,
): Promise<{ items: TaskScreen[]; total: number }> {
  const bound = [
    filter.id ?? null,
    filter.kinds ?? null,
    filter.status ?? null,
    filter.assigneeId ?? null,
    filter.unassigned ?? false,
    filter.subjectType ?? null,
    filter.subjectId ?? null,
    filter.mineOf?.operatorId ?? null,
    filter.mineOf?.now ?? null,
  ];
  const order = ORDERS[filter.sort ?? 'due_at'];
  const items = await readRows(
    sql,
    TASK,
    `SELECT ${TASK.list}
     FROM (SELECT * FROM tasks t WHERE ${FILTER} ORDER BY ${order} LIMIT $10 OFFSET $11) t
     LEFT JOIN operators o ON o.id = t.assignee_id
     LEFT JOIN operators h ON h.id = t.lease_operator_id ORDER BY ${order}`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM tasks t WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

const IS_HELD = '(t.lease_until IS NOT NULL AND t.lease_until > $2::timestamptz)';
const COUNTS = select({
  kind: tasks.columns.kind.of('t.kind'),
  open: ref().of('count(*)'),
  overdue: ref().of('count(*) FILTER (WHERE t.due_at < $2::timestamptz)'),
  mine: ref().of(
    `count(*) FILTER (WHERE t.assignee_id = $1 OR (t.lease_operator_id = $1 AND ${IS_HELD}))`,
  ),
  unclaimed: ref().of(`count(*) FILTER (WHERE t.assignee_id IS NULL AND NOT ${IS_HELD})`),
  oldestOpenedAt: time().of('min(t.opened_at)'),
});
export type TaskCounts = RowOf<typeof COUNTS>;

/** What is open of these kinds, for one operator; kinds without open tasks are missing. */
export async function countTasks(
  sql: SqlRunner,
  { operatorId, now, kinds }: { operatorId: number; now: Date; kinds: readonly string[] },
): Promise<TaskCounts[]> {
  return await readRows(
    sql,
    COUNTS,
    `SELECT ${COUNTS.list} FROM tasks t
     WHERE t.status = 'open' AND t.kind = ANY($3) GROUP BY t.kind`,
    [operatorId, now, kinds],
  );
}

const LAST_TRY = select({
  ...columnsOf(taskDecisions, 'd', ['decision', 'status', 'refusal', 'createdAt']),
  operator: operators.columns.username.of('w.username'),
});
export type TaskTry = RowOf<typeof LAST_TRY>;

/** The latest decision of a task that has not taken effect: its flow has yet to take it, or has refused it. */
export async function readLastTry(sql: SqlRunner, taskId: number): Promise<TaskTry | undefined> {
  const statement = `SELECT ${LAST_TRY.list} FROM task_decisions d JOIN operators w ON w.id = d.operator_id
    WHERE d.task_id = $1 ORDER BY d.id DESC LIMIT 1`;
  const last = await readRow(sql, LAST_TRY, statement, [taskId]);
  return last?.status === 'APPLIED' ? undefined : last;
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
