import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { operators } from '../tables/operator.ts';
import { taskNotes } from '../tables/task-note.ts';
import type { SqlRunner } from '../sql-runner.ts';

const NOTES_SHOWN_MAX = 100;

const NOTE = select({
  ...columnsOf(taskNotes, 'n'),
  operator: operators.columns.username.of('o.username'),
});
export type TaskNote = RowOf<typeof NOTE>;

/** What was noted of a thing, whichever of its tasks was open then; oldest first. */
export async function listTaskNotes(
  sql: SqlRunner,
  subject: { type: string; id: number },
): Promise<TaskNote[]> {
  const newest = await readRows(
    sql,
    NOTE,
    `SELECT ${NOTE.list} FROM tasks t JOIN task_notes n ON n.task_id = t.id
     JOIN operators o ON o.id = n.operator_id
     WHERE t.subject_type = $1 AND t.subject_id = $2 ORDER BY n.id DESC LIMIT ${NOTES_SHOWN_MAX}`,
    [subject.type, subject.id],
  );
  return newest.toReversed();
}

export async function readTaskNote(sql: SqlRunner, id: number): Promise<TaskNote> {
  const note = await readRow(
    sql,
    NOTE,
    `SELECT ${NOTE.list} FROM task_notes n JOIN operators o ON o.id = n.operator_id WHERE n.id = $1`,
    [id],
  );
  if (note === undefined) throw new Error(`note ${id} vanished`);
  return note;
}
