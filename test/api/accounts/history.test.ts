import { type Caller, dataOf, idOf } from '../../support/call.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { CAMPAIGN, makeChain } from '../../support/make/chain.ts';
import { makePlace, makeSite } from '../../support/make/place.ts';
import { createStand, type FlowStand } from '../../support/stand.ts';
import { isKept, undoOf } from '../../../web/console/parts/undo-change.ts';
import { eventually, until } from '../../support/until.ts';

/** interface 5.8: an account's own history, and nothing of anybody else. */
let stand: FlowStand;
let owner: Caller;
let operator: Caller;

interface Entry {
  id: number;
  by: string;
  action: string;
  subject: { type: string; id: number; name: string | null };
  changes: { field: string; before: unknown; after: unknown }[];
  reasons: object[];
}

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  owner = await stand.newAdvertiser();
  operator = stand.as('admin', (await makeOperator(stand.database.db, 'ADMIN')).id);
});
afterAll(async () => {
  await stand.close();
});

async function historyOf(caller: Caller, query = ''): Promise<Entry[]> {
  const answer = await caller.get(`/history?page_size=100${query}`);
  expect(answer.status).toBe(200);
  return (dataOf(answer) as { items: Entry[] }).items;
}

test('a record · made, edited, paused, archived · is told with what changed', async () => {
  const id = idOf(await owner.post('/campaigns', { ...CAMPAIGN, save_as_draft: true }));
  await owner.put(`/campaigns/${id}`, { bid: 0.75, daily_budget: 10, name: 'Summer sale' });
  await owner.put(`/campaigns/${id}`, { bid: 0.75 });
  await owner.post(`/campaigns/${id}/toggle`);
  await owner.post('/campaigns/bulk', { action: 'resume', ids: [id] });
  await owner.post('/campaigns/bulk', { action: 'archive', ids: [id], dry_run: true });
  await owner.delete(`/campaigns/${id}`);
  const told = await historyOf(owner, `&subject_type=campaign&subject_id=${id}`);
  const status = (before: string, after: string) => [{ field: 'status', before, after }];
  expect(told.map(({ action, changes }) => [action, changes])).toEqual([
    ['campaign.archive', status('ACTIVE', 'ARCHIVED')],
    ['campaign.resume', status('PAUSED', 'ACTIVE')],
    ['campaign.pause', status('ACTIVE', 'PAUSED')],
    [
      'campaign.update',
      [
        { field: 'name', before: 'Spring sale', after: 'Summer sale' },
        { field: 'bid', before: 0.5, after: 0.75 },
        { field: 'daily_budget', before: null, after: 10 },
      ],
    ],
    ['campaign.create', []],
  ]);
  expect(told.map(({ by, subject }) => [by, subject.name])).toEqual(
    told.map(() => ['account', 'Summer sale']),
  );
});

test('every kind of record · written by its owner · is told', async () => {
  const { creativeId, adId, adGroupId } = await makeChain(owner);
  await owner.put(`/ads/${adId}`, { title: 'x'.repeat(120) });
  await owner.put(`/adgroups/${adGroupId}`, { target_countries: ['de'] });
  await owner.put(`/creatives/${creativeId}`, { name: 'Banner 2', width: 200 });
  const tracker = idOf(await owner.post('/trackers', { name: 'Sale' }));
  await owner.put(`/trackers/${tracker}`, {
    attribution_window: 7,
    postback_url: 'https://shop.example/?key=secret',
  });
  await owner.post(`/trackers/${tracker}/regenerate-code`);
  const deposit = idOf(await owner.post('/deposits', { amount: 50, payment_method: 'BANK' }));
  await owner.post(`/deposits/${deposit}/cancel`);
  await owner.put('/auth/profile', { mobile: '+49 170 1234567' });
  const told = await historyOf(owner);
  const changesOf = (action: string) => told.find((entry) => entry.action === action)?.changes;
  expect(changesOf('ad.update')).toEqual([
    { field: 'title', before: null, after: 'x'.repeat(120) },
  ]);
  expect(changesOf('adgroup.update')).toEqual([
    { field: 'target_countries', before: null, after: ['DE'] },
  ]);
  expect(changesOf('creative.update')?.map(({ field }) => field)).toEqual(['name', 'width']);
  expect(changesOf('tracker.update')).toEqual([
    { field: 'attribution_window', before: 30, after: 7 },
    { field: 'postback_url', before: null, after: null },
  ]);
  expect(changesOf('profile.update')).toEqual([{ field: 'mobile', before: null, after: null }]);
  expect(told.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'tracker.regenerate_code',
      'deposit.open',
      'deposit.cancel',
      'ad.create',
    ]),
  );
  expect(JSON.stringify(told)).not.toMatch(/secret|1234567/);
});

type Row = Record<string, unknown> & { version: number };

/** What moves on by itself, or with each write. */
const MOVING =
  /^(version|updated_at|delivery_.*|audit_.*|revision|approved_revision|appeal|verif.*|claim_.*)$/;
const owned = (row: Row) => Object.entries(row).filter(([field]) => !MOVING.test(field));

test.each([
  [
    'campaign',
    {
      name: 'Other',
      bid: 0.9,
      daily_budget: 12.5,
      landing_url: 'https://shop.example.com/other',
      rotation_mode: 'ASAP',
      start_date: '2030-01-02',
      end_date: '2030-02-03',
      target_countries: ['de', 'fr'],
      target_hours: [1, 2],
      weekdays: [1],
      bid_adjustments: { geo: { DE: 20 }, device: { MOBILE: -10 } },
      frequency_cap: { impressions: 3, window_seconds: 3600 },
    },
  ],
  [
    'adgroup',
    {
      name: 'Other',
      bid: 0.9,
      target_os: ['ios'],
      frequency_cap: { impressions: 3, window_seconds: 60 },
    },
  ],
  ['ad', { name: 'Other', title: 'New words', weight: 7 }],
  [
    'tracker',
    {
      name: 'Other',
      event_type: 'LEAD',
      conversion_value: 2.5,
      status: 'PAUSED',
      validation_days: 3,
    },
  ],
  ['site', { name: 'Other', domain: `other-${process.pid}.example.com`, description: 'Of ropes' }],
  ['zone', { name: 'Other', floor_price_cpm: 0.3, trigger: { type: 'DELAY', delay_seconds: 9 } }],
  // What belongs to its type goes with it, and comes back.
  ['zone', { type: 'BANNER', width: 728, height: 90 }],
] as const)(
  'an edit of a %s · undone as its history and its record say · leaves it as it was',
  async (kind, edit) => {
    const { caller, path } = await recordOf(kind);
    const read = async () => dataOf(await caller.get(path)) as Row;
    const first = await read();
    expect((await caller.put(path, edit)).status).toBe(200);
    const last = async () => (await historyOf(caller, `&subject_type=${kind}`))[0];
    const told = await last();
    const before = await read();
    expect(owned(before)).not.toEqual(owned(first));
    expect(isKept(told?.changes ?? [])).toBe(true);
    const { body } = undoOf(told?.changes ?? [], before);
    expect(body).not.toBeNull();
    const written = await caller.put(path, body ?? {}).set('If-Match', `"${before.version}"`);
    expect([written.status, written.body]).toEqual([200, expect.anything()]);
    expect(owned(await read())).toEqual(owned(first));
    // What was undone is an edit itself, and has a way back.
    expect(undoOf((await last())?.changes ?? [], await read()).conflict).toBeNull();
    expect(undoOf(told?.changes ?? [], await read()).conflict).not.toBeNull();
  },
);

test('a price · that the bid followed, undone · is followed again', async () => {
  const { campaignId } = await makeChain(owner);
  const path = `/campaigns/${campaignId}`;
  const put = async (body: object) => {
    expect((await owner.put(path, body)).status).toBe(200);
    const { bid, price } = dataOf(await owner.get(path));
    return { bid, price };
  };
  expect(await put({ bid: null, price: 0.4 })).toEqual({ bid: 0.4, price: 0.4 });
  expect(await put({ price: 0.6 })).toEqual({ bid: 0.6, price: 0.6 });
  const [told] = await historyOf(owner, `&subject_type=campaign&subject_id=${campaignId}`);
  const record = dataOf(await owner.get(path)) as Row;
  const { body } = undoOf(told?.changes ?? [], record);
  expect(await put(body ?? {})).toEqual({ bid: 0.4, price: 0.4 });
  expect(await put({ price: 0.8 })).toEqual({ bid: 0.8, price: 0.8 });
  // A bid of its own stays one, also where it is the price for a while.
  expect(await put({ bid: 0.9 })).toEqual({ bid: 0.9, price: 0.8 });
  expect(await put({ bid: 0.5, price: 0.5 })).toEqual({ bid: 0.5, price: 0.5 });
  expect(await put({ price: 0.7 })).toEqual({ bid: 0.5, price: 0.7 });
});

async function recordOf(kind: string): Promise<{ caller: Caller; path: string }> {
  if (kind === 'site' || kind === 'zone') {
    const { id } = await makePublisher(stand.database.db);
    const publisher = stand.as('publisher', id);
    const place = await makeSite(stand.database.db, id);
    const zone = idOf(
      await publisher.post('/zones', { site_id: place.id, name: 'Top', type: 'POPUP' }),
    );
    return { caller: publisher, path: kind === 'site' ? `/sites/${place.id}` : `/zones/${zone}` };
  }
  const { campaignId, adGroupId, adId } = await makeChain(owner);
  const tracker = idOf(await owner.post('/trackers', { name: 'Sale' }));
  const ids: Record<string, string> = {
    campaign: `/campaigns/${campaignId}`,
    adgroup: `/adgroups/${adGroupId}`,
    ad: `/ads/${adId}`,
    tracker: `/trackers/${tracker}`,
  };
  return { caller: owner, path: ids[kind] ?? '' };
}

test('an operator’s decision · on an owner’s record · is the platform’s, without a name or a note', async () => {
  const { creativeId } = await makeChain(owner);
  const task = await until('the creative’s task', async () => {
    const { items } = dataOf(await operator.get('/tasks?kind=creative_review&status=open')) as {
      items: { id: number; subject: { id: number } }[];
    };
    return items.find(({ subject }) => subject.id === creativeId);
  });
  await operator.post(`/tasks/${task.id}/decision`, {
    decision: 'reject',
    reasons: [{ code: 'MISLEADING', note: 'The price is wrong' }],
    note: 'internal: known offender',
  });
  await eventually(async () => {
    const [latest] = await historyOf(owner, `&subject_type=creative&subject_id=${creativeId}`);
    expect(latest).toMatchObject({
      by: 'platform',
      action: 'creative.reject',
      changes: [{ field: 'audit_status', before: 'PENDING', after: 'REJECTED' }],
      reasons: [{ code: 'MISLEADING', note: 'The price is wrong' }],
    });
  });
  await operator.post(`/advertisers/${owner.id}/suspend`, { reason: 'internal: known offender' });
  await operator.post(`/advertisers/${owner.id}/restore`);
  await stand.database.pool.query('UPDATE accounts SET token_version = 1 WHERE id = $1', [
    owner.id,
  ]);
  const told = await historyOf(owner);
  expect(told.slice(0, 2).map(({ by, action }) => [by, action])).toEqual([
    ['platform', 'advertiser.restore'],
    ['platform', 'advertiser.suspend'],
  ]);
  const { rows } = await stand.database.pool.query<{ username: string }>(
    'SELECT username FROM operators',
  );
  expect(rows.filter(({ username }) => JSON.stringify(told).includes(username))).toEqual([]);
  expect(JSON.stringify(told)).not.toContain('offender');
});

test('another account · of either realm · sees nothing of it', async () => {
  const other = stand.as('advertiser', (await makeAdvertiser(stand.database.db)).id);
  expect(await historyOf(other)).toEqual([]);
  const { publisher, zone, site } = await makePlace(stand.database.db);
  const seller = stand.as('publisher', publisher.id);
  await seller.put(`/zones/${zone.id}`, { refresh: 60, floor_price_cpm: 1 });
  await seller.put(`/sites/${site.id}`, { description: 'News' });
  await seller.post(`/sites/${site.id}/toggle`);
  const told = await historyOf(seller);
  expect(told.map(({ action, changes }) => [action, changes.map(({ field }) => field)])).toEqual([
    ['site.pause', ['status']],
    ['site.update', ['description']],
    ['zone.update', ['floor_price_cpm', 'refresh']],
  ]);
  expect(await historyOf(owner, `&subject_type=zone&subject_id=${zone.id}`)).toEqual([]);
});

test('a cursor and days · of a long history · page it without a gap', async () => {
  const all = await historyOf(owner);
  const first = dataOf(await owner.get('/history?page_size=5')) as {
    items: Entry[];
    next_cursor: number;
  };
  const second = await historyOf(owner, `&cursor=${first.next_cursor}`);
  expect([...first.items, ...second].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(await historyOf(owner, '&end_date=2020-01-01')).toEqual([]);
});
