import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns, type Turn } from '../../../activities/accounts/password-turns.ts';
import type { Realm } from '../../../api/http/auth.ts';
import { ownAddress } from '../../support/address.ts';
import { callerWith } from '../../support/call.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Floods of logins and letters, as they are sent: who is refused, who is not, and in which order. */
const PASSWORD = 'correct horse 1';
let stand: Stand;
let serial = 0;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
});
afterAll(async () => {
  await stand.close();
});

async function person(realm: 'advertiser' | 'publisher' = 'advertiser') {
  const username = `flood${(serial += 1)}_${randomBytes(4).toString('hex')}`;
  const email = `${username}@example.com`;
  const kind = realm === 'advertiser' ? ('ADVERTISER' as const) : ('PUBLISHER' as const);
  const { id } = await stand.activities.registerAccount({
    kind,
    email,
    username,
    password: PASSWORD,
  });
  return { id, username, email, realm };
}

const login = (
  realm: Realm,
  username: string,
  { password = PASSWORD, from = ownAddress(), cookie = '' } = {},
) =>
  stand
    .bearing(realm)
    .post('/auth/login', { username, password })
    .set('X-Forwarded-For', from)
    .set('Cookie', cookie);
const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  String(answer.headers['set-cookie']).split(';')[0] ?? '';
/** Of another /24 each. */
const elsewhere = (at: number): string => `203.0.${at % 256}.${1 + Math.floor(at / 256)}`;

test('five hundred addresses · guess one account, by all its names · are stopped together; the owner is not', async () => {
  const who = await person();
  const home = '192.0.2.10';
  const first = await login('advertiser', who.username, { from: home });
  const cookie = cookieOf(first);
  expect(String(first.headers['set-cookie'])).toMatch(
    /HttpOnly; SameSite=Strict|SameSite=Strict.*HttpOnly|HttpOnly.*SameSite=Strict/,
  );
  const names = [who.username, who.email, who.email.toUpperCase(), who.username.toUpperCase()];
  const seen: number[] = [];
  for (let i = 0; i < 120; i += 1) {
    const name = names[i % names.length] ?? '';
    const { status } = await login('advertiser', name, {
      password: `guess ${i}`,
      from: elsewhere(i),
    });
    seen.push(status);
  }
  expect(seen.filter((status) => status === 401)).toHaveLength(20);
  expect(seen.filter((status) => status === 429)).toHaveLength(100);
  // Her browser anywhere, and any browser where she has been.
  expect((await login('advertiser', who.username, { cookie, from: '198.51.100.7' })).status).toBe(
    200,
  );
  expect((await login('advertiser', who.username, { from: '192.0.2.77' })).status).toBe(200);
  // The right password from nowhere that is known waits, for as long as is said.
  const unknown = await login('advertiser', who.username, { from: '100.64.3.3' });
  expect(unknown.status).toBe(429);
  expect(Number(unknown.headers['retry-after'])).toBeLessThanOrEqual(900);
  // A cookie that somebody made up is nobody's.
  const forged = `adp-device-advertiser=${randomBytes(32).toString('base64url')}`;
  const thief = await login('advertiser', who.username, { from: '100.64.4.4', cookie: forged });
  expect(thief.status).toBe(429);
});

test('who was kept out at a new place · sets a password by letter · is known there from then on', async () => {
  const who = await person();
  for (let i = 0; i < 21; i += 1) {
    await login('advertiser', who.email, { password: 'guess', from: elsewhere(i) });
  }
  expect((await login('advertiser', who.email, { from: '100.64.9.9' })).status).toBe(429);
  await stand.activities.requestPasswordReset({ kind: 'ADVERTISER', email: who.email });
  const token = await tokenOf(who.id);
  const reset = await stand
    .bearing('advertiser')
    .post('/auth/reset-password', {
      token,
      new_password: 'another horse 2',
      confirm_password: 'another horse 2',
    })
    .set('X-Forwarded-For', '100.64.9.9');
  expect(reset.status).toBe(200);
  const back = await login('advertiser', who.email, {
    password: 'another horse 2',
    from: '100.64.10.10',
    cookie: cookieOf(reset),
  });
  expect(back.status).toBe(200);
});

async function tokenOf(accountId: number): Promise<string> {
  const { rows } = await stand.database.pool.query<{ id: string; sealed: string }>(
    `SELECT id, sealed FROM mails WHERE account_id = $1 AND kind = 'password_reset' ORDER BY id DESC LIMIT 1`,
    [accountId],
  );
  const { createColumnSealer, placeOf } = await import('../../../db/sealed-columns.ts');
  const { id = '', sealed = '' } = rows[0] ?? {};
  return createColumnSealer(stand.config.keys.data).open(
    sealed,
    placeOf('mails.sealed', accountId, null, null, id),
  );
}

test('one IPv6 household · from an address of its /64 each time · is one address', async () => {
  const who = await person();
  const seen: number[] = [];
  for (let i = 1; i <= 12; i += 1) {
    const from = `2001:db8:7:7:${i.toString(16)}::${i}`;
    seen.push((await login('advertiser', who.username, { password: 'guess', from })).status);
  }
  expect(seen.filter((status) => status === 401)).toHaveLength(5);
  const neighbour = await login('advertiser', who.username, {
    password: 'guess',
    from: '2001:db8:7:8::1',
  });
  expect(neighbour.status).toBe(401);
});

test('one address · tries a password on many accounts · is stopped over all realms', async () => {
  const from = ownAddress();
  const seen: number[] = [];
  for (let i = 0; i < 70; i += 1) {
    const realm = (['advertiser', 'publisher', 'admin'] as const)[i % 3] ?? 'advertiser';
    seen.push(
      (await login(realm, `nobody_${i}_${from}`, { password: 'Summer2026!', from })).status,
    );
  }
  expect(seen.filter((status) => status === 401)).toHaveLength(60);
  expect(seen.slice(60).every((status) => status === 429)).toBe(true);
});

test('a wrong realm · asked with her name again and again · uses nothing of the right one up', async () => {
  const who = await person('publisher');
  for (let i = 0; i < 30; i += 1) {
    await login('advertiser', who.email, { password: 'guess', from: elsewhere(i) });
  }
  expect((await login('publisher', who.email, { from: '100.64.20.1' })).status).toBe(200);
  const forgot = (realm: 'advertiser' | 'publisher') =>
    stand
      .bearing(realm)
      .post('/auth/forgot-password', { email: who.email })
      .set('X-Forwarded-For', ownAddress());
  expect((await forgot('advertiser')).status).toBe(200);
  expect((await forgot('publisher')).status).toBe(200);
  const letters = await stand.database.pool.query(
    `SELECT 1 FROM mails WHERE account_id = $1 AND kind = 'password_reset'`,
    [who.id],
  );
  expect(letters.rows).toHaveLength(1);
});

test('a stranger · asks for letters all day · sends five; her own browser still gets one', async () => {
  const who = await person();
  const ask = async (network: string) =>
    await stand.activities.requestPasswordReset({
      kind: 'ADVERTISER',
      email: who.email,
      from: { deviceHash: null, network },
    });
  await login('advertiser', who.username, { from: '192.0.2.10' });
  const count = async () =>
    (
      await stand.database.pool.query(
        `SELECT 1 FROM mails WHERE account_id = $1 AND kind = 'password_reset'`,
        [who.id],
      )
    ).rows.length;
  for (let i = 0; i < 40; i += 1) await ask(`203.0.${i}.0/24`);
  expect(await count()).toBe(5);
  await ask('192.0.2.0/24');
  expect(await count()).toBe(6);
});

test('a log-out · when every write of the minute is used up · is answered all the same', async () => {
  const who = await person();
  const { token } = (await login('advertiser', who.username)).body.data;
  // All within one minute.
  const mine = callerWith(stand, 'advertiser', token);
  const preferences = { language: 'en', time_zone: 'UTC', theme: 'dark' };
  let last = 200;
  for (let i = 0; i < 130 && last !== 429; i += 1) {
    last = (await mine.put('/preferences', preferences)).status;
  }
  expect(last).toBe(429);
  expect((await mine.post('/auth/sessions/end-others', {})).status).toBe(200);
  expect((await mine.post('/auth/logout', {})).status).toBe(200);
  expect((await mine.get('/auth/profile')).status).toBe(401);
});

describe('the line for passwords', () => {
  /** What was begun, in order: which of two ends first is the machine's business. */
  async function inLine(tries: { who: string; turn: Turn }[]) {
    const inTurn = createTurns();
    const order: string[] = [];
    const refused: string[] = [];
    await Promise.all(
      tries.map(async ({ who, turn }) => {
        try {
          await inTurn(turn, async () => {
            order.push(who);
            await nextTurn();
          });
        } catch (error) {
          expect(error).toMatchObject({ hints: { retry_after: expect.any(Number) } });
          refused.push(who);
        }
      }),
    );
    return { order, refused };
  }
  const flood = (length: number, lane: (at: number) => string) =>
    Array.from({ length }, (_, at) => ({ who: 'flood', turn: { lane: lane(at), known: false } }));

  test('a flood from one address · then somebody else · is served next, not behind it', async () => {
    const somebody = { who: 'somebody', turn: { lane: '192.0.2.1', known: false } };
    const { order, refused } = await inLine([...flood(300, () => '203.0.113.1'), somebody]);
    // Two were under way, and the flood's next had come before.
    expect(order.indexOf('somebody')).toBe(3);
    expect(refused.every((who) => who === 'flood')).toBe(true);
    expect(order.filter((who) => who === 'flood')).toHaveLength(10);
  });

  test('a flood from a thousand addresses · then a known device · is served next', async () => {
    const owner = { who: 'owner', turn: { lane: 'device:x', known: true } };
    const { order, refused } = await inLine([...flood(1_000, (at) => elsewhere(at)), owner]);
    expect(order.indexOf('owner')).toBe(2);
    expect(refused).not.toContain('owner');
    expect(order.length).toBeLessThanOrEqual(103);
  });

  test('one address that fills the line · then others · gives its places to them', async () => {
    const greedy = Array.from({ length: 14 }, (_, lane) =>
      flood(8, () => `203.0.113.${lane}`),
    ).flat();
    const late = Array.from({ length: 20 }, (_, at) => ({
      who: `late ${at}`,
      turn: { lane: `192.0.2.${at}`, known: false },
    }));
    const { refused } = await inLine([...greedy, ...late]);
    expect(refused.filter((who) => who.startsWith('late'))).toEqual([]);
  });
});

test('over HTTP · two hundred guesses at once · let her login through before most of them', async () => {
  const who = await person();
  const from = ownAddress();
  let ended = 0;
  const guesses = Array.from({ length: 200 }, async (_, at) => {
    const { status } = await login('advertiser', `nobody_${at}_${from}`, { password: 'x', from });
    if (status === 401) ended += 1;
    return status;
  });
  await Promise.resolve();
  const before = ended;
  expect((await login('advertiser', who.username)).status).toBe(200);
  expect(ended - before).toBeLessThan(100);
  const statuses = await Promise.all(guesses);
  expect(statuses.every((status) => [401, 429, 503].includes(status))).toBe(true);
});
