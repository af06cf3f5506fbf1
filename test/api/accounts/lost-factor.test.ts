import { randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { generateSync } from 'otplib';
import type { Realm } from '../../../api/http/auth.ts';
import type { OperatorRole } from '../../../domain/operator.ts';
import { ownAddress } from '../../support/address.ts';
import { makeMember } from '../../support/make/account.ts';
import { joinAsOperator } from '../../support/newcomer.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/**
 * interface 5.17: a second factor that is lost with its recovery codes. By the thieves of each part of the way: the
 * password alone, the mailbox alone, one operator alone, what was used before.
 */
const PASSWORD = 'correct horse 1';
let stand: Stand;
let support: Operator;
let finance: Operator;
let admin: Operator;

interface Operator {
  id: number;
  ask: ReturnType<Stand['bearing']>;
}

const operator = async (role: OperatorRole): Promise<Operator> => {
  const username = `desk_${randomBytes(4).toString('hex')}`;
  const email = `${username}@example.com`;
  const { id } = await stand.activities.createOperator({
    username,
    email,
    password: PASSWORD,
    role,
  });
  return { id, ask: stand.bearing('admin', stand.issue('admin', id)) };
};

beforeAll(async () => {
  stand = await createStand();
  // Tries are counted in a Redis that others' tests share, by the ids of persons.
  for (const table of ['accounts', 'members', 'operators']) {
    await stand.database.pool.query(
      `SELECT setval(pg_get_serial_sequence($1, 'id'), ${randomInt(1_000_000, 2_000_000_000)})`,
      [table],
    );
  }
  [support, finance, admin] = await Promise.all([
    operator('SUPPORT'),
    operator('FINANCE'),
    operator('ADMIN'),
  ]);
});
afterAll(async () => {
  await stand.close();
});

const send = async (realm: Realm, at: string, body: object, token?: string) =>
  await stand.bearing(realm, token).post(`/auth/${at}`, body).set('X-Forwarded-For', ownAddress());
const login = async (who: Who, password = PASSWORD) =>
  await send(who.realm, 'login', { username: who.username, password });
const ticketOf = async (who: Who, password = PASSWORD) =>
  String((await login(who, password)).body.data.ticket);

interface Who {
  realm: Realm;
  username: string;
  email: string;
  id: number;
  code: () => string;
}

/** Somebody with a code generator, whose recovery codes nobody kept. */
async function person(realm: Realm = 'publisher', role: OperatorRole = 'SUPPORT'): Promise<Who> {
  const username = `lost_${randomBytes(4).toString('hex')}`;
  const email = `${username}@example.com`;
  const made =
    realm === 'admin'
      ? await stand.activities.createOperator({ username, email, password: PASSWORD, role })
      : await stand.activities.registerAccount({
          kind: realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER',
          email,
          username,
          password: PASSWORD,
        });
  return await withFactor({ realm, username, email, id: made.id });
}

async function withFactor(who: Omit<Who, 'code'>): Promise<Who> {
  const { token } = (await login({ ...who, code: () => '' })).body.data as { token: string };
  const begun = (await send(who.realm, 'factors/totp', { password: PASSWORD }, token)).body.data;
  const code = () =>
    generateSync({
      secret: String(begun.secret),
      epoch: Math.floor(stand.deps.clock().getTime() / 1_000),
    });
  const confirmed = await send(who.realm, `factors/${begun.id}/confirm`, { code: code() }, token);
  expect(confirmed.status).toBe(200);
  stand.passTime(60_000);
  return { ...who, code };
}

const ask = async (who: Who) =>
  await send(who.realm, 'login/lost-factor', { ticket: await ticketOf(who) });
async function asked(who: Who): Promise<number> {
  const answer = await ask(who);
  expect([answer.status, answer.body.data]).toEqual([
    200,
    { status: 'WAITING', not_before: expect.any(String) },
  ]);
  const { items } = (await support.ask.get('/factor-recoveries?status=WAITING')).body.data;
  const found = items.find((each: { username: string }) => each.username === who.username);
  return Number(found.id);
}
const row = async (id: number) =>
  (
    await stand.database.pool.query('SELECT status, note FROM factor_recoveries WHERE id = $1', [
      id,
    ])
  ).rows[0] as { status: string; note: string | null };
/** Its waiting time is over; nobody but the tables' owner can say so. */
const ripen = async (id: number) =>
  await stand.database.pool.query(
    `UPDATE factor_recoveries SET not_before = now() - interval '1 minute' WHERE id = $1`,
    [id],
  );
const PROOF = { proof: 'VIDEO_CALL', note: 'Showed the passport of the file' };
async function vouched(id: number, by = support): Promise<number> {
  const answer = await by.ask.post(`/factor-recoveries/${id}/vouch`, PROOF);
  expect([answer.status, answer.body.data.approval_id]).toEqual([200, expect.any(Number)]);
  return Number(answer.body.data.approval_id);
}
const approve = async (approvalId: number, by = finance) =>
  await by.ask.post(`/approvals/${approvalId}/approve`, {});

/** What stands in a person's letters, the newest last. */
async function letters({ realm, id }: Pick<Who, 'realm' | 'id'>) {
  const column = realm === 'admin' ? 'operator_id' : 'account_id';
  const { rows } = await stand.database.pool.query<{ id: string }>(
    `SELECT id FROM mails WHERE ${column} = $1 AND kind = 'security' ORDER BY id`,
    [id],
  );
  const texts: { text: string; notMe: string; code: string | undefined }[] = [];
  for (const each of rows) {
    const mailId = Number(each.id);
    await stand.activities.deliverMail({ mailId });
    const raw = await readFile(path.join(stand.config.mail.dir, `${mailId}.eml`), 'utf8');
    const text = raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
    const notMe = /#not-me=\w+\.([\w-]{43})/.exec(text)?.[1] ?? '';
    texts.push({ text, notMe, code: /(?:[a-z2-9]{4}-){5}[a-z2-9]{4}/.exec(text)?.[0] });
  }
  return texts;
}
const answer = async (who: Who, shown: object, password = PASSWORD) =>
  await send(who.realm, 'login/second-factor', { ticket: await ticketOf(who, password), ...shown });

describe.each(['advertiser', 'publisher', 'admin'] as const)('%s', (realm) => {
  test('a factor is lost · asked, waited for, vouched for and approved by another · one code by letter lets in, once', async () => {
    const who = await person(realm);
    const id = await asked(who);
    const maker = realm === 'admin' ? admin : support;
    const news = (await maker.ask.get('/notifications')).body.data.items[0];
    expect(news).toMatchObject({ kind: 'factor_lost', subject: { type: 'factor_recovery', id } });
    const approvalId = await vouched(id, maker);
    const early = await approve(approvalId);
    expect([early.status, early.body.data.error]).toEqual([409, 'state_conflict']);
    await ripen(id);
    // Its content has changed by that: whoever vouched says so again.
    expect((await approve(await vouched(id, maker))).status).toBe(200);
    expect((await row(id)).status).toBe('GRANTED');
    const told = await letters(who);
    const code = told.at(-1)?.code ?? '';
    expect(told.map(({ text }) => /^Subject: (.*)/m.exec(text)?.[1]?.slice(0, 20))).toEqual(
      expect.arrayContaining(['Somebody who knows y', 'You are let in once ']),
    );
    expect(code).toHaveLength(29);
    const { rows } = await stand.database.pool.query<{ text: string }>(
      `SELECT (SELECT string_agg(r::text, '') FROM recovery_codes r) || (SELECT string_agg(m::text, '') FROM mails m)
         || (SELECT string_agg(a::text, '') FROM audit_log a) || (SELECT string_agg(o::text, '') FROM outbox o) AS text`,
    );
    expect(rows[0]?.text).not.toContain(code);
    // The code alone, and with a wrong password, is nothing.
    expect((await login(who, 'a wrong guess 1')).body.data.error).toBe('bad_credentials');
    const inside = await answer(who, { recovery_code: code });
    expect(inside.status).toBe(200);
    expect((await answer(who, { recovery_code: code })).status).toBe(422);
    const begun = await send(
      realm,
      'factors/totp',
      { password: PASSWORD },
      String(inside.body.data.token),
    );
    expect(begun.status).toBe(200);
    const { rows: audit } = await stand.database.pool.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE subject_type = 'factor_recovery' AND subject_id = $1 ORDER BY id`,
      [id],
    );
    expect(audit.map(({ action }) => action)).toEqual([
      'login.recovery_ask',
      'login.recovery_vouch',
      'login.recovery_vouch',
      'login.recovery_grant',
    ]);
  });
});

test('a thief of the password · asks · is in no sooner, and the owner, by letter, ends it and him', async () => {
  const who = await person();
  const id = await asked(who);
  const again = await ask(who);
  expect(again.status).toBe(200);
  const told = await letters(who);
  expect(told.filter(({ text }) => text.includes('Subject: Somebody who knows'))).toHaveLength(1);
  expect((await login(who)).body.data.error).toBe('second_factor_required');
  await vouched(id);
  await ripen(id);
  const notMe = (await letters(who)).find(({ text }) => text.includes('Somebody who knows'))?.notMe;
  expect((await send('publisher', 'not-me', { token: notMe })).status).toBe(200);
  expect(await row(id)).toEqual({ status: 'VOID', note: 'DISOWNED' });
  const { rows } = await stand.database.pool.query<{ state: string }>(
    `SELECT state FROM approvals WHERE kind = 'factor_recovery' AND subject = $1`,
    [String(id)],
  );
  expect(rows.map(({ state }) => state)).toEqual(['VOID']);
  const late = await support.ask.post(`/factor-recoveries/${id}/vouch`, PROOF);
  expect(late.status).toBe(409);
});

test('a thief of the mailbox · without the password · asks for nothing; with a new one, all begins anew', async () => {
  const who = await person();
  for (const ticket of ['no-such-ticket', randomBytes(32).toString('base64url')]) {
    const refused = await send('publisher', 'login/lost-factor', { ticket });
    expect([refused.status, refused.body.data.errors[0].field]).toEqual([422, 'ticket']);
  }
  // A ticket of another realm, or of a session's question, is no login's.
  const elsewhere = await send('advertiser', 'login/lost-factor', { ticket: await ticketOf(who) });
  expect(elsewhere.status).toBe(422);
  const mine = await asked(who);
  await stand.activities.requestPasswordReset({ kind: 'PUBLISHER', email: who.email });
  const { rows } = await stand.database.pool.query<{ id: string }>(
    `SELECT id FROM mails WHERE account_id = $1 AND kind = 'password_reset' ORDER BY id DESC LIMIT 1`,
    [who.id],
  );
  const mailId = Number(rows[0]?.id);
  await stand.activities.deliverMail({ mailId });
  const raw = await readFile(path.join(stand.config.mail.dir, `${mailId}.eml`), 'utf8');
  const token = /#reset-password=\w+\.([\w-]{43})/.exec(
    raw.replace(/=\r?\n/g, '').replaceAll('=3D', '='),
  )?.[1];
  const stolen = 'another horse 22';
  const reset = await send('publisher', 'reset-password', {
    token,
    new_password: stolen,
    confirm_password: stolen,
  });
  expect(reset.status).toBe(200);
  expect(await row(mine)).toEqual({ status: 'VOID', note: 'PASSWORD_CHANGED' });
  expect((await login(who, stolen)).body.data.error).toBe('second_factor_required');
});

test('the factor is found · and shown · ends what was asked for, and a code that was sent', async () => {
  const who = await person();
  const waiting = await asked(who);
  stand.passTime(60_000);
  expect((await answer(who, { code: who.code() })).status).toBe(200);
  expect(await row(waiting)).toEqual({ status: 'VOID', note: 'FACTOR_SHOWN' });
  const id = await asked(who);
  await ripen(id);
  expect((await approve(await vouched(id))).status).toBe(200);
  const code = (await letters(who)).at(-1)?.code;
  stand.passTime(60_000);
  expect((await answer(who, { code: who.code() })).status).toBe(200);
  expect((await answer(who, { recovery_code: code })).status).toBe(422);
});

test('a code · of a week ago, or of somebody else · lets nobody in', async () => {
  const [who, other] = [await person(), await person()];
  const id = await asked(who);
  await ripen(id);
  expect((await approve(await vouched(id))).status).toBe(200);
  const code = (await letters(who)).at(-1)?.code;
  expect((await answer(other, { recovery_code: code })).status).toBe(422);
  stand.passTime(8 * 86_400_000);
  expect((await answer(who, { recovery_code: code })).status).toBe(422);
});

test('an operator alone · vouches, approves, hurries, writes rows · lets nobody in', async () => {
  const who = await person();
  const id = await asked(who);
  const own = await vouched(id, admin);
  await ripen(id);
  const current = await vouched(id, admin);
  expect(current).not.toBe(own);
  const alone = await approve(current, admin);
  expect([alone.status, alone.body.data.error]).toEqual([409, 'state_conflict']);
  // Whom one has made counts as oneself until another vouches.
  const puppet = stand.bearing('admin', (await joinAsOperator(stand, admin.id, 'FINANCE')).token);
  expect((await puppet.post(`/approvals/${current}/approve`, {})).status).toBe(409);
  expect((await support.ask.post(`/approvals/${current}/approve`, {})).status).toBe(403);
  expect((await finance.ask.post(`/factor-recoveries/${id}/vouch`, PROOF)).status).toBe(403);
  const hurried = await admin.ask.put('/settings/login.recovery_wait_hours', { value: 0 });
  expect([hurried.status, hurried.body.data.errors[0].field]).toEqual([422, 'value']);
  // As the application's role of the database, without the application.
  for (const [statement, fault] of [
    [
      `UPDATE factor_recoveries SET status = 'GRANTED', ended_at = now() WHERE id = ${id}`,
      'two persons',
    ],
    [`UPDATE factor_recoveries SET not_before = now() WHERE id = ${id}`, 'stays'],
    [
      `INSERT INTO factor_recoveries (kind, person_type, person_id, account_id, not_before)
       VALUES ('PUBLISHER', 'ACCOUNT', 0, ${who.id}, now())`,
      'for a day at the least',
    ],
  ] as const) {
    await expect(asApplication(statement)).rejects.toThrow(fault);
  }
  expect((await row(id)).status).toBe('WAITING');
  expect((await approve(current)).status).toBe(200);
  expect((await approve(current)).status).toBe(409);
});

/** Held as everybody is who has not said that they repair (0250). */
async function asApplication(statement: string): Promise<void> {
  const client = await stand.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL adplatform.repairs = 'off'`);
    await client.query(statement);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('an operator · whose own factor is lost · needs another ADMIN and a second person, not himself', async () => {
  const who = await person('admin', 'ADMIN');
  const id = await asked(who);
  const self = stand.bearing('admin', stand.issue('admin', who.id));
  expect((await self.post(`/factor-recoveries/${id}/vouch`, PROOF)).status).toBe(403);
  expect((await support.ask.post(`/factor-recoveries/${id}/vouch`, PROOF)).status).toBe(403);
  await ripen(id);
  const approvalId = await vouched(id, admin);
  // In a session of before, as a factor that is shown now would end all of it.
  await expect(
    stand.activities.approveApproval({ approvalId, operatorId: who.id, requestId: 'lost' }),
  ).rejects.toMatchObject({ token: 'forbidden_role' });
  expect((await row(id)).status).toBe('WAITING');
  expect((await approve(approvalId)).status).toBe(200);
});

test('a member · asks · is told at their own address; a refusal, and time, end it', async () => {
  const kind = 'PUBLISHER' as const;
  const made = await stand.activities.registerAccount({
    kind,
    email: `${randomBytes(4).toString('hex')}@example.com`,
    password: PASSWORD,
  });
  const owner = { id: made.id, kind };
  const { id: memberId, email } = await makeMember(stand.database.db, owner, 'ADMIN');
  await stand.database.pool.query(
    `UPDATE members SET password_hash = (SELECT password_hash FROM accounts WHERE id = $1) WHERE id = $2`,
    [owner.id, memberId],
  );
  const who = await withFactor({ realm: 'publisher', username: email, email, id: owner.id });
  const id = await asked(who);
  expect((await letters(who)).at(-1)?.text).toContain(`To: ${email}`);
  const refused = await support.ask.post(`/factor-recoveries/${id}/refuse`, { note: 'Not shown' });
  expect(refused.body.data).toMatchObject({
    status: 'REFUSED',
    note: 'Not shown',
    person: 'MEMBER',
  });
  const second = await asked(who);
  await stand.database.pool.query(
    `UPDATE factor_recoveries SET not_before = now() - interval '15 days' WHERE id = $1`,
    [second],
  );
  expect((await stand.activities.runUpkeep()).recoveriesLapsed).toBe(1);
  expect((await row(second)).status).toBe('LAPSED');
});

test('the desk · the longest first · those that nobody has vouched for, and approvals, by their age', async () => {
  const [one, two] = [await person(), await person()];
  const ids = [await asked(one), await asked(two)];
  const approvalIds = [await vouched(ids[0] ?? 0)];
  const list = async (query: string): Promise<number[]> => {
    const { items } = (await support.ask.get(`/factor-recoveries?status=WAITING&${query}`)).body
      .data as { items: { id: number }[] };
    return items.map((each) => each.id).filter((each) => ids.includes(each));
  };
  expect(await list('sort=created_at')).toEqual(ids);
  expect(await list('sort=-created_at')).toEqual(ids.toReversed());
  expect(await list('vouched=false')).toEqual([ids[1]]);
  expect(await list('vouched=true')).toEqual([ids[0]]);
  approvalIds.push(await vouched(ids[1] ?? 0));
  expect(await list('vouched=false')).toEqual([]);
  const { items } = (
    await finance.ask.get('/approvals?state=PROPOSED&sort=created_at&page_size=100')
  ).body.data as { items: { id: number }[] };
  const found = items.map((each) => each.id);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found).toEqual(expect.arrayContaining(approvalIds));
  expect((await support.ask.get('/factor-recoveries?sort=username')).status).toBe(422);
});
