import type { Client } from '@temporalio/client';
import { inTransaction, runner } from '../../db/postgres.ts';
import { flag, ref, text } from '../../db/schema/column.ts';
import { moveRows } from '../../db/schema/move.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import { outbox } from '../../db/tables/outbox-message.ts';
import { taskDecisions } from '../../db/tables/task-decision.ts';
import { tasks } from '../../db/tables/task.ts';
import { LATE_AFTER_MS } from '../../domain/flow-findings.ts';
import { DECIDE_UPDATE, decisionUpdateId } from '../../workflows/contracts/decision.ts';
import type { ActivityDeps } from '../deps.ts';
import { stateOfExecution } from './executions.ts';
import type { Found } from './findings.ts';

/** Looked at per lap and kind, oldest first: the next lap takes the rest. */
const LOOKED_AT_MAX = 500;

const PENDING = select({
  ...columnsOf(taskDecisions, 'd', ['id', 'taskId']),
  ...columnsOf(tasks, 't', ['workflowId']),
  isUnderWay: flag().of('(o.id IS NOT NULL AND o.done_at IS NULL)'),
});

/** Decisions without effect: one whose message is gone, or was delivered to a flow that is lost. */
export async function pendingDecisions(deps: ActivityDeps, now: Date): Promise<Found[]> {
  const late = new Date(now.getTime() - LATE_AFTER_MS);
  const rows = await readRows(
    runner(deps.db),
    PENDING,
    `SELECT ${PENDING.list} FROM task_decisions d JOIN tasks t ON t.id = d.task_id
     LEFT JOIN outbox o ON o.dedupe_key = 'decision:' || d.id
     WHERE d.status = 'PENDING' AND d.created_at < $1 ORDER BY d.id LIMIT ${LOOKED_AT_MAX}`,
    [late],
  );
  return rows.map(({ id: decisionId, taskId, workflowId, isUnderWay }) => ({
    kind: 'DECISION_PENDING',
    subject: `decision:${decisionId}`,
    detail: workflowId,
    ...(isUnderWay
      ? {}
      : { heal: async () => await sendAgain(deps, { decisionId, taskId, workflowId }) }),
  }));
}

async function sendAgain(
  deps: ActivityDeps,
  { decisionId, taskId, workflowId }: { decisionId: number; taskId: number; workflowId: string },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const outboxId = await deps.outbox.enqueue(tx, {
      kind: 'workflow_update',
      dedupeKey: decisionUpdateId(decisionId),
      payload: {
        workflowId,
        update: DECIDE_UPDATE,
        updateId: decisionUpdateId(decisionId),
        input: { taskId, decisionId },
      },
    });
    await runner(deps.db, tx).query(
      'UPDATE outbox SET done_at = NULL, attempts = 0, next_at = now() WHERE id = $1',
      [outboxId],
    );
  });
}

const OVERDUE = select(columnsOf(tasks, 't', ['id', 'workflowId']));

export async function overdueTasks(deps: ActivityDeps, now: Date): Promise<Found[]> {
  const rows = await readRows(
    runner(deps.db),
    OVERDUE,
    `SELECT ${OVERDUE.list} FROM tasks t WHERE t.status = 'open' AND t.due_at < $1
     ORDER BY t.due_at LIMIT ${LOOKED_AT_MAX}`,
    [now],
  );
  return rows.map(({ id, workflowId }) => ({
    kind: 'TASK_OVERDUE',
    subject: `task:${id}`,
    detail: workflowId,
  }));
}

const LATE = select({
  ...columnsOf(outbox, 'o', ['id', 'kind']),
  workflowId: text().of(`o.payload->>'workflowId'`),
  decisionId: ref().orNull().of(`(o.payload->'input'->>'decisionId')::bigint`),
});

/**
 * Messages to flows that cannot be delivered. One to a flow that Temporal no longer keeps, and whose
 * row is closed, has nobody left to tell; a decision among them is refused.
 */
export async function lateMessages(
  deps: ActivityDeps & { temporal: Client },
  now: Date,
  isOpen: (workflowId: string) => boolean,
): Promise<Found[]> {
  const late = new Date(now.getTime() - LATE_AFTER_MS);
  const rows = await readRows(
    runner(deps.db),
    LATE,
    `SELECT ${LATE.list} FROM outbox o WHERE o.kind <> 'publish' AND o.done_at IS NULL AND o.created_at < $1
     ORDER BY o.id LIMIT ${LOOKED_AT_MAX}`,
    [late],
  );
  const found: Found[] = [];
  for (const { id, kind, workflowId, decisionId } of rows) {
    const isForNobody =
      kind !== 'workflow_start' &&
      !isOpen(workflowId) &&
      (await stateOfExecution(deps.temporal, workflowId)) !== 'RUNNING';
    const heal = async (): Promise<void> => {
      // First: a crash between the two refuses nothing twice.
      if (decisionId !== null) await refuse(deps, decisionId);
      await runner(deps.db).query(
        `UPDATE outbox SET done_at = now(), last_error = 'its flow has ended' WHERE id = $1`,
        [id],
      );
    };
    found.push({
      kind: 'MESSAGE_LATE',
      subject: `message:${id}`,
      detail: workflowId,
      ...(isForNobody ? { heal } : {}),
    });
  }
  return found;
}

async function refuse(deps: ActivityDeps, decisionId: number): Promise<void> {
  await moveRows(runner(deps.db), taskDecisions, {
    state: 'status',
    action: 'refuse',
    where: { id: decisionId },
    set: { refusal: 'This flow has ended.' },
  });
}
