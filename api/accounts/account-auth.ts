import { type RequestHandler, Router } from 'express';
import type * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import {
  type AccountKind,
  findLogin,
  findProfile,
  isOutWithAnother,
  kindOfRealm,
  type LoginRow,
  type ProfileRow,
} from '../../db/queries/accounts.ts';
import { DomainError } from '../../domain/errors.ts';
import { NO_VOICE } from '../../domain/approvals.ts';
import type { ConsoleDeps } from '../deps.ts';
import {
  advertiserProfileShape,
  operatorProfileShape,
  presentAdvertiser,
  presentOperator,
  presentPublisher,
  publisherProfileShape,
  sessionShape,
} from '../present/account.ts';
import {
  loginBody,
  profileBody,
  type ProfileBody,
  profileFieldsOf,
  registerBody,
} from './account-fields.ts';
import { preferencesOf } from './preferences.ts';
import { createRegistrationThrottle } from './account-throttles.ts';
import { type Identity, type Realm } from '../http/auth.ts';
import { forbiddenRole } from '../http/roles.ts';
import { addForgottenPassword } from './forgotten-password.ts';
import { addInvitation } from './invitations.ts';
import { openSession } from './session.ts';
import { accountRateLimit } from '../http/rate-limit.ts';
import { addressOf } from '../http/address.ts';
import { askForFactor, addFactorLogin } from './factor-login.ts';
import { addEmail } from './email-confirmations.ts';
import { addFactors } from './factors.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { addLogout, addPassword } from './own-login.ts';
import { addSessions } from './sessions.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route } from '../http/route.ts';

const suspended = (account: LoginRow | undefined): boolean => account?.status === 'SUSPENDED';

/** Where accounts register themselves; operators are made by a command, or invited. */
type OpenRealm = Exclude<Realm, 'admin'>;

const RULES: Record<Realm, string> = {
  advertiser: 'interface 4.1',
  publisher: 'interface 4.8',
  admin: 'interface 5.2',
};

interface ProfileView {
  shape: yup.ObjectSchema<object>;
  present: (row: ProfileRow) => object;
}

const viewOf = <Shape extends yup.ObjectSchema<object>>(
  shape: Shape,
  present: (row: ProfileRow) => yup.InferType<Shape>,
): ProfileView => ({ shape, present });

const PROFILES: Record<Realm, ProfileView> = {
  advertiser: viewOf(advertiserProfileShape, presentAdvertiser),
  publisher: viewOf(publisherProfileShape, presentPublisher),
  admin: viewOf(operatorProfileShape, presentOperator),
};

/** What every realm has: login, then behind a token profile, logout and password. */
export function accountAuthRoutes(deps: ConsoleDeps, realm: Realm): Router {
  const router = Router();
  router.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  addLogin(router, deps, realm);
  addFactorLogin(router, deps, realm);
  addForgottenPassword(router, deps, realm, RULES[realm]);
  if (realm !== 'admin') {
    addRegister(router, deps, realm);
    addInvitation(router, deps, realm);
  }
  addProfile(router, deps, realm);
  addLogout(router, deps, realm, RULES[realm]);
  addPassword(router, deps, realm, RULES[realm]);
  addEmail(router, deps, realm);
  addFactors(router, deps, realm);
  addSessions(router, deps, realm);
  return router;
}

/** What /login and its like are limited by is the address; these are, like all else, by account. */
const guards = (deps: ConsoleDeps, realm: Realm): RequestHandler[] => [
  deps.auth.require(realm),
  accountRateLimit(deps),
];

function addLogin(router: Router, deps: ConsoleDeps, realm: Realm): void {
  const throttle = createLoginThrottle(deps, realm);
  const kind = kindOfRealm(realm);
  router.post(
    '/login',
    route(
      {
        summary: 'Log in with username or e-mail address',
        rule: RULES[realm],
        open: true,
        body: loginBody,
        answer: sessionShape,
        refusals: [
          'bad_credentials',
          'second_factor_required',
          'account_suspended',
          'rate_limited',
          'unavailable',
        ],
      },
      async ({ body: { username, password }, req, res }) => {
        const account = await findLogin(runner(deps.db), kind, username);
        const made = await throttle({ req, res, account, name: username });
        const stored = account?.passwordHash ?? null;
        const fits = await deps.activities.checkPassword(stored, password, made.turn);
        const refused = !fits ? 'bad_credentials' : suspended(account) ? 'account_suspended' : null;
        if (account?.kind === 'OPERATOR' && refused !== null) {
          const requestId = requestIdOf(req);
          await deps.activities.recordRefusedLogin({
            operatorId: account.id,
            why: refused,
            requestId,
          });
        }
        if (account === undefined || refused !== null) {
          throw await refusal(deps, account, refused ?? 'bad_credentials');
        }
        await made.forgive();
        await askForFactor(deps, { person: account, req });
        return await openSession(deps, { realm, person: account, req, res, by: 'login' });
      },
    ),
  );
}

/** Somebody who is out with another is told so: nothing else says why, and whom they need. */
async function refusal(
  { db }: ConsoleDeps,
  account: LoginRow | undefined,
  why: 'bad_credentials' | 'account_suspended',
): Promise<DomainError> {
  const isOut = why === 'account_suspended' && account?.kind === 'OPERATOR';
  const message = isOut && (await isOutWithAnother(runner(db), account.id)) ? NO_VOICE : undefined;
  return new DomainError(why, { message });
}

function addRegister(router: Router, deps: ConsoleDeps, realm: OpenRealm): void {
  const kind: AccountKind = realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER';
  const throttle = createRegistrationThrottle(deps);
  router.post(
    '/register',
    route(
      {
        summary: 'Open an account; its token can be used at once',
        rule: RULES[realm],
        open: true,
        body: registerBody[realm],
        answer: sessionShape,
        statuses: [201],
        refusals: ['already_claimed', 'rate_limited'],
      },
      async ({ body, req, res }) => {
        const address = addressOf(req);
        await throttle(res, address);
        const account = await deps.activities.registerAccount({
          kind,
          email: body.email,
          password: body.password,
          username: body.username,
          preferences: body.preferences === undefined ? undefined : preferencesOf(body.preferences),
          ...profileFieldsOf(body),
          turn: { lane: address, known: false },
        });
        return await openSession(deps, { realm, person: account, req, res, by: 'registration' });
      },
    ),
  );
}

function addProfile(router: Router, deps: ConsoleDeps, realm: Realm): void {
  const { shape, present } = PROFILES[realm];
  const kind = kindOfRealm(realm);
  const read = async ({ id, memberId }: Identity) => {
    const profile = await findProfile(runner(deps.db), { kind, id, memberId });
    if (profile === undefined) throw new DomainError('token_expired');
    return present(profile);
  };
  const rule = RULES[realm];
  router.get(
    '/profile',
    ...guards(deps, realm),
    route(
      {
        summary: 'Show your own account',
        rule,
        roles: 'everyone',
        beforeFactor: true,
        answer: shape,
      },
      async ({ caller }) => await read(caller),
    ),
  );
  // The three differ; what any of them lets through is a ProfileBody.
  const body = profileBody[realm] as yup.AnyObjectSchema;
  router.put(
    '/profile',
    ...guards(deps, realm),
    route(
      {
        summary: 'Update your own account',
        rule: `${rule}, 5.1`,
        roles: 'everyone',
        body,
        answer: shape,
        updates: true,
        current: async ({ caller }) => await read(caller),
      },
      async ({ body: sent, caller, ifMatch }) => {
        const { id, memberId } = caller;
        const fields = profileFieldsOf(sent as ProfileBody);
        requireOwnFields(caller, fields);
        await deps.activities.updateProfile({ kind, id, memberId, fields, ifMatch });
        return await read(caller);
      },
    ),
  );
}

/** A nickname is the person's own; everything else is the account's. */
function requireOwnFields(
  { realm, role }: Identity,
  { nickname: _own, ...ofAccount }: ReturnType<typeof profileFieldsOf>,
): void {
  if (realm === 'admin' || role === 'ADMIN') return;
  if (Object.values(ofAccount).some((value) => value !== undefined)) throw forbiddenRole(['ADMIN']);
}
