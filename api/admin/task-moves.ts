import { setTimeout as sleep } from 'node:timers/promises';
import type { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listDeciders } from '../../db/queries/operators.ts';
import { readTaskNote } from '../../db/queries/task-notes.ts';
import { listTasks, readDecisionState } from '../../db/queries/tasks.ts';
import { conflict } from '../../domain/errors.ts';
import { TASK_KINDS } from '../../domain/lifecycle/task.ts';
import type { OperatorRole } from '../../domain/operator.ts';
import { decidersOf, mayDecide } from '../../domain/task-rules.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Identity } from '../http/auth.ts';
import { id, lines, text } from '../http/fields.ts';
import { forbiddenRole, requireProof } from '../http/roles.ts';
import { requestIdOf } from '../http/request-id.ts';
import { type Ask, goesOn, route } from '../http/route.ts';
import { assigneesShape, presentTaskNote, taskNoteShape, taskPageShape } from '../present/task.ts';
import { readableTask, showTask, viewerOf } from './task-page.ts';

const REASONS_MAX = 20;
const EXCEPT_MAX = 100;
const NOTE_LENGTH_MAX = 2_000;

/** Absent: whoever asks; null: back to the queue. */
const assignBody = yup.object({ assignee_id: id().nullable() });
const nextBody = yup.object({
  /** Absent or empty is every kind. */
  kinds: yup.array().of(yup.string().oneOf(TASK_KINDS).required()).max(TASK_KINDS.length),
  /** Ids to pass over this time. */
  except: yup.array().of(id().required()).max(EXCEPT_MAX),
});
const noteBody = yup.object({
  text: lines(NOTE_LENGTH_MAX).matches(/\S/, 'must say something').required(),
});
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
  /** The caller's own upload (`receipt-evidence`). */
  evidence_id: id(),
});

const rule = 'interface 5.2';
/** Each operator asks; what a task requires of its decider is the task's own. */
const EVERYBODY: readonly OperatorRole[] = ['REVIEWER', 'FINANCE', 'SUPPORT'];

/** What an operator does with a task: takes it, gives it away, decides it. */
export function addTaskMoves(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/:id/assignees',
    route(
      {
        summary: 'List the operators that you may give a task to',
        rule,
        roles: EVERYBODY,
        answer: assigneesShape,
      },
      async ({ id: taskId, caller, req }) => {
        const { requiredRole, makerId } = await readableTask(
          deps,
          taskId,
          viewerOf({ caller, req }),
        );
        const roles = decidersOf(requiredRole);
        if (!mayDecide(caller.role, requiredRole)) throw forbiddenRole(roles);
        return { items: await listDeciders(runner(deps.db), { roles, makerId }) };
      },
    ),
  );

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
          operator: { id: caller.id, role: caller.role },
          assigneeId: body.assignee_id === undefined ? caller.id : body.assignee_id,
          requestId: requestIdOf(req),
        });
        return await showTask(deps, taskId, viewerOf({ caller, req }));
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
        refusals: ['step_up_required'],
        body: decisionBody,
        answer: taskPageShape,
        statuses: [200, 202],
      },
      async (ask) => await decide(deps, ask),
    ),
  );
}

/** One operator at a time: taken when a task is opened, renewed meanwhile, over when it runs out. */
export function addTaskLeases(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/claim-next',
    route(
      {
        summary:
          'Take the most urgent task that you may decide and nobody holds, else of those that you hold; null when none waits',
        rule,
        roles: EVERYBODY,
        body: nextBody,
        answer: taskPageShape.nullable(),
      },
      async ({ body, caller, req }) => {
        const { taskId } = await deps.activities.claimNextTask({
          operator: { id: caller.id, role: caller.role },
          kinds: body.kinds ?? [],
          except: body.except ?? [],
          requestId: requestIdOf(req),
        });
        return taskId === null ? null : await showTask(deps, taskId, viewerOf({ caller, req }));
      },
    ),
  );

  for (const [move, summary, activity] of [
    ['claim', 'Take a task to work on it, or renew your lease', 'claimTask'],
    ['release', 'Give your lease of a task back', 'releaseTask'],
  ] as const) {
    router.post(
      `/:id/${move}`,
      route(
        { summary, rule, roles: EVERYBODY, answer: taskPageShape },
        async ({ id: taskId, caller, req }) => {
          await deps.activities[activity]({
            taskId,
            operator: { id: caller.id, role: caller.role },
            requestId: requestIdOf(req),
          });
          return await showTask(deps, taskId, viewerOf({ caller, req }));
        },
      ),
    );
  }
}

/** Append only, and never shown to an owner. */
export function addTaskNotes(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/:id/notes',
    route(
      {
        summary: 'Note something for other operators',
        rule,
        roles: EVERYBODY,
        body: noteBody,
        answer: taskNoteShape,
        statuses: [201],
      },
      async ({ id: taskId, body, caller, req }) => {
        const { noteId } = await deps.activities.addTaskNote({
          taskId,
          operator: { id: caller.id, role: caller.role },
          text: body.text.trim(),
          requestId: requestIdOf(req),
        });
        return presentTaskNote(await readTaskNote(runner(deps.db), noteId));
      },
    ),
  );
}

/** Approving money asks for the second factor again; a picture does not. */
async function requireProofForMoney(
  deps: ConsoleDeps,
  taskId: number,
  caller: Identity,
): Promise<void> {
  const { items } = await listTasks(runner(deps.db), { id: taskId, limit: 1, offset: 0 });
  if (items[0]?.requiredRole === 'FINANCE') requireProof(caller);
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
  await requireProofForMoney(deps, taskId, caller);
  const { decisionId, outboxId } = await deps.activities.decideTask({
    taskId,
    operator: { id: caller.id, role: caller.role },
    decision: body.decision,
    reasons: body.reasons ?? [],
    note: body.note ?? null,
    evidenceMediaId: body.evidence_media_id ?? null,
    evidenceId: body.evidence_id ?? null,
    requestId: requestIdOf(req),
  });
  const deadline = Date.now() + FLOW_ANSWER_MS;
  const { state: delivery } = await deps.dispatcher.dispatch(outboxId);
  // Another process may have taken the row a moment earlier; what it brought about is in the table.
  for (;;) {
    const state = await readDecisionState(runner(deps.db), decisionId);
    if (state?.status === 'APPLIED') return await showTask(deps, taskId, viewerOf({ caller, req }));
    if (state?.status === 'REFUSED') throw conflict(state.refusal ?? 'The flow refused this.');
    if (delivery === 'deferred' || Date.now() >= deadline) break;
    await sleep(FLOW_POLL_MS);
  }
  goesOn(res, `/api/admin/tasks/${taskId}`);
  return await showTask(deps, taskId, viewerOf({ caller, req }));
}
