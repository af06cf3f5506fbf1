import type { Router } from 'express';
import { kindOfRealm } from '../../db/queries/accounts.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addressOf } from '../http/address.ts';
import { personKeyOf, type Realm } from '../http/auth.ts';
import { accountRateLimit, createTryThrottle } from '../http/rate-limit.ts';
import { requestIdOf } from '../http/request-id.ts';
import { flag, nothing, record, words } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { changeEmailBody, confirmEmailBody } from './account-fields.ts';
import { createAddressThrottle } from './account-throttles.ts';
import { createPasswordCheck } from './own-password.ts';
import { personKeyOfCaller } from './person-key.ts';
import { rememberDevice, whereaboutsOf } from './whereabouts.ts';

const rule = 'interface 5.18';
/** Everybody's own. */
const own = { rule, roles: 'everyone' } as const;

/** interface 5.18: whose address a login has, and how it becomes another; alike in the three realms. */
export function addEmail(router: Router, deps: ConsoleDeps, realm: Realm): void {
  const mine = [deps.auth.require(realm), accountRateLimit(deps)];
  router.post(
    '/email-confirmation',
    ...mine,
    route(
      {
        ...own,
        stepUp: false,
        summary: 'Have the letter that confirms your e-mail address sent again',
        answer: nothing(),
        refusals: ['state_conflict', 'rate_limited'],
      },
      async ({ caller, req }) => {
        const person = personKeyOfCaller(caller);
        await deps.activities.resendEmailConfirmation({ person, requestId: requestIdOf(req) });
        return {};
      },
    ),
  );
  addChange(router, deps, realm);
  addConfirm(router, deps, realm);
}

function addChange(router: Router, deps: ConsoleDeps, realm: Realm): void {
  const mine = [deps.auth.require(realm), accountRateLimit(deps)];
  const requirePassword = createPasswordCheck(deps, realm);
  const throttle = createAddressThrottle(deps, realm);
  router.post(
    '/email-change',
    ...mine,
    route(
      {
        ...own,
        stepUp: true,
        summary: 'Ask for another e-mail address; it counts when its link is opened',
        body: changeEmailBody,
        answer: nothing(),
        refusals: ['already_claimed', 'rate_limited'],
      },
      async ({ body, caller, req, res }) => {
        await requirePassword(caller, body.password, res);
        await throttle(res, personKeyOf(caller));
        await deps.activities.requestEmailChange({
          person: personKeyOfCaller(caller),
          email: body.email,
          from: rememberDevice(deps, { req, res, realm }),
          requestId: requestIdOf(req),
        });
        return {};
      },
    ),
  );
  router.delete(
    '/email-change',
    ...mine,
    route(
      {
        ...own,
        stepUp: false,
        summary: 'Keep your e-mail address: the link to another one opens nothing any more',
        answer: nothing(),
        refusals: ['not_found'],
      },
      async ({ caller, req }) => {
        const person = personKeyOfCaller(caller);
        await deps.activities.cancelEmailChange({ person, requestId: requestIdOf(req) });
        return {};
      },
    ),
  );
}

/** Read by programs that open letters as well: nothing happens but by this POST. */
function addConfirm(router: Router, deps: ConsoleDeps, realm: Realm): void {
  const throttle = createTryThrottle(deps, `confirm-email-${realm}`);
  router.post(
    '/confirm-email',
    route(
      {
        summary: 'Confirm an e-mail address with the token of its letter',
        rule,
        open: true,
        body: confirmEmailBody,
        answer: record(
          {
            email: words(),
            /** The login had another one before: every session has ended. */
            is_change: flag(),
            /** It was so already: nothing was done. */
            was_done: flag(),
          },
          'ConfirmedEmail',
        ),
        refusals: ['already_claimed', 'account_suspended', 'rate_limited'],
      },
      async ({ body: { token, password }, req, res }) => {
        await throttle.attempt(res, token);
        const { email, isChange, isOld } = await deps.activities.confirmEmail({
          kind: kindOfRealm(realm),
          token,
          password,
          from: whereaboutsOf(deps, req, realm),
          turn: { lane: addressOf(req), known: false },
          requestId: requestIdOf(req),
        });
        await throttle.forgive(token);
        return { email, is_change: isChange, was_done: isOld };
      },
    ),
  );
}
