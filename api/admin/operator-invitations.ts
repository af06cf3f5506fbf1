import { type Request, Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import {
  type ListedInvitation,
  listOperatorInvitations,
} from '../../db/queries/operator-invitations.ts';
import { notFound } from '../../domain/errors.ts';
import { OPERATOR_INVITATION_STATUSES } from '../../domain/lifecycle/operator-invitation.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { LANGUAGES } from '../../domain/person.ts';
import { email } from '../accounts/account-fields.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Identity } from '../http/auth.ts';
import { text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import {
  idOf,
  oneOf,
  pageOfItems,
  record,
  time,
  timeOrNull,
  words,
} from '../http/response-shapes.ts';
import { route } from '../http/route.ts';

const listQuery = yup.object({
  ...pageFields,
  status: yup.string().oneOf(OPERATOR_INVITATION_STATUSES),
});
const inviteBody = yup.object({
  username: text(30)
    .required()
    .matches(/^\w{3,30}$/, 'must be 3 to 30 letters, digits or underscores'),
  email: email().required(),
  role: yup.string().oneOf(OPERATOR_ROLES).required(),
  /** Of the letter. */
  language: yup.string().oneOf(LANGUAGES),
});

const invitationShape = record(
  {
    id: idOf(),
    username: words(),
    email: words(),
    role: oneOf(OPERATOR_ROLES),
    status: oneOf(OPERATOR_INVITATION_STATUSES),
    invited_by: words(),
    invited_at: time(),
    /** From then on the letter opens nothing; it can be sent again. */
    expires_at: time(),
    ended_at: timeOrNull(),
  },
  'OperatorInvitation',
);

const about = { rule: 'interface 5.19', roles: [] } as const;

/** interface 5.19: ADMIN invites operators of every role; nobody but who comes has the password. */
export function operatorInvitationRoutes(deps: ConsoleDeps): Router {
  const router = Router();

  router.get(
    '/',
    route(
      {
        ...about,
        summary: 'List invitations of operators, newest first',
        query: listQuery,
        answer: pageOfItems(invitationShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const filter = { status: query.status, limit: page.limit, offset: page.offset };
        const { items, total } = await listOperatorInvitations(runner(deps.db), filter);
        return presentPage(items.map(present), total, page);
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        ...about,
        summary: 'Invite an operator by e-mail; they choose the password',
        body: inviteBody,
        answer: invitationShape,
        statuses: [201],
        refusals: ['already_claimed'],
      },
      async ({ body, caller, req, res }) => {
        const asked = { ...body, ...by(caller, req) };
        const { invitationId } = await deps.activities.inviteOperator(asked);
        res.status(201);
        return await show(deps, invitationId);
      },
    ),
  );

  router.post(
    '/:id/resend',
    route(
      {
        ...about,
        summary: 'Write another letter; the one before opens nothing any more',
        answer: invitationShape,
        refusals: ['state_conflict'],
      },
      async ({ id, caller, req }) => {
        await deps.activities.resendOperatorInvitation({ id, ...by(caller, req) });
        return await show(deps, id);
      },
    ),
  );

  router.post(
    '/:id/take-back',
    route(
      {
        ...about,
        summary: 'Take an invitation back; its letter opens nothing any more',
        answer: invitationShape,
        refusals: ['state_conflict'],
      },
      async ({ id, caller, req }) => {
        await deps.activities.takeBackOperatorInvitation({ id, ...by(caller, req) });
        return await show(deps, id);
      },
    ),
  );
  return router;
}

const by = ({ id }: Identity, req: Request) => ({ operatorId: id, requestId: requestIdOf(req) });

async function show({ db }: ConsoleDeps, id: number) {
  const { items } = await listOperatorInvitations(runner(db), { id, limit: 1, offset: 0 });
  const [invitation] = items;
  if (invitation === undefined) throw notFound();
  return present(invitation);
}

const present = (row: ListedInvitation): yup.InferType<typeof invitationShape> => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
  status: row.status,
  invited_by: row.inviter,
  invited_at: row.invitedAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
});
