import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listTasks, readDecisionState } from '../../db/queries/tasks.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { TASK_KINDS, TASK_STATUSES } from '../../domain/lifecycle/task.ts';
import type { OperatorRole } from '../../domain/operator.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { id, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { type Ask, goesOn, route } from '../http/route.ts';
import { presentTask, taskPageShape, taskShape } from '../present/task.ts';
import { taskDetail } from './task-detail.ts';

const REASONS_MAX = 20;

const listQuery = yup.object({
  ...pageFields,
  kind: yup.string().oneOf(TASK_KINDS),
  status: yup.string().oneOf(TASK_STATUSES),
  /** An operator's id, `me`, or `none`. */
  assignee: yup.string().matches(/^(me|none|[1-9]\d{0,14})$/),
});
/** Absent: whoever asks; null: back to the queue. */
const assignBody = yup.object({ assignee_id: id().nullable() });
const decisionBody = yup.object({
  /** One of the task's own `decisions`. */
  decision: text(40).required().meta({ kind: 'word' }),
  reasons: yup
    .array(
      yup
        .object({ code: text(64).min(1).required(), field: text(64), note: text(1_000) })
        .noUnknown(true)
        .required(),
    )
    .max(REASONS_MAX),
  note: text(2_000),
  evidence_media_id: id(),
});

const rule = 'interface 5.2';
/** Each operator reads; what a task requires of its decider is the task's own. */
const EVERYBODY: readonly OperatorRole[] = ['REVIEWER', 'FINANCE', 'SUPPORT'];

/** interface 5.2: the one queue of every human decision. */
export function taskRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addQueue(router, deps);
  addMoves(router, deps);
  return router;
}

function addQueue(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/',
    route(
      {
        summary: 'List decisions that wait for an operator, or were made; oldest first',
        rule,
        roles: EVERYBODY,
        query: listQuery,
        answer: pageOfItems(taskShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listTasks(runner(deps.db), {
          kind: query.kind,
          status: query.status,
          ...assigneeOf(query.assignee, caller.id),
          limit: page.limit,
          offset: page.offset,
        });
        const links = deps.config.temporal;
        return presentPage(
          items.map((task) => presentTask(task, links)),
          total,
          page,
        );
      },
    ),
  );

  router.get(
    '/:id',
    route(
      {
        summary: 'Show a task with what its decision needs',
        rule,
        roles: EVERYBODY,
        answer: taskPageShape,
      },
      async (ask) => await showTask(deps, ask.id),
    ),
  );
}

function assigneeOf(
  word: string | undefined,
  callerId: number,
): { unassigned?: boolean; assigneeId?: number } {
  if (word === undefined) return {};
  if (word === 'none') return { unassigned: true };
  return { assigneeId: word === 'me' ? callerId : Number(word) };
}

function addMoves(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/:id/assign',
    route(
      {
        summary: 'Take a task, give it to an operator, or put it back',
        rule,
        roles: EVERYBODY,
        body: assignBody,
        answer: taskPageShape,
      },
      async ({ id: taskId, body, caller, req }) => {
        await deps.activities.assignTask({
          taskId,
          operatorId: caller.id,
          assigneeId: body.assignee_id === undefined ? caller.id : body.assignee_id,
          requestId: requestIdOf(req),
        });
        return await showTask(deps, taskId);
      },
    ),
  );

  router.post(
    '/:id/decision',
    route(
      {
        summary: 'Decide a task; 202 when its flow has not taken the decision yet',
        rule,
        roles: EVERYBODY,
        body: decisionBody,
        answer: taskPageShape,
        statuses: [200, 202],
      },
      async (ask) => await decide(deps, ask),
    ),
  );
}

const FLOW_ANSWER_MS = 3_000;
const FLOW_POLL_MS = 50;

/**
 * The decision is a row before the flow hears of it. 200 when the flow has applied it, 409 when the
 * flow refused it, 202 when it has not answered yet: the outbox then goes on asking.
 */
async function decide(
  deps: ConsoleDeps,
  { id: taskId, body, caller, req, res }: Ask<yup.InferType<typeof decisionBody>, unknown>,
) {
  const { decisionId, outboxId } = await deps.activities.decideTask({
    taskId,
    operator: { id: caller.id, role: caller.role },
    decision: body.decision,
    reasons: body.reasons ?? [],
    note: body.note ?? null,
    evidenceMediaId: body.evidence_media_id ?? null,
    requestId: requestIdOf(req),
  });
  const deadline = Date.now() + FLOW_ANSWER_MS;
  const { state: delivery } = await deps.dispatcher.dispatch(outboxId);
  // Another process may have taken the row a moment earlier; what it brought about is in the table.
  for (;;) {
    const state = await readDecisionState(runner(deps.db), decisionId);
    if (state?.status === 'APPLIED') return await showTask(deps, taskId);
    if (state?.status === 'REFUSED') throw conflict(state.refusal ?? 'The flow refused this.');
    if (delivery === 'deferred' || Date.now() >= deadline) break;
    await sleep(FLOW_POLL_MS);
  }
  goesOn(res, `/api/admin/tasks/${taskId}`);
  return await showTask(deps, taskId);
}

async function showTask(
  deps: ConsoleDeps,
  taskId: number,
): Promise<yup.InferType<typeof taskPageShape>> {
  const { items } = await listTasks(runner(deps.db), { id: taskId, limit: 1, offset: 0 });
  const [task] = items;
  if (task === undefined) throw notFound();
  return { ...presentTask(task, deps.config.temporal), detail: await taskDetail(deps, task) };
}
