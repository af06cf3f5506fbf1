import { type Request, type RequestHandler, Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import {
  type AccountKind,
  findLogin,
  findProfile,
  kindOfRealm,
  type LoginRow,
} from '../../db/queries/accounts.ts';
import { passwordFault, USERNAME_PATTERN } from '../../domain/accounts.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { presentProfile, presentUser } from '../present/account.ts';
import { identityOf, type Realm } from './auth.ts';
import { created, ok } from './envelope.ts';
import { webUrl } from './fields.ts';
import { createLoginThrottle } from './rate-limit.ts';
import { readBody } from './read.ts';
import { requestIdOf } from './request-id.ts';

const EMAIL_MAX = 254;
/** Of what is typed at login; what a new password may be is passwordFault's question. */
const TYPED_MAX = 1_024;

/** Free text of a person: no control characters; empty or null clears it. */
const personText = () =>
  yup
    .string()
    .nullable()
    .max(255)
    // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
    .matches(/^[^\u0000-\u001f\u007f]*$/u, 'must be readable text');

const newPassword = (ownerOf: (body: Record<string, unknown>) => unknown[]) =>
  yup
    .string()
    .required()
    .test('password', (value, context) => {
      const [email, username] = ownerOf(context.parent as Record<string, unknown>);
      const fault = passwordFault(value, {
        email: typeof email === 'string' ? email : '',
        username: typeof username === 'string' ? username : undefined,
      });
      return (
        fault === undefined || context.createError({ type: fault.code, message: fault.message })
      );
    });

const loginSchema = yup.object({
  username: yup
    .string()
    .required()
    .max(EMAIL_MAX)
    // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
    .matches(/^[^\u0000-\u001f\u007f]*$/u, 'must be readable text'),
  password: yup.string().required().max(TYPED_MAX),
});

const profileFields = {
  nickname: personText(),
  mobile: personText(),
  company_name: personText(),
  contact_name: personText(),
  industry: personText(),
};
const siteField = { site_url: webUrl().nullable() };

const registerFields = {
  email: yup
    .string()
    .required()
    .max(EMAIL_MAX)
    .email('must be an e-mail address')
    // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
    .matches(/^[^\s\u0000-\u001f\u007f]*$/u, 'must be an e-mail address'),
  password: newPassword((body) => [body['email'], body['username']]),
  username: yup.string().matches(USERNAME_PATTERN, '3 to 30 letters, digits or underscores'),
  ...profileFields,
};

const passwordSchema = yup.object({
  old_password: yup.string().required().max(TYPED_MAX),
  new_password: newPassword(() => []),
  confirm_password: yup
    .string()
    .required()
    .oneOf([yup.ref('new_password')], 'must equal new_password'),
});

const advertiserProfile = yup.object(profileFields);
const publisherProfile = yup.object({ ...profileFields, ...siteField });
const operatorProfile = yup.object({ nickname: profileFields.nickname });

const readProfile: Record<Realm, (req: Request) => ProfileBody> = {
  advertiser: (req) => readBody(req, advertiserProfile),
  publisher: (req) => readBody(req, publisherProfile),
  admin: (req) => readBody(req, operatorProfile),
};

/** What every realm has: login, then behind a token profile, logout and password. */
export function accountAuthRoutes(deps: ConsoleDeps, realm: Realm): Router {
  const router = Router();
  router.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  router.post('/login', login(deps, realm));
  if (realm !== 'admin') router.post('/register', register(deps, realm));
  router.get('/profile', deps.auth.require(realm), async (req, res) => {
    ok(res, await ownProfile(deps, realm, identityOf(req).id));
  });
  router.put('/profile', deps.auth.require(realm), async (req, res) => {
    const { id } = identityOf(req);
    const body = readProfile[realm](req);
    await deps.activities.updateProfile(kindOfRealm(realm), id, profileFieldsOf(body));
    ok(res, await ownProfile(deps, realm, id));
  });
  router.post('/logout', deps.auth.require(realm), async (req, res) => {
    const { tokenId, tokenExpiresAt } = identityOf(req);
    await deps.activities.recordLogout(tokenId, new Date(tokenExpiresAt * 1_000));
    ok(res, {});
  });
  router.post('/password', deps.auth.require(realm), changePassword(deps, realm));
  return router;
}

function login(deps: ConsoleDeps, realm: Realm): RequestHandler {
  const throttle = createLoginThrottle(deps, `login-${realm}`);
  return async (req, res) => {
    const { username, password } = readBody(req, loginSchema);
    const ip = req.ip ?? 'unknown';
    await throttle.attempt(res, ip, username);
    const account = await findLogin(runner(deps.db), kindOfRealm(realm), username);
    const fits = await deps.activities.checkPassword(account?.passwordHash ?? null, password);
    if (account === null || !fits) throw new DomainError('bad_credentials');
    if (account.status === 'SUSPENDED') throw new DomainError('account_suspended');
    await throttle.forgive(ip, username);
    ok(res, sessionOf(deps, realm, account));
  };
}

function register(deps: ConsoleDeps, realm: 'advertiser' | 'publisher'): RequestHandler {
  const kind: AccountKind = realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER';
  const fields = realm === 'publisher' ? { ...registerFields, ...siteField } : registerFields;
  const schema = yup.object(fields);
  return async (req, res) => {
    const body = readBody(req, schema);
    const account = await deps.activities.registerAccount({
      kind,
      email: body.email,
      password: body.password,
      username: body.username,
      ...profileFieldsOf(body),
    });
    created(res, sessionOf(deps, realm, account));
  };
}

/** Every token dies with the old password; the caller goes on with the new one in the answer. */
function changePassword(deps: ConsoleDeps, realm: Realm): RequestHandler {
  const throttle = createLoginThrottle(deps, `password-${realm}`);
  return async (req, res) => {
    const { id } = identityOf(req);
    const body = readBody(req, passwordSchema);
    const ip = req.ip ?? 'unknown';
    await throttle.attempt(res, ip, String(id));
    const account = await deps.activities.changePassword({
      kind: kindOfRealm(realm),
      id,
      oldPassword: body.old_password,
      newPassword: body.new_password,
      requestId: requestIdOf(req),
    });
    await throttle.forgive(ip, String(id));
    ok(res, sessionOf(deps, realm, account));
  };
}

/** interface 2.2: token, token_type, expires_in (seconds) and the user. */
function sessionOf(deps: ConsoleDeps, realm: Realm, account: LoginRow) {
  const token = deps.auth.issue(realm, { id: account.id, tokenVersion: account.tokenVersion });
  return { ...token, user: presentUser(account) };
}

async function ownProfile(deps: ConsoleDeps, realm: Realm, id: number) {
  const profile = await findProfile(runner(deps.db), kindOfRealm(realm), id);
  if (profile === null) throw new DomainError('token_expired');
  return presentProfile(profile);
}

type ProfileBody = {
  [Field in keyof typeof profileFields | 'site_url']?: string | null | undefined;
};

/** A field that is not sent stays as it is. */
function profileFieldsOf(body: ProfileBody) {
  return {
    nickname: emptyToNull(body.nickname),
    mobile: emptyToNull(body.mobile),
    companyName: emptyToNull(body.company_name),
    contactName: emptyToNull(body.contact_name),
    industry: emptyToNull(body.industry),
    siteUrl: emptyToNull(body.site_url),
  };
}

function emptyToNull(value: string | null | undefined): string | null | undefined {
  if (value === undefined || value === null) return value;
  const trimmed = value.trim();
  return trimmed === '' ? null : trimmed;
}
