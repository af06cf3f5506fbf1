import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { generateSync } from 'otplib';
import type { Test } from 'supertest';
import type { Realm } from '../../../api/http/auth.ts';
import type { OperatorRole } from '../../../domain/operator.ts';
import { ownAddress } from '../../support/address.ts';
import { dataOf } from '../../support/call.ts';
import type { TestDatabase } from '../../support/database.ts';
import { lettersOf } from '../../support/login-letters.ts';
import { createStand, type Stand } from '../../support/stand.ts';

const PASSWORD = 'correct horse 1';
const NEXT = 'another horse 2';
const run = randomBytes(4).toString('hex');
let serial = 0;

let stand: Stand;
let database: TestDatabase;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
});
afterAll(async () => {
  await stand.close();
});

const post = (realm: Realm, route: string, body: object): Test =>
  stand.bearing(realm).post(`/auth/${route}`, body).set('X-Forwarded-For', ownAddress());

async function account(realm: 'advertiser' | 'publisher' = 'advertiser') {
  const email = `Reset${(serial += 1)}-${run}@example.com`;
  const kind = realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER';
  const { id } = await stand.activities.registerAccount({ kind, email, password: PASSWORD });
  return { id, email, realm, token: stand.issue(realm, id) };
}
type Account = Awaited<ReturnType<typeof account>>;

const forgot = (realm: Realm, email: string) => post(realm, 'forgot-password', { email });
const reset = (realm: Realm, token: string, extra: object = {}) =>
  post(realm, 'reset-password', {
    token,
    new_password: NEXT,
    confirm_password: NEXT,
    ...extra,
  });
const login = async (realm: Realm, email: string, password: string) =>
  (await post(realm, 'login', { username: email, password })).status;

const mailsOf = async (accountId: number) =>
  (
    await database.pool.query<{ id: string; sealed: string | null; status: string }>(
      `SELECT * FROM mails WHERE account_id = $1 AND kind <> 'email_confirm' ORDER BY id`,
      [accountId],
    )
  ).rows;

/** Asks, sends the letter, and reads the token out of it as a person would. */
async function tokenFor({ id, email, realm }: Account): Promise<string> {
  await stand.activities.requestPasswordReset({
    kind: realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER',
    email,
  });
  const mailId = Number((await mailsOf(id)).at(-1)?.id);
  expect(await stand.activities.deliverMail({ mailId })).toEqual({ outcome: 'SENT' });
  const letter = await readFile(path.join(stand.config.mail.dir, `${mailId}.eml`), 'utf8');
  const text = letter.replace(/=\n/g, '').replaceAll('=3D', '=');
  expect(text).toContain(`To: ${email}`);
  const token = /^[\w-]{43}$/m.exec(text)?.[0] ?? '';
  expect(text).toContain(`#reset-password=${realm}.${token}`);
  return token;
}

describe('forgot-password', () => {
  test('an address · that somebody, nobody, or somebody of the other realm has · the same answer', async () => {
    const known = await account();
    const elsewhere = await account('publisher');
    const emails = [known.email, `nobody-${run}@example.com`, elsewhere.email];
    const answers = await Promise.all(
      emails.map(async (email) => await forgot('advertiser', email)),
    );
    for (const { status, body, headers } of answers) {
      expect([status, body.code, body.message, body.data]).toEqual([200, 0, 'ok', {}]);
      expect(headers['ratelimit-limit']).toBe('1');
    }
    expect(await mailsOf(known.id)).toHaveLength(1);
    expect(await mailsOf(elsewhere.id)).toEqual([]);
    for (const email of emails) {
      const again = await forgot('advertiser', email.toUpperCase());
      expect([again.status, again.body.data.error]).toEqual([429, 'rate_limited']);
      expect(Number(again.headers['retry-after'])).toBeGreaterThan(50);
      expect(Number(again.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect(await mailsOf(elsewhere.id)).toEqual([]);
  });

  test('an address · known or not · is answered after about the same time', async () => {
    const median = async (emails: string[]) => {
      const times: number[] = [];
      for (const email of emails) {
        const begun = performance.now();
        expect((await forgot('advertiser', email)).status).toBe(200);
        times.push(performance.now() - begun);
      }
      return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    };
    const known = await Promise.all(Array.from({ length: 5 }, async () => await account()));
    const strangers = known.map((_, at) => `stranger${at}-${run}@example.com`);
    const [some, none] = [await median(known.map(({ email }) => email)), await median(strangers)];
    expect(Math.abs(some - none)).toBeLessThan(0.1 * none);
  });

  test('a suspended account · asks · gets the same answer and no letter', async () => {
    const { id, email } = await account();
    await stand.activities.suspendAccount({ kind: 'ADVERTISER', id, operatorId: 1 });
    expect((await forgot('advertiser', email)).status).toBe(200);
    expect(await mailsOf(id)).toEqual([]);
  });

  test('the letter, its secret and the token · at rest · are nowhere to be read', async () => {
    const person = await account();
    await stand.activities.requestPasswordReset({ kind: 'ADVERTISER', email: person.email });
    const [queued] = await mailsOf(person.id);
    expect(queued).toMatchObject({ status: 'QUEUED', kind: 'password_reset' });
    const { rows } = await database.pool.query(`SELECT payload FROM outbox WHERE dedupe_key = $1`, [
      `start:mail:${queued?.id}`,
    ]);
    expect(rows[0].payload.input).toEqual({ mailId: Number(queued?.id) });
    expect(JSON.stringify(rows)).not.toContain('@');
    const token = await tokenFor(person);
    const everything = await database.pool.query(
      `SELECT (SELECT string_agg(m::text, '') FROM mails m) || (SELECT string_agg(r::text, '') FROM password_resets r)
        || (SELECT string_agg(o::text, '') FROM outbox o) AS text`,
    );
    expect(everything.rows[0].text).not.toContain(token);
    expect((await mailsOf(person.id)).at(-1)).toMatchObject({ status: 'SENT', sealed: null });
  });

  test.each([[{}], [{ email: 'nobody' }], [{ email: 5 }], [{ email: 'a@b.example', realm: 'x' }]])(
    'a body · %j · is 422',
    async (body) => {
      expect((await post('advertiser', 'forgot-password', body)).status).toBe(422);
    },
  );
});

describe('reset-password', () => {
  test('the token · used · sets the password, ends every session and letter, and works no more', async () => {
    const person = await account('publisher');
    const first = await tokenFor(person);
    const second = await tokenFor(person);
    expect((await reset('publisher', second)).body).toMatchObject({ code: 0, data: {} });
    expect(await login('publisher', person.email, PASSWORD)).toBe(401);
    expect(await login('publisher', person.email, NEXT)).toBe(200);
    const profile = await stand.bearing('publisher', person.token).get('/auth/profile');
    expect(profile.status).toBe(401);
    for (const token of [first, second]) {
      const again = await reset('publisher', token, {
        new_password: 'third horse 33',
        confirm_password: 'third horse 33',
      });
      expect(again.status).toBe(422);
      expect(again.body.data.errors).toEqual([
        { field: 'token', code: 'not_valid', message: 'is used, too old, or not ours' },
      ]);
    }
    const { rows } = await database.pool.query(
      `SELECT action, actor_type FROM audit_log WHERE subject_type = 'publisher' AND subject_id = $1`,
      [person.id],
    );
    expect(rows).toEqual([{ action: 'password.reset', actor_type: 'ACCOUNT' }]);
  });

  test('the token · used five times at once · sets one password', async () => {
    const person = await account();
    const token = await tokenFor(person);
    const words = ['one', 'two', 'three', 'four', 'five'].map((word) => `${word} horse 77`);
    const answers = await Promise.all(
      words.map(
        async (word) =>
          await reset('advertiser', token, { new_password: word, confirm_password: word }),
      ),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200, 422, 422, 422, 422,
    ]);
    const winner = words[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect(await login('advertiser', person.email, winner)).toBe(200);
  });

  test('the token · of the other realm, older than an hour, changed, or invented · the same 422', async () => {
    const person = await account();
    const token = await tokenFor(person);
    expect((await reset('publisher', token)).status).toBe(422);
    expect((await reset('advertiser', `${token}x`)).status).toBe(422);
    expect((await reset('advertiser', 'x'.repeat(43))).status).toBe(422);
    stand.passTime(3_600_001);
    const late = await reset('advertiser', token);
    expect(late.body.data.errors[0]).toMatchObject({ field: 'token', code: 'not_valid' });
    expect(await login('advertiser', person.email, PASSWORD)).toBe(200);
  });

  test('the token · after the password was changed by its owner · works no more', async () => {
    const person = await account();
    const token = await tokenFor(person);
    await stand.activities.changePassword({
      kind: 'ADVERTISER',
      id: person.id,
      oldPassword: PASSWORD,
      newPassword: 'chosen horse 9',
    });
    expect((await reset('advertiser', token)).status).toBe(422);
    expect(await login('advertiser', person.email, 'chosen horse 9')).toBe(200);
  });

  test('a refused new password · leaves the token as good as it was', async () => {
    const person = await account();
    const token = await tokenFor(person);
    for (const [field, extra] of [
      ['new_password', { new_password: 'short', confirm_password: 'short' }],
      ['confirm_password', { confirm_password: 'different 99' }],
      ['new_password', { new_password: person.email, confirm_password: person.email }],
    ] as const) {
      const answer = await reset('advertiser', token, extra);
      expect(answer.status).toBe(422);
      expect(answer.body.data.errors.map((each: { field: string }) => each.field)).toContain(field);
    }
    expect((await reset('advertiser', token)).status).toBe(200);
  });

  test('a letter · whose time is over before it could be sent · is not sent, and keeps no secret', async () => {
    const person = await account();
    await stand.activities.requestPasswordReset({ kind: 'ADVERTISER', email: person.email });
    const mailId = Number((await mailsOf(person.id)).at(-1)?.id);
    stand.passTime(3_600_001);
    expect(await stand.activities.deliverMail({ mailId })).toEqual({ outcome: 'EXPIRED' });
    expect(await stand.activities.deliverMail({ mailId })).toEqual({ outcome: 'EXPIRED' });
    expect((await mailsOf(person.id)).at(-1)).toMatchObject({ status: 'EXPIRED', sealed: null });
  });
});

/** interface 5.2: as accounts; whose address nobody ever confirmed may be anybody's. */
describe('an operator who forgot the password', () => {
  const operator = async (role: OperatorRole = 'FINANCE', isConfirmed = true) => {
    const username = `forgetful_${(serial += 1)}`;
    const who = { username, email: `${username}-${run}@example.com` };
    const { id } = await stand.activities.createOperator({ ...who, password: PASSWORD, role });
    if (isConfirmed) {
      await database.pool.query('UPDATE operators SET email_confirmed_at = now() WHERE id = $1', [
        id,
      ]);
    }
    return { ...who, id };
  };
  const letters = async (id: number) =>
    (await lettersOf(stand, 'operator_id', id)).filter(({ kind }) => kind === 'password_reset');
  const asked = async (who: { id: number; email: string }): Promise<string> => {
    expect((await forgot('admin', who.email)).status).toBe(200);
    return (await letters(who.id)).at(-1)?.token ?? '';
  };

  test('by the letter · sets one, every session ends, and the log says who', async () => {
    const who = await operator();
    const session = stand.issue('admin', who.id);
    const token = await asked(who);
    const [letter] = await letters(who.id);
    expect(letter?.to).toBe(who.email);
    expect(letter?.text).toContain(`/console/#reset-password=admin.${token}`);
    expect((await reset('publisher', token)).status).toBe(422);
    expect((await reset('admin', token)).status).toBe(200);
    expect((await stand.bearing('admin', session).get('/auth/profile')).status).toBe(401);
    expect(await login('admin', who.username, NEXT)).toBe(200);
    expect((await reset('admin', token)).status).toBe(422);
    const { rows } = await database.pool.query(
      `SELECT actor_type, actor_id::int FROM audit_log WHERE action = 'password.reset'
         AND subject_type = 'operator' AND subject_id = $1`,
      [who.id],
    );
    expect(rows).toEqual([{ actor_type: 'OPERATOR', actor_id: who.id }]);
    const told = (await lettersOf(stand, 'operator_id', who.id)).at(-1);
    expect(told?.kind).toBe('security');
  });

  test('an account of the same number · keeps its own letter', async () => {
    await database.pool.query(
      `SELECT setval(pg_get_serial_sequence('accounts', 'id'), 50000), setval(pg_get_serial_sequence('operators', 'id'), 50000)`,
    );
    const [who, person] = [await operator(), await account()];
    expect(who.id).toBe(person.id);
    const theirs = await tokenFor(person);
    expect((await reset('admin', theirs)).status).toBe(422);
    expect((await reset('admin', await asked(who))).status).toBe(200);
    expect((await reset('advertiser', theirs)).status).toBe(200);
  });

  test('whose address was never confirmed · gets no letter, and the same answer', async () => {
    const who = await operator('ADMIN', false);
    expect((await forgot('admin', who.email)).status).toBe(200);
    expect(await letters(who.id)).toEqual([]);
  });

  test('who is suspended, before or after the letter · is not let in by it', async () => {
    const [out, later, admin] = [await operator(), await operator(), await operator('ADMIN')];
    const suspend = async (id: number) => {
      const answer = await stand
        .as('admin', admin.id)
        .post(`/operators/${id}/suspend`, { reason: 'Left' });
      expect(answer.status).toBe(200);
    };
    await suspend(out.id);
    expect((await forgot('admin', out.email)).status).toBe(200);
    expect(await letters(out.id)).toEqual([]);
    const token = await asked(later);
    await suspend(later.id);
    expect((await reset('admin', token)).status).toBe(422);
  });

  test('with a second factor · the new password alone lets nobody in', async () => {
    const who = await operator();
    const own = stand.as('admin', who.id);
    const { id, secret } = dataOf(await own.post('/auth/factors/totp', { password: PASSWORD }));
    const epoch = Math.floor(stand.deps.clock().getTime() / 1_000);
    const code = generateSync({ secret: String(secret), epoch });
    expect((await own.post(`/auth/factors/${String(id)}/confirm`, { code })).status).toBe(200);
    expect((await reset('admin', await asked(who))).status).toBe(200);
    const answer = await post('admin', 'login', { username: who.username, password: NEXT });
    expect(answer.body.data.error).toBe('second_factor_required');
  });
});
