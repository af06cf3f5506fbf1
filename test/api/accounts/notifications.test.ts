import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';
import {
  makeAdvertiser,
  makeMember,
  makeOperator,
  makePublisher,
} from '../../support/make/account.ts';
import { CAMPAIGN } from '../../support/make/chain.ts';
import { createStand, type FlowStand } from '../../support/stand.ts';
import { until } from '../../support/until.ts';

/** interface 5.9: what an account is told of, and by which ways. */
let stand: FlowStand;
let owner: Caller;
let finance: Caller;

interface Told {
  id: number;
  kind: string;
  subject: { type: string; id: number } | null;
  params: Record<string, unknown>;
  text: string;
  read_at: string | null;
}
interface Page {
  items: Told[];
  unread: number;
}

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  finance = stand.as('admin', (await makeOperator(stand.database.db, 'FINANCE')).id);
});
afterAll(async () => {
  await stand.close();
});
beforeEach(async () => {
  owner = await stand.newAdvertiser();
});

const read = async (caller: Caller, query = ''): Promise<Page> =>
  dataOf(await caller.get(`/notifications?page_size=100${query}`)) as unknown as Page;

async function toldOf(caller: Caller, kind: string): Promise<Told> {
  return await until(`${caller.id} is told of ${kind}`, async () =>
    (await read(caller, `&kind=${kind}`)).items.at(0),
  );
}

const lettersTo = async (accountId: number): Promise<string[]> => {
  const { rows } = await stand.database.pool.query<{ kind: string }>(
    'SELECT kind FROM mails WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
  return rows.map(({ kind }) => kind);
};

async function topUp(): Promise<number> {
  const id = idOf(await owner.post('/deposits', { amount: 50, payment_method: 'BANK' }));
  const { reference } = dataOf(await owner.get(`/deposits/${id}`)) as { reference: string };
  await finance.post(`/deposits/${id}/receipts`, { amount: 50, reference: `${reference}-in` });
  return id;
}

test('a review and a top-up · decided · are told with their subject, and read once', async () => {
  const campaign = idOf(await owner.post('/campaigns', CAMPAIGN));
  const deposit = await topUp();
  expect(await toldOf(owner, 'review_decided')).toMatchObject({
    subject: { type: 'campaign', id: campaign },
    params: { name: 'Spring sale', decision: 'approved' },
    text: 'Review of campaign “Spring sale”: approved',
    read_at: null,
  });
  expect(await toldOf(owner, 'deposit_paid')).toMatchObject({
    subject: { type: 'deposit', id: deposit },
    params: { amount: 50, currency: 'USD', status: 'PAID' },
    text: 'Your top-up of 50.00 USD arrived',
  });
  const { items, unread } = await read(owner);
  expect([items.length, unread]).toEqual([2, 2]);
  const [latest, first] = items.map(({ id }) => id);
  expect((await read(owner, `&since=${first}`)).items.map(({ id }) => id)).toEqual([latest]);
  const once = await owner.post('/notifications/read', { ids: [first, 987_654_321] });
  expect(dataOf(once)).toEqual({ read: 1, unread: 1 });
  expect(dataOf(await owner.post('/notifications/read', { ids: [first] }))).toEqual({
    read: 0,
    unread: 1,
  });
  expect((await read(owner, '&status=unread')).items.map(({ id }) => id)).toEqual([latest]);
  expect(dataOf(await owner.post('/notifications/read', { until: latest }))).toMatchObject({
    unread: 0,
  });
  // Of money that came in nobody turns the letter off; of a review none is written.
  expect(await lettersTo(owner.id)).toEqual(['notice']);
});

test('another account · of either realm · neither sees nor reads them', async () => {
  await topUp();
  const { id } = await toldOf(owner, 'deposit_paid');
  const { db } = stand.database;
  for (const other of [
    stand.as('advertiser', (await makeAdvertiser(db)).id),
    stand.as('publisher', (await makePublisher(db)).id),
  ]) {
    expect(await read(other)).toMatchObject({ items: [], unread: 0 });
    expect(dataOf(await other.post('/notifications/read', { ids: [id], until: id }))).toEqual({
      read: 0,
      unread: 0,
    });
  }
  expect((await read(owner)).unread).toBe(1);
});

test('settings · of a kind · turn its ways on and off; others stay', async () => {
  const before = dataOf(await owner.get('/notification-settings'));
  expect(before).toMatchObject({
    kinds: {
      review_decided: { console: true, mail: false },
      balance_low: { console: true, mail: true },
      kyc_decided: { console: true, mail: true },
    },
    balance_low: 10,
    version: 1,
  });
  expect(before['kinds']).not.toHaveProperty('site_verified');
  await owner.put('/notification-settings', {
    kinds: { deposit_paid: { console: false }, review_decided: { mail: true } },
    balance_low: 25,
  });
  const after = dataOf(await owner.get('/notification-settings'));
  expect(after).toMatchObject({
    kinds: {
      deposit_paid: { console: false, mail: true },
      review_decided: { console: true, mail: true },
    },
    balance_low: 25,
    version: 2,
  });
  const whole = await owner.put('/notification-settings', { ...after, balance_low: null });
  expect(dataOf(whole)).toMatchObject({ balance_low: 10, kinds: after['kinds'] });
  await topUp();
  await until('the letter is written', async () => (await lettersTo(owner.id)).at(0));
  expect(await lettersTo(owner.id)).toEqual(['notice']);
  expect(await read(owner)).toMatchObject({ items: [], unread: 0 });
});

test.each<[string, object, string[]]>([
  [
    'an unknown kind',
    { kinds: { site_verified: { mail: true } } },
    ['kinds.site_verified unknown_field'],
  ],
  [
    'an unknown way',
    { kinds: { deposit_paid: { pigeon: true } } },
    ['kinds.deposit_paid.pigeon unknown_field'],
  ],
  ...['kyc_decided', 'deposit_paid', 'deposit_held', 'balance_refund_sent', 'spend_credited'].map(
    (kind): [string, object, string[]] => [
      `no letter of ${kind}, which is always written`,
      { kinds: { [kind]: { mail: false } } },
      [`kinds.${kind}.mail immutable`],
    ],
  ),
  ['an amount below nothing', { balance_low: -1 }, ['balance_low amount']],
])('%s · is 422', async (_name, body, expected) => {
  const answer = await owner.put('/notification-settings', body);
  expect([answer.status, faultsOf(answer)]).toEqual([422, expected]);
});

test('settings · seen by nobody else since · are kept from an older If-Match', async () => {
  await owner.put('/notification-settings', { balance_low: 5 });
  const late = await owner.put('/notification-settings', { balance_low: 6 }).set('If-Match', '"1"');
  expect(late.status).toBe(412);
});

test('nothing to read · is 422', async () => {
  expect(faultsOf(await owner.post('/notifications/read', {}))).toEqual(['ids required']);
});

test('a member · who came after a notice · has it as read, and only what comes later as news', async () => {
  const { db } = stand.database;
  const tell = async (name: string, createdAt: Date) =>
    await db.models.notifications.create({
      accountId: owner.id,
      kind: 'review_decided',
      subjectType: 'campaign',
      subjectId: 1,
      params: { name },
      shown: true,
      createdAt,
    });
  const member = await makeMember(db, { id: owner.id, kind: 'ADVERTISER' }, 'VIEWER');
  const joinedAt = member.joinedAt ?? new Date();
  await tell('before', new Date(joinedAt.getTime() - 60_000));
  await tell('after', new Date(joinedAt.getTime() + 60_000));
  const theirs = stand.bearing('advertiser', stand.issue('advertiser', owner.id, member.id));
  const page = async (query: string): Promise<Page> =>
    dataOf(await theirs.get(`/notifications${query}`)) as unknown as Page;
  const { items, unread } = await page('');
  expect(items.map(({ params, read_at }) => [params['name'], read_at])).toEqual([
    ['after', null],
    ['before', joinedAt.toISOString()],
  ]);
  expect(unread).toBe(1);
  expect((await page('?status=unread')).items).toHaveLength(1);
  expect((await page('?status=read')).items).toHaveLength(1);
  // To the owner both are news.
  expect((await read(owner)).unread).toBe(2);
});
