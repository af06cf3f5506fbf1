import { id, ref, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const taskNotes = table('task_notes', {
  id: id(),
  taskId: ref(),
  operatorId: ref(),
  text: text(),
  createdAt: time().byDefault(),
});
export type TaskNoteRow = Row<typeof taskNotes>;
