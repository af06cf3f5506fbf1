import { setTimeout as sleep } from 'node:timers/promises';
import type { Router } from 'express';
import type { ConsoleDeps } from '../deps.ts';
import { forgotBody, resetBody } from './account-fields.ts';
import { kindOfRealm } from '../../db/queries/accounts.ts';
import { addressOf } from '../http/address.ts';
import type { Realm } from '../http/auth.ts';
import { rememberDevice, whereaboutsOf } from './whereabouts.ts';
import { createForgotThrottle } from './account-throttles.ts';
import { nothing } from '../http/response-shapes.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route } from '../http/route.ts';

/** So that the answer comes as late for an address that nobody has as for one that somebody has. */
const FORGOT_ANSWER_AFTER_MS = 250;

/** interface 4.1, 4.8 and 5.2: the mailbox is asked, and after it the second factor as ever. */
export function addForgottenPassword(
  router: Router,
  deps: ConsoleDeps,
  realm: Realm,
  rule: string,
): void {
  const throttle = createForgotThrottle(deps, realm);
  const kind = kindOfRealm(realm);
  router.post(
    '/forgot-password',
    route(
      {
        summary: 'Ask for a letter with which the password can be set anew',
        rule: `${rule}, 8`,
        open: true,
        body: forgotBody,
        answer: nothing(),
        refusals: ['rate_limited'],
      },
      async ({ body: { email }, req, res }) => {
        await throttle.take(res, email);
        try {
          const requested = deps.activities.requestPasswordReset({
            kind,
            email,
            from: whereaboutsOf(deps, req, realm),
          });
          await Promise.all([requested, sleep(FORGOT_ANSWER_AFTER_MS)]);
        } catch (error) {
          await throttle.giveBack(email);
          throw error;
        }
        return {};
      },
    ),
  );
  router.post(
    '/reset-password',
    route(
      {
        summary: 'Set a new password with the token of the letter; every session ends',
        rule,
        open: true,
        body: resetBody,
        answer: nothing(),
      },
      async ({ body, req, res }) => {
        const from = rememberDevice(deps, { req, res, realm });
        const person = await deps.activities.resetPassword({
          kind,
          token: body.token,
          newPassword: body.new_password,
          requestId: requestIdOf(req),
          from,
          turn: { lane: addressOf(req), known: false },
        });
        // Whoever has the letter is its reader: from here on this browser is known.
        await deps.activities.trustDevice({ person, from });
        return {};
      },
    ),
  );
}
