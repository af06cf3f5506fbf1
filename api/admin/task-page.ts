import type * as yup from 'yup';
import { isLookedAt } from '../../domain/looked-at.ts';
import { runner } from '../../db/postgres.ts';
import { readAccountPerson } from '../../db/queries/account-admin.ts';
import { listTaskNotes } from '../../db/queries/task-notes.ts';
import { listTasks, readLastTry, type TaskScreen } from '../../db/queries/tasks.ts';
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
import { presentTry } from '../present/task-try.ts';
import type { Ask } from '../http/route.ts';
import { forbiddenRole } from '../http/roles.ts';
import { requestIdOf } from '../http/request-id.ts';
import { mayRead, readersOf } from '../../domain/task-rules.ts';
import { taskDetail, type Viewer } from './task-detail.ts';

const OTHERS_MAX = 20;

export const taskView = (deps: ConsoleDeps): TaskView => ({
  now: deps.clock(),
  temporal: deps.config.temporal,
});

/** Whoever asks, as the audit log will name them. */
export const viewerOf = ({
  caller,
  req,
}: Pick<Ask<unknown, unknown>, 'caller' | 'req'>): Viewer => ({
  id: caller.id,
  role: caller.role,
  requestId: requestIdOf(req),
});

/** Raises not_found, and forbidden_role for a kind that is not the viewer's to read. */
export async function readableTask(
  deps: ConsoleDeps,
  taskId: number,
  { role }: Viewer,
): Promise<TaskScreen> {
  const { items } = await listTasks(runner(deps.db), { id: taskId, limit: 1, offset: 0 });
  const [task] = items;
  if (task === undefined) throw notFound();
  if (!mayRead(role, task.kind)) throw forbiddenRole(readersOf(task.kind));
  return task;
}

/**
 * A task with what its decision needs, whose it is, and what is known of the thing. Raises as
 * readableTask does. A look at identity or bank data is audited.
 */
export async function showTask(
  deps: ConsoleDeps,
  taskId: number,
  viewer: Viewer,
): Promise<yup.InferType<typeof taskPageShape>> {
  const sql = runner(deps.db);
  const task = await readableTask(deps, taskId, viewer);
  const { subjectType, subjectId, accountId } = task;
  if (isLookedAt(subjectType)) {
    const subject = { type: subjectType, id: subjectId };
    await deps.activities.recordLook({ viewer, subject });
  }
  const others = await listTasks(sql, {
    subjectType,
    subjectId,
    sort: '-opened_at',
    limit: OTHERS_MAX + 1,
    offset: 0,
  });
  const account = accountId === null ? undefined : await readAccountPerson(sql, accountId);
  const notes = await listTaskNotes(sql, { type: subjectType, id: subjectId });
  const last = task.status === 'open' ? await readLastTry(sql, taskId) : undefined;
  return {
    ...presentTask(task, taskView(deps)),
    account: account === undefined ? null : presentTaskAccount(account),
    other_tasks: others.items
      .filter(({ id }) => id !== taskId)
      .slice(0, OTHERS_MAX)
      .map(presentOtherTask),
    notes: notes.map(presentTaskNote),
    last_try: last === undefined ? null : presentTry(last),
    detail: await taskDetail(deps, task, viewer),
  };
}
