import { approvedByOwner, setByOwner } from '../../support/by-owner.ts';
import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import type { TestDatabase } from '../../support/database.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../../support/payouts.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';
import { balanceOf, fundPublisher, UNIT } from '../../support/make/money.ts';
import { createStand, type Stand } from '../../support/stand.ts';

const BASE = '/withdrawals';

let stand: Stand;
let database: TestDatabase;
let publisherId: number;
let cardId: number;
let accounts = 0;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
});

beforeEach(async () => {
  publisherId = (await makePublisher(database.db)).id;
  await passKyc(database, publisherId);
  await fundPublisher(database.db, publisherId, 1_000n * UNIT);
  cardId = await keepCard();
  await ripenCards(database, publisherId);
});

afterAll(async () => {
  const broken = (await runBooks(runner(database.db))).filter((check) => !check.ok);
  await stand?.close();
  expect(broken).toEqual([]);
});

const me = () => stand.as('publisher', publisherId);

async function keepCard(body: object = {}): Promise<number> {
  accounts += 1;
  const answer = await me().post(`${BASE}/bank-cards`, {
    ...CARD,
    iban: ibanOf(accounts),
    ...body,
  });
  expect(answer.status).toBe(201);
  return (answer.body.data as { id: number }).id;
}

const ask = async (body: object = {}, headers: Record<string, string> = {}) =>
  await me()
    .post(BASE, { amount: 100, payment_method: 'BANK', ...body })
    .set(headers);

const held = async (): Promise<bigint> => await balanceOf(database, `pub:${publisherId}:hold`);
const withdrawable = async (): Promise<bigint> =>
  await balanceOf(database, `pub:${publisherId}:withdrawable`);

describe('the gate', () => {
  it.each([
    ['none', true],
    ['pending', true],
    ['rejected', true],
    ['expired', true],
  ])('kyc %s · asked · 412 with the hints, nothing held', async (kycStatus, requires) => {
    await database.pool.query('UPDATE accounts SET kyc_status = $2 WHERE id = $1', [
      publisherId,
      kycStatus,
    ]);
    const answer = await ask();
    expect(answer.status).toBe(412);
    expect(answer.body.data).toMatchObject({
      error: 'kyc_required',
      requires_kyc: requires,
      kyc_status: kycStatus,
      kyc_url: expect.stringMatching(/\/api\/publisher\/kyc$/),
    });
    expect(await held()).toBe(0n);
  });

  it('approved, an hour past its end, before the round · asked · 412 says that it has expired', async () => {
    await database.pool.query(
      `INSERT INTO kyc_applications (account_id, round, status, entity_type, legal_name, country,
         document_number_sealed, document_number_tail, document_ids, workflow_id, expires_at)
       VALUES ($1::bigint, 1, 'APPROVED', 'PERSONAL', 'Ada', 'DE', 'x', 'x', '{}', 'kyc:test:' || $1::bigint, now() - interval '1 hour')`,
      [publisherId],
    );
    const answer = await ask();
    expect([answer.status, answer.body.message, answer.body.data.kyc_status]).toEqual([
      412,
      'Your proof of identity has expired: please renew it.',
      'expired',
    ]);
    expect(await held()).toBe(0n);
  });

  it('approved, its only card a day too young · asked by bank · 412 says the account and the hour', async () => {
    const { rows } = await database.pool.query<{ usable_from: Date }>(
      `UPDATE bank_cards SET usable_from = '2100-01-01T09:30Z' WHERE publisher_id = $1
       RETURNING usable_from`,
      [publisherId],
    );
    const at = rows[0]?.usable_from.toISOString() ?? '';
    const answer = await ask();
    expect(answer.status).toBe(412);
    expect(answer.body).toMatchObject({
      message: expect.stringContaining(at.slice(0, 16).replace('T', ' ')),
      data: {
        error: 'profile_incomplete',
        requires_kyc: false,
        missing: ['payout_account'],
        usable_from: at,
      },
    });
    expect(await held()).toBe(0n);
  });

  it('approved, without a name · asked · 412 names what is missing and not the identity', async () => {
    await database.pool.query('UPDATE accounts SET contact_name = NULL WHERE id = $1', [
      publisherId,
    ]);
    const answer = await ask();
    expect(answer.status).toBe(412);
    expect(answer.body.data).toMatchObject({
      error: 'profile_incomplete',
      requires_kyc: false,
      missing: ['contact_name'],
    });
  });
});

describe('a request', () => {
  it.each([
    ['nothing', {}, ['amount', 'payment_method']],
    [
      'two channels and no amount',
      { channel: 'USDT', payment_method: 'BANK', amount: 0 },
      ['amount', 'payment_method'],
    ],
    [
      'a wrong account and a wrong amount',
      {
        amount: -1,
        payment_method: 'BANK',
        bank_info: { iban: 'DE00', country: 'DE', currency: 'EUR' },
      },
      ['amount', 'bank_info.account_holder', 'bank_info.iban'],
    ],
    [
      'a card with an account, and an amount of seven decimals',
      { amount: 100.1234567, payment_method: 'BANK', bank_info: { bank_card_id: 1, iban: 'DE00' } },
      ['amount', 'bank_info.iban'],
    ],
  ])('of %s · 422 names every field at once, nothing held', async (_what, body, named) => {
    const answer = await me().post(BASE, body);
    const { errors } = answer.body.data as { errors: { field: string }[] };
    const fields = [...new Set(errors.map(({ field }) => field))].toSorted();
    expect([answer.status, fields]).toEqual([422, named]);
    expect(await held()).toBe(0n);
  });

  it('good · taken · held at once, shown, listed, watched', async () => {
    const answer = await ask({ amount: 250.5 });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      amount: 250.5,
      fee: 5,
      tax: 0,
      arrival_amount: 245.5,
      payment_method: 'BANK',
      channel: 'BANK',
      account: expect.stringMatching(/^DE\d\d\*\*\*\*\d{4}$/),
      bank_card_id: cardId,
      status: 'PENDING',
      cancellable: true,
    });
    expect(await held()).toBe(250_500_000_000n);
    const balance = await me().get(`${BASE}/balance`);
    expect(balance.body.data).toEqual({
      currency: 'USD',
      balance: 1_000,
      withdrawable: 749.5,
      maturing: 0,
      held: 250.5,
      debt: 0,
      paid_total: 0,
      pending: 0,
    });
    const { id } = answer.body.data as { id: number };
    const shown = await me().get(`${BASE}/${id}`);
    expect(shown.body.data).toEqual(answer.body.data);
    expect(shown.headers['etag']).toBe('"1"');
    const operations = await me().get('/operations?kind=withdrawal');
    expect(operations.body.data.items).toEqual([
      expect.objectContaining({ subject: { type: 'withdrawal', id }, status: 'queued' }),
    ]);
  });

  it.each<[string, object, string, string]>([
    ['a cent below the minimum', { amount: 99.99 }, 'amount', 'min'],
    ['finer than a cent', { amount: 100.001 }, 'amount', 'step'],
    ['more than there is', { amount: 1_000.01 }, 'amount', 'balance'],
    ['nothing', { amount: 0 }, 'amount', 'min'],
    [
      'a channel without provider',
      { payment_method: 'PAYPAL', account_info: 'a@example.com' },
      'payment_method',
      'not_available',
    ],
    ['two channels', { channel: 'USDT' }, 'payment_method', 'differs'],
    ['no channel', { payment_method: undefined }, 'payment_method', 'required'],
    [
      'an unknown card',
      { bank_info: { bank_card_id: 987_654 } },
      'bank_info.bank_card_id',
      'unknown',
    ],
    [
      'a card and an account',
      { bank_info: { bank_card_id: 1, iban: 'X' } },
      'bank_info.iban',
      'exclusive',
    ],
    [
      'a wrong account',
      { bank_info: { ...CARD, iban: 'DE00370400440532013000' } },
      'bank_info.iban',
      'format',
    ],
    ['account_info for a bank', { account_info: 'DE89' }, 'account_info', 'not_for_channel'],
    ['an owner of its own choice', { publisher_id: 1 }, 'publisher_id', 'unknown_field'],
    ['a status of its own choice', { status: 'PAID' }, 'status', 'unknown_field'],
  ])('%s · asked · 422 names it, nothing held', async (_name, body, field, code) => {
    const answer = await ask(body);
    expect(answer.status).toBe(422);
    const errors = answer.body.data.errors as { field: string; code: string }[];
    expect(errors.map((error) => [error.field, error.code])).toContainEqual([field, code]);
    expect(await held()).toBe(0n);
  });

  it("another publisher's card · named · as if it did not exist", async () => {
    const theirs = cardId;
    publisherId = (await makePublisher(database.db)).id;
    await passKyc(database, publisherId);
    await fundPublisher(database.db, publisherId, 500n * UNIT);
    await keepCard();
    await ripenCards(database, publisherId);
    const answer = await ask({ bank_info: { bank_card_id: theirs } });
    expect(answer.status).toBe(422);
    expect(await held()).toBe(0n);
  });

  it('all there is · asked · everything held, to the nano', async () => {
    await fundPublisher(database.db, publisherId, 1n);
    expect((await ask({ amount: 1_000 })).status).toBe(201);
    expect([await held(), await withdrawable()]).toEqual([1_000n * UNIT, 1n]);
  });

  it('an account given with the request · new · taken, and its money waits a day', async () => {
    accounts += 1;
    const answer = await ask({ bank_info: { ...CARD, iban: ibanOf(accounts) } });
    expect(answer.status).toBe(201);
    const { rows } = await database.pool.query<{ waits: string }>(
      `SELECT extract(epoch FROM account_usable_from - created_at)::int AS waits FROM withdrawals WHERE id = $1`,
      [(answer.body.data as { id: number }).id],
    );
    expect(Number(rows[0]?.waits)).toBe(86_400);
  });

  it('settings for fee and tax · changed · snapshotted on the row, later changes do not move it', async () => {
    const put = async (key: string, value: number): Promise<void> =>
      await setByOwner(database, key, value);
    await put('payout.tax_ppm', 105_000);
    await put('payout.fee_ppm.BANK', 333);
    const answer = await ask({ amount: 333.33 });
    await put('payout.tax_ppm', 0);
    await put('payout.fee_ppm.BANK', 0);
    // 5 + 0.11 of fee, 35.00 of tax.
    expect(answer.body.data).toMatchObject({ fee: 5.11, tax: 35, arrival_amount: 293.22 });
    const { id } = answer.body.data as { id: number };
    expect((await me().get(`${BASE}/${id}`)).body.data).toMatchObject({ fee: 5.11, tax: 35 });
  });

  it('one Idempotency-Key · sent three times, also at once · one row and one hold', async () => {
    const key = { 'Idempotency-Key': `wd-${publisherId}` };
    const answers = await Promise.all([ask({}, key), ask({}, key)]);
    answers.push(await ask({}, key));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => (body.data as { id: number }).id)).size).toBe(1);
    expect(await held()).toBe(100n * UNIT);
    expect((await ask({ amount: 101 }, key)).status).toBe(409);
  });

  it('20 at once · of 150 each, 1000 there · six are taken, nothing more is held', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ amount: 150 })));
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(6);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(14);
    expect([await held(), await withdrawable()]).toEqual([900n * UNIT, 100n * UNIT]);
  });

  it('64 at once · of all there is · one is taken, the others hear that nothing is left', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, async () => {
        const { body, status } = await ask({ amount: 1_000 });
        return { status, errors: (body.data as { errors?: { code: string }[] } | null)?.errors };
      }),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.length).toBeGreaterThanOrEqual(58);
    for (const { errors } of refused) expect(errors).toMatchObject([{ code: 'balance' }]);
    // Beyond 60 writes a minute nobody is let in.
    const late = answers.filter(({ status }) => status === 429);
    expect(1 + refused.length + late.length).toBe(64);
    expect([await held(), await withdrawable()]).toEqual([1_000n * UNIT, 0n]);
  });

  it('a row · written over in the database · amount and account stay as requested', async () => {
    const { id } = (await ask()).body.data as { id: number };
    for (const column of [
      'amount_nanos = amount_nanos + 1',
      `account_masked = 'mine'`,
      `sealed_account = ''`,
    ]) {
      await expect(
        database.pool.query(`UPDATE withdrawals SET ${column} WHERE id = $1`, [id]),
      ).rejects.toThrow(/stay as they were requested|withdrawals_check/);
    }
  });

  it('a kept account · its sealed text copied from another row, as the application may · does not open: nothing is held', async () => {
    const own = await keepCard();
    const thief = stand.as('publisher', (await makePublisher(database.db)).id);
    const theirs = await thief.post(`${BASE}/bank-cards`, { ...CARD, iban: ibanOf(9_000) });
    for (const from of [own, (theirs.body.data as { id: number }).id]) {
      await database.appPool.query(
        `UPDATE bank_cards SET sealed_info = (SELECT sealed_info FROM bank_cards WHERE id = $2) WHERE id = $1`,
        [cardId, from],
      );
      const answer = await ask({ bank_info: { bank_card_id: cardId } });
      expect([answer.status, answer.body.message]).toEqual([
        409,
        expect.stringContaining('its record was altered'),
      ]);
    }
    // Or the thief's own row is given away, under its own id.
    const given = (theirs.body.data as { id: number }).id;
    await database.appPool.query(
      'UPDATE bank_cards SET publisher_id = $2, is_default = false WHERE id = $1',
      [given, publisherId],
    );
    expect((await ask({ bank_info: { bank_card_id: given } })).status).toBe(409);
    expect([await held(), await withdrawable()]).toEqual([0n, 1_000n * UNIT]);
  });

  it('any request · made · audited, and its account lies sealed', async () => {
    const { id } = (await ask()).body.data as { id: number };
    const audit = await database.pool.query(
      `SELECT 1 FROM audit_log WHERE action = 'withdrawal.request' AND subject_id = $1`,
      [id],
    );
    expect(audit.rowCount).toBe(1);
    const { rows } = await database.pool.query<{ text: string }>(
      `SELECT concat(w::text, c::text, encode(w.sealed_account, 'escape'), encode(c.sealed_info, 'escape')) AS text
       FROM withdrawals w JOIN bank_cards c ON c.id = w.bank_card_id WHERE w.id = $1`,
      [id],
    );
    expect(rows[0]?.text).not.toContain(ibanOf(accounts).slice(4));
    expect(rows[0]?.text).not.toContain('Lovelace');
  });
});

describe('a cancel', () => {
  it('pending · cancelled · everything withdrawable again, once', async () => {
    const { id } = (await ask()).body.data as { id: number };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => me().post(`${BASE}/${id}/cancel`)),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409,
    ]);
    const shown = await me().get(`${BASE}/${id}`);
    expect(shown.body.data).toMatchObject({ status: 'CANCELLED', cancellable: false, version: 2 });
    expect([await held(), await withdrawable()]).toEqual([0n, 1_000n * UNIT]);
  });

  it.each(['PROCESSING', 'UNKNOWN', 'PAID', 'FAILED', 'REJECTED', 'RETURNED'])(
    '%s · cancelled · 409, the hold stays',
    async (status) => {
      const { id } = (await ask()).body.data as { id: number };
      await approvedByOwner(database, id);
      await database.pool.query('UPDATE withdrawals SET status = $2 WHERE id = $1', [id, status]);
      expect((await me().post(`${BASE}/${id}/cancel`)).status).toBe(409);
      expect(await held()).toBe(100n * UNIT);
      // Back to what its hold says, for the books.
      await database.pool.query(`UPDATE withdrawals SET status = 'PENDING' WHERE id = $1`, [id]);
    },
  );

  it("another publisher's · cancelled or shown · 404", async () => {
    const { id } = (await ask()).body.data as { id: number };
    const other = stand.as('publisher', (await makePublisher(database.db)).id);
    expect((await other.post(`${BASE}/${id}/cancel`)).status).toBe(404);
    expect((await other.get(`${BASE}/${id}`)).status).toBe(404);
    expect(await held()).toBe(100n * UNIT);
  });
});

describe('lists', () => {
  it('withdrawals · filtered · each filter leaves what fits', async () => {
    const first = ((await ask()).body.data as { id: number }).id;
    const second = ((await ask({ amount: 101 })).body.data as { id: number }).id;
    await me().post(`${BASE}/${first}/cancel`);
    const idsOf = async (query: string): Promise<number[]> => {
      const { body } = await me().get(`${BASE}?${query}`);
      return (body.data as { items: { id: number }[] }).items.map(({ id }) => id);
    };
    const day = (await me().get(`${BASE}/${first}`)).body.data.created_at.slice(0, 10) as string;
    expect(await idsOf('')).toEqual([second, first]);
    expect(await idsOf('status=CANCELLED')).toEqual([first]);
    expect(await idsOf('payment_method=USDT')).toEqual([]);
    expect(await idsOf(`payment_method=BANK&start_date=${day}&end_date=${day}`)).toEqual([
      second,
      first,
    ]);
    expect(await idsOf('end_date=2020-01-01')).toEqual([]);
    expect(await idsOf('page=2&page_size=1')).toEqual([first]);
    expect((await me().get(`${BASE}?status=pending`)).status).toBe(422);
  });

  it('payment methods · shown · each with what it takes; only BANK has somebody to pay', async () => {
    const { body } = await me().get(`${BASE}/payment-methods`);
    const items = body.data.items as {
      payment_method: string;
      available: boolean;
      minimum: number;
    }[];
    expect(items.map((item) => [item.payment_method, item.available, item.minimum])).toEqual([
      ['BANK', true, 100],
      ['USDT', false, 20],
      ['PAYPAL', false, 10],
      ['PAXUM', false, 10],
    ]);
    expect(items[2]).toMatchObject({ fee: { fixed: 0, percent: 2 }, tax_percent: 0, step: 0.01 });
    expect(items[1]).toMatchObject({ networks: ['ERC20', 'TRC20'], new_account_waits: 86_400 });
  });
});

describe('bank cards', () => {
  it('first · kept · masked, default, usable a day later', async () => {
    publisherId = (await makePublisher(database.db)).id;
    const id = await keepCard();
    const { body } = await me().get(`${BASE}/bank-cards`);
    const iban = ibanOf(accounts);
    expect(body.data.items).toEqual([
      expect.objectContaining({
        id,
        account_holder: 'A** L*******',
        account: `${iban.slice(0, 4)}****${iban.slice(-4)}`,
        last4: iban.slice(-4),
        is_default: true,
        is_usable: false,
        version: 1,
      }),
    ]);
    expect(JSON.stringify(body)).not.toContain(iban);
  });

  it('a second as default · kept · takes over; deleted · the first takes back', async () => {
    const second = await keepCard({ is_default: true });
    const defaults = async (): Promise<number[]> =>
      (
        (await me().get(`${BASE}/bank-cards`)).body.data.items as {
          id: number;
          is_default: boolean;
        }[]
      )
        .filter((card) => card.is_default)
        .map(({ id }) => id);
    expect(await defaults()).toEqual([second]);
    expect((await me().delete(`${BASE}/bank-cards/${second}`)).body.data).toEqual({
      id: second,
      status: 'ARCHIVED',
    });
    expect(await defaults()).toEqual([cardId]);
    expect((await me().delete(`${BASE}/bank-cards/${second}`)).status).toBe(404);
  });

  it('another as default later · is it, alone; told to the owner, and by If-Match only as it was seen', async () => {
    publisherId = (await makePublisher(database.db)).id;
    const [first, second] = [await keepCard(), await keepCard()];
    const shown = async () =>
      (
        (await me().get(`${BASE}/bank-cards`)).body.data.items as {
          id: number;
          is_default: boolean;
          version: number;
        }[]
      ).map(({ id, is_default: isDefault, version }) => [id, isDefault, version]);
    const put = (id: number, isDefault: boolean) =>
      me().put(`${BASE}/bank-cards/${id}`).send({ is_default: isDefault });
    expect((await put(second, true).set({ 'If-Match': '"7"' })).status).toBe(412);
    expect((await put(first, false)).body.data).toMatchObject({ error: 'state_conflict' });
    expect((await put(second, false)).status).toBe(200);
    expect(await shown()).toEqual([
      [first, true, 1],
      [second, false, 1],
    ]);
    const { body } = await put(second, true).set({ 'If-Match': '"1"' });
    expect(body.data).toMatchObject({ id: second, is_default: true, version: 2 });
    // Said again it changes nothing.
    expect((await put(second, true)).body.data.version).toBe(2);
    expect(await shown()).toEqual([
      [second, true, 2],
      [first, false, 2],
    ]);
    const both = await Promise.all([put(first, true), put(second, true), put(first, true)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await shown()).filter(([, isDefault]) => isDefault === true)).toHaveLength(1);
    const account = { ...CARD, iban: ibanOf(1), is_default: true };
    expect((await me().put(`${BASE}/bank-cards/${first}`).send(account)).status).toBe(422);
    const { rows } = await database.pool.query(
      `SELECT 1 FROM audit_log WHERE action = 'bank_card.update' AND subject_id = $1`,
      [second],
    );
    expect(rows.length).toBeGreaterThan(0);
    const thief = stand.as('publisher', (await makePublisher(database.db)).id);
    const url = `${BASE}/bank-cards/${first}`;
    expect((await thief.put(url).send({ is_default: true })).status).toBe(404);
  });

  it('the same account twice, typed otherwise, also at once · 409, one is kept', async () => {
    accounts += 1;
    const iban = ibanOf(accounts);
    const bodies = [iban, iban.toLowerCase(), `${iban.slice(0, 4)} ${iban.slice(4)}`];
    const answers = await Promise.all(
      bodies.map((each) => me().post(`${BASE}/bank-cards`, { ...CARD, iban: each })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.data.error).toBe('already_claimed');
  });

  it('20 kept · 25 more at once · 19 are taken', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => {
        accounts += 1;
        return me().post(`${BASE}/bank-cards`, { ...CARD, iban: ibanOf(accounts) });
      }),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(6);
  });

  it('a stale version · deleted with If-Match · 412, the card stays; the seen one goes', async () => {
    const url = `${BASE}/bank-cards/${cardId}`;
    expect((await me().delete(url).set({ 'If-Match': '"7"' })).status).toBe(412);
    expect((await me().delete(url).set({ 'If-Match': '"1"' })).status).toBe(200);
  });

  it("another publisher's · deleted · 404", async () => {
    const other = stand.as('publisher', (await makePublisher(database.db)).id);
    expect((await other.delete(`${BASE}/bank-cards/${cardId}`)).status).toBe(404);
  });

  it('deleted while a withdrawal goes to it · the withdrawal keeps its account', async () => {
    const { id } = (await ask()).body.data as { id: number };
    await me().delete(`${BASE}/bank-cards/${cardId}`);
    expect((await me().get(`${BASE}/${id}`)).body.data).toMatchObject({
      account: expect.stringMatching(/^DE/),
      status: 'PENDING',
    });
  });
});

describe('operators', () => {
  it('FINANCE and ADMIN · list and show · every publisher; the others 403', async () => {
    const { id } = (await ask()).body.data as { id: number };
    for (const role of ['FINANCE', 'ADMIN'] as const) {
      const operator = stand.as('admin', (await makeOperator(database.db, role)).id);
      const list = await operator.get(`/withdrawals?publisher_id=${publisherId}`);
      expect(list.body.data.items).toEqual([
        expect.objectContaining({ id, publisher_id: publisherId }),
      ]);
      const shown = await operator.get(`/withdrawals/${id}`);
      expect(shown.body.data).toMatchObject({ id, payout: null, findings: [] });
      expect((await operator.get(`/withdrawals/${id}/payout-file`)).status).toBe(404);
      expect((await operator.get('/withdrawals/987654')).status).toBe(404);
    }
    for (const role of ['REVIEWER', 'SUPPORT'] as const) {
      const operator = stand.as('admin', (await makeOperator(database.db, role)).id);
      expect((await operator.get('/withdrawals')).status).toBe(403);
      expect((await operator.get(`/withdrawals/${id}`)).status).toBe(403);
      expect((await operator.get(`/withdrawals/${id}/payout-file`)).status).toBe(403);
    }
  });
});
