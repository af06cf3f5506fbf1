import { randomBytes } from 'node:crypto';
import { generateSync } from 'otplib';
import { mountedRoutes } from '../../../api/openapi/route-list.ts';
import type { Realm } from '../../../api/http/auth.ts';
import { asksForProof, rolesThatMay } from '../../../api/http/roles.ts';
import type { OperatorRole } from '../../../domain/operator.ts';
import { ownAddress } from '../../support/address.ts';
import { createAuthenticator } from '../../support/passkey.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.17, by the attacks that it is there against: replay, guessing, phishing, a copy, a stolen session. */
const PASSWORD = 'correct horse 1';
const ORIGIN = 'https://ads.example';
const MINUTE_MS = 60_000;
let stand: Stand;
let serial = 0;

beforeAll(async () => {
  stand = await createStand({ env: { BASE_URL: ORIGIN } });
});
afterAll(async () => {
  await stand.close();
});

interface Person {
  realm: Realm;
  username: string;
  token: string;
  id: number;
}

async function person(realm: Realm = 'publisher', role: OperatorRole = 'ADMIN'): Promise<Person> {
  const username = `factor${(serial += 1)}_${randomBytes(4).toString('hex')}`;
  const email = `${username}@example.com`;
  if (realm === 'admin') {
    await stand.activities.createOperator({ username, email, password: PASSWORD, role });
  } else {
    const kind = realm === 'advertiser' ? ('ADVERTISER' as const) : ('PUBLISHER' as const);
    await stand.activities.registerAccount({ kind, email, username, password: PASSWORD });
  }
  const session = await login(realm, username);
  const cookie = String(session.headers['set-cookie']);
  expect(cookie).toMatch(
    new RegExp(`^__Host-adp-device-${realm}=[\\w-]{43};.* HttpOnly; Secure; SameSite=Strict`),
  );
  const { token, user } = session.body.data;
  return { realm, username, token, id: user.id };
}

const send = (realm: Realm, path: string, body: object, token?: string) =>
  stand
    .bearing(realm, token)
    .post(`/auth/${path}`, body)
    .set('X-Forwarded-For', ownAddress())
    .set('Origin', ORIGIN);
const login = async (realm: Realm, username: string, password = PASSWORD) =>
  await send(realm, 'login', { username, password });
const codeOf = (secret: string, stepsAhead = 0) =>
  generateSync({
    secret,
    epoch: Math.floor(stand.deps.clock().getTime() / 1_000) + stepsAhead * 30,
  });

async function withTotp(who: Person) {
  const begun = await send(who.realm, 'factors/totp', { password: PASSWORD }, who.token);
  expect(begun.status).toBe(200);
  const { id, secret } = begun.body.data as { id: number; secret: string };
  const confirmed = await send(
    who.realm,
    `factors/${id}/confirm`,
    { code: codeOf(secret), name: 'Phone' },
    who.token,
  );
  expect(confirmed.status).toBe(200);
  return { id, secret, codes: confirmed.body.data.recovery_codes as string[] };
}

async function withPasskey(who: Person) {
  const begun = await send(who.realm, 'factors/passkey', { password: PASSWORD }, who.token);
  const key = createAuthenticator(ORIGIN);
  const { ticket, options } = begun.body.data;
  const body = { ticket, name: 'Key', response: key.create(options) };
  const confirmed = await send(who.realm, 'factors/passkey/confirm', body, who.token);
  expect([confirmed.status, confirmed.body.data]).toEqual([200, expect.anything()]);
  return { key, ticket, options };
}

async function question(who: Person) {
  const asked = await login(who.realm, who.username);
  expect([asked.status, asked.body.data.error]).toEqual([401, 'second_factor_required']);
  expect(JSON.stringify(asked.body)).not.toContain('eyJ');
  return asked.body.data as { ticket: string; methods: string[]; passkey: object };
}
const answer = async (realm: Realm, body: object) => await send(realm, 'login/second-factor', body);

describe.each(['advertiser', 'publisher', 'admin'] as const)('%s', (realm) => {
  test('a code generator · password alone opens nothing; the code does, once', async () => {
    const who = await person(realm);
    const { secret } = await withTotp(who);
    stand.passTime(MINUTE_MS);
    const code = codeOf(secret);
    const first = await question(who);
    expect(first.methods).toEqual(['totp', 'recovery_code']);
    expect((await answer(realm, { ticket: first.ticket, code })).status).toBe(200);
    const replayed = await answer(realm, { ticket: (await question(who)).ticket, code });
    expect([replayed.status, replayed.body.data.errors[0].field]).toEqual([422, 'code']);
    const reused = await answer(realm, { ticket: first.ticket, code: codeOf(secret, 1) });
    expect([reused.status, reused.body.data.errors[0].field]).toEqual([422, 'ticket']);
  });
});

test('a ticket · shown in another realm · opens nothing there', async () => {
  const who = await person('advertiser');
  const { secret } = await withTotp(who);
  stand.passTime(MINUTE_MS);
  const { ticket } = await question(who);
  for (const realm of ['publisher', 'admin'] as const) {
    expect((await answer(realm, { ticket, code: codeOf(secret) })).status).toBe(422);
  }
});

test('a thousand guesses · of a code · meet five answers a ticket and five a minute', async () => {
  const who = await person();
  await withTotp(who);
  const seen: number[] = [];
  for (let ticket = 0; ticket < 3; ticket += 1) {
    const asked = await question(who);
    for (let i = 0; i < 6; i += 1) {
      seen.push((await answer('publisher', { ticket: asked.ticket, code: '000000' })).status);
    }
  }
  expect(seen.filter((status) => status === 422)).toHaveLength(5);
  expect(seen.filter((status) => status === 429)).toHaveLength(13);
});

test('a code · of five minutes ago, of another generator, of five digits · does not fit', async () => {
  const who = await person();
  const { secret } = await withTotp(who);
  const old = codeOf(secret, 1);
  stand.passTime(5 * MINUTE_MS);
  const { ticket } = await question(who);
  for (const code of [old, codeOf('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'), '12345']) {
    expect((await answer('publisher', { ticket, code })).status).toBe(422);
  }
});

test('a recovery code · works once, is told by letter, and is nowhere in the database', async () => {
  const who = await person();
  const { codes, secret } = await withTotp(who);
  expect(new Set(codes).size).toBe(10);
  const [first = '', second = ''] = codes;
  const once = await answer('publisher', {
    ticket: (await question(who)).ticket,
    recovery_code: first.toUpperCase(),
  });
  expect(once.status).toBe(200);
  const twice = await answer('publisher', {
    ticket: (await question(who)).ticket,
    recovery_code: first,
  });
  expect(twice.status).toBe(422);
  const other = await person();
  await withTotp(other);
  const foreign = await answer('publisher', {
    ticket: (await question(other)).ticket,
    recovery_code: second,
  });
  expect(foreign.status).toBe(422);
  const { rows } = await stand.database.pool.query(
    `SELECT (SELECT string_agg(r::text, '') FROM recovery_codes r)
       || (SELECT string_agg(f::text, '') FROM factors f) || (SELECT string_agg(m::text, '') FROM mails m)
       || (SELECT string_agg(o::text, '') FROM outbox o) || (SELECT string_agg(a::text, '') FROM audit_log a) AS text`,
  );
  for (const hidden of [first, second, secret]) expect(rows[0].text).not.toContain(hidden);
});

test('a passkey · of the right challenge, host and count · opens; anything else does not', async () => {
  const spoilt = [
    { origin: 'https://ads.example.evil.example' },
    { rpId: 'evil.example' },
    { challenge: randomBytes(32).toString('base64url') },
  ];
  for (const changes of spoilt) {
    const mark = await person();
    const { key: theirs } = await withPasskey(mark);
    const { ticket, passkey } = await question(mark);
    const refused = await answer('publisher', { ticket, passkey: theirs.get(passkey, changes) });
    expect([refused.status, changes]).toEqual([422, changes]);
    // A challenge is good for one answer, also for a wrong one.
    const again = await answer('publisher', { ticket, passkey: theirs.get(passkey) });
    expect(again.status).toBe(422);
  }
  const who = await person();
  const { key } = await withPasskey(who);
  const good = await question(who);
  const shown = key.get(good.passkey, { count: 40 });
  expect((await answer('publisher', { ticket: good.ticket, passkey: shown })).status).toBe(200);
  expect((await answer('publisher', { ticket: good.ticket, passkey: shown })).status).toBe(422);
  const copy = await question(who);
  const lagging = key.get(copy.passkey, { count: 39 });
  expect((await answer('publisher', { ticket: copy.ticket, passkey: lagging })).status).toBe(422);
  const stranger = createAuthenticator(ORIGIN);
  const foreign = await question(who);
  const theirs = {
    ...key.get(foreign.passkey),
    response: (stranger.get(foreign.passkey) as { response: object }).response,
  };
  expect((await answer('publisher', { ticket: foreign.ticket, passkey: theirs })).status).toBe(422);
});

test('a new passkey · with a used ticket, or in another session · is refused', async () => {
  const who = await person();
  const { ticket, options } = await withPasskey(who);
  const key = createAuthenticator(ORIGIN);
  const again = { ticket, name: 'Second', response: key.create(options) };
  expect((await send('publisher', 'factors/passkey/confirm', again, who.token)).status).toBe(422);
  const begun = await send('publisher', 'factors/passkey', { password: PASSWORD }, who.token);
  const other = await question(who);
  expect(other.methods).toContain('passkey');
  const stolen = await stand
    .bearing('publisher', stand.issue('publisher', who.id))
    .post('/auth/factors/passkey/confirm', {
      ticket: begun.body.data.ticket,
      name: 'Thief',
      response: key.create(begun.body.data.options),
    });
  expect(stolen.status).toBe(422);
});

test('a stolen session · adds no factor without the password, and none beside one without that one', async () => {
  const who = await person();
  const without = await send('publisher', 'factors/totp', { password: 'a guess' }, who.token);
  expect([without.status, without.body.data.errors[0].field]).toEqual([422, 'password']);
  const { id } = await withTotp(who);
  stand.passTime(6 * MINUTE_MS);
  for (const [method, path] of [
    ['post', 'factors/totp'],
    ['post', 'factors/passkey'],
    ['post', 'recovery-codes'],
    ['delete', `factors/${id}`],
  ] as const) {
    const caller = stand.bearing('publisher', who.token);
    const refused =
      method === 'post'
        ? await caller.post(
            `/auth/${path}`,
            path === 'recovery-codes' ? {} : { password: PASSWORD },
          )
        : await caller.delete(`/auth/${path}`);
    expect([path, refused.status, refused.body.data.error]).toEqual([
      path,
      403,
      'step_up_required',
    ]);
  }
});

describe('step-up', () => {
  test('money, settings and people · in a session that has not shown the factor lately · is asked for', async () => {
    for (const [realm, role] of [
      ['advertiser', undefined],
      ['publisher', undefined],
      ['admin', 'ADMIN'],
      // Money is nothing that an administrator may touch alone.
      ['admin', 'FINANCE'],
    ] as const) {
      const who = await person(realm, role);
      const { secret } = await withTotp(who);
      stand.passTime(6 * MINUTE_MS);
      const routes = mountedRoutes(stand.app).filter(
        ({ method, path, contract }) =>
          path.startsWith(`/api/${realm}/`) &&
          contract !== undefined &&
          contract.open !== true &&
          (role === undefined || rolesThatMay(realm, method, contract.roles).includes(role)) &&
          asksForProof(realm, method, contract),
      );
      expect(routes.length).toBeGreaterThan(5);
      for (const { method, path } of routes) {
        const at = path.slice(`/api/${realm}`.length).replace(/:\w+/g, '1');
        const caller = stand.bearing(realm, who.token);
        const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
        const refused = await caller[verb](at, {});
        expect([method, path, refused.body.data.error]).toEqual([method, path, 'step_up_required']);
      }
      const asked = await send(realm, 'step-up/question', {}, who.token);
      const proof = { ticket: asked.body.data.ticket, code: codeOf(secret) };
      expect((await send(realm, 'step-up', proof, who.token)).status).toBe(200);
      const [first] = routes.filter(({ method }) => method === 'POST');
      const path = (first?.path ?? '').slice(`/api/${realm}`.length).replace(/:\w+/g, '1');
      const passed = await stand.bearing(realm, who.token).post(path, { no_such_field: 1 });
      expect(passed.body.data.error).not.toBe('step_up_required');
      stand.passTime(6 * MINUTE_MS);
      const later = await stand.bearing(realm, who.token).post(path, { no_such_field: 1 });
      expect(later.body.data.error).toBe('step_up_required');
    }
  });

  test('a proof · made in one session · counts in no other', async () => {
    const who = await person();
    const { secret } = await withTotp(who);
    stand.passTime(6 * MINUTE_MS);
    const asked = await send('publisher', 'step-up/question', {}, who.token);
    const stolen = stand.issue('publisher', who.id);
    const proof = { ticket: asked.body.data.ticket, code: codeOf(secret) };
    expect((await send('publisher', 'step-up', proof, stolen)).status).toBe(422);
    const refused = await stand.bearing('publisher', stolen).post('/withdrawals', {});
    expect(refused.body.data.error).toBe('step_up_required');
  });

  /** What moves money or changes who may: a route that is forgotten is seen here. */
  test('the routes that ask · of accounts · are these', () => {
    const asking = mountedRoutes(stand.app).flatMap(({ method, path, contract }) => {
      const realm = /^\/api\/(advertiser|publisher)\//.exec(path)?.[1] as Realm | undefined;
      if (realm === undefined || contract === undefined || contract.open === true) return [];
      return asksForProof(realm, method, contract) ? [`${method} ${path.slice(5)}`] : [];
    });
    const both = [
      'DELETE /auth/factors/:id',
      'DELETE /members/:id',
      'DELETE /webhooks/:id',
      'POST /auth/email-change',
      'POST /auth/factors/passkey',
      'POST /auth/factors/totp',
      'POST /auth/recovery-codes',
      'POST /members',
      'POST /members/:id/end-sessions',
      'POST /members/:id/resend',
      'POST /members/:id/restore',
      'POST /members/:id/suspend',
      'POST /webhooks',
      'POST /webhooks/:id/deliveries/:delivery_id/resend',
      'POST /webhooks/:id/rotate-secret',
      'POST /webhooks/:id/test',
      'PUT /members/:id',
      'PUT /webhooks/:id',
    ];
    const money = [
      'DELETE publisher/withdrawals/bank-cards/:id',
      'POST publisher/withdrawals',
      'POST publisher/withdrawals/:id/cancel',
      'POST publisher/withdrawals/bank-cards',
      'PUT publisher/withdrawals/bank-cards/:id',
    ];
    const all = ['advertiser', 'publisher'].flatMap((realm) =>
      both.map((route) => route.replace(' /', ` ${realm}/`)),
    );
    expect(asking.sort()).toEqual([...all, ...money].sort());
  });
});

test('operators who must have a factor · and have none · reach the way to one and nothing else', async () => {
  const strict = await createStand({
    env: { BASE_URL: ORIGIN, OPERATOR_SECOND_FACTOR: 'required' },
  });
  try {
    const username = `strict_${randomBytes(4).toString('hex')}`;
    const email = `${username}@example.com`;
    const { id } = await strict.activities.createOperator({
      username,
      email,
      password: PASSWORD,
      role: 'ADMIN',
    });
    const token = strict.issue('admin', id);
    const open = new Set<string>();
    for (const { method, path, contract } of mountedRoutes(strict.app)) {
      if (!path.startsWith('/api/admin/') || contract === undefined || contract.open === true)
        continue;
      if (path.endsWith('/logout')) continue;
      const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      const at = path.slice('/api/admin'.length).replace(/:\w+/g, '1');
      const seen = await strict.bearing('admin', token)[verb](at, {});
      if (seen.body.data?.error !== 'second_factor_missing') open.add(`${method} ${at}`);
    }
    expect([...open].every((route) => route.includes(' /auth/'))).toBe(true);
    expect(open).toContain('POST /auth/factors/totp');
    expect(open).not.toContain('PUT /auth/profile');
  } finally {
    await strict.close();
  }
});
