import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Test } from 'supertest';
import { createAuth, type Realm } from '../../../api/http/auth.ts';
import { ownAddress } from '../../support/address.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createStand, type Stand } from '../../support/stand.ts';

const HOUR_MS = 3_600_000;
const PASSWORD = 'correct horse 1';
const run = randomBytes(4).toString('hex');
let serial = 0;
const freshEmail = () => `person${(serial += 1)}-${run}@example.com`;

let stand: Stand;
let database: TestDatabase;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
});

afterAll(async () => {
  await stand.close();
});

const post = (realm: Realm, route: string, body?: object): Test =>
  stand.bearing(realm).post(`/auth/${route}`, body);
/** Ten accounts an hour may come from one address, so everybody has an own one. */
const register = (realm: Realm, body?: object, from = ownAddress()): Test =>
  post(realm, 'register', body).set('X-Forwarded-For', from);
const login = (realm: Realm, username: string, password = PASSWORD): Test =>
  post(realm, 'login', { username, password });
const profile = (realm: Realm, token?: string): Test =>
  stand.bearing(realm, token).get('/auth/profile');

async function registered(realm: 'advertiser' | 'publisher' = 'advertiser', extra: object = {}) {
  const email = freshEmail();
  const answer = await register(realm, { email, password: PASSWORD, ...extra });
  expect(answer.status).toBe(201);
  return { email, token: answer.body.data.token as string, user: answer.body.data.user };
}

async function operator(role: 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT') {
  const username = `op${(serial += 1)}_${run}`;
  const email = `${username}@example.com`;
  const { id } = await stand.activities.createOperator({
    username,
    email,
    password: PASSWORD,
    role,
  });
  return { id, username, token: stand.issue('admin', id) };
}

const auditOf = async (operatorId: number) =>
  (
    await database.pool.query(
      `SELECT action, actor_type, actor_id::int, detail, request_id FROM audit_log
       WHERE subject_type = 'operator' AND subject_id = $1 AND action <> 'operator.create' ORDER BY id`,
      [operatorId],
    )
  ).rows;

describe('register', () => {
  test('register · with e-mail and password · answers a token that works and the user of interface 2.2', async () => {
    const email = `Jo.Doe-${run}@example.com`;
    const answer = await register('advertiser', { email, password: PASSWORD });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(answer.body).toMatchObject({
      code: 0,
      message: expect.any(String),
      timestamp: expect.any(Number),
    });
    expect(Object.keys(data).sort()).toEqual(['expires_in', 'token', 'token_type', 'user']);
    expect(data).toMatchObject({ token_type: 'Bearer', expires_in: 7200 });
    expect(data.user).toEqual({
      id: expect.any(Number),
      username: `Jo_Doe_${run}`,
      nickname: `Jo_Doe_${run}`,
      email,
      advertisement_id: data.user.id,
      role: 'ADMIN',
      member_id: null,
    });
    expect((await profile('advertiser', data.token)).status).toBe(200);
  });

  test.each(['advertiser', 'publisher'] as const)(
    'an owner · registered, logged in and shown as %s · is ADMIN',
    async (realm) => {
      const { email, token, user } = await registered(realm);
      const logged = await login(realm, email);
      const shown = await profile(realm, token);
      const roles = [user.role, logged.body.data.user.role, shown.body.data.role];
      expect(roles).toEqual(['ADMIN', 'ADMIN', 'ADMIN']);
    },
  );

  test('register · publisher with site_url · keeps it; advertiser with site_url · refused', async () => {
    const { token } = await registered('publisher', { site_url: 'https://pub.example/' });
    expect((await profile('publisher', token)).body.data.site_url).toBe('https://pub.example/');
    const refused = await register('advertiser', {
      email: freshEmail(),
      password: PASSWORD,
      site_url: 'https://pub.example/',
    });
    expect(refused.body.data.errors).toEqual([
      expect.objectContaining({ field: 'site_url', code: 'unknown_field' }),
    ]);
  });

  test('register · the same e-mail ten times at once, over both realms · exactly one 201', async () => {
    const email = freshEmail();
    const answers = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, i) =>
          await register(i % 2 === 0 ? 'advertiser' : 'publisher', {
            email: i % 3 === 0 ? email.toUpperCase() : email,
            password: PASSWORD,
          }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.status).toBe(409);
      expect(answer.body.code).toBe(40901);
      expect(answer.body.data).toMatchObject({
        error: 'already_claimed',
        errors: [{ field: 'email' }],
      });
    }
    const { rows } = await database.pool.query('SELECT 1 FROM accounts WHERE lower(email) = $1', [
      email,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('register · two addresses with one local part · get two usernames', async () => {
    const password = PASSWORD;
    const answers = await Promise.all(
      ['a', 'b', 'c'].map(
        async (host) =>
          await register('advertiser', {
            email: `same-${run}@${host}.example`,
            password,
          }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const names = answers.map(({ body }) => body.data.user.username as string);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_]{3,30}$/);
  });

  test('register · a chosen username that is taken · 409 on username; free in the other realm', async () => {
    const username = `chosen_${run}`;
    await registered('advertiser', { username });
    const taken = await register('advertiser', {
      email: freshEmail(),
      password: PASSWORD,
      username: username.toUpperCase(),
    });
    expect(taken.status).toBe(409);
    expect(taken.body.data.errors[0].field).toBe('username');
    expect((await registered('publisher', { username })).user.username).toBe(username);
  });

  test.each(['ab', 'a'.repeat(31), 'has space', 'has-dash', 'ünï_code', 'a@b.example', ''])(
    'register · username "%s" · is 422',
    async (username) => {
      const answer = await register('advertiser', {
        email: freshEmail(),
        password: PASSWORD,
        username,
      });
      expect(answer.status).toBe(422);
      expect(answer.body.data.errors.map(({ field }: { field: string }) => field)).toContain(
        'username',
      );
    },
  );

  test.each([
    ['short', 'seven77', 'min'],
    ['long', 'xyz'.repeat(50), 'max'],
    ['common', 'Password123', 'too_common'],
  ])('register · a password that is too %s · is 422', async (_case, password, code) => {
    const answer = await register('advertiser', { email: freshEmail(), password });
    expect(answer.status).toBe(422);
    expect(answer.body.data.errors).toEqual([expect.objectContaining({ field: 'password', code })]);
  });

  test("register · fields that are not the caller's to set · every one is named, nothing is stored", async () => {
    const email = freshEmail();
    const answer = await register('advertiser', {
      email,
      password: PASSWORD,
      role: 'ADMIN',
      status: 'ACTIVE',
      kyc_status: 'approved',
      token_version: 9,
      id: 1,
      balance: 1e6,
      kind: 'PUBLISHER',
      password_hash: 'x',
      mobile: 12345,
    });
    expect(answer.status).toBe(422);
    const fields = answer.body.data.errors.map(({ field }: { field: string }) => field).sort();
    expect(fields).toEqual(
      [
        'balance',
        'id',
        'kind',
        'kyc_status',
        'mobile',
        'password_hash',
        'role',
        'status',
        'token_version',
      ].sort(),
    );
    const { rows } = await database.pool.query('SELECT 1 FROM accounts WHERE email = $1', [email]);
    expect(rows).toHaveLength(0);
  });

  test('register · nothing given · names both required fields at once', async () => {
    const answer = await register('advertiser', {});
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: 42200,
      data: { error: 'validation_failed', request_id: expect.any(String) },
    });
    const fields = answer.body.data.errors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(expect.arrayContaining(['email', 'password']));
  });

  test.each([
    ['malformed JSON', '{"email": ', 400, 'malformed_request'],
    ['an array', '[]', 400, 'malformed_request'],
    ['a huge body', JSON.stringify({ email: 'x'.repeat(300_000) }), 413, 'too_large'],
  ])('register · %s · has its own status', async (_case, body, status, error) => {
    const answer = await register('advertiser').type('json').send(body);
    expect(answer.status).toBe(status);
    expect(answer.body.data.error).toBe(error);
  });

  test('register · another content type · is 415', async () => {
    const answer = await register('advertiser').type('text/plain').send('email=a');
    expect(answer.status).toBe(415);
  });

  test.each([
    'no-at.example',
    'a@',
    '@b.example',
    'a b@example.com',
    'a@b.example\u0000',
    `${'x'.repeat(250)}@example.com`,
  ])('register · e-mail "%s" · is 422', async (email) => {
    expect((await register('advertiser', { email, password: PASSWORD })).status).toBe(422);
  });

  test('register · under the admin prefix · does not exist', async () => {
    const { token } = await operator('REVIEWER');
    const body = { email: freshEmail(), password: PASSWORD };
    expect((await stand.bearing('admin', token).post('/auth/register', body)).status).toBe(404);
    expect((await register('admin', body)).status).toBe(401);
  });
});

describe('register again', () => {
  test('register · the answer was lost and it is sent again · 409 on email, and the account logs in', async () => {
    const email = freshEmail();
    // Committed by a process that died before it answered.
    await stand.activities.registerAccount({ kind: 'ADVERTISER', email, password: PASSWORD });
    const again = await register('advertiser', { email, password: PASSWORD });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      code: 40901,
      message: 'This e-mail address is taken.',
      data: { error: 'already_claimed', errors: [{ field: 'email', code: 'already_claimed' }] },
    });
    const session = await login('advertiser', email);
    expect(session.status).toBe(200);
    expect((await profile('advertiser', session.body.data.token)).body.data.email).toBe(email);
  });

  test('register · an eleventh account from one address within the hour · 429; another address may', async () => {
    const from = ownAddress();
    // From the first second of an hour on: the calls below are a second apart.
    stand.passTime(HOUR_MS - (stand.deps.clock().getTime() % HOUR_MS));
    const open = () => register('publisher', { email: freshEmail(), password: PASSWORD }, from);
    for (let left = 9; left >= 0; left -= 1) {
      const answer = await open();
      expect(answer.status).toBe(201);
      expect(answer.headers['ratelimit-remaining']).toBe(String(left));
    }
    const eleventh = await open();
    expect(eleventh.status).toBe(429);
    expect(eleventh.body.data.error).toBe('rate_limited');
    expect(Number(eleventh.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    expect(
      (await register('advertiser', { email: freshEmail(), password: PASSWORD }, from)).status,
    ).toBe(429);
    await registered();
    stand.passTime(HOUR_MS);
    expect((await open()).status).toBe(201);
  });

  test('register · bodies that are refused · use nothing of the hour up', async () => {
    const from = ownAddress();
    for (let i = 0; i < 12; i += 1) {
      const answer = await register('publisher', { email: 'x' }, from);
      expect(answer.status).toBe(422);
    }
    const good = { email: freshEmail(), password: PASSWORD };
    expect((await register('publisher', good, from)).status).toBe(201);
  });
});

describe('operators', () => {
  test('operator · logs in, changes the password, logs out · each is in the audit log, once', async () => {
    const { id, username } = await operator('FINANCE');
    const session = await login('admin', username);
    expect(session.status).toBe(200);
    const changed = await stand
      .bearing('admin', session.body.data.token)
      .post('/auth/password', {
        old_password: PASSWORD,
        new_password: 'another horse 2',
        confirm_password: 'another horse 2',
      })
      .set('X-Forwarded-For', ownAddress());
    expect(changed.status).toBe(200);
    const out = () => stand.bearing('admin', changed.body.data.token).post('/auth/logout', {});
    expect((await out()).status).toBe(200);
    expect((await out()).status).toBe(401);
    expect(await auditOf(id)).toEqual([
      expect.objectContaining({
        action: 'operator.login',
        actor_type: 'OPERATOR',
        actor_id: id,
        request_id: session.headers['x-request-id'],
      }),
      expect.objectContaining({ action: 'password.change', actor_id: id }),
      expect.objectContaining({ action: 'operator.logout', actor_id: id }),
    ]);
  });

  test('operator · a wrong password · is in the audit log as nobody in particular; an unknown name is not', async () => {
    const { id, username } = await operator('SUPPORT');
    const from = ownAddress();
    const guess = async (name: string) =>
      (await login('admin', name, 'guess').set('X-Forwarded-For', from)).status;
    expect([await guess(username), await guess('nobody_at_all')]).toEqual([401, 401]);
    expect(await auditOf(id)).toEqual([
      expect.objectContaining({
        action: 'operator.login_refused',
        actor_type: 'SYSTEM',
        actor_id: null,
        detail: { refused: 'bad_credentials' },
      }),
    ]);
    const { rows } = await database.pool.query(
      `SELECT 1 FROM audit_log WHERE detail::text LIKE '%nobody_at_all%'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('login', () => {
  test('login · by username and by e-mail, case apart · both answer a session', async () => {
    const { email, user } = await registered();
    for (const username of [user.username, email, email.toUpperCase()]) {
      const answer = await login('advertiser', username);
      expect(answer.status).toBe(200);
      expect(answer.body.data.user).toEqual(user);
    }
  });

  test('login · unknown account, wrong password, account of the other realm · the same answer', async () => {
    const { email } = await registered();
    const answers = [
      await login('advertiser', freshEmail()),
      await login('advertiser', email, 'not the password'),
      await login('publisher', email),
      await login('admin', email),
    ];
    const seen = answers.map(({ status, body }) => ({
      status,
      code: body.code,
      message: body.message,
      error: body.data.error,
      keys: Object.keys(body.data),
    }));
    for (const answer of seen) expect(answer).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ status: 401, code: 40101, error: 'bad_credentials' });
  });

  test('login · unknown account · takes about as long as a wrong password', async () => {
    const { email } = await registered();
    const { checkPassword } = stand.activities;
    const { rows } = await database.pool.query(
      'SELECT password_hash FROM accounts WHERE email = $1',
      [email],
    );
    // The least of some: a machine that does much else makes any of them longer, and none shorter.
    const least = async (hash: string | null) => {
      const times: number[] = [];
      for (let i = 0; i < 7; i += 1) {
        const begun = performance.now();
        expect(await checkPassword(hash, 'wrong password')).toBe(false);
        times.push(performance.now() - begun);
      }
      return Math.min(...times);
    };
    await checkPassword(null, 'first use makes the decoy');
    const [known, unknown] = [await least(rows[0].password_hash), await least(null)];
    expect(unknown).toBeGreaterThan(known * 0.4);
    expect(unknown).toBeLessThan(known * 2.5);
  });

  test('login · the stored hash · is argon2id with the chosen cost', async () => {
    const { email } = await registered();
    const { rows } = await database.pool.query(
      'SELECT password_hash FROM accounts WHERE email = $1',
      [email],
    );
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('login · sixth attempt within a minute · 429 with headers, other accounts unhindered', async () => {
    const { email } = await registered();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const answer = await login('advertiser', email, 'wrong password');
      expect(answer.status).toBe(401);
      expect(answer.headers).toMatchObject({
        'ratelimit-limit': '5',
        'ratelimit-remaining': String(5 - attempt),
      });
    }
    const sixth = await login('advertiser', email);
    expect(sixth.status).toBe(429);
    expect(sixth.body).toMatchObject({ code: 42900, data: { error: 'rate_limited' } });
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(50);
    expect(sixth.headers['ratelimit-remaining']).toBe('0');
    const other = await registered();
    expect((await login('advertiser', other.email)).status).toBe(200);
  });

  test('login · right password · forgets earlier mistakes', async () => {
    const { email } = await registered();
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 3; i += 1) {
        await login('advertiser', email, 'wrong password');
      }
      expect((await login('advertiser', email)).status).toBe(200);
    }
  });

  test.each([
    [{}],
    [{ username: 1, password: 2 }],
    [{ username: 'a', password: '' }],
    [{ username: 'a\u0000b', password: 'x' }],
  ])('login · body %j · is 422', async (body) => {
    expect((await post('advertiser', 'login', body)).status).toBe(422);
  });
});

describe('tokens', () => {
  test('token · missing or not bearer · 401 token_missing', async () => {
    const none = await profile('advertiser');
    expect(none.status).toBe(401);
    expect(none.body).toMatchObject({ code: 40100, data: { error: 'token_missing' } });
    const basic = await profile('advertiser').set('Authorization', 'Basic YTpi');
    expect(basic.status).toBe(401);
  });

  test('token · of another realm · 403 wrong_realm', async () => {
    const advertiser = await registered('advertiser');
    const publisher = await registered('publisher');
    for (const [realm, token] of [
      ['publisher', advertiser.token],
      ['admin', advertiser.token],
      ['advertiser', publisher.token],
    ] as const) {
      const answer = await profile(realm, token);
      expect(answer.status).toBe(403);
      expect(answer.body.data.error).toBe('wrong_realm');
    }
  });

  test('token · forged in any way · 401', async () => {
    const { token, user } = await registered();
    const claims = {
      sub: String(user.id),
      ver: 1,
      jti: 'forged',
      aud: 'adplatform:advertiser',
      iss: 'adplatform',
      exp: Math.floor(Date.now() / 1000) + 600,
    };
    const stranger = createAuth({
      keys: { advertiser: randomBytes(32), publisher: randomBytes(32), admin: randomBytes(32) },
      confirm: () =>
        Promise.resolve({
          role: 'ADMIN',
          name: 'Ada',
          memberId: null,
          sessionId: null,
          lastSeenAt: null,
          provenAt: null,
          hasFactor: false,
        }),
      newTokenId: () => 'stranger',
      clock: () => new Date(),
      factorIsDuty: () => false,
      onSeen: () => undefined,
    });
    const [head = '', body = '', signature = ''] = token.split('.');
    const tampered = Buffer.from(
      JSON.stringify({ ...(jwt.decode(token) as object), sub: '1' }),
    ).toString('base64url');
    const forged = [
      jwt.sign(claims, '', { algorithm: 'none' }),
      stranger.issue('advertiser', { id: user.id, tokenVersion: 1 }).token,
      `${head}.${tampered}.${signature}`,
      `${head}.${body}.`,
      'x.y.z',
      'garbage',
    ];
    for (const text of forged) {
      const answer = await profile('advertiser', text);
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe(40102);
    }
  });

  test('token · expired, wrong audience, wrong issuer, other algorithm · 401', async () => {
    const { user } = await registered();
    const ask = (options: jwt.SignOptions): Test => {
      const own = { subject: String(user.id), expiresIn: 60, ...options };
      return profile('advertiser', stand.sign('advertiser', { ver: 1 }, own));
    };
    expect((await ask({})).status).toBe(200);
    expect((await ask({ expiresIn: -10 })).body).toMatchObject({
      code: 40102,
      data: { error: 'token_expired' },
    });
    expect((await ask({ audience: 'adplatform:publisher' })).status).toBe(401);
    expect((await ask({ issuer: 'someone' })).status).toBe(401);
    expect((await ask({ algorithm: 'HS512' })).status).toBe(401);
  });

  test('token · of an id that is gone or not a number · 401', async () => {
    for (const id of [999_999, Number.NaN]) {
      expect((await profile('advertiser', stand.issue('advertiser', id))).status).toBe(401);
    }
    const publisher = await registered('publisher');
    const crossed = stand.issue('advertiser', publisher.user.id);
    expect((await profile('advertiser', crossed)).status).toBe(401);
  });

  test('logout · twice · the token is dead, another one of the account lives', async () => {
    const { email, token } = await registered();
    const second = (await login('advertiser', email)).body.data.token;
    const first = stand.bearing('advertiser', token);
    expect((await first.post('/auth/logout')).status).toBe(200);
    expect((await profile('advertiser', token)).body).toMatchObject({ code: 40102 });
    expect((await first.post('/auth/logout')).status).toBe(401);
    expect((await profile('advertiser', second)).status).toBe(200);
  });
});

describe('password', () => {
  // Guesses are counted by address and account id; other runs had the same ids a moment ago.
  const from = ownAddress();
  const change = (token: string, body: object): Test =>
    stand.bearing('advertiser', token).post('/auth/password', body).set('X-Forwarded-For', from);

  test('password · changed · every old token dies, the new one and the new password work', async () => {
    const { email, token } = await registered();
    const other = (await login('advertiser', email)).body.data.token;
    const answer = await change(token, {
      old_password: PASSWORD,
      new_password: 'another horse 2',
      confirm_password: 'another horse 2',
    });
    expect(answer.status).toBe(200);
    expect((await profile('advertiser', token)).status).toBe(401);
    expect((await profile('advertiser', other)).status).toBe(401);
    expect((await profile('advertiser', answer.body.data.token)).status).toBe(200);
    expect((await login('advertiser', email)).status).toBe(401);
    expect((await login('advertiser', email, 'another horse 2')).status).toBe(200);
    const { rows } = await database.pool.query(
      `SELECT actor_type, detail FROM audit_log WHERE action = 'password.change' AND actor_id =
         (SELECT id FROM accounts WHERE email = $1)`,
      [email],
    );
    expect(rows).toEqual([{ actor_type: 'ACCOUNT', detail: {} }]);
  });

  test.each([
    ['a wrong old one', { old_password: 'nope nope nope' }, 'old_password', 'wrong'],
    [
      'a confirmation that differs',
      { confirm_password: 'another horse 3' },
      'confirm_password',
      'one_of',
    ],
    [
      'a common new one',
      { new_password: 'password123', confirm_password: 'password123' },
      'new_password',
      'too_common',
    ],
    [
      'the same one again',
      { new_password: PASSWORD, confirm_password: PASSWORD },
      'new_password',
      'unchanged',
    ],
  ])('password · %s · is 422 and nothing changes', async (_case, wrong, field, code) => {
    const { token } = await registered();
    const answer = await change(token, {
      old_password: PASSWORD,
      new_password: 'another horse 2',
      confirm_password: 'another horse 2',
      ...wrong,
    });
    expect(answer.status).toBe(422);
    expect(answer.body.data.errors).toEqual([expect.objectContaining({ field, code })]);
    expect((await profile('advertiser', token)).status).toBe(200);
  });

  test('password · two changes at once · one wins, the other is told', async () => {
    const { token } = await registered();
    const answers = await Promise.all(
      ['one horse for all', 'two horses for all'].map(
        async (next) =>
          await change(token, {
            old_password: PASSWORD,
            new_password: next,
            confirm_password: next,
          }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('password · guessed five times with a stolen token · then 429', async () => {
    const { token } = await registered();
    const guess = {
      old_password: 'guess guess',
      new_password: 'another horse 2',
      confirm_password: 'another horse 2',
    };
    for (let i = 0; i < 5; i += 1) expect((await change(token, guess)).status).toBe(422);
    expect((await change(token, guess)).status).toBe(429);
  });
});

describe('profile', () => {
  const put = (realm: Realm, token: string, body: object): Test =>
    stand.bearing(realm, token).put('/auth/profile', body);

  test('profile · filled step by step · raises completeness and shortens missing', async () => {
    const { token } = await registered();
    const begin = (await profile('advertiser', token)).body.data;
    expect(begin).toMatchObject({
      profile_completeness: 'none',
      missing: ['contact_name', 'company_name_or_mobile', 'kyc'],
      kyc_status: 'none',
    });
    expect(
      (await put('advertiser', token, { contact_name: 'Ada' })).body.data.profile_completeness,
    ).toBe('none');
    const basic = await put('advertiser', token, { company_name: 'Acme' });
    expect(basic.body.data).toMatchObject({
      contact_name: 'Ada',
      company_name: 'Acme',
      profile_completeness: 'basic',
      missing: ['kyc'],
    });
    const cleared = await put('advertiser', token, { contact_name: '' });
    expect(cleared.body.data).toMatchObject({ contact_name: null, profile_completeness: 'none' });
  });

  test('profile · registration fields · count towards basic', async () => {
    const { token } = await registered('publisher', { contact_name: 'Ada', mobile: '+49 30 123' });
    expect((await profile('publisher', token)).body.data.profile_completeness).toBe('basic');
  });

  test.each(['advertiser', 'admin'] as const)(
    'profile · of %s, changed meanwhile · 412 with If-Match; the version goes up by writes only',
    async (realm) => {
      const { token } = realm === 'admin' ? await operator('REVIEWER') : await registered(realm);
      const seen = await profile(realm, token);
      expect(seen.headers['etag']).toBe('"1"');
      const first = await put(realm, token, { nickname: 'Ada' }).set('If-Match', '"1"');
      expect([first.status, first.headers['etag']]).toEqual([200, '"2"']);
      const stale = await put(realm, token, { nickname: 'Bob' }).set('If-Match', '"1"');
      expect(stale.status).toBe(412);
      expect(stale.body).toMatchObject({ code: 41202, data: { version: 2 } });
      const nothing = await put(realm, token, {}).set('If-Match', '"2"');
      expect(nothing.body.data).toMatchObject({ nickname: 'Ada', version: 2 });
      expect((await put(realm, token, {}).set('If-Match', 'W/"2"')).status).toBe(412);
    },
  );

  test('profile · two updates at once that saw the same version · one wins', async () => {
    const { token } = await registered();
    const answers = await Promise.all(
      ['Ada', 'Bob', 'Cleo'].map(
        async (nickname) => await put('advertiser', token, { nickname }).set('If-Match', '"1"'),
      ),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412, 412]);
  });

  test("profile · fields that are not the owner's · 422 for each and unchanged", async () => {
    const { token } = await registered();
    const answer = await put('advertiser', token, {
      email: 'new@example.com',
      username: 'new',
      kyc_status: 'approved',
      role: 'VIEWER',
      site_url: 'https://x.example',
      contact_name: 'Ada',
    });
    expect(answer.status).toBe(422);
    // What the platform sets is read over: a copy of the profile may be older than it.
    expect(answer.body.data.errors).toHaveLength(4);
    expect((await profile('advertiser', token)).body.data.kyc_status).toBe('none');
    expect((await profile('advertiser', token)).body.data.contact_name).toBeNull();
  });

  test('profile · as documents name the account · is kept, cleared by an empty one, and in its history', async () => {
    const { token } = await registered();
    const said = { billing_address: ' 4 Rope Walk, Kiel ', tax_id: 'DE 811 907 980' };
    const first = await put('advertiser', token, said);
    expect(first.body.data).toMatchObject({
      billing_address: '4 Rope Walk, Kiel',
      tax_id: said.tax_id,
    });
    expect((await put('advertiser', token, { nickname: 'Ada' })).body.data).toMatchObject({
      billing_address: '4 Rope Walk, Kiel',
    });
    expect((await put('advertiser', token, { tax_id: '' })).body.data.tax_id).toBeNull();
    const { items } = (await stand.bearing('advertiser', token).get('/history')).body.data;
    expect(JSON.stringify(items)).toContain('4 Rope Walk, Kiel');
  });

  test.each([
    [{ billing_address: 'x'.repeat(401) }],
    [{ tax_id: 'x'.repeat(65) }],
    [{ billing_address: '\u3164' }],
    [{ contact_name: 5 }],
    [{ mobile: 'a\u0007b' }],
    [{ company_name: 'x'.repeat(256) }],
    [{ industry: ['a'] }],
    // Nothing of these is drawn: a list would name nobody.
    [{ company_name: '\u3164' }],
    [{ contact_name: '\u00ad\u2800 ' }],
  ])('profile · body %j · is 422', async (body) => {
    const { token } = await registered();
    expect((await put('advertiser', token, body)).status).toBe(422);
  });
});
