import { createStand, type Stand } from '../../support/stand.ts';
import { fundAdvertiser, UNIT } from '../../support/make/money.ts';
import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';

/** interface 4.6 as the advertiser meets it; the flow behind an order is test/workflows/deposit. */
let stand: Stand;
let owner: Caller;
let stranger: Caller;

beforeAll(async () => {
  stand = await createStand();
  stranger = await stand.newAdvertiser();
});
afterAll(async () => await stand.close());
beforeEach(async () => {
  owner = await stand.newAdvertiser();
});

const order = async (fields: object = {}) =>
  await owner.post('/deposits', { amount: 50, payment_method: 'BANK', ...fields });
const idsOf = (data: Record<string, unknown>): number[] =>
  (data['items'] as { id: number }[]).map(({ id }) => id);

describe('an order', () => {
  it('made · waits for its money, with what the payer writes on the transfer', async () => {
    const answer = await order({ amount: 25.12 });
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({
      amount: 25.12,
      currency: 'USD',
      payment_method: 'BANK',
      status: 'PENDING',
      received: 0,
      paid_at: null,
      reference: expect.stringMatching(/^RF\d{11}$/),
    });
    expect(dataOf(await owner.get(`/deposits/${idOf(answer)}`))).toEqual(dataOf(answer));
  });

  it.each([
    [
      'nothing',
      { amount: undefined, payment_method: undefined },
      ['amount required', 'payment_method required'],
    ],
    ['an amount of 0', { amount: 0 }, ['amount min']],
    ['less than the minimum', { amount: 9.99 }, ['amount min']],
    ['what no bank can move', { amount: 100.005 }, ['amount step']],
    ['seven decimals', { amount: 10.000_000_1 }, ['amount amount']],
    ['an unknown method', { payment_method: 'CASH' }, ['payment_method one_of']],
    ['a method without a provider', { payment_method: 'ALIPAY' }, ['payment_method not_available']],
    ['a chain of a bank', { network: 'TRC20' }, ['network exclusive']],
    ['an unknown chain', { network: 'BEP20' }, ['network one_of']],
    [
      'a chain that is not configured',
      { payment_method: 'USDT', network: 'TRC20' },
      ['network not_available', 'payment_method not_available'],
    ],
    [
      'fields that are not for the payer',
      { status: 'PAID', received: 50 },
      ['received unknown_field', 'status unknown_field'],
    ],
  ])('of %s · 422, and no order is written', async (_what, fields, faults) => {
    const answer = await order(fields);
    expect([answer.status, faultsOf(answer)]).toEqual([422, faults]);
    expect(dataOf(await owner.get('/deposits'))).toMatchObject({ total: 0 });
  });

  it('by an account without a basic profile · 412 says what is missing', async () => {
    await stand.database.db.models.accounts.update(
      { contactName: null, companyName: null },
      { where: { id: owner.id } },
    );
    const answer = await order();
    expect(answer.status).toBe(412);
    expect(dataOf(answer)).toMatchObject({ error: 'profile_incomplete' });
    expect(dataOf(answer)['missing']).not.toHaveLength(0);
  });

  it('sent twice under one key · is one order; another body under it · 409', async () => {
    const once = { amount: 50, payment_method: 'BANK' };
    const key = `key-${owner.id}`;
    const post = (body: object) => owner.post('/deposits', body).set('Idempotency-Key', key);
    const [first, second] = [await post(once), await post(once)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(idOf(second)).toBe(idOf(first));
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect((await post({ ...once, amount: 51 })).status).toBe(409);
    expect(dataOf(await owner.get('/deposits'))).toMatchObject({ total: 1 });
  });

  it('cancelled · once; again, or when money has come · 409; of another · 404', async () => {
    const id = idOf(await order());
    expect((await stranger.post(`/deposits/${id}/cancel`)).status).toBe(404);
    expect((await stranger.get(`/deposits/${id}`)).status).toBe(404);
    expect(dataOf(await owner.post(`/deposits/${id}/cancel`))).toMatchObject({
      status: 'CANCELLED',
    });
    const again = await owner.post(`/deposits/${id}/cancel`);
    expect([again.status, dataOf(again)['from']]).toEqual([409, 'CANCELLED']);
    for (const status of ['CONFIRMING', 'REVIEW', 'PAID', 'EXPIRED', 'REFUNDED', 'FAILED']) {
      const other = idOf(await order());
      await stand.database.pool.query('UPDATE deposits SET status = $2 WHERE id = $1', [
        other,
        status,
      ]);
      expect((await owner.post(`/deposits/${other}/cancel`)).status).toBe(409);
    }
  });
});

describe('orders · listed', () => {
  it('by status, method and days · only those, newest first', async () => {
    const bank = idOf(await order());
    const offline = idOf(await order({ payment_method: 'OFFLINE' }));
    const old = idOf(await order());
    await owner.post(`/deposits/${old}/cancel`);
    await stand.database.pool.query(
      `UPDATE deposits SET created_at = '2026-03-01T23:59:59.999Z' WHERE id = $1`,
      [old],
    );
    const list = async (query: string) => idsOf(dataOf(await owner.get(`/deposits?${query}`)));
    expect(await list('')).toEqual([old, offline, bank]);
    expect(await list('payment_method=OFFLINE')).toEqual([offline]);
    expect(await list('status=CANCELLED')).toEqual([old]);
    expect(await list('status=PENDING&payment_method=BANK')).toEqual([bank]);
    expect(await list('start_date=2026-03-01&end_date=2026-03-01')).toEqual([old]);
    expect(await list('start_date=2026-03-02')).toEqual([offline, bank]);
    expect(await list('end_date=2026-02-28')).toEqual([]);
    expect(await list('page=2&page_size=2')).toEqual([bank]);
    for (const query of ['status=OPEN', 'payment_method=bank', 'start_date=1', 'keyword=x']) {
      expect((await owner.get(`/deposits?${query}`)).status).toBe(422);
    }
  });
});

describe('the balance', () => {
  it('with money and open orders · tells both apart, and every movement with what it left', async () => {
    await fundAdvertiser(stand.database.db, owner.id, 30n * UNIT);
    await fundAdvertiser(stand.database.db, owner.id, 12n * UNIT);
    await order({ amount: 99 });
    expect(dataOf(await owner.get('/deposits/balance'))).toEqual({
      currency: 'USD',
      balance: 42,
      available: 42,
      held: 0,
      pending_deposits: 99,
      arriving_deposits: 0,
      unpaid_deposits: 99,
      spend_today: 0,
    });
    const list = dataOf(await owner.get('/deposits/transactions'));
    expect(list['items']).toMatchObject([
      {
        type: 'DEPOSIT',
        description: expect.stringMatching(/^Top-up \d+$/),
        amount: 12,
        balance_after: 42,
        currency: 'USD',
      },
      { type: 'DEPOSIT', amount: 30, balance_after: 30 },
    ]);
  });

  it('an order whose tokens a chain shows, one that is cancelled, another account’s · only the first is on its way', async () => {
    const seen = idOf(await order({ amount: 40 }));
    const cancelled = idOf(await order({ amount: 50 }));
    await owner.post(`/deposits/${cancelled}/cancel`);
    await stand.database.pool.query(
      `INSERT INTO deposit_payments (deposit_id, pay_nanos, pay_currency, confirmations_seen)
       VALUES ($1, 40000000000, 'USDT', 3)`,
      [seen],
    );
    await stranger.post('/deposits', { amount: 70, payment_method: 'BANK' });
    await order({ amount: 99 });
    const money = async () => dataOf(await owner.get('/deposits/balance'));
    expect(await money()).toMatchObject({
      pending_deposits: 139,
      arriving_deposits: 40,
      unpaid_deposits: 99,
    });
    // The chain has forgotten it.
    await stand.database.pool.query(
      'UPDATE deposit_payments SET confirmations_seen = NULL WHERE deposit_id = $1',
      [seen],
    );
    expect(await money()).toMatchObject({ arriving_deposits: 0, unpaid_deposits: 139 });
  });

  it('movements by cursor · unmoved by what comes meanwhile; by type · only those', async () => {
    for (const units of [1n, 2n, 3n, 4n, 5n])
      await fundAdvertiser(stand.database.db, owner.id, units * UNIT);
    const read = async (query: string) =>
      dataOf(await owner.get(`/deposits/transactions?${query}`)) as {
        items: { id: number; amount: number }[];
        total: number;
        next_cursor: number | null;
      };
    const first = await read('page_size=2');
    await fundAdvertiser(stand.database.db, owner.id, 6n * UNIT);
    const second = await read(`page_size=2&cursor=${first.next_cursor}`);
    const third = await read(`page_size=2&page=3&cursor=${second.next_cursor}`);
    expect(
      [first, second, third].flatMap(({ items }) => items.map(({ amount }) => amount)),
    ).toEqual([5, 4, 3, 2, 1]);
    expect(third.next_cursor).toBeNull();
    expect((await read('type=SPEND')).total).toBe(0);
    expect((await read('type=DEPOSIT')).total).toBe(6);
    expect((await owner.get('/deposits/transactions?type=EARNING')).status).toBe(422);
    expect((await stranger.get('/deposits/transactions')).body.data.total).toBe(0);
  });
});
