import type { Request, Router } from 'express';
import type * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { personOf } from '../../db/queries/accounts.ts';
import { countRecoveryCodes, listFactors, type ShownFactor } from '../../db/queries/factors.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type Identity, type Realm } from '../http/auth.ts';
import { accountRateLimit } from '../http/rate-limit.ts';
import { requestIdOf } from '../http/request-id.ts';
import { nothing } from '../http/response-shapes.ts';
import { type Ask, route } from '../http/route.ts';
import {
  begunPasskeyShape,
  begunTotpShape,
  codeBody,
  codesShape,
  confirmedShape,
  factorShape,
  factorsShape,
  newPasskeyBody,
  passwordAgainBody,
  renameBody,
} from './factor-fields.ts';
import { createPasswordCheck } from './own-password.ts';
import { personKeyOfCaller } from './person-key.ts';
import { relyingPartyOf } from './relying-party.ts';
import { rememberDevice } from './whereabouts.ts';

const rule = 'interface 5.17';
/** Everybody's own; the way to a first factor is open to whoever must have one. */
const own = { rule, roles: 'everyone', beforeFactor: true } as const;

type Shown = yup.InferType<typeof factorShape>;

const present = (row: ShownFactor): Shown => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});

/** Second factors of whoever asks: listed, added, named, removed; recovery codes. */
export function addFactors(router: Router, deps: ConsoleDeps, realm: Realm): void {
  router.use(['/factors', '/recovery-codes'], deps.auth.require(realm), accountRateLimit(deps));
  addList(router, deps, realm);
  addBegin(router, deps, realm);
  addConfirm(router, deps, realm);
  addChanges(router, deps, realm);
}

const isDuty = ({ config }: ConsoleDeps, realm: Realm): boolean =>
  realm === 'admin' && config.operatorFactor === 'required';

function addList(router: Router, deps: ConsoleDeps, realm: Realm): void {
  router.get(
    '/factors',
    route(
      { ...own, summary: 'List your second factors', answer: factorsShape },
      async ({ caller, req }) => {
        const person = personOf(personKeyOfCaller(caller));
        return {
          items: (await listFactors(runner(deps.db), person)).map(present),
          recovery_codes_left: await countRecoveryCodes(runner(deps.db), person),
          is_duty: isDuty(deps, realm),
          passkeys_possible: relyingPartyOf(deps, req) !== null,
        };
      },
    ),
  );
}

/** A stolen session adds nothing: the password is asked for, and a factor where there is one. */
function addBegin(router: Router, deps: ConsoleDeps, realm: Realm): void {
  const requirePassword = createPasswordCheck(deps, realm);
  router.post(
    '/factors/totp',
    route(
      {
        ...own,
        stepUp: true,
        summary: 'Begin to add a code generator; its secret is shown this once',
        body: passwordAgainBody,
        answer: begunTotpShape,
        refusals: ['rate_limited', 'state_conflict'],
      },
      async ({ body, caller, res }) => {
        const label = await requirePassword(caller, body.password, res);
        const person = personKeyOfCaller(caller);
        const { factorId, secret, uri } = await deps.activities.beginTotp({ person, label });
        return { id: factorId, secret, uri };
      },
    ),
  );
  router.post(
    '/factors/passkey',
    route(
      {
        ...own,
        stepUp: true,
        summary: 'Begin to add a passkey',
        body: passwordAgainBody,
        answer: begunPasskeyShape,
        refusals: ['rate_limited', 'state_conflict'],
      },
      async ({ body, caller, req, res }) => {
        const label = await requirePassword(caller, body.password, res);
        return await deps.activities.beginPasskey({
          person: personKeyOfCaller(caller),
          tokenId: caller.tokenId,
          label,
          party: partyOf(deps, req),
        });
      },
    ),
  );
}

function partyOf(deps: ConsoleDeps, req: Request) {
  const party = relyingPartyOf(deps, req);
  if (party === null) throw conflict('Passkeys need a console at a host with a name.');
  return party;
}

function addConfirm(router: Router, deps: ConsoleDeps, realm: Realm): void {
  // Before the one with an id, which would take it for its own.
  router.post(
    '/factors/passkey/confirm',
    route(
      {
        ...own,
        stepUp: false,
        summary: 'Hand over a new passkey: from here on it counts',
        body: newPasskeyBody,
        answer: confirmedShape,
        refusals: ['state_conflict'],
      },
      async (ask) => {
        const { factorId, recoveryCodes } = await deps.activities.confirmPasskey({
          ...whoAsks(deps, ask, realm),
          ticket: ask.body.ticket,
          tokenId: ask.caller.tokenId,
          name: ask.body.name?.trim() ?? 'Passkey',
          response: ask.body.response,
          party: partyOf(deps, ask.req),
        });
        await markProven(deps, ask.caller);
        return { factor: await shown(deps, ask.caller, factorId), recovery_codes: recoveryCodes };
      },
    ),
  );
  router.post(
    '/factors/:id/confirm',
    route(
      {
        ...own,
        stepUp: false,
        summary: 'Show the first code of a code generator: from here on it counts',
        body: codeBody,
        answer: confirmedShape,
      },
      async (ask) => {
        const { factorId, recoveryCodes } = await deps.activities.confirmTotp({
          ...whoAsks(deps, ask, realm),
          factorId: ask.id,
          code: ask.body.code,
          name: ask.body.name?.trim() ?? 'Authenticator',
        });
        await markProven(deps, ask.caller);
        return { factor: await shown(deps, ask.caller, factorId), recovery_codes: recoveryCodes };
      },
    ),
  );
}

/** Whoever has just shown that a factor works has shown it. */
const markProven = async (deps: ConsoleDeps, { tokenId }: Identity): Promise<void> => {
  await deps.activities.proveSession(tokenId);
};

function whoAsks(
  deps: ConsoleDeps,
  { caller, req, res }: Pick<Ask<unknown, unknown>, 'caller' | 'req' | 'res'>,
  realm: Realm,
) {
  return {
    person: personKeyOfCaller(caller),
    from: rememberDevice(deps, { req, res, realm }),
    requestId: requestIdOf(req),
  };
}

async function find(
  deps: ConsoleDeps,
  caller: Identity,
  factorId: number,
): Promise<Shown | undefined> {
  const person = personOf(personKeyOfCaller(caller));
  const factor = (await listFactors(runner(deps.db), person)).find(({ id }) => id === factorId);
  return factor === undefined ? undefined : present(factor);
}

async function shown(deps: ConsoleDeps, caller: Identity, factorId: number): Promise<Shown> {
  const factor = await find(deps, caller, factorId);
  if (factor === undefined) throw notFound();
  return factor;
}

function addChanges(router: Router, deps: ConsoleDeps, realm: Realm): void {
  router.put(
    '/factors/:id',
    route(
      {
        ...own,
        stepUp: false,
        summary: 'Name a second factor',
        body: renameBody,
        answer: factorShape,
        current: async ({ id: factorId, caller }) => await find(deps, caller, factorId),
      },
      async ({ id: factorId, body, caller }) => {
        const person = personKeyOfCaller(caller);
        await deps.activities.renameFactor({ person, factorId, name: body.name.trim() });
        return await shown(deps, caller, factorId);
      },
    ),
  );
  router.delete(
    '/factors/:id',
    route(
      {
        ...own,
        stepUp: true,
        summary: 'Remove a second factor',
        answer: nothing(),
        refusals: ['state_conflict'],
      },
      async (ask) => {
        await deps.activities.removeFactor({
          ...whoAsks(deps, ask, realm),
          factorId: ask.id,
          isDuty: isDuty(deps, realm),
        });
        return {};
      },
    ),
  );
  router.post(
    '/recovery-codes',
    route(
      {
        ...own,
        stepUp: true,
        summary: 'Make ten new recovery codes, shown this once; those before are void',
        answer: codesShape,
        refusals: ['state_conflict'],
      },
      async (ask) => {
        if (!ask.caller.hasFactor) throw conflict('Recovery codes come with a second factor.');
        return {
          recovery_codes: await deps.activities.makeRecoveryCodes(whoAsks(deps, ask, realm)),
        };
      },
    ),
  );
}
