import { setTimeout as sleep } from 'node:timers/promises';
import { type Request, type Response, Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listTasks, readDecision } from '../../db/queries/tasks.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { accepted, ok } from '../http/envelope.ts';
import { id, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readBody, readId, readQuery } from '../http/read.ts';
import { requestIdOf } from '../http/request-id.ts';
import { presentTask } from '../present/task.ts';
import { taskDetail } from './task-detail.ts';

const REASONS_MAX = 20;

const listSchema = yup.object({
  ...pageFields,
  kind: text(40),
  status: yup.string().oneOf(['open', 'decided', 'void']),
  /** An operator's id, `me`, or `none`. */
  assignee: yup.string().matches(/^(me|none|[1-9]\d{0,14})$/),
});
const assignSchema = yup.object({ assignee_id: id().nullable() });
const decisionSchema = yup.object({
  decision: text(40).required(),
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

/** decisions 3: the one queue of every human decision. Each operator reads; roles decide. */
export function taskRoutes(deps: ConsoleDeps): Router {
  const router = Router();

  router.get('/', async (req, res) => {
    const query = readQuery(req, listSchema);
    const page = pageOf(query);
    const { assignee } = query;
    const { items, total } = await listTasks(runner(deps.db), {
      kind: query.kind,
      status: query.status,
      unassigned: assignee === 'none',
      assigneeId:
        assignee === undefined || assignee === 'none'
          ? undefined
          : assignee === 'me'
            ? identityOf(req).id
            : Number(assignee),
      limit: page.limit,
      offset: page.offset,
    });
    const links = deps.config.temporal;
    ok(
      res,
      presentPage(
        items.map((task) => presentTask(task, links)),
        total,
        page,
      ),
    );
  });

  router.get('/:id', async (req, res) => {
    ok(res, await showTask(deps, readId(req)));
  });

  router.post('/:id/assign', async (req, res) => {
    const taskId = readId(req);
    const body = readBody(req, assignSchema);
    const operatorId = identityOf(req).id;
    await deps.activities.assignTask({
      taskId,
      operatorId,
      assigneeId: body.assignee_id === undefined ? operatorId : body.assignee_id,
      requestId: requestIdOf(req),
    });
    ok(res, await showTask(deps, taskId));
  });

  router.post('/:id/decision', async (req, res) => {
    await decide(deps, req, res);
  });

  return router;
}

const FLOW_ANSWER_MS = 3_000;
const FLOW_POLL_MS = 50;

/**
 * The decision is a row before the flow hears of it. 200 when the flow has applied it, 409 when the
 * flow refused it, 202 when it has not answered yet: the outbox then goes on asking.
 */
async function decide(deps: ConsoleDeps, req: Request, res: Response): Promise<void> {
  const taskId = readId(req);
  const body = readBody(req, decisionSchema);
  const operator = identityOf(req);
  const { decisionId, outboxId } = await deps.activities.decideTask({
    taskId,
    operator: { id: operator.id, role: operator.role },
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
    const state = await readDecision(runner(deps.db), decisionId);
    if (state?.status === 'APPLIED') {
      ok(res, await showTask(deps, taskId));
      return;
    }
    if (state?.status === 'REFUSED') throw conflict(state.refusal ?? 'The flow refused this.');
    if (delivery === 'deferred' || Date.now() >= deadline) break;
    await sleep(FLOW_POLL_MS);
  }
  accepted(res, `/api/admin/tasks/${taskId}`, await showTask(deps, taskId));
}

async function showTask(deps: ConsoleDeps, taskId: number) {
  const { items } = await listTasks(runner(deps.db), { id: taskId, limit: 1, offset: 0 });
  const [task] = items;
  if (task === undefined) throw notFound();
  return { ...presentTask(task, deps.config.temporal), detail: await taskDetail(deps, task) };
}
