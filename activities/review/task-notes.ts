import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { checkReader, type Decider, lockTask } from './task-lock.ts';

/** What operators tell each other; kept as it was written. */
export function createTaskNoteActivities(deps: ActivityDeps) {
  return {
    /** On a task of any status. Raises not_found, and forbidden_role for whoever may not read it. */
    async addTaskNote(note: {
      taskId: number;
      operator: Decider;
      text: string;
      requestId: string;
    }): Promise<{ noteId: number }> {
      return await runStep(deps.db, 'task.note', async (tx) => {
        const { taskId, operator, text, requestId } = note;
        checkReader(await lockTask(deps, tx, taskId), operator);
        const written = { taskId, operatorId: operator.id, text };
        const { id } = await deps.db.models.taskNotes.create(written, { transaction: tx });
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: operator.id },
          action: 'task.note',
          subject: { type: 'task', id: taskId },
          detail: { note_id: id },
          requestId,
        });
        return { noteId: id };
      });
    },
  };
}
