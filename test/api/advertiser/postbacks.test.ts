import request from 'supertest';
import type { TestDatabase } from '../../support/database.ts';
import { eventOf, verifiedClick } from '../../support/settlement.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeLine } from '../../support/make/line.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
let database: TestDatabase;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
});

afterAll(async () => {
  await stand.close();
});

const call = (method: 'get' | 'post', path: string, advertiserId: number) =>
  stand.as('advertiser', advertiserId)[method](`/trackers${path}`);

/** A tracker with an address, and as many accepted conversions reported over HTTP. */
async function scene(conversions: number) {
  const line = await makeLine(database, { pricingModel: 'CPA' });
  const { advertiserId } = line;
  const tracker = await database.db.models.trackers.create({
    advertiserId,
    name: 'Sale',
    countMode: 'EVERY',
    trackingCode: `trk_${advertiserId}`,
    postbackUrl: 'https://shop.example/pb?c={click_id}',
  });
  const click = await verifiedClick(
    database,
    line,
    eventOf(line, { at: new Date(Date.now() - 10_000) }),
    { status: 'valid' },
  );
  for (let n = 0; n < conversions; n += 1) {
    const reported = await request(stand.app).get(
      `/track/conversion?code=${tracker.trackingCode}&click_id=${click.facts.clickId}&txid=${n}`,
    );
    expect(reported.body).toMatchObject({ code: 0, msg: 'ok' });
  }
  await stand.activities.decideConversions();
  return { advertiserId, trackerId: tracker.id, clickId: click.facts.clickId };
}

const setDead = async (id: number): Promise<void> => {
  await database.pool.query(
    `UPDATE postbacks SET status = 'DEAD', attempts = 7, next_attempt_at = NULL,
       last_outcome = 'HTTP_500' WHERE id = $1`,
    [id],
  );
};

test('postbacks · of accepted conversions · are listed newest first, by page and state', async () => {
  const { advertiserId, trackerId, clickId } = await scene(3);
  const list = async (query: object) =>
    (await call('get', `/${trackerId}/postbacks`, advertiserId).query(query)).body.data;
  const all = await list({});
  expect(all).toMatchObject({ total: 3, page: 1 });
  const ids = all.items.map(({ id }: { id: number }) => id) as number[];
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  expect(all.items[0]).toMatchObject({
    url: `https://shop.example/pb?c=${clickId}`,
    status: 'PENDING',
    attempts: 0,
    last_outcome: null,
    delivered_at: null,
  });
  await setDead(ids[1] ?? 0);
  expect((await list({ status: 'DEAD' })).items).toMatchObject([
    { id: ids[1], attempts: 7, last_outcome: 'HTTP_500', next_attempt_at: null },
  ]);
  expect((await list({ page: 2, page_size: 2 })).items).toMatchObject([{ id: ids[2] }]);
  const wrong = await call('get', `/${trackerId}/postbacks`, advertiserId).query({
    status: 'GONE',
  });
  expect(wrong.status).toBe(422);
});

test('a dead letter · sent again, then again at once · waits to be called, then 409', async () => {
  const { advertiserId, trackerId } = await scene(1);
  const { data } = (await call('get', `/${trackerId}/postbacks`, advertiserId)).body;
  const id = data.items[0].id as number;
  const retry = `/${trackerId}/postbacks/${id}/retry`;
  const early = await call('post', retry, advertiserId);
  expect(early.body).toMatchObject({ code: 40900, data: { from: 'PENDING' } });
  await setDead(id);
  const sent = await call('post', retry, advertiserId);
  expect(sent.status).toBe(200);
  expect(sent.body.data).toMatchObject({ id, status: 'PENDING', attempts: 7 });
  const { rows } = await database.pool.query(
    `SELECT payload->>'workflowId' AS id FROM outbox WHERE payload->>'workflowId' LIKE $1 ORDER BY id`,
    [`postback:${id}:%`],
  );
  expect(rows.map((row) => row.id)).toEqual([`postback:${id}:1`, `postback:${id}:8`]);
  expect((await call('post', retry, advertiserId)).status).toBe(409);
});

test("another advertiser's tracker, another tracker's postback, ids that are none · asked for · are 404", async () => {
  const { advertiserId, trackerId } = await scene(1);
  const other = await scene(1);
  const stranger = (await makeAdvertiser(database.db)).id;
  const { data } = (await call('get', `/${trackerId}/postbacks`, advertiserId)).body;
  const id = data.items[0].id as number;
  await setDead(id);
  for (const [method, path, who] of [
    ['get', `/${trackerId}/postbacks`, stranger],
    ['get', `/${trackerId}/postback-secret`, stranger],
    ['post', `/${trackerId}/postbacks/${id}/retry`, stranger],
    ['post', `/${other.trackerId}/postbacks/${id}/retry`, other.advertiserId],
    ['post', `/${other.trackerId}/postbacks/${id}/retry`, advertiserId],
    ['post', `/${trackerId}/postbacks/abc/retry`, advertiserId],
    ['post', `/${trackerId}/postbacks/0/retry`, advertiserId],
  ] as const) {
    expect((await call(method, path, who)).status).toBe(404);
  }
  const { rows } = await database.pool.query('SELECT status FROM postbacks WHERE id = $1', [id]);
  expect(rows).toEqual([{ status: 'DEAD' }]);
});

test('the secret · read, then read after a new code · is one, then another', async () => {
  const { advertiserId, trackerId } = await scene(0);
  const read = async () =>
    (await call('get', `/${trackerId}/postback-secret`, advertiserId)).body.data.secret as string;
  const first = await read();
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(await read()).toBe(first);
  await call('post', `/${trackerId}/regenerate-code`, advertiserId);
  expect(await read()).not.toBe(first);
});
