import { type Caller, dataOf } from '../../support/call.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { makeSite } from '../../support/make/place.ts';
import { insertRow } from '../../support/make/row.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.2: what is known of an account beside its own page. */
let stand: Stand;
let admin: Caller;
let support: Caller;

beforeAll(async () => {
  stand = await createStand();
  const { db } = stand.database;
  admin = stand.as('admin', (await makeOperator(db, 'ADMIN')).id);
  support = stand.as('admin', (await makeOperator(db, 'SUPPORT')).id);
});
afterAll(async () => {
  await stand.close();
});

type Items = Record<string, unknown>[];
const itemsOf = async (path: string): Promise<Items> => {
  const answer = await support.get(path);
  expect(answer.status).toBe(200);
  return dataOf(answer)['items'] as Items;
};

describe('history', () => {
  it('what an account did, and what was done about it · newest first, page by page · nobody else’s', async () => {
    const { database } = stand;
    const { id } = await makeAdvertiser(database.db);
    const { id: other } = await makeAdvertiser(database.db);
    await admin.post(`/advertisers/${id}/suspend`, { reason: 'Chargeback' });
    await admin.post(`/advertisers/${other}/suspend`, { reason: 'Another' });
    await admin.post(`/advertisers/${id}/restore`, {});
    const own = { actor_type: 'ACCOUNT', actor_id: id, subject_type: 'kyc', subject_id: 1 };
    await insertRow(database, 'audit_log', { ...own, action: 'kyc.submit' });
    // The publisher of the same number is somebody else.
    const about = { actor_type: 'SYSTEM', subject_type: 'publisher', subject_id: id };
    await insertRow(database, 'audit_log', { ...about, action: 'publisher.note' });
    const entries = await itemsOf(`/advertisers/${id}/history`);
    expect(entries.map(({ action }) => action)).toEqual([
      'kyc.submit',
      'advertiser.restore',
      'advertiser.suspend',
    ]);
    expect(entries[2]).toMatchObject({ actor: { id: admin.id }, detail: { reason: 'Chargeback' } });
    const first = dataOf(await support.get(`/advertisers/${id}/history?page_size=2`));
    expect(first).toMatchObject({ total: 3, next_cursor: entries[1]?.['id'] });
    const rest = await itemsOf(
      `/advertisers/${id}/history?page_size=2&cursor=${String(first['next_cursor'])}`,
    );
    expect(rest.map(({ action }) => action)).toEqual(['advertiser.suspend']);
  });

  it('of an account of the other kind, or of none · 404 · to a reviewer · 403', async () => {
    const { db } = stand.database;
    const { id } = await makeAdvertiser(db);
    const reviewer = stand.as('admin', (await makeOperator(db, 'REVIEWER')).id);
    for (const page of ['history', 'related']) {
      expect((await support.get(`/publishers/${id}/${page}`)).status).toBe(404);
      expect((await support.get(`/advertisers/987654321/${page}`)).status).toBe(404);
      expect((await reviewer.get(`/advertisers/${id}/${page}`)).status).toBe(403);
    }
  });
});

describe('related accounts', () => {
  const related = async (path: string) =>
    (await itemsOf(`${path}/related`)).map(({ by, value, account }) => [
      by,
      value,
      (account as { id: number }).id,
    ]);

  it('paid to the same account, by withdrawal or kept card · each other, and nobody besides', async () => {
    const { database } = stand;
    const publishers = [];
    for (let made = 0; made < 3; made += 1) publishers.push(await makePublisher(database.db));
    const [first, second, third] = publishers.map(({ id }) => id);
    const request = {
      amount_nanos: '1000000000',
      arrival_nanos: '1000000000',
      channel: 'BANK',
      account_masked: '••3000',
    };
    for (const [publisher_id, destination_fingerprint] of [
      [first, 'same'],
      [third, 'other'],
    ]) {
      await insertRow(database, 'withdrawals', {
        ...request,
        publisher_id,
        destination_fingerprint,
      });
    }
    await insertRow(database, 'bank_cards', {
      publisher_id: second,
      sealed_info: Buffer.from('sealed'),
      last4: '3000',
      country: 'DE',
      currency: 'EUR',
      usable_from: new Date(),
      fingerprint: 'same',
    });
    expect(await related(`/publishers/${first}`)).toEqual([['PAYOUT_ACCOUNT', null, second]]);
    expect(await related(`/publishers/${second}`)).toEqual([['PAYOUT_ACCOUNT', null, first]]);
    expect(await related(`/publishers/${third}`)).toEqual([]);
  });

  it('pages of one host, and the site that is advertised · with the host', async () => {
    const { database } = stand;
    const { id: first } = await makeAdvertiser(database.db);
    const companyName = 'Second Rope Ltd';
    const { id: second } = await makeAdvertiser(database.db, { companyName });
    const { id: publisher } = await makePublisher(database.db);
    await makeSite(database.db, publisher, { domain: 'both.example' });
    await database.db.models.approvedHosts.bulkCreate([
      { advertiserId: first, host: 'both.example' },
      { advertiserId: second, host: 'both.example' },
      { advertiserId: second, host: 'alone.example' },
    ]);
    expect(await related(`/advertisers/${first}`)).toEqual([
      ['LANDING_HOST', 'both.example', second],
      ['SITE_DOMAIN', 'both.example', publisher],
    ]);
    const [shown] = await itemsOf(`/advertisers/${first}/related`);
    expect(shown?.['account']).toMatchObject({ id: second, company_name: companyName });
    expect(await related(`/publishers/${publisher}`)).toEqual([
      ['SITE_DOMAIN', 'both.example', first],
      ['SITE_DOMAIN', 'both.example', second],
    ]);
  });
});
