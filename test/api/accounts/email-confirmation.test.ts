import { randomBytes } from 'node:crypto';
import type { Response, Test } from 'supertest';
import { inTransaction } from '../../../db/postgres.ts';
import { writeLink } from '../../../activities/accounts/email-asks.ts';
import { notify } from '../../../activities/accounts/notifications.ts';
import type { Realm } from '../../../api/http/auth.ts';
import { ownAddress } from '../../support/address.ts';
import { dataOf, faultsOf } from '../../support/call.ts';
import { lettersOf } from '../../support/login-letters.ts';
import { makeOperator } from '../../support/make/account.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.18: whether a login's address is its person's. */
const PASSWORD = 'correct horse 1';
const MINUTE_MS = 60_001;
const run = randomBytes(4).toString('hex');
let serial = 0;

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
const confirm = (realm: Realm, token: string) => post(realm, 'confirm-email', { token });

async function signUp(realm: 'advertiser' | 'publisher' = 'advertiser') {
  const email = `Sign${(serial += 1)}-${run}@example.com`;
  const answer = await post(realm, 'register', { email, password: PASSWORD });
  const { token, user } = dataOf(answer) as { token: string; user: { id: number } };
  return { realm, email, token, id: user.id };
}
type Person = Awaited<ReturnType<typeof signUp>>;

const links = async ({ id }: Pick<Person, 'id'>) =>
  (await lettersOf(stand, 'account_id', id)).filter(({ kind }) => kind === 'email_confirm');
const confirmedAt = async ({ realm, token }: Person): Promise<unknown> =>
  dataOf(await stand.bearing(realm, token).get('/auth/profile'))['email_confirmed_at'];
const again = (person: Person) => {
  stand.passTime(MINUTE_MS);
  return post(person.realm, 'email-confirmation', {}, person.token);
};

describe.each(['advertiser', 'publisher'] as const)('%s', (realm) => {
  test('who signs up · gets a usable token and a letter · whose link, once opened by them, confirms', async () => {
    const person = await signUp(realm);
    expect(await confirmedAt(person)).toBeNull();
    const [letter] = await links(person);
    expect(letter?.to).toBe(person.email);
    expect(letter?.text).toContain(`/console/#confirm-email=${realm}.${letter?.token}`);
    const answer = await confirm(realm, letter?.token ?? '');
    expect(dataOf(answer)).toEqual({ email: person.email, is_change: false, was_done: false });
    const since = await confirmedAt(person);
    expect(since).toEqual(expect.any(String));
    const second = await confirm(realm, letter?.token ?? '');
    expect(dataOf(second)).toEqual({ email: person.email, is_change: false, was_done: true });
    expect(await confirmedAt(person)).toBe(since);
    const { rows } = await stand.database.pool.query(
      `SELECT action, detail FROM audit_log WHERE account_id = $1 AND action LIKE 'login.%email'`,
      [person.id],
    );
    expect(rows).toEqual([{ action: 'login.confirm_email', detail: {} }]);
  });
});

test.each(['advertiser', 'publisher'] as const)(
  '%s · who signs up in Chinese · reads the first letter, and a forgotten password’s, in Chinese',
  async (realm) => {
    const email = `Zh${(serial += 1)}-${run}@example.com`;
    const preferences = { language: 'zh', time_zone: 'Asia/Shanghai', theme: 'dark' };
    const answer = await post(realm, 'register', { email, password: PASSWORD, preferences });
    const { token, user } = dataOf(answer) as { token: string; user: { id: number } };
    await post(realm, 'forgot-password', { email });
    const letters = await lettersOf(stand, 'account_id', user.id);
    expect(letters.map(({ kind }) => kind)).toEqual(['email_confirm', 'password_reset']);
    for (const { text } of letters) expect(text).toMatch(/您好/);
    const kept = dataOf(await stand.bearing(realm, token).get('/preferences'));
    expect(kept).toEqual({ ...preferences, updated_at: expect.any(String) });
  },
);

test('who signs up · in a language that no letter has · is told so at its field', async () => {
  const body = { email: `De-${run}@example.com`, password: PASSWORD };
  const preferences = { language: 'de', time_zone: 'Mars' };
  const answer = await post('publisher', 'register', { ...body, preferences });
  expect(answer.status).toBe(422);
  expect(faultsOf(answer)).toEqual([
    'preferences.language one_of',
    expect.stringMatching(/^preferences\.time_zone /),
  ]);
});

test('a link · that was not opened · is of use to nobody who reads the database or the logs', async () => {
  const person = await signUp();
  const { rows: started } = await stand.database.pool.query(
    `SELECT o.payload, o.dedupe_key FROM outbox o JOIN mails m ON o.dedupe_key = 'start:mail:' || m.id
     WHERE m.account_id = $1`,
    [person.id],
  );
  expect(started).toHaveLength(1);
  expect(JSON.stringify(started)).not.toContain('@');
  const [letter] = await links(person);
  const { rows } = await stand.database.pool.query<{ text: string }>(
    `SELECT (SELECT string_agg(c::text, '') FROM email_confirmations c)
       || (SELECT string_agg(m::text, '') FROM mails m) || (SELECT string_agg(o::text, '') FROM outbox o)
       || (SELECT string_agg(l::text, '') FROM audit_log l) AS text`,
  );
  expect(rows[0]?.text).not.toContain(letter?.token);
  const { rows: stored } = await stand.database.pool.query<{ token_hash: string }>(
    'SELECT token_hash FROM email_confirmations WHERE person_id = $1',
    [person.id],
  );
  // What a thief of the table has opens nothing.
  for (const { token_hash: hash } of stored) {
    expect(faultsOf(await confirm('advertiser', hash))).toEqual(['token not_valid']);
  }
  await confirm('advertiser', letter?.token ?? '');
  expect(lines.join('\n').toLowerCase()).not.toContain(person.email.toLowerCase());
  expect(lines.join('\n')).not.toContain(letter?.token);
});

test('a program that opens every link of a letter · reads pages · and confirms nothing', async () => {
  const person = await signUp();
  const [letter] = await links(person);
  const token = letter?.token ?? '';
  const reads = [
    await stand.anyone.get('/console/'),
    await stand.anyone.get(`/console/advertiser/confirm-email?token=${token}`),
    await stand.anyone.get(`/api/advertiser/auth/confirm-email?token=${token}`),
  ];
  expect(reads.filter(({ status }) => status >= 500)).toEqual([]);
  expect(await confirmedAt(person)).toBeNull();
});

test('a token · invented, of another realm, or of another person · confirms nobody else', async () => {
  const [mine, other] = [await signUp(), await signUp()];
  const [letter] = await links(mine);
  const token = letter?.token ?? '';
  for (const [realm, tried] of [
    ['advertiser', 'x'.repeat(43)],
    ['advertiser', `${token}x`],
    ['publisher', token],
    ['admin', token],
  ] as const) {
    const refused = await confirm(realm, tried);
    expect([refused.status, faultsOf(refused)]).toEqual([422, ['token not_valid']]);
  }
  // Whoever sends it, it is of the person that it was written to.
  const sent = await post('advertiser', 'confirm-email', { token }, other.token);
  expect(dataOf(sent)['email']).toBe(mine.email);
  expect(await confirmedAt(other)).toBeNull();
  expect(await confirmedAt(mine)).not.toBeNull();
});

test('a link · too old, or of an older letter than the newest · is refused by that name', async () => {
  const person = await signUp();
  const [first] = await links(person);
  expect((await again(person)).status).toBe(200);
  const [, second] = await links(person);
  const replaced = await confirm('advertiser', first?.token ?? '');
  expect(dataOf(replaced)['errors']).toEqual([
    {
      field: 'token',
      code: 'replaced',
      message: 'is of an older letter: open the link of the newest one',
    },
  ]);
  stand.passTime(7 * 86_400_000);
  const late = await confirm('advertiser', second?.token ?? '');
  expect(dataOf(late)['errors']).toEqual([
    {
      field: 'token',
      code: 'expired',
      message: 'is too old: log in and let another letter be sent',
    },
  ]);
  const { token } = dataOf(
    await post('advertiser', 'login', { username: person.email, password: PASSWORD }),
  ) as { token: string };
  expect((await again({ ...person, token })).status).toBe(200);
  const third = (await links(person)).at(-1);
  expect((await confirm('advertiser', third?.token ?? '')).status).toBe(200);
});

test('another letter · within a minute, an eleventh in a day, or of a confirmed address · is refused', async () => {
  const person = await signUp();
  const soon = await post('advertiser', 'email-confirmation', {}, person.token);
  expect([soon.status, dataOf(soon)['error']]).toEqual([429, 'rate_limited']);
  expect(Number(soon.headers['retry-after'])).toBeGreaterThan(50);
  for (let sent = 1; sent < 10; sent += 1) expect((await again(person)).status).toBe(200);
  const eleventh = await again(person);
  expect(eleventh.status).toBe(429);
  expect(Number(eleventh.headers['retry-after'])).toBeGreaterThan(80_000);
  await confirm('advertiser', (await links(person)).at(-1)?.token ?? '');
  const needless = await again(person);
  expect([needless.status, dataOf(needless)['error']]).toEqual([409, 'state_conflict']);
  expect((await stand.bearing('advertiser').post('/auth/email-confirmation', {})).status).toBe(401);
});

test('two letters at once · one link counts', async () => {
  const person = await signUp();
  stand.passTime(MINUTE_MS);
  const send = () => post('advertiser', 'email-confirmation', {}, person.token);
  const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status);
  expect(statuses.sort((a, b) => a - b)).toEqual([200, 429, 429]);
  const { rows } = await stand.database.pool.query(
    `SELECT status FROM email_confirmations WHERE person_id = $1 ORDER BY id`,
    [person.id],
  );
  expect(rows).toEqual([{ status: 'REPLACED' }, { status: 'OPEN' }]);
});

test('a link · opened five times at once · confirms once', async () => {
  const person = await signUp();
  const [letter] = await links(person);
  const answers: Response[] = await Promise.all(
    Array.from({ length: 5 }, async () => await confirm('advertiser', letter?.token ?? '')),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.filter((answer) => dataOf(answer)['was_done'] === false)).toHaveLength(1);
});

test('a process that dies before the commit · leaves neither link nor letter; a second delivery sends nothing', async () => {
  const person = await signUp();
  const key = { kind: 'ADVERTISER' as const, id: person.id, memberId: null };
  const written = async () =>
    (
      await stand.database.pool.query(
        `SELECT (SELECT count(*)::int FROM mails WHERE account_id = $1) AS letters,
           (SELECT count(*)::int FROM email_confirmations WHERE account_id = $1 AND status = 'OPEN') AS links,
           (SELECT count(*)::int FROM outbox WHERE dedupe_key LIKE 'start:mail:%') AS flows`,
        [person.id],
      )
    ).rows[0];
  const before = await written();
  await expect(
    inTransaction(stand.database.db, async (tx) => {
      await writeLink(stand.activityDeps, tx, {
        person: key,
        email: person.email,
        previousEmail: null,
      });
      throw new Error('the process dies');
    }),
  ).rejects.toThrow('dies');
  expect(await written()).toEqual(before);
  const [letter] = await links(person);
  expect(await stand.activities.deliverMail({ mailId: letter?.id ?? 0 })).toEqual({
    outcome: 'SENT',
  });
  const { rows } = await stand.database.pool.query('SELECT attempts FROM mails WHERE id = $1', [
    letter?.id,
  ]);
  expect(rows).toEqual([{ attempts: 1 }]);
  expect((await confirm('advertiser', letter?.token ?? '')).status).toBe(200);
});

test('a letter that waits · while a newer link is written · is not sent', async () => {
  const person = await signUp();
  await again(person);
  const letters = await links(person);
  expect(letters).toHaveLength(1);
  expect((await confirm('advertiser', letters[0]?.token ?? '')).status).toBe(200);
});

test('whoever sets a password by letter · has confirmed the address by that', async () => {
  const person = await signUp('publisher');
  await post('publisher', 'forgot-password', { email: person.email });
  const reset = (await lettersOf(stand, 'account_id', person.id)).at(-1);
  const body = { new_password: 'another horse 2', confirm_password: 'another horse 2' };
  await post('publisher', 'reset-password', { token: reset?.token, ...body });
  const { rows } = await stand.database.pool.query(
    'SELECT email_confirmed_at IS NOT NULL AS confirmed FROM accounts WHERE id = $1',
    [person.id],
  );
  expect(rows).toEqual([{ confirmed: true }]);
});

test('letters that may be turned off · wait for a confirmed address · those about money do not', async () => {
  const person = await signUp();
  const tell = async () => {
    await inTransaction(stand.database.db, async (tx) => {
      for (const kind of ['balance_low', 'deposit_paid'] as const) {
        const params = { amount: 5, currency: 'USD' };
        await notify(stand.activityDeps, tx, {
          accountId: person.id,
          kind,
          subject: null,
          params,
        });
      }
    });
    const letters = await lettersOf(stand, 'account_id', person.id);
    return letters.filter(({ kind }) => kind === 'notice').length;
  };
  expect(await tell()).toBe(1);
  const [link] = await links(person);
  await confirm('advertiser', link?.token ?? '');
  expect(await tell()).toBe(3);
});

test('an operator · has their own confirmed likewise, when they ask', async () => {
  const { id, email } = await makeOperator(stand.database.db, 'SUPPORT');
  const own = stand.as('admin', id);
  expect((await own.post('/auth/email-confirmation', {})).status).toBe(200);
  const [letter] = await lettersOf(stand, 'operator_id', id);
  expect(letter).toMatchObject({ kind: 'email_confirm', to: email });
  expect((await confirm('advertiser', letter?.token ?? '')).status).toBe(422);
  expect((await confirm('admin', letter?.token ?? '')).status).toBe(200);
  expect(dataOf(await own.get('/auth/profile'))['email_confirmed_at']).not.toBeNull();
});
