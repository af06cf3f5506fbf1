import { randomUUID } from 'node:crypto';
import { inKeyedRequest } from '../../activities/core/run-once.ts';
import { type Caller, dataOf, faultsOf } from '../support/call.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { makeCampaignTree } from '../support/make/campaign.ts';
import { makePlace, makeZone } from '../support/make/place.ts';
import { createStand, type Stand } from '../support/stand.ts';

/** The same done to many (interface 2.1): each under the rules of its own route. */
let stand: Stand;
let owner: Caller;
let ids: number[];
let foreign: number;

beforeAll(async () => {
  stand = await createStand();
});
afterAll(async () => {
  await stand.close();
});
beforeEach(async () => {
  const { db } = stand.database;
  owner = stand.as('advertiser', (await makeAdvertiser(db)).id);
  ids = [];
  for (const name of ['a', 'b', 'c']) {
    ids.push((await makeCampaignTree(db, owner.id, { campaign: { name } })).campaign.id);
  }
  foreign = (await makeCampaignTree(db, (await makeAdvertiser(db)).id)).campaign.id;
});

const statusesOf = async (table: string): Promise<string[]> => {
  const { rows } = await stand.database.pool.query<{ status: string }>(
    `SELECT status FROM ${table} WHERE advertiser_id = $1 ORDER BY id`,
    [owner.id],
  );
  return rows.map(({ status }) => status);
};
const row = async (id: number) => dataOf(await owner.get(`/campaigns/${id}`));

test('pause and resume · of some, one of them not the caller’s · each answers for itself', async () => {
  await owner.post(`/campaigns/${ids[1]}/toggle`);
  const answer = await owner.post('/campaigns/bulk', {
    action: 'pause',
    ids: [...ids, foreign, 987_654_321, ids[0]],
  });
  expect([answer.status, dataOf(answer)]).toEqual([
    200,
    {
      action: 'pause',
      dry_run: false,
      items: [
        { id: ids[0], error: null, message: null, errors: [] },
        { id: ids[1], error: 'state_conflict', message: 'Cannot pause while PAUSED.', errors: [] },
        { id: ids[2], error: null, message: null, errors: [] },
        { id: foreign, error: 'not_found', message: 'Not found.', errors: [] },
        { id: 987_654_321, error: 'not_found', message: 'Not found.', errors: [] },
      ],
      done: 2,
      failed: 3,
    },
  ]);
  expect(await statusesOf('campaigns')).toEqual(['PAUSED', 'PAUSED', 'PAUSED']);
  await owner.post('/campaigns/bulk', { action: 'resume', ids: ids.slice(0, 1) });
  expect(await statusesOf('campaigns')).toEqual(['ACTIVE', 'PAUSED', 'PAUSED']);
  const { rows } = await stand.database.pool.query<{ status: string }>(
    'SELECT status FROM campaigns WHERE id = $1',
    [foreign],
  );
  expect(rows).toEqual([{ status: 'ACTIVE' }]);
});

test('budgets and bids · of campaigns and ad groups · are set, null where there may be none', async () => {
  const set = async (noun: string, body: object) =>
    dataOf(await owner.post(`/${noun}/bulk`, body)) as { done: number };
  expect(await set('campaigns', { action: 'set_daily_budget', ids, value: 12.5 })).toMatchObject({
    done: 3,
  });
  expect(await set('campaigns', { action: 'set_bid', ids, value: 0.25 })).toMatchObject({
    done: 3,
  });
  expect(await row(ids[0] ?? 0)).toMatchObject({ daily_budget: 12.5, bid: 0.25, version: 3 });
  await set('campaigns', { action: 'set_daily_budget', ids: ids.slice(0, 1), value: null });
  expect(await row(ids[0] ?? 0)).toMatchObject({ daily_budget: null, audit_status: 'APPROVED' });
  const groups = dataOf(await owner.get('/adgroups')) as { items: { id: number }[] };
  const of = groups.items.map(({ id }) => id);
  expect(await set('adgroups', { action: 'set_bid', ids: of, value: 3 })).toMatchObject({
    done: 3,
  });
  expect(dataOf(await owner.get(`/adgroups/${of[0]}`))).toMatchObject({ bid: 3 });
});

test('a rule of one item · broken by the value of all · is named with that item', async () => {
  const { pool } = stand.database;
  await pool.query(`UPDATE campaigns SET pricing_model = 'CPA' WHERE id = $1`, [ids[1]]);
  const answer = await owner.post('/campaigns/bulk', { action: 'set_bid', ids, value: 1 });
  expect(dataOf(answer)).toMatchObject({ done: 2, failed: 1 });
  expect((dataOf(answer) as { items: object[] }).items[1]).toMatchObject({
    error: 'validation_failed',
    errors: [expect.objectContaining({ field: 'tracker_id' })],
  });
});

test('archive · of ads, creatives and campaigns · takes what hangs below along', async () => {
  await owner.post('/campaigns/bulk', { action: 'archive', ids: ids.slice(0, 2) });
  expect(await statusesOf('campaigns')).toEqual(['ARCHIVED', 'ARCHIVED', 'ACTIVE']);
  expect(await statusesOf('ads')).toEqual(['ARCHIVED', 'ARCHIVED', 'ACTIVE']);
  const again = await owner.post('/campaigns/bulk', { action: 'pause', ids: ids.slice(0, 1) });
  expect(dataOf(again)).toMatchObject({ items: [{ error: 'not_found' }] });
});

test('a dry run · of an action that some refuse · says so and keeps nothing', async () => {
  await owner.post(`/campaigns/${ids[2]}/toggle`);
  const [before, outbox] = [await row(ids[0] ?? 0), await outboxRows()];
  const answer = await owner.post('/campaigns/bulk', {
    action: 'archive',
    ids: [...ids, foreign],
    dry_run: true,
  });
  expect(dataOf(answer)).toMatchObject({ dry_run: true, done: 3, failed: 1 });
  const paused = await owner.post('/campaigns/bulk', { action: 'pause', ids, dry_run: true });
  expect(dataOf(paused)).toMatchObject({ done: 2, failed: 1 });
  expect([await row(ids[0] ?? 0), await outboxRows()]).toEqual([before, outbox]);
  expect(await statusesOf('campaigns')).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED']);
});

const outboxRows = async (): Promise<number> => {
  const { rows } = await stand.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM outbox',
  );
  return rows[0]?.n ?? 0;
};

test('a keyed request · repeated after some of it was done · does the rest and nothing twice', async () => {
  const key = `request:${randomUUID()}`;
  const run = async (of: number[]) =>
    await new Promise((resolve, reject) => {
      inKeyedRequest(key, '', () => {
        stand.activities
          .bulkInventory({
            type: 'campaign',
            advertiserId: owner.id,
            action: 'pause',
            ids: of,
            isRehearsal: false,
          })
          .then(resolve, reject);
      });
    });
  await run(ids.slice(0, 2));
  expect(await run(ids)).toEqual(ids.map((id) => ({ id, refusal: null })));
  const versions = await Promise.all(ids.map(row));
  expect(versions.map(({ version, status }) => [version, status])).toEqual(
    ids.map(() => [2, 'PAUSED']),
  );
  const keyed = async () =>
    await owner
      .post('/campaigns/bulk', { action: 'resume', ids })
      .set('Idempotency-Key', `bulk-${owner.id}`);
  const [first, second] = [await keyed(), await keyed()];
  expect([second.headers['idempotent-replayed'], second.body]).toEqual(['true', first.body]);
});

test.each<[string, object, string[]]>([
  ['nothing', {}, ['action required', 'ids required']],
  [
    'another kind’s action',
    { action: 'set_floor_price_cpm', ids: [1], value: 1 },
    ['action one_of'],
  ],
  ['no ids', { action: 'pause', ids: [] }, ['ids min']],
  ['101 ids', { action: 'pause', ids: Array.from({ length: 101 }, (_, i) => i + 1) }, ['ids max']],
  ['a value too many', { action: 'pause', ids: [1], value: 1 }, ['value not_for_action']],
  ['no value', { action: 'set_bid', ids: [1] }, ['value required']],
  ['a bid of null', { action: 'set_bid', ids: [1], value: null }, ['value required']],
  ['a budget of 0', { action: 'set_total_budget', ids: [1], value: 0 }, ['value min']],
  ['a negative budget', { action: 'set_daily_budget', ids: [1], value: -1 }, ['value amount']],
])('%s · is 422', async (_name, body, expected) => {
  const answer = await owner.post('/campaigns/bulk', body);
  expect([answer.status, faultsOf(answer)]).toEqual([422, expected]);
});

test('zones · in bulk · keep to their publisher and the rules of their own routes', async () => {
  const { db } = stand.database;
  const place = await makePlace(db);
  const second = await makeZone(db, place.site);
  const other = await makePlace(db);
  const publisher = stand.as('publisher', place.publisher.id);
  const priced = await publisher.post('/zones/bulk', {
    action: 'set_floor_price_cpm',
    ids: [place.zone.id, second.id, other.zone.id],
    value: 1.5,
  });
  expect(dataOf(priced)).toMatchObject({
    done: 2,
    failed: 1,
    items: [{}, {}, { error: 'not_found' }],
  });
  expect(dataOf(await publisher.get(`/zones/${second.id}`))).toMatchObject({
    floor_price_cpm: 1.5,
    audit_status: 'APPROVED',
  });
  const paused = await publisher.post('/zones/bulk', { action: 'pause', ids: [second.id] });
  expect(dataOf(paused)).toMatchObject({ done: 1 });
  const archived = await publisher.post('/zones/bulk', {
    action: 'archive',
    ids: [second.id],
    dry_run: true,
  });
  expect(dataOf(archived)).toMatchObject({ done: 1, dry_run: true });
  expect(dataOf(await publisher.get(`/zones/${second.id}`))).toMatchObject({ status: 'PAUSED' });
});
