import { randomBytes } from 'node:crypto';
import type { Test } from 'supertest';
import { runner } from '../../../db/postgres.ts';
import { loadSettings } from '../../../db/settings.ts';
import type { AnyCaller } from '../../support/call.ts';
import { fundAdvertiser } from '../../support/make/money.ts';
import { createStand, type Stand } from '../../support/stand.ts';

const PASSWORD = 'correct horse 1';
const run = randomBytes(4).toString('hex');
const ROLES = ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'] as const;
type Role = (typeof ROLES)[number];

let stand: Stand;
const operators = {} as Record<Role, AnyCaller>;
const operatorIds = {} as Record<Role, number>;
let serial = 0;

beforeAll(async () => {
  stand = await createStand();
  for (const role of ROLES) {
    const username = `${role.toLowerCase()}_${run}`;
    const { id } = await stand.activities.createOperator({
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
      role,
    });
    operatorIds[role] = id;
    const answer = await login('admin', username);
    expect(answer.status).toBe(200);
    operators[role] = stand.bearing('admin', answer.body.data.token);
  }
});

afterAll(async () => await stand.close());

const login = (realm: 'admin' | 'advertiser', username: string) =>
  stand.bearing(realm).post('/auth/login', { username, password: PASSWORD });
const get = (path: string, role: Role = 'ADMIN') => operators[role].get(path);
const send = (method: 'post' | 'put', path: string, body: object = {}, role: Role = 'ADMIN') =>
  operators[role][method](path, body);

async function openAdvertiser(extra: object = {}) {
  const email = `adv${(serial += 1)}-${run}@example.com`;
  const row = await stand.activities.registerAccount({
    kind: 'ADVERTISER',
    email,
    password: PASSWORD,
    ...extra,
  });
  return { id: row.id, email, token: stand.issue('advertiser', row.id) };
}
const ownProfile = (token: string) => stand.bearing('advertiser', token).get('/auth/profile');

describe('operators', () => {
  test('operator · login and profile · as in the other realms, without an advertisement account', async () => {
    const answer = await get('/auth/profile', 'REVIEWER');
    expect(answer.body.data).toMatchObject({
      role: 'REVIEWER',
      advertisement_id: null,
      status: 'ACTIVE',
    });
    const changed = await send('put', '/auth/profile', { nickname: 'Rita' }, 'REVIEWER');
    expect(changed.body.data.nickname).toBe('Rita');
    expect((await send('put', '/auth/profile', { role: 'ADMIN' }, 'REVIEWER')).status).toBe(422);
  });

  test('createOperator · username or e-mail taken · already_claimed, and the log names who made whom', async () => {
    const { activities } = stand;
    const input = {
      username: `admin_${run}`,
      email: `new-${run}@example.com`,
      password: PASSWORD,
      role: 'SUPPORT' as const,
    };
    await expect(activities.createOperator(input)).rejects.toMatchObject({
      token: 'already_claimed',
    });
    await expect(
      activities.createOperator({
        ...input,
        username: `fresh_${run}`,
        email: `ADMIN_${run}@example.com`,
      }),
    ).rejects.toMatchObject({ token: 'already_claimed' });
    const { body } = await get(
      `/audit-log?action=operator.create&subject_id=${operatorIds.FINANCE}`,
    );
    expect(body.data.items).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ type: 'SYSTEM', id: null, username: null }),
        detail: { username: `finance_${run}`, role: 'FINANCE' },
      }),
    ]);
  });

  test('roles · each route of this part · lets in the roles of interface 5.2', async () => {
    const { id } = await openAdvertiser();
    const matrix: [() => (role: Role) => Test, Role[]][] = [
      [() => (role) => get('/advertisers', role), ['ADMIN', 'SUPPORT', 'FINANCE']],
      [() => (role) => get(`/advertisers/${id}`, role), ['ADMIN', 'SUPPORT', 'FINANCE']],
      [() => (role) => get('/publishers', role), ['ADMIN', 'SUPPORT', 'FINANCE']],
      [() => (role) => send('post', `/advertisers/${id}/suspend`, {}, role), ['ADMIN']],
      [() => (role) => send('post', `/advertisers/${id}/restore`, {}, role), ['ADMIN']],
      [() => (role) => get('/settings', role), ['ADMIN']],
      [() => (role) => send('put', '/settings/ad.first_price', { value: false }, role), ['ADMIN']],
      [() => (role) => get('/audit-log', role), ['ADMIN']],
    ];
    for (const [route, allowed] of matrix) {
      for (const role of ROLES) {
        const answer = await route()(role);
        if (allowed.includes(role)) expect(answer.status).toBe(200);
        else expect(answer.body).toMatchObject({ code: 40300, data: { error: 'forbidden_role' } });
      }
    }
  });
});

describe('accounts', () => {
  test('advertiser · with a deposit · shows its balance and what is open', async () => {
    const { id } = await openAdvertiser({ companyName: '100%_pure' });
    await fundAdvertiser(stand.database.db, id, 12_500_000_000n);
    const { body } = await get(`/advertisers/${id}`, 'SUPPORT');
    expect(body.data).toMatchObject({
      id,
      company_name: '100%_pure',
      status: 'ACTIVE',
      kyc_status: 'none',
      balance: { currency: 'USD', balance: 12.5, available: 12.5, held: 0 },
      open: { tasks: 0, deposits: 0 },
    });
    expect(body.data).not.toHaveProperty('password_hash');
    const listed = (await get(`/advertisers?keyword=${encodeURIComponent('0%_p')}`)).body.data;
    expect(listed).toMatchObject({ total: 1, page: 1, page_size: 20, total_pages: 1 });
    expect(listed.items[0]).toEqual(body.data);
    expect((await get('/advertisers?keyword=%25%25%25')).body.data.total).toBe(0);
  });

  test('list · paged and filtered · echoes a clamped page size', async () => {
    await openAdvertiser();
    const { body } = await get('/advertisers?page_size=500&status=ACTIVE');
    expect(body.data).toMatchObject({ page_size: 100 });
    expect((await get('/advertisers?page_size=1&page=2')).body.data.items).toHaveLength(1);
  });

  test.each(['/advertisers/999999', '/publishers/1x', '/advertisers/0'])(
    'account · %s · is 404',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  test('account · of the other kind · is 404', async () => {
    const { id } = await openAdvertiser();
    expect((await get(`/publishers/${id}`)).status).toBe(404);
    expect((await send('post', `/publishers/${id}/suspend`)).status).toBe(404);
  });

  test.each([
    '/advertisers?status=GONE',
    '/advertisers?page=0',
    '/advertisers?nonsense=1',
    '/advertisers?keyword[]=a',
  ])('list · %s · is 422', async (path) => {
    expect((await get(path)).status).toBe(422);
  });

  test('text with a NUL · in a query or in what the log keeps · is refused by name', async () => {
    expect((await get('/advertisers?keyword=%00')).status).toBe(422);
    const { id } = await openAdvertiser();
    const answer = await send('post', `/advertisers/${id}/suspend`, { reason: 'a\u0000b' });
    expect(answer.body.data.errors[0].field).toBe('reason');
    expect((await get(`/advertisers/${id}`)).body.data.status).toBe('ACTIVE');
  });

  test('suspend · active advertiser · refused at once, serving told, logged; restore needs a new login', async () => {
    const { id, email, token } = await openAdvertiser();
    expect((await ownProfile(token)).status).toBe(200);
    const suspended = await send('post', `/advertisers/${id}/suspend`, { reason: 'chargeback' });
    expect(suspended.body.data.status).toBe('SUSPENDED');
    expect((await ownProfile(token)).body).toMatchObject({
      code: 40301,
      data: { error: 'account_suspended' },
    });
    const again = () => login('advertiser', email);
    expect((await again()).body.data.error).toBe('account_suspended');
    expect((await send('post', `/advertisers/${id}/suspend`)).status).toBe(409);
    const told = () =>
      stand.database.pool.query(
        "SELECT 1 FROM outbox WHERE kind = 'publish' AND payload->>'topic' = 'advertiser' AND (payload->>'id')::int = $1",
        [id],
      );
    expect((await told()).rows).toHaveLength(1);

    expect((await send('post', `/advertisers/${id}/restore`)).body.data.status).toBe('ACTIVE');
    expect((await send('post', `/advertisers/${id}/restore`)).status).toBe(409);
    expect((await ownProfile(token)).status).toBe(401);
    expect((await ownProfile((await again()).body.data.token)).status).toBe(200);
    expect((await told()).rows).toHaveLength(2);
    const log = (await get(`/audit-log?subject_type=advertiser&subject_id=${id}`)).body.data.items;
    expect(log).toEqual([
      expect.objectContaining({ action: 'advertiser.restore', detail: {} }),
      expect.objectContaining({
        action: 'advertiser.suspend',
        detail: { reason: 'chargeback' },
        actor: expect.objectContaining({
          type: 'OPERATOR',
          id: operatorIds.ADMIN,
          member_id: null,
          username: `admin_${run}`,
        }),
        request_id: suspended.headers['x-request-id'],
      }),
    ]);
  });

  test('papers · held by a reason · show since when, by whom and why, until they are released', async () => {
    const { id } = await openAdvertiser();
    const hold = async (body: object, role: Role = 'ADMIN') =>
      await send('post', `/advertisers/${id}/hold-papers`, body, role);
    const NOBODY = { legal_hold_at: null, legal_hold_by: null, legal_hold_reason: null };
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }]) {
      const answer = await hold(body);
      expect([answer.status, answer.body.data.errors[0].field]).toEqual([422, 'reason']);
    }
    expect((await hold({ reason: 'Court' }, 'SUPPORT')).status).toBe(403);
    expect((await hold({ reason: 'Court' }, 'FINANCE')).status).toBe(403);
    expect((await get(`/advertisers/${id}`)).body.data).toMatchObject(NOBODY);

    expect((await hold({ reason: 'Court order 7/26' })).status).toBe(200);
    const held = (await get(`/advertisers/${id}`, 'SUPPORT')).body.data;
    expect(held).toMatchObject({
      legal_hold_at: expect.any(String),
      legal_hold_by: `admin_${run}`,
      legal_hold_reason: 'Court order 7/26',
    });
    expect((await hold({ reason: 'Another' })).status).toBe(409);
    const release = async (body: object) =>
      await send('post', `/advertisers/${id}/release-papers`, body);
    expect((await release({})).status).toBe(422);
    expect((await release({ reason: 'Over' })).body.data).toMatchObject(NOBODY);
    // The last one to hold them counts, not the first.
    await hold({ reason: 'A second order' });
    expect((await get(`/advertisers/${id}`)).body.data.legal_hold_reason).toBe('A second order');
  });

  test('suspend · twice at once · one wins', async () => {
    const { id } = await openAdvertiser();
    const answers = await Promise.all(
      [1, 2, 3].map(async () => await send('post', `/advertisers/${id}/suspend`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  test('suspend · unknown field · is 422 and nothing happens', async () => {
    const { id, token } = await openAdvertiser();
    expect((await send('post', `/advertisers/${id}/suspend`, { status: 'x' })).status).toBe(422);
    expect((await ownProfile(token)).status).toBe(200);
  });
});

describe('settings', () => {
  test('settings · listed · every key with value, default and rule', async () => {
    const { items } = (await get('/settings')).body.data;
    expect(items).toContainEqual(
      expect.objectContaining({
        key: 'ad.click_dedup_seconds',
        value: 300,
        default: 300,
        rule: expect.any(String),
      }),
    );
  });

  test('setting · put · stored, logged with before and after, published', async () => {
    const put = await send('put', '/settings/ad.click_dedup_seconds', { value: 0 });
    expect(put.body.data).toMatchObject({
      key: 'ad.click_dedup_seconds',
      value: 0,
      updated_by: operatorIds.ADMIN,
    });
    await send('put', '/settings/ad.click_dedup_seconds', { value: 15 });
    expect((await loadSettings(runner(stand.database.db)))['ad.click_dedup_seconds']).toBe(15);
    const { items } = (await get('/audit-log?action=setting.put&page_size=1')).body.data;
    expect(items[0].detail).toEqual({ key: 'ad.click_dedup_seconds', before: 0, after: 15 });
    const { rows } = await stand.database.pool.query(
      "SELECT 1 FROM outbox WHERE payload->>'topic' = 'settings'",
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
  });

  test('a setting that governs money · put with the value it has · asks for nothing; with another · waits', async () => {
    const key = 'deposit.minimum.USDT';
    const asked = async (): Promise<number> =>
      (
        await stand.database.pool.query(
          `SELECT 1 FROM approvals WHERE kind = 'setting' AND subject = $1`,
          [key],
        )
      ).rows.length;
    const { value } = (await get('/settings')).body.data.items.find(
      (item: { key: string }) => item.key === key,
    );
    expect((await send('put', `/settings/${key}`, { value })).status).toBe(200);
    expect(await asked()).toBe(0);
    expect((await send('put', `/settings/${key}`, { value: value + 1 })).status).toBe(202);
    expect(await asked()).toBe(1);
    // What waits goes on waiting.
    const again = await send('put', `/settings/${key}`, { value });
    expect([again.status, again.body.data]).toMatchObject([200, { value, version: 0 }]);
    expect(await asked()).toBe(1);
  });

  test.each([
    ['ad.click_dedup_seconds', -1],
    ['ad.click_dedup_seconds', 1.5],
    ['ad.click_dedup_seconds', '5'],
    ['ad.click_dedup_seconds', 1e9],
    ['auction.floor_cpm', -0.1],
    ['auction.floor_cpc', 0.000_000_1],
    ['auction.floor_cpm', 101],
    ['auction.floor_cpc', '0.01'],
    ['ad.first_price', 1],
    ['ad.first_price', 'true'],
    ['review.site', 'never'],
    ['review.site', {}],
    ['payout.maturity_days', [7]],
    ['ad.first_price', null],
  ])('setting · %s = %j · is 422 on value', async (key, value) => {
    const answer = await send('put', `/settings/${key}`, { value });
    expect(answer.status).toBe(422);
    expect(answer.body.data.errors[0].field).toBe('value');
  });

  test.each(['no.such.key', 'toString', '__proto__', 'constructor'])(
    'setting · unknown key %s · is 404',
    async (key) => {
      expect((await send('put', `/settings/${key}`, { value: 1 })).status).toBe(404);
    },
  );
});

describe('audit log', () => {
  test('audit log · by cursor · every row once, newest first', async () => {
    const ids: number[] = [];
    let cursor: number | null = null;
    do {
      const path: string = `/audit-log?page_size=3${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { data } = (await get(path)).body;
      ids.push(...data.items.map(({ id }: { id: number }) => id));
      cursor = data.next_cursor;
    } while (cursor !== null);
    const { rows } = await stand.database.pool.query(
      'SELECT id::int FROM audit_log ORDER BY id DESC',
    );
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  test('audit log · changed by hand · the database refuses', async () => {
    await expect(
      stand.database.pool.query('UPDATE audit_log SET action = $1', ['x']),
    ).rejects.toThrow('append-only');
    await expect(stand.database.pool.query('DELETE FROM audit_log')).rejects.toThrow('append-only');
  });
});
