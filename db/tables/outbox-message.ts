import { id, json, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const outbox = table('outbox', {
  id: id(),
  kind: word([
    'workflow_start',
    'workflow_signal',
    'workflow_update',
    'workflow_cancel',
    'publish',
  ]),
  dedupeKey: text(),
  payload: json<Record<string, unknown>>(),
  attempts: whole().byDefault(),
  nextAt: time().byDefault(),
  doneAt: time().orNull(),
  deadAt: time().orNull(),
  lastError: text().orNull(),
  createdAt: time().byDefault(),
  /** W3C traceparent of whoever wrote it. */
  trace: text().orNull(),
});
export type OutboxMessageRow = Row<typeof outbox>;
