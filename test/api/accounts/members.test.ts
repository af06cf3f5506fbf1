import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Response } from 'supertest';
import type { MemberRole } from '../../../domain/member.ts';
import { ownAddress } from '../../support/address.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { type AnyCaller, callerOf, callerWith, dataOf, faultsOf } from '../../support/call.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { readableLetter } from '../../support/login-letters.ts';
import { makeOperator } from '../../support/make/account.ts';
import { CAMPAIGN } from '../../support/make/chain.ts';

const PASSWORD = 'correct horse 1';
const DAY_MS = 86_400_000;
const TEN_MINUTES_MS = 600_000;
const run = randomBytes(4).toString('hex');
let serial = 0;
const freshEmail = () => `member${(serial += 1)}-${run}@example.com`;

type Side = 'advertiser' | 'publisher';
const kindOf = (side: Side) => (side === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER');

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await createTestApp(database);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

/** A minute passes with each call, so that no limit of a minute is met. */
const pass = () => app.passTime(60_000);

async function owner(side: Side = 'advertiser') {
  const email = freshEmail();
  const { id } = await app.activities.registerAccount({
    kind: kindOf(side),
    email,
    password: PASSWORD,
    companyName: 'Harbour Rope Ltd',
  });
  return { email, side, ...callerOf(app, side, id, pass) };
}
type Owner = Awaited<ReturnType<typeof owner>>;

const anybody = (side: Side = 'advertiser') => {
  const caller = callerWith(app, side, undefined);
  const address = ownAddress();
  return (path_: string, body: object) => caller.post(path_, body).set('X-Forwarded-For', address);
};

const refusalOf = (answer: Response) => [answer.status, dataOf(answer)['error']];

/** Sends the letter and reads it as a person would. */
async function letterTo(memberId: number): Promise<{ text: string; token: string }> {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM mails WHERE member_id = $1 ORDER BY id DESC LIMIT 1',
    [memberId],
  );
  const mailId = Number(rows[0]?.id);
  expect(await app.activities.deliverMail({ mailId })).toEqual({ outcome: 'SENT' });
  const letter = await readFile(path.join(app.config.mail.dir, `${mailId}.eml`), 'latin1');
  const text = readableLetter(letter);
  const token = /#[\w-]+=\w+\.([\w-]{43})/.exec(text)?.[1] ?? '';
  return { text, token };
}

async function invited(by: AnyCaller, role: MemberRole = 'EDITOR', email = freshEmail()) {
  const answer = await by.post('/members', { email, role });
  expect(answer.status).toBe(201);
  return { id: Number(dataOf(answer)['id']), email };
}

/** Invited, and come in by the letter. */
async function joined(by: Owner, role: MemberRole = 'EDITOR') {
  const { id, email } = await invited(by, role);
  const { token } = await letterTo(id);
  const answer = await anybody(by.side)('/auth/accept-invitation', {
    token,
    name: `Person ${id}`,
    password: PASSWORD,
  });
  expect(answer.status).toBe(200);
  const session = dataOf(answer) as { token: string; user: Record<string, unknown> };
  return { id, email, user: session.user, ...callerWith(app, by.side, session.token, pass) };
}

const login = (side: Side, username: string, password = PASSWORD) =>
  anybody(side)('/auth/login', { username, password });

const auditOf = async (memberId: number) =>
  (
    await database.pool.query(
      `SELECT action, actor_type, actor_id::int, member_id::int, detail FROM audit_log
       WHERE subject_type = 'member' AND subject_id = $1 ORDER BY id`,
      [memberId],
    )
  ).rows;

describe('an invitation', () => {
  test('of an account whose console is in Chinese · is in Chinese · until the member says otherwise', async () => {
    const by = await owner('advertiser');
    await by.put('/preferences', { language: 'zh' });
    const { id } = await invited(by);
    expect((await letterTo(id)).text).toContain('您好');
  });

  test('by a member · is in that member’s language, and sent again by the owner still is', async () => {
    const by = await owner('advertiser');
    await by.put('/preferences', { language: 'zh' });
    const admin = await joined(by, 'ADMIN');
    await admin.put('/preferences', { language: 'en' });
    const { id } = await invited(admin);
    expect((await letterTo(id)).text).toContain('invites you to work');
    app.passTime(TEN_MINUTES_MS);
    expect((await by.post(`/members/${id}/resend`)).status).toBe(200);
    expect((await letterTo(id)).text).toContain('invites you to work');
  });

  test('with a language · is in that one; another word · is refused', async () => {
    const by = await owner('publisher');
    const email = freshEmail();
    const asked = await by.post('/members', { email, role: 'EDITOR', language: 'zh' });
    expect(asked.status).toBe(201);
    expect((await letterTo(Number(dataOf(asked)['id']))).text).toContain('邀请您加入');
    const other = { email: freshEmail(), role: 'EDITOR', language: 'de' };
    const refused = await by.post('/members', other);
    expect([refused.status, faultsOf(refused)]).toEqual([422, ['language one_of']]);
  });

  test.each(['advertiser', 'publisher'] as const)(
    'of %s · sent, read and accepted · logs the member in to the account',
    async (side) => {
      const by = await owner(side);
      const email = `New.Person-${side}-${run}@example.com`;
      const answer = await by.post('/members', { email, role: 'FINANCE' });
      expect(answer.status).toBe(201);
      expect(dataOf(answer)).toMatchObject({
        email,
        name: null,
        role: 'FINANCE',
        status: 'INVITED',
        joined_at: null,
        removed_at: null,
        version: 1,
      });
      const id = Number(dataOf(answer)['id']);
      const { text, token } = await letterTo(id);
      expect(text).toContain(`To: ${email}`);
      expect(text).toContain('Harbour Rope Ltd invites you');
      expect(text).toContain(`${app.config.urls.base}/console/#invitation=${side}.${token}`);
      const stored = await database.pool.query(
        `SELECT 1 FROM members WHERE invitation_hash = $1
         UNION ALL SELECT 1 FROM mails WHERE sealed LIKE '%' || $1 || '%'`,
        [token],
      );
      expect(stored.rows).toEqual([]);

      // Whoever holds the letter may look at what it lets into, as often as they like.
      for (const _look of [1, 2]) {
        const seen = await anybody(side)('/auth/invitation', { token });
        expect([seen.status, dataOf(seen)]).toEqual([
          200,
          {
            account: 'Harbour Rope Ltd',
            email,
            role: 'FINANCE',
            expires_at: dataOf(answer)['invitation_expires_at'],
          },
        ]);
      }
      const body = { token, name: ' Bo Lantern ', password: PASSWORD };
      const accepted = await anybody(side)('/auth/accept-invitation', body);
      expect(accepted.status).toBe(200);
      const { token: bearer, user } = dataOf(accepted) as { token: string; user: object };
      expect(user).toEqual({
        id: by.id,
        advertisement_id: by.id,
        member_id: id,
        username: email,
        email,
        nickname: 'Bo Lantern',
        role: 'FINANCE',
      });
      const member = callerWith(app, side, bearer, pass);
      expect(dataOf(await member.get('/auth/profile'))).toMatchObject({
        ...user,
        company_name: 'Harbour Rope Ltd',
      });
      const again = await login(side, email.toUpperCase());
      expect(dataOf(again)['user']).toEqual(user);
      expect(await auditOf(id)).toEqual([
        {
          action: 'member.invite',
          actor_type: 'ACCOUNT',
          actor_id: by.id,
          member_id: null,
          detail: { role: 'FINANCE' },
        },
        {
          action: 'member.join',
          actor_type: 'ACCOUNT',
          actor_id: by.id,
          member_id: id,
          detail: {},
        },
      ]);
    },
  );

  test('a token · used, unknown, of the other realm, or too old · is refused alike', async () => {
    const by = await owner();
    const { id } = await invited(by);
    const { token } = await letterTo(id);
    const accept = (side: Side, given: string) =>
      anybody(side)('/auth/accept-invitation', { token: given, name: 'Bo', password: PASSWORD });
    const look = (side: Side, given: string) => anybody(side)('/auth/invitation', { token: given });
    for (const answer of [
      await accept('publisher', token),
      await accept('advertiser', 'x'),
      await look('publisher', token),
      await look('advertiser', 'x'),
    ]) {
      expect([answer.status, faultsOf(answer)]).toEqual([422, ['token not_valid']]);
    }
    app.passTime(7 * DAY_MS);
    for (const late of [await accept('advertiser', token), await look('advertiser', token)]) {
      expect([late.status, faultsOf(late)]).toEqual([422, ['token not_valid']]);
    }

    const resent = await by.post(`/members/${id}/resend`);
    expect(resent.status).toBe(200);
    const { token: second } = await letterTo(id);
    expect(second).not.toBe(token);
    const answers = await Promise.all(
      [1, 2, 3].map(async () => await accept('advertiser', second)),
    );
    const statuses = answers.map(({ status }) => String(status));
    expect(statuses.toSorted()).toEqual(['200', '422', '422']);
    const used = await accept('advertiser', second);
    expect(faultsOf(used)).toEqual(['token not_valid']);
    const pointless = await by.post(`/members/${id}/resend`);
    expect(refusalOf(pointless)).toEqual([409, 'state_conflict']);
  });

  test('a password · that is easy to guess, or the own address · is refused and uses nothing up', async () => {
    const by = await owner();
    const { id, email } = await invited(by);
    const { token } = await letterTo(id);
    for (const password of ['password123', email]) {
      const weak = await anybody()('/auth/accept-invitation', { token, name: 'Bo', password });
      expect(faultsOf(weak)).toEqual(['password too_common']);
    }
    const good = { token, name: 'Bo', password: PASSWORD };
    expect((await anybody()('/auth/accept-invitation', good)).status).toBe(200);
  });

  test('an address · invited already, of an owner, or of a member · is claimed', async () => {
    const by = await owner();
    const other = await owner();
    const member = await joined(other);
    const open = await invited(by);
    for (const email of [open.email.toUpperCase(), by.email, other.email, member.email]) {
      const answer = await by.post('/members', { email, role: 'VIEWER' });
      expect(refusalOf(answer)).toEqual([409, 'already_claimed']);
    }
  });

  test('an address · of an owner or member of the other realm · is free', async () => {
    const by = await owner('publisher');
    const member = await joined(by);
    const buyer = await owner('advertiser');
    await invited(buyer, 'VIEWER', by.email);
    const twin = await invited(buyer, 'VIEWER', member.email);
    const { token } = await letterTo(twin.id);
    const body = { token, name: 'Bo', password: 'another horse 2' };
    expect((await anybody('advertiser')('/auth/accept-invitation', body)).status).toBe(200);
    expect((await login('publisher', member.email)).status).toBe(200);
    expect((await login('advertiser', member.email)).status).toBe(401);
    expect((await login('advertiser', member.email, 'another horse 2')).status).toBe(200);
  });

  test('an open invitation · claims nothing: whoever has the address may register · then it is refused', async () => {
    const by = await owner();
    const { id, email } = await invited(by);
    const { token } = await letterTo(id);
    const register = { email, password: PASSWORD };
    expect((await anybody()('/auth/register', register)).status).toBe(201);
    const late = await anybody()('/auth/accept-invitation', {
      token,
      name: 'B',
      password: PASSWORD,
    });
    expect(refusalOf(late)).toEqual([409, 'already_claimed']);
  });

  test('registration · with the address of a member of the realm · 409; of the other realm · 201', async () => {
    const { email } = await joined(await owner());
    const taken = await anybody()('/auth/register', { email, password: PASSWORD });
    expect(refusalOf(taken)).toEqual([409, 'already_claimed']);
    expect(faultsOf(taken)).toEqual(['email already_claimed']);
    const free = await anybody('publisher')('/auth/register', { email, password: PASSWORD });
    expect(free.status).toBe(201);
  });

  test('registration and two acceptances of one address · at once · one of them', async () => {
    const email = freshEmail();
    const tokens = [];
    for (const by of [await owner(), await owner()]) {
      const { id } = await invited(by, 'VIEWER', email);
      tokens.push((await letterTo(id)).token);
    }
    const answers = await Promise.all([
      anybody()('/auth/register', { email, password: PASSWORD }),
      ...tokens.map(
        async (token) =>
          await anybody()('/auth/accept-invitation', { token, name: 'Bo', password: PASSWORD }),
      ),
    ]);
    const good = answers.filter(({ status }) => status < 300);
    expect(good).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status >= 300)) {
      expect(refusalOf(answer)).toEqual([409, 'already_claimed']);
    }
    expect((await login('advertiser', email)).status).toBe(200);
  });

  test('letters · to one address · ten minutes apart, also after the invitation was taken back', async () => {
    const by = await owner();
    const { id, email } = await invited(by);
    const soon = await by.post(`/members/${id}/resend`);
    expect(refusalOf(soon)).toEqual([429, 'rate_limited']);
    expect(Number(soon.headers['retry-after'])).toBeLessThanOrEqual(600);
    expect((await by.delete(`/members/${id}`)).status).toBe(200);
    const again = await by.post('/members', { email, role: 'VIEWER' });
    expect(refusalOf(again)).toEqual([429, 'rate_limited']);
    app.passTime(TEN_MINUTES_MS);
    await invited(by, 'VIEWER', email);
  });

  test('a letter · not sent before the invitation was taken back · is not sent any more', async () => {
    const by = await owner();
    const { id } = await invited(by);
    expect((await by.delete(`/members/${id}`)).status).toBe(200);
    const { rows } = await database.pool.query(
      'SELECT id::int, status, sealed FROM mails WHERE member_id = $1',
      [id],
    );
    expect(rows).toEqual([{ id: rows[0]?.id, status: 'EXPIRED', sealed: null }]);
  });

  test('people · a hundred of them · are all that fit', async () => {
    const by = await owner();
    await database.pool.query(
      `INSERT INTO members (account_id, kind, email, role, status, invited_at, invitation_expires_at)
       SELECT $1::bigint, 'ADVERTISER', 'crowd' || i || '-' || $1::bigint || '@example.com', 'VIEWER',
         CASE WHEN i <= 99 THEN 'INVITED' ELSE 'REMOVED' END, now() - interval '1 year', now()
       FROM generate_series(1, 120) i`,
      [by.id],
    );
    await invited(by);
    const full = await by.post('/members', { email: freshEmail(), role: 'VIEWER' });
    expect([...refusalOf(full), dataOf(full)['max']]).toEqual([409, 'state_conflict', 100]);
  });

  test('invitations · a hundred of a day · are enough, whatever became of them', async () => {
    const by = await owner();
    const now = app.deps.clock();
    await database.pool.query(
      `INSERT INTO members (account_id, kind, email, role, status, invited_at, invitation_expires_at)
       SELECT $1::bigint, 'ADVERTISER', 'eager' || i || '-' || $1::bigint || '@example.com', 'VIEWER', 'REMOVED', $2::timestamptz, $2::timestamptz
       FROM generate_series(1, 100) i`,
      [by.id, now],
    );
    const email = freshEmail();
    const tooMany = await by.post('/members', { email, role: 'VIEWER' });
    expect(refusalOf(tooMany)).toEqual([429, 'rate_limited']);
    app.passTime(DAY_MS);
    await invited(by, 'VIEWER', email);
  });

  test('the request · repeated with its key · invites once', async () => {
    const by = await owner();
    const body = { email: freshEmail(), role: 'VIEWER' };
    const ask = () => by.post('/members', body).set('Idempotency-Key', `invite-${run}`);
    const [first, second] = [await ask(), await ask()];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(dataOf(await by.get('/members'))['total']).toBe(1);
  });
});

describe('the list', () => {
  test('of members · newest first, with the owner beside · those removed by their status', async () => {
    const by = await owner();
    const first = await joined(by, 'VIEWER');
    const second = await invited(by, 'FINANCE');
    await by.delete(`/members/${first.id}`);
    const shown = dataOf(await by.get('/members'));
    expect(shown).toMatchObject({
      total: 1,
      items: [{ id: second.id, status: 'INVITED' }],
      owner: { email: by.email, role: 'ADMIN' },
    });
    const removed = dataOf(await by.get('/members?status=REMOVED'));
    expect(removed).toMatchObject({ total: 1, items: [{ id: first.id, status: 'REMOVED' }] });
    expect(dataOf(await (await owner()).get('/members'))).toMatchObject({ total: 0, items: [] });
  });
});

describe('a role', () => {
  test('changed · counts from the next request on', async () => {
    const by = await owner();
    const member = await joined(by, 'VIEWER');
    const tracker = { name: 'Leads' };
    const refused = await member.post('/trackers', tracker);
    expect(refusalOf(refused)).toEqual([403, 'forbidden_role']);
    expect(dataOf(refused)['roles']).toEqual(['ADMIN', 'EDITOR']);
    const changed = await by.put(`/members/${member.id}`, { role: 'EDITOR' });
    expect(dataOf(changed)).toMatchObject({ role: 'EDITOR', version: 3 });
    expect((await member.post('/trackers', tracker)).status).toBe(201);
    expect(await auditOf(member.id)).toContainEqual(
      expect.objectContaining({
        action: 'member.role',
        detail: { before: 'VIEWER', after: 'EDITOR' },
      }),
    );
  });

  test('one that is no role · or of a version that is over · is refused', async () => {
    const by = await owner();
    const { id } = await invited(by);
    const put = (body: object) => by.put(`/members/${id}`, body);
    for (const role of ['OWNER', 'SUPPORT', 'admin', '', null, 1]) {
      expect((await put({ role })).status).toBe(422);
    }
    expect((await put({ role: 'VIEWER' }).set('If-Match', '"1"')).status).toBe(200);
    const stale = await put({ role: 'ADMIN' }).set('If-Match', '"1"');
    expect(refusalOf(stale)).toEqual([412, 'precondition_failed']);
    expect((await by.delete(`/members/${id}`).set('If-Match', '"1"')).status).toBe(412);
  });

  test.each(['EDITOR', 'FINANCE', 'VIEWER'] as const)(
    '%s · at every route of members · is refused with the roles that may',
    async (role) => {
      const by = await owner();
      const member = await joined(by, role);
      const { id } = await invited(by);
      for (const answer of [
        await member.get('/members'),
        await member.post('/members', { email: freshEmail(), role: 'ADMIN' }),
        await member.put(`/members/${member.id}`, { role: 'ADMIN' }),
        await member.delete(`/members/${id}`),
        await member.post(`/members/${id}/resend`),
      ]) {
        expect(refusalOf(answer)).toEqual([403, 'forbidden_role']);
        expect(dataOf(answer)['roles']).toEqual(['ADMIN']);
      }
    },
  );

  test('an ADMIN · does as the owner does, but not to themselves · so an ADMIN is always left', async () => {
    const by = await owner();
    const [one, two] = [await joined(by, 'ADMIN'), await joined(by, 'ADMIN')];
    for (const answer of [
      await one.put(`/members/${one.id}`, { role: 'VIEWER' }),
      await one.put(`/members/${one.id}`, { role: 'ADMIN' }),
      await one.delete(`/members/${one.id}`),
    ]) {
      expect(refusalOf(answer)).toEqual([409, 'state_conflict']);
    }
    expect((await one.put(`/members/${two.id}`, { role: 'VIEWER' })).status).toBe(200);
    expect(refusalOf(await two.get('/members'))).toEqual([403, 'forbidden_role']);
    // The owner is no row: their id is the account's, and that of no member here.
    expect((await one.delete(`/members/${by.id + 1_000_000}`)).status).toBe(404);
    expect((await one.delete(`/members/${two.id}`)).status).toBe(200);
    expect((await by.delete(`/members/${one.id}`)).status).toBe(200);
    expect(dataOf(await by.get('/auth/profile'))['role']).toBe('ADMIN');
    expect(await auditOf(two.id)).toContainEqual({
      action: 'member.remove',
      actor_type: 'ACCOUNT',
      actor_id: by.id,
      member_id: one.id,
      detail: {},
    });
  });

  test('of an account that is not theirs · nobody changes anything', async () => {
    const by = await owner();
    const stranger = await owner();
    const { id } = await invited(by);
    for (const answer of [
      await stranger.put(`/members/${id}`, { role: 'ADMIN' }),
      await stranger.delete(`/members/${id}`),
      await stranger.post(`/members/${id}/resend`),
    ]) {
      expect(refusalOf(answer)).toEqual([404, 'not_found']);
    }
  });
});

describe('a member', () => {
  test('removed · their tokens, password, letters and resets end at once; the address is free', async () => {
    const by = await owner();
    const member = await joined(by, 'ADMIN');
    await anybody()('/auth/forgot-password', { email: member.email });
    const { token: reset } = await letterTo(member.id);
    expect((await by.delete(`/members/${member.id}`)).status).toBe(200);
    expect(refusalOf(await member.get('/auth/profile'))).toEqual([401, 'token_expired']);
    expect((await login('advertiser', member.email)).status).toBe(401);
    const body = {
      token: reset,
      new_password: 'another horse 2',
      confirm_password: 'another horse 2',
    };
    expect((await anybody()('/auth/reset-password', body)).status).toBe(422);
    for (const answer of [
      await by.delete(`/members/${member.id}`),
      await by.put(`/members/${member.id}`, { role: 'VIEWER' }),
      await by.post(`/members/${member.id}/resend`),
    ]) {
      expect(refusalOf(answer)).toEqual([409, 'state_conflict']);
    }
    app.passTime(TEN_MINUTES_MS);
    const back = await invited(by, 'VIEWER', member.email);
    expect(back.id).not.toBe(member.id);
    expect(refusalOf(await member.get('/auth/profile'))).toEqual([401, 'token_expired']);
  });

  test('logs out · ends one token, and nobody else’s', async () => {
    const by = await owner();
    const member = await joined(by, 'VIEWER');
    const second = callerWith(
      app,
      'advertiser',
      String(dataOf(await login('advertiser', member.email))['token']),
      pass,
    );
    expect((await member.post('/auth/logout')).status).toBe(200);
    expect((await member.get('/auth/profile')).status).toBe(401);
    expect((await second.get('/auth/profile')).status).toBe(200);
    expect((await by.get('/auth/profile')).status).toBe(200);
  });

  test('changes the password · every token of theirs ends, the owner stays in', async () => {
    const by = await owner();
    const member = await joined(by, 'VIEWER');
    const body = {
      old_password: PASSWORD,
      new_password: 'another horse 2',
      confirm_password: 'another horse 2',
    };
    const changed = await member.post('/auth/password', body);
    expect(changed.status).toBe(200);
    expect(dataOf(changed)['user']).toEqual(member.user);
    expect((await member.get('/auth/profile')).status).toBe(401);
    expect((await by.get('/auth/profile')).status).toBe(200);
    expect((await login('advertiser', by.email)).status).toBe(200);
    expect((await login('advertiser', member.email)).status).toBe(401);
    expect((await login('advertiser', member.email, 'another horse 2')).status).toBe(200);
    expect(await auditOf(member.id)).toContainEqual(
      expect.objectContaining({ action: 'password.change', member_id: member.id }),
    );
  });

  test('forgot the password · the letter is theirs, and sets theirs alone', async () => {
    const by = await owner();
    const member = await joined(by, 'VIEWER');
    expect((await anybody()('/auth/forgot-password', { email: member.email })).status).toBe(200);
    const { text, token } = await letterTo(member.id);
    expect(text).toContain(`To: ${member.email}`);
    expect(text).toContain(`Hello Person ${member.id},`);
    const body = { token, new_password: 'another horse 2', confirm_password: 'another horse 2' };
    expect((await anybody('publisher')('/auth/reset-password', body)).status).toBe(422);
    expect((await anybody()('/auth/reset-password', body)).status).toBe(200);
    expect((await anybody()('/auth/reset-password', body)).status).toBe(422);
    expect((await member.get('/auth/profile')).status).toBe(401);
    expect((await login('advertiser', member.email, 'another horse 2')).status).toBe(200);
    expect((await login('advertiser', by.email)).status).toBe(200);
    expect((await by.get('/auth/profile')).status).toBe(200);
  });

  test('suspended with the account · is told so; old tokens stay dead when it is restored', async () => {
    const by = await owner();
    const member = await joined(by, 'VIEWER');
    const { id: pending } = await invited(by);
    const { token } = await letterTo(pending);
    const move = { kind: 'ADVERTISER' as const, id: by.id, operatorId: 1 };
    await app.activities.suspendAccount(move);
    expect(refusalOf(await member.get('/auth/profile'))).toEqual([403, 'account_suspended']);
    expect(refusalOf(await login('advertiser', member.email))).toEqual([403, 'account_suspended']);
    const body = { token, name: 'Bo', password: PASSWORD };
    const refused = await anybody()('/auth/accept-invitation', body);
    expect(refusalOf(refused)).toEqual([403, 'account_suspended']);
    await app.activities.restoreAccount(move);
    expect((await member.get('/auth/profile')).status).toBe(401);
    expect((await login('advertiser', member.email)).status).toBe(200);
    expect((await anybody()('/auth/accept-invitation', body)).status).toBe(200);
  });

  test("edits the profile · their own name; the account's facts only as ADMIN", async () => {
    const by = await owner();
    const viewer = await joined(by, 'VIEWER');
    const before = await viewer.get('/auth/profile');
    const named = await viewer
      .put('/auth/profile', { nickname: 'Boson' })
      .set('If-Match', String(before.headers['etag']));
    expect(dataOf(named)).toMatchObject({ nickname: 'Boson', company_name: 'Harbour Rope Ltd' });
    expect(named.headers['etag']).not.toBe(before.headers['etag']);
    const stale = await viewer
      .put('/auth/profile', { nickname: 'Late' })
      .set('If-Match', String(before.headers['etag']));
    expect(stale.status).toBe(412);
    const refused = await viewer.put('/auth/profile', { nickname: 'X', company_name: 'Mine' });
    expect(refusalOf(refused)).toEqual([403, 'forbidden_role']);
    const admin = await joined(by, 'ADMIN');
    await admin.put('/auth/profile', { nickname: null, company_name: 'Ropes & Co' });
    expect(dataOf(await admin.get('/auth/profile'))).toMatchObject({
      nickname: admin.email,
      company_name: 'Ropes & Co',
    });
    const own = dataOf(await by.get('/auth/profile'));
    expect([own['company_name'], own['nickname']]).toEqual(['Ropes & Co', own['username']]);
  });

  test('with a key · that the owner has used · makes a request of their own', async () => {
    const by = await owner();
    const member = await joined(by, 'EDITOR');
    const ask = (who: AnyCaller) =>
      who.post('/trackers', { name: 'Leads' }).set('Idempotency-Key', `both-${run}`);
    const [first, second] = [await ask(by), await ask(member)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(dataOf(second)['id']).not.toBe(dataOf(first)['id']);
  });

  test('a claim of a member · that is none, of another account, or of the operators · is nobody', async () => {
    const by = await owner();
    const member = await joined(by, 'ADMIN');
    const open = await invited(by, 'ADMIN');
    const stranger = await owner();
    const sign = (realm: Side | 'admin', id: number, mem: unknown) =>
      app.sign(realm, { ver: 1, mem }, { subject: String(id), expiresIn: 60 });
    const ask = async (realm: Side | 'admin', id: number, mem: unknown) =>
      (await callerWith(app, realm, sign(realm, id, mem), pass).get('/auth/profile')).status;
    expect(await ask('advertiser', by.id, member.id)).toBe(200);
    expect(await ask('advertiser', stranger.id, member.id)).toBe(401);
    expect(await ask('publisher', by.id, member.id)).toBe(401);
    expect(await ask('admin', by.id, member.id)).toBe(401);
    for (const mem of [open.id, 987_654_321, 0, -1, 1.5, '1', null, {}, 2 ** 60]) {
      expect([mem, await ask('advertiser', by.id, mem)]).toEqual([mem, 401]);
    }
  });
});

describe('what a member did with money', () => {
  test('is in the audit log under their id · as operators read it', async () => {
    const by = await owner('publisher');
    const member = await joined(by, 'FINANCE');
    const added = await member.post('/withdrawals/bank-cards', {
      account_holder: 'Bo Lantern',
      country: 'DE',
      currency: 'EUR',
      iban: 'DE89370400440532013000',
    });
    expect(added.status).toBe(201);
    const { id } = await app.activities.createOperator({
      username: `op_${run}`,
      email: freshEmail(),
      password: PASSWORD,
      role: 'ADMIN',
    });
    const log = await callerOf(app, 'admin', id).get('/audit-log?action=bank_card.add');
    const { items } = dataOf(log) as { items: { actor: object }[] };
    expect(items[0]?.actor).toMatchObject({ type: 'ACCOUNT', id: by.id, member_id: member.id });
  });
});

describe('what was done', () => {
  test('by a member, by the owner and by nobody · is told with who it was, to them and to operators', async () => {
    const by = await owner();
    await by.put('/auth/profile', { contact_name: 'Ada' });
    const member = await joined(by);
    expect((await member.put('/auth/profile', { nickname: 'Mo' })).status).toBe(200);
    const made = await member.post('/campaigns', { ...CAMPAIGN, save_as_draft: true });
    const id = Number(dataOf(made)['id']);
    await by.put(`/campaigns/${id}`, { name: 'Owner was here' });
    const history = await by.get(`/history?subject_type=campaign&subject_id=${id}`);
    const { items } = dataOf(history) as { items: { action: string; person: object }[] };
    const { owner: told } = dataOf(await by.get('/members')) as { owner: { name: string } };
    expect(items.map(({ action, person }) => [action, person])).toEqual([
      ['campaign.update', { name: told.name, email: by.email }],
      ['campaign.create', { name: 'Mo', email: member.email }],
    ]);
    const operator = await operatorOf('SUPPORT');
    const log = await operator.get(`/advertisers/${by.id}/history`);
    const { items: seen } = dataOf(log) as { items: { action: string; actor: object }[] };
    expect(seen.find(({ action }) => action === 'campaign.create')?.actor).toMatchObject({
      type: 'ACCOUNT',
      id: by.id,
      member_id: member.id,
      member_name: 'Mo',
      member_email: member.email,
    });
    expect(seen.find(({ action }) => action === 'campaign.update')?.actor).toMatchObject({
      member_id: null,
      member_email: null,
    });
  });

  test('who works in an account · asked by an operator · is listed with the last login, of its realm only', async () => {
    const by = await owner('publisher');
    const member = await joined(by, 'VIEWER');
    const operator = await operatorOf('SUPPORT');
    const before = dataOf(await operator.get(`/publishers/${by.id}/members`)) as {
      items: { last_login_at: string }[];
    };
    app.passTime(60_000);
    expect((await login('publisher', member.email)).status).toBe(200);
    const answer = dataOf(await operator.get(`/publishers/${by.id}/members`));
    expect(answer).toMatchObject({
      total: 1,
      items: [{ id: member.id, email: member.email, role: 'VIEWER', status: 'ACTIVE' }],
      owner: { email: by.email, role: 'ADMIN', last_login_at: null },
    });
    const { items } = answer as typeof before;
    expect(Date.parse(items[0]?.last_login_at ?? '')).toBeGreaterThan(
      Date.parse(before.items[0]?.last_login_at ?? ''),
    );
    expect((await operator.get(`/advertisers/${by.id}/members`)).status).toBe(404);
    const reviewer = await operatorOf('REVIEWER');
    expect(refusalOf(await reviewer.get(`/publishers/${by.id}/members`))).toEqual([
      403,
      'forbidden_role',
    ]);
  });
});

const operatorOf = async (role: 'SUPPORT' | 'REVIEWER') =>
  callerOf(app, 'admin', (await makeOperator(database.db, role)).id, pass);

describe('somebody who is shut out', () => {
  test('sessions ended by the ADMIN · every token is dead, a login works again', async () => {
    const by = await owner();
    const member = await joined(by);
    expect((await member.get('/auth/profile')).status).toBe(200);
    expect((await by.post(`/members/${member.id}/end-sessions`)).status).toBe(200);
    expect((await member.get('/auth/profile')).status).toBe(401);
    expect((await login(by.side, member.email)).status).toBe(200);
    expect((await auditOf(member.id)).map(({ action }) => action)).toContain('member.end_sessions');
  });

  test('suspended · no token, login or forgotten password opens anything until restored', async () => {
    const by = await owner('publisher');
    const member = await joined(by);
    const other = await login(by.side, member.email);
    expect(other.status).toBe(200);
    const suspended = await by.post(`/members/${member.id}/suspend`);
    expect(dataOf(suspended)).toMatchObject({ status: 'SUSPENDED' });
    const token = String(dataOf(other)['token']);
    expect((await callerWith(app, by.side, token, pass).get('/auth/profile')).status).toBe(401);
    expect((await member.get('/auth/profile')).status).toBe(401);
    expect((await login(by.side, member.email)).status).toBe(401);
    // The address stays theirs: nobody opens an account with it meanwhile.
    const taken = await anybody(by.side)('/auth/register', {
      email: member.email,
      password: PASSWORD,
      company_name: 'Mallory Ltd',
    });
    expect(taken.status).toBe(409);
    expect((await by.post(`/members/${member.id}/suspend`)).status).toBe(409);
    expect(dataOf(await by.post(`/members/${member.id}/restore`))).toMatchObject({
      status: 'ACTIVE',
    });
    expect((await member.get('/auth/profile')).status).toBe(401);
    expect((await login(by.side, member.email)).status).toBe(200);
    expect((await auditOf(member.id)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.suspend', 'member.restore']),
    );
  });

  test('by another account, by an EDITOR, or oneself · refused', async () => {
    const by = await owner();
    const member = await joined(by);
    const admin = await joined(by, 'ADMIN');
    for (const move of ['end-sessions', 'suspend', 'restore']) {
      expect((await (await owner()).post(`/members/${member.id}/${move}`)).status).toBe(404);
      expect((await member.post(`/members/${member.id}/${move}`)).status).toBe(403);
      expect((await admin.post(`/members/${admin.id}/${move}`)).status).toBe(409);
    }
    expect((await member.get('/auth/profile')).status).toBe(200);
  });
});
