import type * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { readAccountPerson } from '../../db/queries/account-admin.ts';
import { listTaskNotes } from '../../db/queries/task-notes.ts';
import { listTasks } from '../../db/queries/tasks.ts';
import { notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import {
  presentOtherTask,
  presentTask,
  presentTaskAccount,
  presentTaskNote,
  type TaskView,
  type taskPageShape,
} from '../present/task.ts';
import { taskDetail, type Viewer } from './task-detail.ts';

const OTHERS_MAX = 20;

export const taskView = (deps: ConsoleDeps): TaskView => ({
  now: deps.clock(),
  temporal: deps.config.temporal,
});

/** A task with what its decision needs, whose it is, and what is known of the thing. Raises not_found. */
export async function showTask(
  deps: ConsoleDeps,
  taskId: number,
  viewer: Viewer,
): Promise<yup.InferType<typeof taskPageShape>> {
  const sql = runner(deps.db);
  const { items } = await listTasks(sql, { id: taskId, limit: 1, offset: 0 });
  const [task] = items;
  if (task === undefined) throw notFound();
  const { subjectType, subjectId, accountId } = task;
  const others = await listTasks(sql, {
    subjectType,
    subjectId,
    sort: '-opened_at',
    limit: OTHERS_MAX + 1,
    offset: 0,
  });
  const account = accountId === null ? undefined : await readAccountPerson(sql, accountId);
  const notes = await listTaskNotes(sql, { type: subjectType, id: subjectId });
  return {
    ...presentTask(task, taskView(deps)),
    account: account === undefined ? null : presentTaskAccount(account),
    other_tasks: others.items
      .filter(({ id }) => id !== taskId)
      .slice(0, OTHERS_MAX)
      .map(presentOtherTask),
    notes: notes.map(presentTaskNote),
    detail: await taskDetail(deps, task, viewer),
  };
}
