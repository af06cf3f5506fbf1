import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
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
type Role = 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT';
async function find(role: Role, q: string, types?: string): Promise<Hit[]> {
  const { id } = await makeOperator(stand.database.db, role);
  const query = new URLSearchParams(types === undefined ? { q } : { q, types });
  const answer = await stand.as('admin', id).get(`/search?${query.toString()}`);
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
  expect(new Set(typesOf(hits))).toEqual(
    new Set(['campaign', 'advertiser', 'site', 'zone', 'deposit']),
  );
  // A domain that is said whole finds whose it is as well.
  expect(await find('ADMIN', 'quartz.example')).toEqual([
    expect.objectContaining({ type: 'site', id: rows.siteId, subtitle: 'quartz.example' }),
    expect.objectContaining({ type: 'publisher', id: rows.publisherId }),
  ]);
  expect(typesOf(await find('ADMIN', 'quartz.exampl'))).toEqual(['site']);
  expect(await find('ADMIN', 'quartz@shop')).toEqual([
    expect.objectContaining({ type: 'advertiser', id: rows.advertiserId }),
  ]);
});

it('a contact, a nickname, an ad group, an ad or a package · is found by a part of it', async () => {
  const { db } = stand.database;
  const { id } = await makeAdvertiser(db, { contactName: 'Wilhelmina Ost', nickname: 'Feldspar' });
  const found = [expect.objectContaining({ type: 'advertiser', id })];
  expect(await find('SUPPORT', 'helmina')).toEqual(found);
  expect(await find('SUPPORT', 'feldsp')).toEqual(found);
  const { id: supportId } = await makeOperator(db, 'SUPPORT');
  const list = await stand.as('admin', supportId).get('/advertisers?keyword=helmina');
  expect(list.body.data.items).toEqual([expect.objectContaining({ id })]);
  await db.models.adGroups.update({ name: 'Basalt' }, { where: { id: rows.adGroupId } });
  await db.models.ads.update({ name: 'Basalt' }, { where: { id: rows.adId } });
  expect(typesOf(await find('REVIEWER', 'basalt'))).toEqual(['adgroup', 'ad']);
  await makeSite(db, rows.publisherId, {
    mediaType: 'APP',
    domain: null,
    appPackage: 'com.granite.reader',
  });
  expect(typesOf(await find('REVIEWER', 'granite'))).toEqual(['site']);
  expect(typesOf(await find('SUPPORT', 'com.granite.reader'))).toEqual(['site', 'publisher']);
});

it('wildcards · stand for themselves · two letters, or what nobody has · nothing', async () => {
  expect(typesOf(await find('ADMIN', '100%'))).toEqual(['advertiser', 'deposit']);
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

it('a payer by name · the order that waits for its money, and none that has ended', async () => {
  const { db } = stand.database;
  const payer = await makeAdvertiser(db, { companyName: 'Zephyrine Rope' });
  const made = async (status: 'PENDING' | 'PAID'): Promise<number> =>
    await insertRow(stand.database, 'deposits', {
      advertiser_id: payer.id,
      amount_nanos: '35000000000',
      payment_method: 'BANK',
      reference: `ZEPHYR-${status}`,
      status,
      expires_at: new Date(Date.now() + 86_400_000),
    });
  const [waits] = [await made('PENDING'), await made('PAID')];
  const found = await find('FINANCE', 'zephyrine');
  expect(found.filter(({ type }) => type === 'deposit').map(({ id }) => id)).toEqual([waits]);
});

it("the bank's or a provider's reference, a payer's address · the order that it paid", async () => {
  const { database } = stand;
  await insertRow(database, 'deposit_receipts', {
    deposit_id: depositId,
    amount_nanos: '1000000000',
    provider: 'bank',
    provider_reference: 'Nostro 0077 a',
    received_at: new Date(),
  });
  await database.db.models.depositPayments.create({
    depositId,
    payNanos: 1_000_000_000n,
    payCurrency: 'USDT',
    address: '0xAbCd000000000000000000000000000000000077',
  });
  await database.db.models.withdrawals.update(
    { providerReference: 'PPAL-77 B' },
    { where: { id: withdrawalId } },
  );
  const subtitle = expect.stringMatching(/^.+ · 1\.00 USD · BANK$/);
  const order = [expect.objectContaining({ type: 'deposit', id: depositId, subtitle })];
  // However it is written.
  expect(await find('FINANCE', 'nostro0077A')).toEqual(order);
  expect(await find('FINANCE', '0xabcd000000000000000000000000000000000077')).toEqual(order);
  expect(await find('FINANCE', 'ppal-77b')).toEqual([
    expect.objectContaining({ type: 'withdrawal', id: withdrawalId }),
  ]);
});

it('SUPPORT · is told that money is under way, as among operations, and no more of it', async () => {
  const flow = async (subject: 'deposit' | 'withdrawal', id: number, accountId: number) =>
    await insertRow(stand.database, 'operations', {
      account_id: accountId,
      kind: subject,
      subject_type: subject,
      subject_id: id,
      workflow_id: `${subject}:${id}`,
      status: 'running',
      phase: 'waiting',
    });
  const paying = await flow('withdrawal', withdrawalId, rows.publisherId);
  const arriving = await flow('deposit', depositId, rows.advertiserId);
  const shown = {
    type: 'withdrawal_flow',
    id: paying,
    title: `#${withdrawalId}`,
    subtitle: 'waiting',
    status: 'running',
    account_id: rows.publisherId,
  };
  expect(await find('SUPPORT', `WD-${withdrawalId}`)).toEqual([shown]);
  expect(await find('SUPPORT', `#${withdrawalId}`)).toContainEqual(shown);
  expect(await find('SUPPORT', 'QUARTZ77')).toEqual([
    expect.objectContaining({ type: 'deposit_flow', id: arriving, title: `#${depositId}` }),
  ]);
  expect(typesOf(await find('FINANCE', `WD-${withdrawalId}`))).toEqual(['withdrawal']);
  expect(await find('REVIEWER', 'quartz77')).toEqual([]);
});

it('a task · by its number, of the kinds that the role reads', async () => {
  const id = await insertRow(stand.database, 'tasks', {
    id: 7_654_321,
    kind: 'withdrawal_review',
    subject_type: 'withdrawal',
    subject_id: withdrawalId,
    summary: 'Withdrawal of 1.00',
    decisions: '["approve"]',
    required_role: 'FINANCE',
    workflow_id: 'sought',
    dedupe_key: 'sought',
  });
  expect(await find('FINANCE', String(id))).toEqual([
    {
      type: 'task',
      id,
      title: 'Withdrawal of 1.00',
      subtitle: 'withdrawal_review',
      status: 'open',
      account_id: null,
    },
  ]);
  expect(await find('REVIEWER', String(id))).toEqual([]);
  expect(await find('SUPPORT', String(id))).toEqual([]);
});

it('of the types that are asked for · alone, and some of them only then', async () => {
  const { db, pool } = stand.database;
  const admin = await makeOperator(db, 'ADMIN');
  const typed = async (role: Role, q: string, types: string) => typesOf(await find(role, q, types));
  expect(await typed('ADMIN', 'quartz', 'site,zone')).toEqual(['site', 'zone']);
  expect(await find('ADMIN', admin.username)).toEqual([]);
  expect(await find('ADMIN', admin.username, 'operator,advertiser')).toEqual([
    {
      type: 'operator',
      id: admin.id,
      title: admin.username,
      subtitle: 'ADMIN',
      status: 'ACTIVE',
      account_id: null,
    },
  ]);
  expect(await typed('FINANCE', admin.username, 'operator')).toEqual([]);
  await makeAdvertiser(db, { companyName: 'Porphyry', balance: 5 });
  const codes = await pool.query<{ code: string }>(
    `SELECT code FROM ledger_accounts l JOIN accounts a ON a.id = l.owner_id
     WHERE a.company_name = 'Porphyry' ORDER BY code`,
  );
  const accounts = await find('FINANCE', 'porphyry', 'ledger_account');
  expect(new Set(accounts.map(({ title }) => title))).toEqual(
    new Set(codes.rows.map(({ code }) => code)),
  );
  expect(accounts.length).toBeGreaterThan(0);
  expect(await typed('SUPPORT', 'porphyry', 'ledger_account')).toEqual([]);
  const answer = await stand.as('admin', admin.id).get('/search?q=quartz&types=site,nothing');
  expect(answer.status).toBe(422);
});

it('a role · finds what it may read elsewhere, and nothing else', async () => {
  expect(new Set(typesOf(await find('REVIEWER', 'quartz')))).toEqual(
    new Set(['campaign', 'site', 'zone']),
  );
  expect(typesOf(await find('SUPPORT', 'quartz77'))).toEqual(['deposit_flow']);
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
