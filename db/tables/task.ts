import { TASK_KINDS, taskLifecycle } from '../../domain/lifecycle/task.ts';
import type { TaskHeading } from '../../domain/task-heading.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { id, json, ref, state, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewFinding } from './json.ts';

export const tasks = table('tasks', {
  id: id(),
  kind: word(TASK_KINDS),
  status: state(taskLifecycle).byDefault(),
  subjectType: text(),
  subjectId: ref(),
  accountId: ref().orNull(),
  /** In English, and apart from its words; null of tasks that builds before 0420 opened. */
  summary: text(),
  heading: json<TaskHeading>().orNull(),
  findings: json<ReviewFinding[]>().byDefault(),
  decisions: json<string[]>(),
  payload: json<Record<string, unknown>>().byDefault(),
  requiredRole: word(OPERATOR_ROLES),
  makerId: ref().orNull(),
  assigneeId: ref().orNull(),
  workflowId: text(),
  dedupeKey: text(),
  decisionId: ref().orNull(),
  openedAt: time().byDefault(),
  dueAt: time().orNull(),
  decidedAt: time().orNull(),
  leaseOperatorId: ref().orNull(),
  leaseUntil: time().orNull(),
  remindedAt: time().orNull(),
  escalatedAt: time().orNull(),
});
export type TaskRow = Row<typeof tasks>;
