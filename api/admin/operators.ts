import { type Request, Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import {
  listOperators,
  listWaitingFor,
  type WaitingForOperator,
} from '../../db/queries/operators.ts';
import { notFound } from '../../domain/errors.ts';
import { accountLifecycle } from '../../domain/lifecycle/account.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Identity } from '../http/auth.ts';
import { text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import {
  flag,
  idOf,
  listOf,
  oneOf,
  pageOfItems,
  record,
  time,
  timeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { goesOn, route } from '../http/route.ts';
import { endedShape } from '../present/session.ts';

const listQuery = yup.object(pageFields);
/** Whoever asks later, and the second person, are told why. */
const why = { reason: text(500).required().min(1) };
const roleBody = yup.object({ ...why, role: yup.string().oneOf(OPERATOR_ROLES).required() });

/** Approvals that are about an operator. */
const ABOUT = ['operator', 'operator_restore', 'operator_role'] as const;

const operatorShape = record(
  {
    id: idOf(),
    username: words(),
    email: words(),
    /** Since when it is known that its operator reads it. */
    email_confirmed_at: timeOrNull(),
    nickname: wordsOrNull(),
    role: oneOf(OPERATOR_ROLES),
    status: oneOf(accountLifecycle.statuses),
    /** Username of who made them; null: made on the machine. */
    made_by: wordsOrNull(),
    /** Counts as a person of their own: a second one beside whoever made them. */
    vouched: flag(),
    /** Whose word theirs is: their own, or that of whoever made them until another vouches. */
    counts_as: words(),
    /** What waits for a second person about them. */
    waiting: listOf(
      record({
        approval_id: idOf(),
        kind: oneOf(ABOUT),
        /** The role that is asked for. */
        role: wordsOrNull(),
        asked_by: wordsOrNull(),
      }),
    ),
    created_at: time(),
  },
  'Operator',
);

const rule = 'interface 5.19';

/** interface 5.19: who works here. They come by an invitation; until another vouches, they count as who invited them. */
export function operatorRoutes(deps: ConsoleDeps): Router {
  const router = Router();

  router.get(
    '/',
    route(
      {
        summary: 'List operators, newest first',
        rule,
        roles: [],
        query: listQuery,
        answer: pageOfItems(operatorShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listOperators(runner(deps.db), page);
        return presentPage(await presentAll(deps, items), total, page);
      },
    ),
  );

  router.post(
    '/:id/end-sessions',
    route(
      {
        summary: 'End every session of an operator: who has one of their tokens is out',
        rule,
        roles: [],
        answer: endedShape,
      },
      async ({ id, caller, req }) => ({
        ended: await deps.activities.endSessionsOf({
          kind: 'OPERATOR',
          id,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        }),
      }),
    ),
  );
  addAccess(router, deps);
  return router;
}

/** One ADMIN puts somebody out; what lets in, or gives a role that moves money or people, waits for a second person. */
function addAccess(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/:id/suspend',
    route(
      {
        summary: 'Suspend an operator: sessions end, no login, and their tasks are free again',
        rule,
        roles: [],
        body: yup.object(why),
        answer: operatorShape,
        refusals: ['state_conflict'],
      },
      async ({ id, body: { reason }, caller, req }) => {
        await deps.activities.suspendOperator({ id, reason, ...by(caller, req) });
        return await show(deps, id);
      },
    ),
  );

  router.post(
    '/:id/restore',
    route(
      {
        summary: 'Ask a second person to let in again an operator who was suspended',
        rule,
        roles: [],
        body: yup.object(why),
        answer: operatorShape,
        statuses: [202],
        refusals: ['state_conflict'],
      },
      async ({ id, body: { reason }, caller, req, res }) => {
        const asked = { id, reason, ...by(caller, req) };
        const { approvalId } = await deps.activities.askToRestoreOperator(asked);
        goesOn(res, `/api/admin/approvals/${approvalId}`);
        return await show(deps, id);
      },
    ),
  );

  router.post(
    '/:id/role',
    route(
      {
        summary: "Change an operator's role; 202 when a second person must approve it first",
        rule,
        roles: [],
        body: roleBody,
        answer: operatorShape,
        statuses: [200, 202],
        refusals: ['state_conflict'],
      },
      async ({ id, body: { role, reason }, caller, req, res }) => {
        const asked = { id, role, reason, ...by(caller, req) };
        const { approvalId } = await deps.activities.changeOperatorRole(asked);
        if (approvalId !== null) goesOn(res, `/api/admin/approvals/${approvalId}`);
        return await show(deps, id);
      },
    ),
  );
}

const by = ({ id }: Identity, req: Request) => ({ operatorId: id, requestId: requestIdOf(req) });

type Listed = Awaited<ReturnType<typeof listOperators>>['items'][number];

async function show(deps: ConsoleDeps, id: number) {
  const { items } = await listOperators(runner(deps.db), { id, limit: 1, offset: 0 });
  const [operator] = await presentAll(deps, items);
  if (operator === undefined) throw notFound();
  return operator;
}

async function presentAll(deps: ConsoleDeps, rows: readonly Listed[]) {
  const waiting = await listWaitingFor(
    runner(deps.db),
    rows.map(({ id }) => id),
  );
  return rows.map((row) =>
    present(
      row,
      waiting.filter(({ subject }) => subject === String(row.id)),
    ),
  );
}

const present = (
  row: Listed,
  waiting: readonly WaitingForOperator[],
): yup.InferType<typeof operatorShape> => ({
  id: row.id,
  username: row.username,
  email: row.email,
  email_confirmed_at: row.emailConfirmedAt?.toISOString() ?? null,
  nickname: row.nickname,
  role: row.role,
  status: row.status,
  made_by: row.madeBy,
  vouched: row.createdBy === null || row.vouchedBy !== null,
  counts_as: row.countsAs,
  waiting: waiting.map(({ id, kind, ask, maker }) => ({
    approval_id: id,
    kind: kind as (typeof ABOUT)[number],
    role: typeof ask['new_role'] === 'string' ? ask['new_role'] : null,
    asked_by: maker,
  })),
  created_at: row.createdAt.toISOString(),
});
