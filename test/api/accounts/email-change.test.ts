import { randomBytes } from 'node:crypto';
import type { Response, Test } from 'supertest';
import { findRisks } from '../../../activities/withdrawals/withdrawal-review.ts';
import type { LockedWithdrawal } from '../../../activities/withdrawals/withdrawal-moves.ts';
import type { Realm } from '../../../api/http/auth.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { ownAddress } from '../../support/address.ts';
import { dataOf, faultsOf } from '../../support/call.ts';
import { type Letter, lettersOf } from '../../support/login-letters.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.18: a login's address becomes another. */
const PASSWORD = 'correct horse 1';
const MINUTE_MS = 60_001;
const run = randomBytes(4).toString('hex');
let serial = 0;
const fresh = (name = 'person') => `${name}${(serial += 1)}-${run}@example.com`;

let stand: Stand;
const lines: string[] = [];

beforeAll(async () => {
  stand = await createStand({ onLog: (line) => lines.push(line) });
});
afterAll(async () => {
  await stand.close();
});

const post = (realm: Realm, route: string, body?: object, token?: string): Test =>
  stand.bearing(realm, token).post(`/auth/${route}`, body).set('X-Forwarded-For', ownAddress());
const login = async (realm: Realm, username: string, password = PASSWORD) =>
  await post(realm, 'login', { username, password });

interface Person {
  realm: Realm;
  email: string;
  id: number;
  memberId: number | null;
  token: string;
}
type Kind = 'owner' | 'member' | 'operator';

async function owner(realm: 'advertiser' | 'publisher' = 'advertiser'): Promise<Person> {
  const email = fresh();
  const answer = await post(realm, 'register', { email, password: PASSWORD });
  const { token, user } = dataOf(answer) as { token: string; user: { id: number } };
  return { realm, email, id: user.id, memberId: null, token };
}

async function member(): Promise<Person> {
  const { id, realm } = await owner('publisher');
  const email = fresh('member');
  const about = { kind: 'PUBLISHER' as const, email, role: 'VIEWER' as const, requestId: 'x' };
  await stand.activities.inviteMember({ accountId: id, byMemberId: null, ...about });
  const invitation = (await lettersOf(stand, 'account_id', id)).at(-1);
  const body = { token: invitation?.token, name: 'Cleo', password: PASSWORD };
  const { token, user } = dataOf(await post(realm, 'accept-invitation', body)) as {
    token: string;
    user: { member_id: number };
  };
  return { realm, email, id, memberId: user.member_id, token };
}

async function operator(): Promise<Person> {
  const email = fresh('operator');
  const username = email.replace(/@.*$/, '').replace('-', '_');
  const made = { username, email, password: PASSWORD, role: 'SUPPORT' as const };
  const { id } = await stand.activities.createOperator(made);
  const { token } = dataOf(await login('admin', username)) as { token: string };
  return { realm: 'admin', email, id, memberId: null, token };
}
const MAKE: Record<Kind, () => Promise<Person>> = { owner, member, operator };

const ask = async ({ realm, token }: Person, email: string, password = PASSWORD) => {
  stand.passTime(MINUTE_MS);
  return await post(realm, 'email-change', { email, password }, token);
};
const open = async ({ realm }: Pick<Person, 'realm'>, token: string, password?: string) =>
  await post(realm, 'confirm-email', { token, password });
const profile = async ({ realm, token }: Person): Promise<Response> =>
  await stand.bearing(realm, token).get('/auth/profile');
const letters = async ({ realm, id }: Person): Promise<Letter[]> =>
  await lettersOf(stand, realm === 'admin' ? 'operator_id' : 'account_id', id);
const linkTo = async (person: Person, email: string): Promise<string> =>
  (await letters(person)).findLast(({ kind, to }) => kind === 'email_change' && to === email)
    ?.token ?? '';
const noticesTo = async (person: Person, email: string): Promise<Letter[]> =>
  (await letters(person)).filter(({ kind, to }) => kind === 'security' && to === email);
const tokenOf = async (realm: Realm, username: string) =>
  (dataOf(await login(realm, username)) as { token: string }).token;

describe.each(['owner', 'member', 'operator'] as const)('%s', (kind) => {
  test('another address · asked for · counts when its link is opened with the password, and ends what was', async () => {
    const person = await MAKE[kind]();
    const { realm } = person;
    const next = fresh('next');
    const stolen = await ask(person, next, 'a guess 77');
    expect([stolen.status, faultsOf(stolen)]).toEqual([422, ['password wrong']]);
    expect((await ask(person, next)).status).toBe(200);

    expect(dataOf(await profile(person))).toMatchObject({
      email: person.email,
      email_pending: next,
    });
    expect((await login(realm, next)).status).toBe(401);
    const told = (await noticesTo(person, person.email)).at(-1);
    expect(told?.text).toContain('Nothing has changed yet');
    expect(told?.text).not.toContain(next);
    const token = await linkTo(person, next);

    expect(faultsOf(await open(person, token))).toEqual(['password required']);
    expect(faultsOf(await open(person, token, 'a guess 77'))).toEqual(['password wrong']);
    expect((await profile(person)).status).toBe(200);
    const other = await tokenOf(realm, person.email);
    // Asked from outside, an operator's has to be confirmed.
    await stand.database.pool.query(
      'UPDATE operators SET email_confirmed_at = now() WHERE email = $1',
      [person.email],
    );
    await post(realm, 'forgot-password', { email: person.email });
    const reset = (await letters(person)).findLast((each) => each.kind === 'password_reset');
    expect(reset?.to).toBe(person.email);

    const opened = await open(person, token, PASSWORD);
    expect(dataOf(opened)).toEqual({ email: next, is_change: true, was_done: false });
    expect((await login(realm, person.email)).status).toBe(401);
    for (const ended of [person.token, other]) {
      expect((await profile({ ...person, token: ended })).status).toBe(401);
    }
    const now = { ...person, email: next, token: await tokenOf(realm, next) };
    expect(dataOf(await profile(now))).toMatchObject({
      email: next,
      email_pending: null,
      email_confirmed_at: expect.any(String),
    });
    const body = { new_password: 'third horse 33', confirm_password: 'third horse 33' };
    const refused = await post(realm, 'reset-password', { token: reset?.token, ...body });
    expect(faultsOf(refused)).toEqual(['token not_valid']);
    const changed = (await noticesTo(person, person.email)).at(-1);
    expect(changed?.text).toContain('takes the change back');
    expect(dataOf(await open(person, token))).toMatchObject({ email: next, was_done: true });

    const { rows } = await stand.database.pool.query<{ action: string; text: string }>(
      `SELECT action, l::text AS text FROM audit_log l WHERE action LIKE 'login.%email'
         AND subject_type = $1 AND subject_id = $2 ORDER BY id`,
      [
        kind === 'member' ? 'member' : kind === 'operator' ? 'operator' : 'advertiser',
        person.memberId ?? person.id,
      ],
    );
    expect(rows.map(({ action }) => action)).toEqual(['login.request_email', 'login.change_email']);
    expect(JSON.stringify(rows)).not.toContain('@');
    expect(lines.join('\n')).not.toContain(next);
    expect(lines.join('\n')).not.toContain(token);
  });

  test('"this was not me", by the old address · before the link is opened, and after · gives it back', async () => {
    const person = await MAKE[kind]();
    const { realm } = person;
    const [first, second] = [fresh('thief'), fresh('thief')];
    await ask(person, first);
    const asked = (await noticesTo(person, person.email)).at(-1);
    expect((await post(realm, 'not-me', { token: asked?.token })).status).toBe(200);
    const late = await open(person, await linkTo(person, first), PASSWORD);
    expect(faultsOf(late)).toEqual(['token withdrawn']);

    const again = { ...person, token: await tokenOf(realm, person.email) };
    await ask(again, second);
    await open(again, await linkTo(again, second), PASSWORD);
    // The thief hurries on; the holder of the old address reads the first letter days later.
    const thief = { ...again, token: await tokenOf(realm, second) };
    const third = fresh('thief');
    await ask(thief, third);
    await open(thief, await linkTo(thief, third), PASSWORD);
    stand.passTime(3 * 86_400_000);
    const notice = (await noticesTo(person, person.email)).at(-1);
    expect((await post(realm, 'not-me', { token: notice?.token })).status).toBe(200);
    expect((await login(realm, third)).status).toBe(401);
    expect((await login(realm, person.email)).status).toBe(200);
    const reset = (await letters(person)).findLast((each) => each.kind === 'password_reset');
    expect(reset?.to).toBe(person.email);
  });
});

test('an address · that somebody else has · is refused as at registration, when it is asked for', async () => {
  const [person, other, elsewhere] = [await owner(), await owner('publisher'), await member()];
  for (const email of [other.email.toUpperCase(), other.email]) {
    const refused = await ask(person, email);
    const atDoor = await post('advertiser', 'register', { email, password: PASSWORD });
    expect([refused.status, refused.body.code, dataOf(refused)['errors']]).toEqual([
      409,
      40901,
      dataOf(atDoor)['errors'],
    ]);
  }
  // A member of the other realm logs nobody in in this one.
  expect((await ask(person, elsewhere.email)).status).toBe(200);
  const here = await owner('publisher');
  expect((await ask(here, elsewhere.email)).status).toBe(409);
  const own = await ask(person, person.email.toUpperCase());
  expect(faultsOf(own)).toEqual(['email unchanged']);
});

test('an address · that somebody took meanwhile · is refused when its link is opened', async () => {
  const person = await owner();
  const wanted = fresh('wanted');
  await ask(person, wanted);
  const taken = await post('publisher', 'register', { email: wanted, password: PASSWORD });
  expect(taken.status).toBe(201);
  const late = await open(person, await linkTo(person, wanted), PASSWORD);
  expect([late.status, late.body.code]).toEqual([409, 40901]);
  expect(dataOf(await profile(person))['email']).toBe(person.email);
  expect((await login('advertiser', person.email)).status).toBe(200);
});

test('two people · who open links to one address at once · one has it', async () => {
  const people = [await owner(), await owner('publisher')];
  const wanted = fresh('wanted');
  for (const person of people) expect((await ask(person, wanted)).status).toBe(200);
  const tokens = await Promise.all(people.map(async (person) => await linkTo(person, wanted)));
  const answers = await Promise.all(
    people.map(async (person, at) => await open(person, tokens[at] ?? '', PASSWORD)),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  const { rows } = await stand.database.pool.query(
    'SELECT count(*)::int AS n FROM accounts WHERE lower(email) = lower($1)',
    [wanted],
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test('one link · opened five times at once · changes the address once', async () => {
  const person = await owner();
  const next = fresh('next');
  await ask(person, next);
  const token = await linkTo(person, next);
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => await open(person, token, PASSWORD)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.filter((answer) => dataOf(answer)['was_done'] === false)).toHaveLength(1);
  expect(await noticesTo(person, person.email)).toHaveLength(2);
});

test('a change · taken back, or asked for anew · leaves its link without effect, by name', async () => {
  const person = await owner();
  const [first, second] = [fresh('next'), fresh('next')];
  await ask(person, first);
  const link = await linkTo(person, first);
  await ask(person, second);
  expect(faultsOf(await open(person, link, PASSWORD))).toEqual(['token replaced']);
  const newest = await linkTo(person, second);
  const keep = () => stand.bearing(person.realm, person.token).delete('/auth/email-change');
  expect((await keep()).status).toBe(200);
  expect((await keep()).status).toBe(404);
  expect(faultsOf(await open(person, newest, PASSWORD))).toEqual(['token withdrawn']);
  await ask(person, second);
  const late = await linkTo(person, second);
  stand.passTime(86_400_001);
  expect(faultsOf(await open(person, late, PASSWORD))).toEqual(['token expired']);
  expect((await login('advertiser', person.email)).status).toBe(200);
});

test('the address of a sign-up · confirmed after a change was asked for · stays what it is', async () => {
  const person = await owner();
  const [signUp] = (await letters(person)).filter(({ kind }) => kind === 'email_confirm');
  await ask(person, fresh('next'));
  expect(faultsOf(await open(person, signUp?.token ?? ''))).toEqual(['token replaced']);
  // The newest letter is of the change; whoever drops that has the other one sent again.
  await stand.bearing(person.realm, person.token).delete('/auth/email-change');
  stand.passTime(MINUTE_MS);
  expect((await post('advertiser', 'email-confirmation', {}, person.token)).status).toBe(200);
  const own = (await letters(person)).findLast(({ kind }) => kind === 'email_confirm');
  expect((await open(person, own?.token ?? '')).status).toBe(200);
});

test('an address that was left · for a week · is nobody else’s, and may be gone back to', async () => {
  const person = await owner();
  const next = fresh('next');
  await ask(person, next);
  await open(person, await linkTo(person, next), PASSWORD);
  const take = async () =>
    (await post('publisher', 'register', { email: person.email, password: PASSWORD })).status;
  expect(await take()).toBe(409);
  const other = await owner('publisher');
  expect((await ask(other, person.email)).status).toBe(409);
  const now = { ...person, email: next, token: await tokenOf('advertiser', next) };
  expect((await ask(now, person.email)).status).toBe(200);
  await stand.database.pool.query(
    `UPDATE email_confirmations SET ended_at = now() - interval '8 days' WHERE person_id = $1 AND status = 'CONFIRMED'`,
    [person.id],
  );
  expect(await take()).toBe(201);
});

test('a password that is guessed at the link · has five tries', async () => {
  const person = await owner();
  const next = fresh('next');
  await ask(person, next);
  const token = await linkTo(person, next);
  const statuses: number[] = [];
  for (let tries = 0; tries < 6; tries += 1) {
    statuses.push((await open(person, token, `a guess ${tries}7`)).status);
  }
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
});

test('addresses that are tried out · eleven in an hour · are answered no more', async () => {
  const [person, other] = [await owner(), await owner()];
  const statuses: number[] = [];
  for (let tries = 0; tries < 11; tries += 1) {
    statuses.push((await ask(person, other.email)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 409), 429]);
});

test('a removed member · whose link is still there · changes nothing', async () => {
  const person = await member();
  const next = fresh('next');
  await ask(person, next);
  const token = await linkTo(person, next);
  await stand.activities.removeMember({
    accountId: person.id,
    byMemberId: null,
    memberId: person.memberId ?? 0,
    requestId: 'x',
  });
  expect((await open(person, token, PASSWORD)).status).toBe(422);
  const { rows } = await stand.database.pool.query('SELECT email FROM members WHERE id = $1', [
    person.memberId,
  ]);
  expect(rows).toEqual([{ email: person.email }]);
});

test('a second factor · not shown lately · is asked for first', async () => {
  const person = await owner();
  await stand.database.pool.query(
    `INSERT INTO factors (person_type, person_id, kind, name, sealed_secret, confirmed_at)
     VALUES ('ACCOUNT', $1, 'TOTP', 'Phone', 'x', now())`,
    [person.id],
  );
  const refused = await ask(person, fresh('next'));
  expect([refused.status, dataOf(refused)['error']]).toEqual([403, 'step_up_required']);
});

test('a withdrawal · within seven days of a change of its owner’s address · is looked at by a person', async () => {
  const person = await owner('publisher');
  const asked = {
    publisherId: person.id,
    destinationFingerprint: 'x',
    channel: 'USDT',
    accountUsableFrom: new Date(0),
    createdAt: new Date(),
  };
  const findings = async () =>
    await inTransaction(
      stand.database.db,
      async (tx) => await findRisks(stand.activityDeps, tx, asked as LockedWithdrawal),
    );
  const changed = { code: 'EMAIL_CHANGED', severity: 'info' };
  const next = fresh('next');
  await ask(person, next);
  expect(await findings()).not.toContainEqual(changed);
  await open(person, await linkTo(person, next), PASSWORD);
  expect(await findings()).toContainEqual(changed);
  stand.passTime(7 * 86_400_000);
  expect(await findings()).not.toContainEqual(changed);
});
