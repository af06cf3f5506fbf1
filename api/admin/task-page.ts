import type * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listTasks } from '../../db/queries/tasks.ts';
import { notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { presentTask, type TaskView, type taskPageShape } from '../present/task.ts';
import { taskDetail } from './task-detail.ts';

export const taskView = (deps: ConsoleDeps): TaskView => ({
  now: deps.clock(),
  temporal: deps.config.temporal,
});

/** A task with what its decision needs. Raises not_found. */
export async function showTask(
  deps: ConsoleDeps,
  taskId: number,
): Promise<yup.InferType<typeof taskPageShape>> {
  const { items } = await listTasks(runner(deps.db), { id: taskId, limit: 1, offset: 0 });
  const [task] = items;
  if (task === undefined) throw notFound();
  return { ...presentTask(task, taskView(deps)), detail: await taskDetail(deps, task) };
}
