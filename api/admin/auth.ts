import type { Router } from 'express';
import type * as yup from 'yup';
import type { InvitedOperator } from '../../activities/accounts/operator-invitations.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { accountAuthRoutes } from '../accounts/account-auth.ts';
import { acceptBody, invitationBody } from '../accounts/account-fields.ts';
import { openSession } from '../accounts/session.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addressOf } from '../http/address.ts';
import { requestIdOf } from '../http/request-id.ts';
import { oneOf, record, time, words } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { sessionShape } from '../present/account.ts';

/** interface 5.2; mounted at /api/admin/auth. Operators are made on the machine or invited, so nobody registers. */
export function adminAuthRoutes(deps: ConsoleDeps): Router {
  const router = accountAuthRoutes(deps, 'admin');
  addInvitation(router, deps);
  return router;
}

/** What its letter says already. */
const invitedShape = record(
  {
    username: words(),
    email: words(),
    role: oneOf(OPERATOR_ROLES),
    invited_by: words(),
    expires_at: time(),
  },
  'InvitedOperator',
);

const presentInvited = (invited: InvitedOperator): yup.InferType<typeof invitedShape> => ({
  username: invited.username,
  email: invited.email,
  role: invited.role,
  invited_by: invited.inviter,
  expires_at: invited.expiresAt.toISOString(),
});

/** interface 5.19: who was invited comes in. */
function addInvitation(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/invitation',
    route(
      {
        summary: 'Who is invited by the token of the letter, and as what; uses nothing up',
        rule: 'interface 5.19',
        open: true,
        body: invitationBody,
        answer: invitedShape,
      },
      async ({ body: { token } }) =>
        presentInvited(await deps.activities.lookAtOperatorInvitation(token)),
    ),
  );

  router.post(
    '/accept-invitation',
    route(
      {
        summary: 'Become an operator with the token of the letter; the answer logs in',
        rule: 'interface 5.19',
        open: true,
        body: acceptBody,
        answer: sessionShape,
        refusals: ['already_claimed'],
      },
      async ({ body, req, res }) => {
        const login = await deps.activities.joinAsOperator({
          token: body.token,
          name: body.name.trim(),
          password: body.password,
          turn: { lane: addressOf(req), known: false },
          requestId: requestIdOf(req),
        });
        return await openSession(deps, {
          realm: 'admin',
          person: login,
          req,
          res,
          by: 'invitation',
        });
      },
    ),
  );
}
