import { NO_VOICE } from '../../../domain/approvals.ts';
import type { OperatorRole } from '../../../domain/operator.ts';
import { ownAddress } from '../../support/address.ts';
import { dataOf, faultsOf, idOf } from '../../support/call.ts';
import { type Letter, lettersOf } from '../../support/login-letters.ts';
import { makeOperator } from '../../support/make/account.ts';
import { joinAsOperator, NEWCOMERS_PASSWORD as PASSWORD } from '../../support/newcomer.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.19: operators come by a letter, and nobody but who comes has the password. */
let stand: Stand;
let ada: number;
let bob: number;

beforeAll(async () => {
  stand = await createStand();
  ada = (await makeOperator(stand.database.db, 'ADMIN')).id;
  bob = (await makeOperator(stand.database.db, 'ADMIN')).id;
});
afterAll(async () => await stand?.close());

const DAY_MS = 86_400_000;
const TEN_MINUTES_MS = 600_000;
const BAD_TOKEN = ['token not_valid'];

let serial = 0;
const fresh = (role: OperatorRole = 'REVIEWER') => {
  const username = `invited_${(serial += 1)}`;
  return { username, email: `${username}@ops.example.com`, role };
};
const invite = async (body: object = fresh(), by = ada) =>
  await stand.as('admin', by).post('/operator-invitations', body);
const act = async (id: number, what: 'resend' | 'take-back', by = ada) =>
  await stand.as('admin', by).post(`/operator-invitations/${id}/${what}`);

async function letterOf(invitation: number): Promise<Letter> {
  const letter = (await lettersOf(stand, 'invitation_id', invitation)).at(-1);
  if (letter === undefined) throw new Error('no letter went out');
  return letter;
}
const door = async (path: string, body: object) =>
  await stand.bearing('admin').post(`/auth/${path}`, body).set('X-Forwarded-For', ownAddress());
const look = async (token: string) => await door('invitation', { token });
const accept = async (token: string, password = PASSWORD) =>
  await door('accept-invitation', { token, name: 'Nora Quay', password });

async function invited(body: { username: string; email: string; role: OperatorRole } = fresh()) {
  const answer = await invite(body);
  expect(answer.status).toBe(201);
  const id = idOf(answer);
  return { id, answer, ...body, letter: await letterOf(id) };
}
const shown = async (id: number) => {
  const { items } = dataOf(await stand.as('admin', ada).get('/operator-invitations?page_size=100'));
  return (items as Record<string, unknown>[]).find((each) => each['id'] === id);
};
const operatorNamed = async (username: string) => {
  const { items } = dataOf(await stand.as('admin', ada).get('/operators?page_size=100'));
  return (items as Record<string, unknown>[]).find((each) => each['username'] === username);
};

describe('an invitation', () => {
  test('by its letter · leads to a login with a password that nobody else had · and is asked for then', async () => {
    const { id, username, email, letter } = await invited();
    expect(letter.to).toBe(email);
    expect(letter.text).toContain('invites you to work on this platform');
    expect(letter.text).toContain(`/console/#invitation=admin.${letter.token}`);
    expect(await operatorNamed(username)).toBeUndefined();
    expect(dataOf(await look(letter.token))).toMatchObject({ username, email, role: 'REVIEWER' });

    const joined = await accept(letter.token);
    expect(joined.status).toBe(200);
    const own = stand.bearing('admin', String(dataOf(joined)['token']));
    const profile = dataOf(await own.get('/auth/profile'));
    expect(profile).toMatchObject({ username, email, role: 'REVIEWER', nickname: 'Nora Quay' });
    expect(profile['email_confirmed_at']).not.toBeNull();
    expect((await door('login', { username, password: PASSWORD })).status).toBe(200);

    const who = await operatorNamed(username);
    expect(who).toMatchObject({ vouched: false, waiting: [{ kind: 'operator' }] });
    expect(await shown(id)).toMatchObject({ status: 'ACCEPTED' });
    const { rows } = await stand.database.pool.query(
      `SELECT action, actor_id::int, detail FROM audit_log
       WHERE subject_type = 'operator' AND subject_id = $1 ORDER BY id`,
      [who?.['id']],
    );
    expect(rows).toContainEqual({
      action: 'operator.join',
      actor_id: who?.['id'],
      detail: { username, role: 'REVIEWER', invited_by: ada },
    });
    // Once.
    expect(faultsOf(await accept(letter.token))).toEqual(BAD_TOKEN);
    expect(faultsOf(await look(letter.token))).toEqual(BAD_TOKEN);
  });

  test('nothing that whoever invites can read · holds what opens it', async () => {
    const { id, answer, letter } = await invited();
    const admin = stand.as('admin', ada);
    const pages = await Promise.all(
      ['/operator-invitations', '/audit-log', '/operators'].map((path) => admin.get(path)),
    );
    const read = JSON.stringify([
      answer.body,
      (await act(id, 'resend')).body,
      ...pages.map((p) => p.body),
    ]);
    expect(read).not.toContain(letter.token);
    const { rows } = await stand.database.pool.query(
      `SELECT 1 FROM operator_invitations i WHERE i::text LIKE '%' || $1 || '%'`,
      [letter.token],
    );
    expect(rows).toEqual([]);
    // Nor may a password be said with it.
    expect(faultsOf(await invite({ ...fresh(), password: PASSWORD }))).toEqual([
      'password unknown_field',
    ]);
  });

  test.each(['username', 'email'] as const)(
    '%s · of an operator, or invited already · is claimed',
    async (field) => {
      const { username, email } = await joinAsOperator(stand, ada, 'SUPPORT');
      const open = await invited();
      for (const taken of [
        { ...fresh(), ...(field === 'username' ? { username } : { email }) },
        { ...fresh(), [field]: open[field].toUpperCase() },
      ]) {
        const answer = await invite(taken);
        expect([answer.status, faultsOf(answer)]).toEqual([409, [`${field} already_claimed`]]);
      }
    },
  );

  test('a name that came to be another’s meanwhile · is refused · and the invitation stays', async () => {
    const { id, username, letter } = await invited();
    const email = `twin-${username}@ops.example.com`;
    await stand.activities.createOperator({ username, email, password: PASSWORD, role: 'SUPPORT' });
    const answer = await accept(letter.token);
    expect([answer.status, faultsOf(answer)]).toEqual([409, ['username already_claimed']]);
    expect(await shown(id)).toMatchObject({ status: 'OPEN' });
  });

  test('weak passwords · are refused by their field', async () => {
    const { letter, email } = await invited();
    for (const password of ['short', 'password', email]) {
      expect((await accept(letter.token, password)).status).toBe(422);
    }
    expect((await accept(letter.token)).status).toBe(200);
  });

  test('of two with one token at once · one comes in', async () => {
    const { letter } = await invited();
    const answers = await Promise.all([accept(letter.token), accept(letter.token)]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '422']);
  });
});

describe('an invitation that is open', () => {
  test('sent again · ten minutes later · and the letter before opens nothing', async () => {
    const { id, letter } = await invited();
    const early = await act(id, 'resend');
    expect([early.status, dataOf(early)['error']]).toEqual([429, 'rate_limited']);
    stand.passTime(TEN_MINUTES_MS);
    expect((await act(id, 'resend', bob)).status).toBe(200);
    const second = await letterOf(id);
    expect(faultsOf(await look(letter.token))).toEqual(BAD_TOKEN);
    expect((await look(second.token)).status).toBe(200);
  });

  test('not accepted for seven days · opens nothing · until it is sent again', async () => {
    const { id, letter } = await invited();
    stand.passTime(7 * DAY_MS);
    expect(faultsOf(await accept(letter.token))).toEqual(BAD_TOKEN);
    expect((await act(id, 'resend')).status).toBe(200);
    expect((await accept((await letterOf(id)).token)).status).toBe(200);
  });

  test('taken back · its letter is not sent any more · and it is neither sent again nor taken back twice', async () => {
    const body = fresh();
    const id = idOf(await invite(body));
    const back = await act(id, 'take-back', bob);
    expect([back.status, dataOf(back)['status']]).toEqual([200, 'TAKEN_BACK']);
    expect(await lettersOf(stand, 'invitation_id', id)).toEqual([]);
    for (const what of ['resend', 'take-back'] as const) {
      expect((await act(id, what)).status).toBe(409);
    }
    const other = await invited();
    await act(other.id, 'take-back');
    expect(faultsOf(await accept(other.letter.token))).toEqual(BAD_TOKEN);
    // Ten minutes between two letters to one address, also then.
    expect((await invite(body)).status).toBe(429);
    stand.passTime(TEN_MINUTES_MS);
    expect((await invite(body)).status).toBe(201);
  });

  test.each([
    ['is suspended', 'suspend', { reason: 'Left' }],
    ['is ADMIN no more', 'role', { role: 'SUPPORT', reason: 'Another desk' }],
  ])('of somebody who %s · is taken back with them', async (_how, what, body) => {
    const leaver = (await makeOperator(stand.database.db, 'ADMIN')).id;
    const id = idOf(await invite(fresh(), leaver));
    const { token } = await letterOf(id);
    const answer = await stand.as('admin', bob).post(`/operators/${leaver}/${what}`, body);
    expect(answer.status).toBe(200);
    expect(await shown(id)).toMatchObject({ status: 'TAKEN_BACK' });
    expect(faultsOf(await accept(token))).toEqual(BAD_TOKEN);
  });

  test('left by a crash of somebody who was put out · lets nobody in', async () => {
    const leaver = (await makeOperator(stand.database.db, 'ADMIN')).id;
    const { token } = await letterOf(idOf(await invite(fresh(), leaver)));
    await stand.database.pool.query(`UPDATE operators SET status = 'SUSPENDED' WHERE id = $1`, [
      leaver,
    ]);
    expect(faultsOf(await accept(token))).toEqual(BAD_TOKEN);
  });

  test('a hundred in a day · and no more', async () => {
    stand.passTime(DAY_MS);
    const { answer } = await invited();
    await stand.database.pool.query(
      `INSERT INTO operator_invitations (username, email, role, token_hash, invited_by, invited_at, expires_at)
       SELECT 'many_' || n, 'many' || n || '@ops.example.com', 'SUPPORT', 'hash' || n, $1, $2,
         $2::timestamptz + interval '7 days' FROM generate_series(1, 99) n`,
      [ada, dataOf(answer)['invited_at']],
    );
    const full = await invite();
    expect([full.status, dataOf(full)['error']]).toEqual([429, 'rate_limited']);
    stand.passTime(DAY_MS);
    expect((await invite()).status).toBe(201);
  });
});

test('whoever came by one who is suspended · is out with them · until another vouches', async () => {
  const crook = (await makeOperator(stand.database.db, 'ADMIN')).id;
  stand.passTime(DAY_MS);
  const mule = await joinAsOperator(stand, crook, 'ADMIN');
  const own = stand.bearing('admin', mule.token);
  const login = { username: mule.username, password: PASSWORD };
  expect((await own.get('/auth/profile')).status).toBe(200);
  await stand.as('admin', bob).post(`/operators/${crook}/suspend`, { reason: 'Two logins' });
  expect((await own.get('/auth/profile')).status).toBe(403);
  const refused = await door('login', login);
  expect([refused.status, dataOf(refused)['error']]).toEqual([403, 'account_suspended']);
  expect(refused.body.message).toBe(NO_VOICE);
  const waiting = await stand
    .as('admin', bob)
    .get(`/approvals?kind=operator&subject=${mule.id}&state=PROPOSED`);
  const [approval] = dataOf(waiting)['items'] as { id: number }[];
  const vouched = await stand.as('admin', bob).post(`/approvals/${approval?.id}/approve`);
  expect(vouched.status).toBe(200);
  expect((await own.get('/auth/profile')).status).toBe(200);
});
