import type { Router } from 'express';
import type { ConsoleDeps } from '../deps.ts';
import { addressOf } from '../http/address.ts';
import { personKeyOf, type Realm } from '../http/auth.ts';
import { accountRateLimit, createTryThrottle } from '../http/rate-limit.ts';
import { requestIdOf } from '../http/request-id.ts';
import { nothing } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { sessionShape } from '../present/account.ts';
import { passwordBody } from './account-fields.ts';
import { personKeyOfCaller } from './person-key.ts';
import { openSession } from './session.ts';
import { rememberDevice } from './whereabouts.ts';

/** Never refused by a limit: whoever wants to be out is out. */
export function addLogout(router: Router, deps: ConsoleDeps, realm: Realm, rule: string): void {
  router.post(
    '/logout',
    deps.auth.require(realm),
    route(
      {
        summary: 'Revoke the token of this request',
        rule: `${rule}, 5`,
        roles: 'everyone',
        beforeFactor: true,
        answer: nothing(),
      },
      async ({ caller, req }) => {
        await deps.activities.recordLogout({
          person: personKeyOfCaller(caller),
          tokenId: caller.tokenId,
          expiresAt: new Date(caller.tokenExpiresAt * 1_000),
          requestId: requestIdOf(req),
        });
        return {};
      },
    ),
  );
}

/** Every token dies with the old password; the caller goes on with the new one in the answer. */
export function addPassword(router: Router, deps: ConsoleDeps, realm: Realm, rule: string): void {
  const throttle = createTryThrottle(deps, `password-${realm}`);
  router.post(
    '/password',
    deps.auth.require(realm),
    accountRateLimit(deps),
    route(
      {
        summary: 'Change your password; every other session ends',
        rule,
        roles: 'everyone',
        beforeFactor: true,
        body: passwordBody,
        answer: sessionShape,
        refusals: ['state_conflict'],
      },
      async ({ body, caller, req, res }) => {
        const person = personKeyOfCaller(caller);
        const subject = `${addressOf(req)}\n${personKeyOf(caller)}`;
        await throttle.attempt(res, subject);
        const account = await deps.activities.changePassword({
          ...person,
          oldPassword: body.old_password,
          newPassword: body.new_password,
          from: rememberDevice(deps, { req, res, realm }),
          turn: { lane: `person:${realm}:${personKeyOf(caller)}`, known: true },
          requestId: requestIdOf(req),
        });
        await throttle.forgive(subject);
        const proven = caller.hasFactor && !caller.mustProve;
        return await openSession(deps, {
          realm,
          person: account,
          req,
          res,
          by: 'password',
          proven,
        });
      },
    ),
  );
}
