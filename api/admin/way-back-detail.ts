import { runner } from '../../db/postgres.ts';
import type { TaskScreen } from '../../db/queries/tasks.ts';
import { readWayBack } from '../../db/queries/ways-back.ts';
import { mayDecide } from '../../domain/task-rules.ts';
import { refundOfFlow } from '../../workflows/contracts/deposit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { presentWayBackOf } from '../present/way-back.ts';
import type { TaskDetail } from '../present/task-detail.ts';

/** What is asked to be sent back; null of another question, and for whoever does not decide this one. */
export async function wayBackOf(
  { db }: ConsoleDeps,
  task: Pick<TaskScreen, 'kind' | 'workflowId' | 'requiredRole'>,
  viewer: { role: string },
): Promise<TaskDetail['way_back']> {
  const refundId = refundOfFlow(task.workflowId);
  if (task.kind !== 'deposit_refund' || refundId === null) return null;
  if (!mayDecide(viewer.role, task.requiredRole)) return null;
  const row = await readWayBack(runner(db), refundId);
  return row === undefined ? null : presentWayBackOf(row);
}
