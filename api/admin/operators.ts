import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listOperators } from '../../db/queries/operators.ts';
import { notFound } from '../../domain/errors.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { newPassword } from '../accounts/account-fields.ts';
import type { ConsoleDeps } from '../deps.ts';
import { text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import {
  flag,
  idOf,
  oneOf,
  pageOfItems,
  record,
  time,
  timeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { endedShape } from '../present/session.ts';

const listQuery = yup.object(pageFields);
const makeBody = yup.object({
  username: text(30)
    .required()
    .matches(/^\w{3,30}$/, 'must be 3 to 30 letters, digits or underscores'),
  email: text(254).required().email(),
  password: newPassword((body) => [body['email'], body['username']]),
  role: yup.string().oneOf(OPERATOR_ROLES).required(),
  nickname: text(100),
});

const operatorShape = record(
  {
    id: idOf(),
    username: words(),
    email: words(),
    /** Since when it is known that its operator reads it. */
    email_confirmed_at: timeOrNull(),
    nickname: wordsOrNull(),
    role: oneOf(OPERATOR_ROLES),
    status: words(),
    /** Username of who made them; null: made on the machine. */
    made_by: wordsOrNull(),
    /** Counts as a person of their own: a second one beside whoever made them. */
    vouched: flag(),
    created_at: time(),
  },
  'Operator',
);

const rule = 'interface 5.19';

/** interface 5.19: ADMIN makes operators of every role; until another vouches, they count as who made them. */
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
        return presentPage(items.map(present), total, page);
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Make an operator',
        rule,
        roles: [],
        body: makeBody,
        answer: operatorShape,
        statuses: [201],
        refusals: ['already_claimed'],
      },
      async ({ body, caller, req, res }) => {
        const { id } = await deps.activities.createOperator({
          ...body,
          createdBy: caller.id,
          requestId: requestIdOf(req),
        });
        res.status(201);
        const { items } = await listOperators(runner(deps.db), { id, limit: 1, offset: 0 });
        const [made] = items;
        if (made === undefined) throw notFound();
        return present(made);
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
  return router;
}

type Listed = Awaited<ReturnType<typeof listOperators>>['items'][number];

const present = (row: Listed): yup.InferType<typeof operatorShape> => ({
  id: row.id,
  username: row.username,
  email: row.email,
  email_confirmed_at: row.emailConfirmedAt?.toISOString() ?? null,
  nickname: row.nickname,
  role: row.role,
  status: row.status,
  made_by: row.madeBy,
  vouched: row.createdBy === null || row.vouchedBy !== null,
  created_at: row.createdAt.toISOString(),
});
