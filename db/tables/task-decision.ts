import { decisionLifecycle } from '../../domain/lifecycle/task.ts';
import { id, json, ref, state, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

export const taskDecisions = table('task_decisions', {
  id: id(),
  taskId: ref(),
  operatorId: ref(),
  decision: text(),
  reasons: json<ReviewReason[]>().byDefault(),
  note: text().orNull(),
  evidenceMediaId: ref().orNull(),
  evidenceId: ref().orNull(),
  status: state(decisionLifecycle).byDefault(),
  refusal: text().orNull(),
  createdAt: time().byDefault(),
});
export type TaskDecisionRow = Row<typeof taskDecisions>;
