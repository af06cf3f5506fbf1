import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { lockTask } from './task-lock.ts';

/** What operators tell each other; kept as it was written. */
export function createTaskNoteActivities(deps: ActivityDeps) {
  return {
    /** On a task of any status. Raises not_found. */
    async addTaskNote(note: {
      taskId: number;
      operatorId: number;
      text: string;
      requestId: string;
    }): Promise<{ noteId: number }> {
      return await runStep(deps.db, 'task.note', async (tx) => {
        const { taskId, operatorId, text, requestId } = note;
        await lockTask(deps, tx, taskId);
        const written = { taskId, operatorId, text };
        const { id } = await deps.db.models.taskNotes.create(written, { transaction: tx });
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: operatorId },
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
