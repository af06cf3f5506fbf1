import type { Request, Router } from 'express';
import type { LoginRow } from '../../db/queries/accounts.ts';
import { kindOfRealm } from '../../db/queries/accounts.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { accountRateLimit, createTryThrottle, type PairThrottle } from '../http/rate-limit.ts';
import type { Realm } from '../http/auth.ts';
import { record, time } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { requestIdOf } from '../http/request-id.ts';
import { sessionShape } from '../present/account.ts';
import { askedRecoveryShape } from '../present/factor-recovery.ts';
import { PROOF_LASTS_MS } from '../../domain/second-factor.ts';
import { proofBody, proofOf, questionShape, ticketBody } from './factor-fields.ts';
import { personKeyOfCaller } from './person-key.ts';
import { relyingPartyOf } from './relying-party.ts';
import { openSession } from './session.ts';
import { rememberDevice, whereaboutsOf } from './whereabouts.ts';

const RULE = 'interface 5.17';

/** Raises second_factor_required, with what can be shown, for whoever has a factor. */
export async function askForFactor(
  deps: ConsoleDeps,
  { person, req }: { person: LoginRow; req: Request },
): Promise<void> {
  const party = relyingPartyOf(deps, req);
  const question = await deps.activities.askForFactor({ person, tokenId: null, party });
  if (question === null) return;
  throw new DomainError('second_factor_required', { hints: { ...question } });
}

/** The second step of a login, and the same question in a session that goes on. */
export function addFactorLogin(router: Router, deps: ConsoleDeps, realm: Realm): void {
  // Per person and not per address: whoever gets here has the password already.
  const throttle = createTryThrottle(deps, 'factor');
  addSecondStep(router, deps, { realm, throttle });
  addLostFactor(router, deps, { realm, throttle });
  addStepUp(router, deps, { realm, throttle });
}

interface Asking {
  realm: Realm;
  throttle: PairThrottle;
}

function addSecondStep(router: Router, deps: ConsoleDeps, { realm, throttle }: Asking): void {
  const kind = kindOfRealm(realm);
  router.post(
    '/login/second-factor',
    route(
      {
        summary: 'Answer a login that asked for a second factor',
        rule: RULE,
        open: true,
        body: proofBody,
        answer: sessionShape,
        refusals: ['account_suspended', 'rate_limited'],
      },
      async ({ body, req, res }) => {
        const proof = proofOf(body);
        const subject = await deps.activities.personOfTicket(body.ticket);
        await throttle.attempt(res, subject);
        const from = rememberDevice(deps, { req, res, realm });
        const party = relyingPartyOf(deps, req);
        const { ticket } = body;
        const person = await deps.activities.answerLogin({ kind, ticket, proof, party, from });
        if (person.status === 'SUSPENDED') throw new DomainError('account_suspended');
        await throttle.forgive(subject);
        return await openSession(deps, { realm, person, req, res, by: 'login', proven: true });
      },
    ),
  );
}

/** Whoever knows the password says that every factor is lost; nothing opens by it (activities/accounts). */
function addLostFactor(router: Router, deps: ConsoleDeps, { realm, throttle }: Asking): void {
  const kind = kindOfRealm(realm);
  router.post(
    '/login/lost-factor',
    route(
      {
        summary: 'Ask to be let in without second factors that are lost; operators ask who it is',
        rule: RULE,
        open: true,
        body: ticketBody,
        answer: askedRecoveryShape,
        refusals: ['rate_limited'],
      },
      async ({ body: { ticket }, req, res }) => {
        await throttle.attempt(res, await deps.activities.personOfTicket(ticket));
        const from = whereaboutsOf(deps, req, realm);
        const { notBefore } = await deps.activities.askForRecovery({
          kind,
          ticket,
          from,
          requestId: requestIdOf(req),
        });
        return { status: 'WAITING', not_before: notBefore.toISOString() };
      },
    ),
  );
}

function addStepUp(router: Router, deps: ConsoleDeps, { realm, throttle }: Asking): void {
  const kind = kindOfRealm(realm);
  const inside = [deps.auth.require(realm), accountRateLimit(deps)];
  router.post(
    '/step-up/question',
    ...inside,
    route(
      {
        summary: 'Ask what second factor can be shown again',
        rule: RULE,
        roles: 'everyone',
        stepUp: false,
        beforeFactor: true,
        answer: questionShape,
        refusals: ['state_conflict'],
      },
      async ({ caller, req }) => {
        const question = await deps.activities.askForFactor({
          person: personKeyOfCaller(caller),
          tokenId: caller.tokenId,
          party: relyingPartyOf(deps, req),
        });
        if (question === null) {
          throw new DomainError('state_conflict', { message: 'You have no second factor.' });
        }
        return question;
      },
    ),
  );
  router.post(
    '/step-up',
    ...inside,
    route(
      {
        summary: 'Show a second factor again; it counts for five minutes',
        rule: RULE,
        roles: 'everyone',
        stepUp: false,
        body: proofBody,
        answer: record({ proven_until: time() }),
        refusals: ['rate_limited'],
      },
      async ({ body, caller, req, res }) => {
        const proof = proofOf(body);
        const subject = await deps.activities.personOfTicket(body.ticket);
        await throttle.attempt(res, subject);
        await deps.activities.answerStepUp({
          kind,
          person: personKeyOfCaller(caller),
          tokenId: caller.tokenId,
          ticket: body.ticket,
          proof,
          party: relyingPartyOf(deps, req),
          from: rememberDevice(deps, { req, res, realm }),
        });
        await throttle.forgive(subject);
        const until = new Date(deps.clock().getTime() + PROOF_LASTS_MS);
        return { proven_until: until.toISOString() };
      },
    ),
  );
}
