import { randomUUID } from 'node:crypto';
import { createPasswords } from '../../../activities/accounts/passwords.ts';
import type { Activities } from '../../../activities/index.ts';
import { runner } from '../../../db/postgres.ts';
import type { LoginRow } from '../../../db/queries/accounts.ts';
import { confirmToken } from '../../../db/queries/tokens.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
let database: TestDatabase;
let activities: Activities;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
  ({ database, activities } = stand);
});
afterAll(async () => {
  await stand.close();
});

const open = async (kind: 'ADVERTISER' | 'PUBLISHER' = 'ADVERTISER') =>
  await activities.registerAccount({
    kind,
    email: `${randomUUID()}@example.com`,
    password: 'correct horse 1',
  });

const ownerOf = ({ username: name }: LoginRow) => ({
  role: 'ADMIN',
  name,
  memberId: null,
  sessionId: null,
  lastSeenAt: null,
  provenAt: null,
  hasFactor: false,
});

describe('account activities', () => {
  test('registerAccount · run twice · the second says already_claimed and changes nothing', async () => {
    const input = {
      kind: 'ADVERTISER' as const,
      email: `${randomUUID()}@example.com`,
      password: 'correct horse 1',
    };
    const first = await activities.registerAccount(input);
    await expect(
      activities.registerAccount({ ...input, contactName: 'other' }),
    ).rejects.toMatchObject({ token: 'already_claimed' });
    const { rows } = await database.pool.query(
      'SELECT id::int, contact_name FROM accounts WHERE email = $1',
      [input.email],
    );
    expect(rows).toEqual([{ id: first.id, contact_name: null }]);
  });

  test('recordLogout · run twice · one revocation that outlives the token', async () => {
    const account = await open();
    const claims = { sub: String(account.id), ver: 1, jti: randomUUID() };
    const sql = runner(database.db);
    expect(await confirmToken(sql, 'advertiser', claims)).toEqual(ownerOf(account));
    const expiresAt = new Date(Date.now() + 60_000);
    const person = { kind: 'ADVERTISER' as const, id: account.id };
    const logout = { tokenId: claims.jti, expiresAt, person, requestId: 'r' };
    await activities.recordLogout(logout);
    await activities.recordLogout(logout);
    expect(await confirmToken(sql, 'advertiser', claims)).toBe('revoked');
    expect(await confirmToken(sql, 'advertiser', { ...claims, jti: randomUUID() })).toEqual(
      ownerOf(account),
    );
  });

  test('updateProfile · run twice, of an unknown or foreign kind · same row, else not_found', async () => {
    const account = await open();
    const key = { kind: 'ADVERTISER' as const, id: account.id };
    await activities.updateProfile({ ...key, fields: { contactName: 'Ada' } });
    await activities.updateProfile({ ...key, fields: { contactName: 'Ada' } });
    await activities.updateProfile({ ...key, fields: {} });
    const { rows } = await database.pool.query('SELECT contact_name FROM accounts WHERE id = $1', [
      account.id,
    ]);
    expect(rows[0].contact_name).toBe('Ada');
    await expect(
      activities.updateProfile({ ...key, kind: 'PUBLISHER', fields: { mobile: '1' } }),
    ).rejects.toMatchObject({ token: 'not_found' });
  });

  test('suspendAccount · log cannot be written · the account stays active', async () => {
    const account = await open('PUBLISHER');
    const suspend = { kind: 'PUBLISHER' as const, id: account.id, operatorId: 1 };
    await expect(activities.suspendAccount({ ...suspend, reason: '\u0000' })).rejects.toThrow(
      'unsupported Unicode escape sequence',
    );
    const status = async () =>
      (
        await database.pool.query('SELECT status, token_version FROM accounts WHERE id = $1', [
          account.id,
        ])
      ).rows[0];
    expect(await status()).toEqual({ status: 'ACTIVE', token_version: 1 });
    await activities.suspendAccount(suspend);
    await expect(activities.suspendAccount(suspend)).rejects.toMatchObject({
      token: 'state_conflict',
    });
    expect(await status()).toEqual({ status: 'SUSPENDED', token_version: 2 });
  });

  test('confirmToken · wrong realm, version, id · revoked; suspended account · suspended', async () => {
    const account = await open('PUBLISHER');
    const sql = runner(database.db);
    const claims = { sub: String(account.id), ver: 1, jti: 'x' };
    expect(await confirmToken(sql, 'publisher', claims)).toEqual(ownerOf(account));
    expect(await confirmToken(sql, 'advertiser', claims)).toBe('revoked');
    expect(await confirmToken(sql, 'admin', claims)).toBe('revoked');
    expect(await confirmToken(sql, 'publisher', { ...claims, ver: 2 })).toBe('revoked');
    for (const sub of [
      '',
      '-1',
      '0',
      '1e3',
      `${account.id} `,
      "1' OR 1=1",
      '99999999999999999999',
    ]) {
      expect(await confirmToken(sql, 'publisher', { ...claims, sub })).toBe('revoked');
    }
    await activities.suspendAccount({
      kind: 'PUBLISHER',
      id: account.id,
      operatorId: 1,
    });
    expect(await confirmToken(sql, 'publisher', claims)).toBe('suspended');
  });
});

describe('passwords', () => {
  test('hash · twice · two salts, both fit', async () => {
    const passwords = createPasswords();
    const [one, two] = [await passwords.hash('secret horse'), await passwords.hash('secret horse')];
    expect(one).not.toBe(two);
    expect(await passwords.verify(one, 'secret horse')).toBe(true);
    expect(await passwords.verify(two, 'secret horse ')).toBe(false);
    expect(await passwords.verify(null, 'nobody has this password')).toBe(false);
  });

  test('queue · a flood · the surplus is refused at once and the rest is answered', async () => {
    const passwords = createPasswords();
    const results = await Promise.allSettled(
      Array.from({ length: 130 }, async () => await passwords.hash('secret horse')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(102);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ token: 'unavailable' });
    }
    expect(await passwords.hash('secret horse')).toMatch(/^\$argon2id/);
  });
});
