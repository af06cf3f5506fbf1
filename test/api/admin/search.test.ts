import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { makeZone } from '../../support/make/place.ts';
import { makeReviewRows, type ReviewRows } from '../../support/make/review-rows.ts';
import { insertRow } from '../../support/make/row.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.2: one field that leads everywhere, as far as the role may go. */
let stand: Stand;
let rows: ReviewRows;
let zoneId: number;
let depositId: number;
let withdrawalId: number;

beforeAll(async () => {
  stand = await createStand();
  const { database } = stand;
  rows = await makeReviewRows(database);
  const { advertiserId, publisherId, siteId } = rows;
  await database.db.models.accounts.update(
    { companyName: 'Quartz 100% Ltd', email: 'quartz@shop.example' },
    { where: { id: advertiserId } },
  );
  await database.db.models.sites.update(
    { domain: 'quartz.example', name: 'Gazette of Quartz' },
    { where: { id: siteId } },
  );
  await database.db.models.campaigns.update({ name: 'quartz' }, { where: { id: rows.campaignId } });
  zoneId = (await makeZone(database.db, { id: siteId, publisherId }, { name: 'Under the Quartz' }))
    .id;
  depositId = await insertRow(database, 'deposits', {
    advertiser_id: advertiserId,
    amount_nanos: '1000000000',
    payment_method: 'BANK',
    reference: 'QUARTZ77',
    expires_at: new Date(),
  });
  withdrawalId = await insertRow(database, 'withdrawals', {
    publisher_id: publisherId,
    amount_nanos: '1000000000',
    arrival_nanos: '1000000000',
    channel: 'BANK',
    account_masked: '••3000',
  });
});
afterAll(async () => {
  await stand.close();
});

type Hit = Record<string, unknown>;
async function find(role: 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT', q: string): Promise<Hit[]> {
  const { id } = await makeOperator(stand.database.db, role);
  const answer = await stand.as('admin', id).get(`/search?q=${encodeURIComponent(q)}`);
  expect(answer.status).toBe(200);
  return answer.body.data.items as Hit[];
}
const typesOf = (hits: Hit[]): unknown[] => hits.map(({ type }) => type);

it('words · in name, e-mail or domain, whatever their case · the thing itself first', async () => {
  const hits = await find('ADMIN', 'QuartZ');
  expect(hits[0]).toEqual({
    type: 'campaign',
    id: rows.campaignId,
    title: 'quartz',
    subtitle: 'https://shop.example/spring',
    status: 'ACTIVE',
    account_id: rows.advertiserId,
  });
  expect(new Set(typesOf(hits))).toEqual(new Set(['campaign', 'advertiser', 'site', 'zone']));
  expect(await find('ADMIN', 'quartz.example')).toEqual([
    expect.objectContaining({ type: 'site', id: rows.siteId, subtitle: 'quartz.example' }),
  ]);
  expect(await find('ADMIN', 'quartz@shop')).toEqual([
    expect.objectContaining({ type: 'advertiser', id: rows.advertiserId }),
  ]);
});

it('wildcards · stand for themselves · two letters, or what nobody has · nothing', async () => {
  expect(typesOf(await find('ADMIN', '100%'))).toEqual(['advertiser']);
  expect(await find('ADMIN', '%%%')).toEqual([]);
  expect(await find('ADMIN', 'qu')).toEqual([]);
  expect(await find('ADMIN', 'nothing is called so')).toEqual([]);
});

it('a number · whatever has this id; a reference · the order', async () => {
  expect(await find('ADMIN', String(withdrawalId))).toContainEqual(
    expect.objectContaining({ type: 'withdrawal', id: withdrawalId, title: `WD-${withdrawalId}` }),
  );
  expect(typesOf(await find('ADMIN', `wd-${withdrawalId}`))).toEqual(['withdrawal']);
  expect(await find('FINANCE', 'quartz77')).toEqual([
    expect.objectContaining({ type: 'deposit', id: depositId, account_id: rows.advertiserId }),
  ]);
});

it('a role · finds what it may read elsewhere, and nothing else', async () => {
  expect(new Set(typesOf(await find('REVIEWER', 'quartz')))).toEqual(
    new Set(['campaign', 'site', 'zone']),
  );
  expect(typesOf(await find('SUPPORT', 'quartz77'))).toEqual([]);
  expect(typesOf(await find('SUPPORT', 'quartz@shop'))).toEqual(['advertiser']);
  expect(typesOf(await find('REVIEWER', 'quartz@shop'))).toEqual([]);
});

it('many of one kind · leave room for the others, and twenty is all', async () => {
  const { db } = stand.database;
  for (let made = 0; made < 8; made += 1) {
    await makeAdvertiser(db, { companyName: `Obsidian ${made}` });
  }
  await db.models.zones.update({ name: 'Obsidian' }, { where: { id: zoneId } });
  const found = typesOf(await find('ADMIN', 'obsidian'));
  expect(found.filter((type) => type === 'advertiser')).toHaveLength(5);
  expect(found).toHaveLength(6);
  expect(found).toContain('zone');
});

it('without words · 422', async () => {
  const { id } = await makeOperator(stand.database.db, 'ADMIN');
  expect((await stand.as('admin', id).get('/search')).status).toBe(422);
  expect((await stand.as('admin', id).get('/search?q=')).status).toBe(422);
});
