import { inTransaction } from '../../db/postgres.ts';
import { nextReminder } from '../../domain/task-rules.ts';
import { rolesToldOfTask } from '../../domain/operator-notices.ts';
import { tellOperators } from '../accounts/operator-notices.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { lockTask, type Task } from './task-lock.ts';

export function createTaskReminderActivities(deps: ActivityDeps) {
  return {
    /**
     * Nobody has decided by half of the time, or by all of it: then the task goes back to the queue,
     * from whoever held it, and to the head of the administrators'; its deciders are told. Answers when to ask again; null:
     * not any more. Harmless twice, and early.
     */
    async remindOfTask({ taskId }: { taskId: number }): Promise<{ nextAt: string | null }> {
      return await inTransaction(deps.db, async (tx) => {
        const task = await lockTask(deps, tx, taskId);
        if (task.status !== 'open') return { nextAt: null };
        const now = deps.clock();
        const at = nextReminder(task);
        if (at !== null && at <= now) {
          const isDue = task.dueAt !== null && task.dueAt <= now;
          task.set({ remindedAt: task.remindedAt ?? now });
          if (isDue) {
            task.set({
              escalatedAt: now,
              assigneeId: null,
              leaseOperatorId: null,
              leaseUntil: null,
            });
          }
          await task.save({ transaction: tx });
          const action = isDue ? 'task.escalate' : 'task.remind';
          await recordAudit(deps.db, tx, {
            actor: { type: 'SYSTEM', id: null },
            action,
            subject: { type: 'task', id: taskId },
            detail: { kind: task.kind },
          });
          const notice = isDue ? 'task_escalated' : 'task_late';
          await tellOperators(deps, tx, {
            kind: notice,
            roles: rolesToldOfTask(notice, task.requiredRole),
            subject: { type: 'task', id: taskId },
            params: { task_kind: task.kind },
          });
          deps.log.warn({ task: taskId, kind: task.kind }, action);
        }
        return { nextAt: remindAt(task) };
      });
    },
  };
}

const remindAt = (task: Task): string | null => nextReminder(task)?.toISOString() ?? null;
