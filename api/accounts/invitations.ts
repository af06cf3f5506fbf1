import type { Router } from 'express';
import type { ConsoleDeps } from '../deps.ts';
import { acceptBody, invitationBody } from './account-fields.ts';
import { invitationShape, presentInvitation } from '../present/invitation.ts';
import { sessionShape } from '../present/account.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route } from '../http/route.ts';
import { openSession } from './session.ts';
import { addressOf } from '../http/address.ts';

/** interface 5.7: who was invited comes in. Operators have no such route. */
export function addInvitation(
  router: Router,
  deps: ConsoleDeps,
  realm: 'advertiser' | 'publisher',
): void {
  const kind = realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER';
  router.post(
    '/invitation',
    route(
      {
        summary: 'Whose account the token of the letter lets into, and as what; uses nothing up',
        rule: 'interface 5.7',
        open: true,
        body: invitationBody,
        answer: invitationShape,
      },
      async ({ body: { token } }) =>
        presentInvitation(await deps.activities.lookAtInvitation({ kind, token })),
    ),
  );

  router.post(
    '/accept-invitation',
    route(
      {
        summary: 'Join an account with the token of the letter; the answer logs in',
        rule: 'interface 5.7',
        open: true,
        body: acceptBody,
        answer: sessionShape,
        refusals: ['already_claimed', 'account_suspended'],
      },
      async ({ body, req, res }) => {
        const login = await deps.activities.acceptInvitation({
          kind,
          token: body.token,
          name: body.name.trim(),
          password: body.password,
          turn: { lane: addressOf(req), known: false },
          requestId: requestIdOf(req),
        });
        return await openSession(deps, { realm, person: login, req, res, by: 'invitation' });
      },
    ),
  );
}
