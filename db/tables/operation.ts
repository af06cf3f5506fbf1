import { operationLifecycle } from '../../domain/lifecycle/operation.ts';
import { id, json, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { TimelineEntry } from './json.ts';

export const operations = table('operations', {
  id: id(),
  accountId: ref().orNull(),
  kind: text(),
  subjectType: text().orNull(),
  subjectId: ref().orNull(),
  workflowId: text(),
  status: state(operationLifecycle).byDefault(),
  phase: text().orNull(),
  progress: json<object>().orNull(),
  result: json<object>().orNull(),
  error: json<object>().orNull(),
  timeline: json<TimelineEntry[]>().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
  version: whole().byDefault(),
});
export type OperationRow = Row<typeof operations>;
