import { addressAs } from '../../../db/application-role.ts';
import { migrate } from '../../../db/migrate.ts';
import { APPLICATION } from '../../support/database.ts';
import { databaseBefore, type OldDatabase } from '../../support/old-database.ts';

/** A database of before e-mail addresses were confirmed. */
let old: OldDatabase;
beforeAll(async () => {
  old = await databaseBefore('0400');
}, 60_000);
afterAll(() => old.close());

const JOINED = '2026-05-01T08:00:00.000Z';
const RESET = '2026-06-01T08:00:00.000Z';
const AGAIN = '2026-07-01T08:00:00.000Z';

const account = async (username: string, kind = 'ADVERTISER'): Promise<number> =>
  await old.add('accounts', {
    kind,
    username,
    email: `${username}@example.com`,
    password_hash: 'no login',
  });
const member = async (accountId: number, name: string, joinedAt: string | null): Promise<number> =>
  await old.add('members', {
    account_id: accountId,
    kind: 'ADVERTISER',
    email: `${name}@example.com`,
    role: 'VIEWER',
    status: joinedAt === null ? 'INVITED' : 'ACTIVE',
    password_hash: joinedAt === null ? null : 'no login',
    invited_at: JOINED,
    invitation_expires_at: AGAIN,
    joined_at: joinedAt,
  });
const reset = async (type: string, id: number, at: string): Promise<number> =>
  await old.add('audit_log', {
    actor_type: 'SYSTEM',
    action: 'password.reset',
    subject_type: type,
    subject_id: id,
    created_at: at,
  });

test('logins of before · who came by a letter has shown that they read it, all others are asked', async () => {
  const never = await account('never');
  const once = await account('once');
  const publisher = await account('site', 'PUBLISHER');
  // Ids of advertisers and publishers are of one row of numbers; another kind's letter says nothing of this one.
  const other = await account('other');
  const joined = await member(never, 'joined', JOINED);
  const invited = await member(never, 'invited', null);
  await reset('advertiser', once, AGAIN);
  await reset('advertiser', once, RESET);
  await reset('publisher', publisher, RESET);
  await reset('publisher', other, RESET);
  await reset('member', joined, RESET);
  await old.add('operators', {
    username: 'clerk',
    email: 'clerk@example.com',
    password_hash: 'no login',
    role: 'FINANCE',
  });

  expect(await migrate(old.url, addressAs(old.url, APPLICATION))).toEqual(old.toCome);

  const since = async (table: string): Promise<Map<number, string | null>> => {
    const { rows } = await old.owner.query<{ id: string; at: Date | null }>(
      `SELECT id, email_confirmed_at AS at FROM ${table}`,
    );
    return new Map(rows.map(({ id, at }) => [Number(id), at?.toISOString() ?? null]));
  };
  expect(await since('accounts')).toEqual(
    new Map([
      [never, null],
      [once, RESET],
      [publisher, RESET],
      [other, null],
    ]),
  );
  expect(await since('members')).toEqual(
    new Map([
      [joined, JOINED],
      [invited, null],
    ]),
  );
  expect([...(await since('operators')).values()]).toEqual([null]);
}, 60_000);
