import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { generateSync } from 'otplib';
import type { Realm } from '../../../api/http/auth.ts';
import { ownAddress } from '../../support/address.ts';
import { makeMember, makeOperator } from '../../support/make/account.ts';
import { CARD, ibanOf, passKyc } from '../../support/payouts.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.17: where somebody is logged in, what they are told, and the way out. */
const PASSWORD = 'correct horse 1';
let stand: Stand;
let serial = 0;

beforeAll(async () => {
  stand = await createStand();
});
afterAll(async () => {
  await stand.close();
});

async function person(realm: Realm = 'publisher') {
  const username = `session${(serial += 1)}_${randomBytes(4).toString('hex')}`;
  const email = `${username}@example.com`;
  if (realm === 'admin') {
    const { id } = await stand.activities.createOperator({
      username,
      email,
      password: PASSWORD,
      role: 'SUPPORT',
    });
    return { realm, username, email, id };
  }
  const kind = realm === 'advertiser' ? ('ADVERTISER' as const) : ('PUBLISHER' as const);
  const { id } = await stand.activities.registerAccount({
    kind,
    email,
    username,
    password: PASSWORD,
  });
  return { realm, username, email, id };
}
type Who = Awaited<ReturnType<typeof person>>;

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const login = async ({ realm, username }: Who, password = PASSWORD, from = ownAddress()) =>
  await stand
    .bearing(realm)
    .post('/auth/login', { username, password })
    .set('X-Forwarded-For', from)
    .set('User-Agent', AGENT);
const tokenOf = async (who: Who) => String((await login(who)).body.data.token);

/** Letters about the login, as they are read: what they say and the token of "this was not me". */
async function letters({ realm, id }: Who) {
  const column = realm === 'admin' ? 'operator_id' : 'account_id';
  const { rows } = await stand.database.pool.query<{ id: string }>(
    `SELECT id FROM mails WHERE ${column} = $1 AND kind = 'security' ORDER BY id`,
    [id],
  );
  return await Promise.all(
    rows.map(async (row) => {
      const mailId = Number(row.id);
      await stand.activities.deliverMail({ mailId });
      const raw = await readFile(path.join(stand.config.mail.dir, `${mailId}.eml`), 'utf8');
      const text = raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
      return { text, token: /#not-me=\w+\.([\w-]{43})/.exec(text)?.[1] ?? '' };
    }),
  );
}

describe.each(['advertiser', 'publisher', 'admin'] as const)('%s', (realm) => {
  test('sessions · listed, ended one by one and all at once · are refused from then on', async () => {
    const who = await person(realm);
    const tokens = [await tokenOf(who), await tokenOf(who), await tokenOf(who)];
    const [mine = '', second = '', third = ''] = tokens;
    const asked = stand.bearing(realm, mine);
    const { items } = (await asked.get('/auth/sessions')).body.data;
    expect(items).toHaveLength(3);
    expect(items.filter((each: { current: boolean }) => each.current)).toHaveLength(1);
    expect(items[0]).toMatchObject({
      device: 'CHROME · WINDOWS',
      network: expect.stringMatching(/^198\.18\.\d+\.0\/24$/),
    });
    const ids = items
      .filter((each: { current: boolean }) => !each.current)
      .map((each: { id: number }) => each.id);
    expect((await asked.delete(`/auth/sessions/${ids[0]}`)).status).toBe(200);
    const alive = async (token: string) =>
      (await stand.bearing(realm, token).get('/auth/profile')).status;
    expect([await alive(second), await alive(third)].sort((a, b) => a - b)).toEqual([200, 401]);
    expect((await asked.post('/auth/sessions/end-others', {})).body.data).toEqual({ ended: 1 });
    expect([await alive(mine), await alive(second), await alive(third)]).toEqual([200, 401, 401]);
    const other = await person(realm);
    const theirs = stand.bearing(realm, await tokenOf(other));
    const own = items.find((each: { current: boolean }) => each.current).id;
    expect((await theirs.delete(`/auth/sessions/${own}`)).status).toBe(404);
    expect(await alive(mine)).toBe(200);
  });

  test('a thief logs in · she is told, says it was not her · and he is out, once', async () => {
    const who = await person(realm);
    const thief = await tokenOf(who);
    const [letter] = await letters(who);
    expect(letter?.text).toContain(`To: ${who.email}`);
    expect(letter?.text).toContain('A new device has logged in');
    expect(letter?.text).toContain('198.18.');
    const disown = async (at: Realm, token: string) =>
      (await stand.bearing(at).post('/auth/not-me', { token })).status;
    const wrong = realm === 'admin' ? 'publisher' : 'admin';
    expect(await disown(wrong, letter?.token ?? '')).toBe(422);
    expect((await stand.bearing(realm, thief).get('/auth/profile')).status).toBe(200);
    expect(await disown(realm, letter?.token ?? '')).toBe(200);
    expect((await stand.bearing(realm, thief).get('/auth/profile')).status).toBe(401);
    expect(await disown(realm, letter?.token ?? '')).toBe(422);
    expect(await disown(realm, randomBytes(32).toString('base64url'))).toBe(422);
    const { rows } = await stand.database.pool.query(
      `SELECT 1 FROM mails WHERE ${realm === 'admin' ? 'operator_id' : 'account_id'} = $1
         AND kind = 'password_reset'`,
      [who.id],
    );
    expect(rows).toHaveLength(1);
  });
});

test('a thief adds a factor · "this was not me" of that letter · takes it away again', async () => {
  const who = await person();
  const token = await tokenOf(who);
  const his = stand.bearing('publisher', token);
  const { id, secret } = (await his.post('/auth/factors/totp', { password: PASSWORD })).body.data;
  const code = generateSync({
    secret,
    epoch: Math.floor(stand.deps.clock().getTime() / 1_000),
  });
  expect((await his.post(`/auth/factors/${id}/confirm`, { code })).status).toBe(200);
  const letter = (await letters(who)).find(({ text }) => text.includes('second factor was added'));
  await stand.bearing('publisher').post('/auth/not-me', { token: letter?.token ?? '' });
  expect((await login(who)).status).toBe(200);
});

test('what changes a login or a payee · is told by letter, each once', async () => {
  const who = await person();
  let token = await tokenOf(who);
  const mine = () => stand.bearing('publisher', token);
  const changed = await mine()
    .post('/auth/password', {
      old_password: PASSWORD,
      new_password: 'another horse 2',
      confirm_password: 'another horse 2',
    })
    .set('X-Forwarded-For', ownAddress());
  ({ token } = changed.body.data);
  await passKyc(stand.database, who.id);
  await mine().put('/auth/profile', { contact_name: 'Ada', company_name: 'Engines' });
  const card = await mine().post('/withdrawals/bank-cards', { ...CARD, iban: ibanOf(who.id) });
  expect(card.status).toBe(201);
  expect((await mine().delete(`/withdrawals/bank-cards/${card.body.data.id}`)).status).toBe(200);
  const told = (await letters(who)).map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]);
  expect(told).toEqual([
    'A new device has logged in to your account',
    'Your password was changed',
    'A bank account was added for payouts',
    'A bank account for payouts was removed',
  ]);
});

test.each(['advertiser', 'publisher', 'admin'] as const)(
  '%s · whose session may be stolen · ended by ADMIN at once, and nobody else; may log in again',
  async (realm) => {
    const [her, other] = [await person(realm), await person(realm)];
    const [token, stolen, others] = [await tokenOf(her), await tokenOf(her), await tokenOf(other)];
    const knows = async (bearer: string) =>
      (await stand.bearing(realm, bearer).get('/auth/profile')).status;
    expect(await Promise.all([token, stolen, others].map(knows))).toEqual([200, 200, 200]);
    const noun = realm === 'admin' ? 'operator' : realm;
    const { id: adminId } = await makeOperator(stand.database.db, 'ADMIN');
    const at = `/${noun}s/${her.id}/end-sessions`;
    const clerk = stand.as('admin', (await makeOperator(stand.database.db, 'SUPPORT')).id);
    expect((await clerk.post(at)).status).toBe(403);
    const ended = await stand.as('admin', adminId).post(at);
    expect([ended.status, ended.body.data]).toEqual([200, { ended: 2 }]);
    expect(await Promise.all([token, stolen, others].map(knows))).toEqual([401, 401, 200]);
    expect(await knows(await tokenOf(her))).toBe(200);
    expect((await stand.as('admin', adminId).post(`/${noun}s/987654/end-sessions`)).status).toBe(
      404,
    );
    const { rows } = await stand.database.pool.query(
      `SELECT actor_id::int AS by, account_id::int AS of FROM audit_log
       WHERE action = $1 AND subject_type = $2 AND subject_id = $3`,
      [`${noun}.end_sessions`, noun, her.id],
    );
    expect(rows).toEqual([{ by: adminId, of: realm === 'admin' ? null : her.id }]);
  },
);

test('an owner · whose sessions ADMIN ends · and all of their people are out', async () => {
  const owner = await person('publisher');
  const { db } = stand.database;
  const member = await makeMember(db, { id: owner.id, kind: 'PUBLISHER' }, 'EDITOR');
  const now = new Date();
  const session = await db.models.sessions.create({
    personType: 'MEMBER',
    personId: member.id,
    tokenId: randomBytes(16).toString('hex'),
    device: 'CHROME · LINUX',
    network: '198.51.100.0/24',
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + 7_200_000),
  });
  const admin = stand.as('admin', (await makeOperator(db, 'ADMIN')).id);
  await admin.post(`/publishers/${owner.id}/end-sessions`);
  expect((await session.reload()).endedAt).not.toBeNull();
});

test('the same browser · again and again · is no news', async () => {
  const who = await person();
  const first = await login(who);
  const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
  for (let i = 0; i < 3; i += 1) {
    await stand
      .bearing('publisher')
      .post('/auth/login', { username: who.username, password: PASSWORD })
      .set('X-Forwarded-For', ownAddress())
      .set('Cookie', cookie);
  }
  expect(await letters(who)).toHaveLength(1);
});

test('who reads Chinese · is told in Chinese', async () => {
  const who = await person();
  await stand.database.db.models.preferences.create({
    personType: 'ACCOUNT',
    personId: who.id,
    language: 'zh',
    timeZone: 'Asia/Shanghai',
    theme: 'auto',
  });
  await login(who);
  const { rows } = await stand.database.pool.query<{ id: string }>(
    `SELECT id FROM mails WHERE account_id = $1 AND kind = 'security'`,
    [who.id],
  );
  const mailId = Number(rows[0]?.id);
  await stand.activities.deliverMail({ mailId });
  const raw = await readFile(path.join(stand.config.mail.dir, `${mailId}.eml`), 'utf8');
  const encoded = raw
    .split(/\r?\n\r?\n/)
    .slice(1)
    .join('\n\n');
  const text = raw.includes('base64')
    ? Buffer.from(encoded, 'base64').toString('utf8')
    : Buffer.from(
        encoded
          .replace(/=\r?\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          ),
        'latin1',
      ).toString('utf8');
  expect(text).toContain('有新设备登录了您的账户');
});
