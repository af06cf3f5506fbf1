import { createHmac } from 'node:crypto';
import request from 'supertest';
import { dataOf } from '../../support/call.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 4.7: a tracker is tried with a click that nobody made, and nothing is counted. */
let stand: Stand;

beforeAll(async () => {
  stand = await createStand();
});
afterAll(async () => {
  await stand.close();
});

interface Test {
  id: number;
  click_id: string;
  conversion_url: string;
  pixel_url: string;
  expires_at: string;
}

async function scene(fields: object = {}) {
  const { id: advertiserId } = await makeAdvertiser(stand.database.db);
  const owner = stand.as('advertiser', advertiserId);
  const tracker = dataOf(await owner.post('/trackers', { name: 'Sale', ...fields })) as {
    id: number;
    tracking_code: string;
  };
  const at = `/trackers/${tracker.id}`;
  const begin = async (body: object = {}) => {
    const answer = await owner.post(`${at}/test`, body);
    expect(answer.status).toBe(201);
    return dataOf(answer) as unknown as Test;
  };
  const show = async (test: Test) => dataOf(await owner.get(`${at}/tests/${test.id}`));
  return { owner, at, code: tracker.tracking_code, begin, show, advertiserId };
}

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;
const report = async (path: string) => await request(stand.app).get(path);

async function nothingCounted(): Promise<void> {
  for (const table of ['conversions', 'event_inbox', 'ledger_transfers']) {
    const { rows } = await stand.database.pool.query(`SELECT 1 FROM ${table}`);
    expect(rows).toEqual([]);
  }
}

test('a test · reported by server, then by pixel · shows what would be accepted, and counts nothing', async () => {
  const { begin, show, at, owner } = await scene({ event_type: 'LEAD', conversion_value: 2.5 });
  const test = await begin();
  expect(await show(test)).toMatchObject({ reports: 0, outcome: null, postback: null });
  const first = await report(`${pathOf(test.conversion_url)}&value=7.25&currency=eur&txid=o-1`);
  expect([first.status, first.body]).toEqual([
    200,
    { code: 0, msg: 'test: would be accepted', conversion_id: 0 },
  ]);
  expect(await show(test)).toMatchObject({
    reports: 1,
    source: 'api',
    outcome: 'ACCEPTED',
    message: null,
    understood: {
      has_code: true,
      is_signed: false,
      value: 7.25,
      currency: 'EUR',
      event: 'LEAD',
      transaction_id: 'o-1',
    },
  });
  expect((await report(pathOf(test.pixel_url))).status).toBe(200);
  expect(await show(test)).toMatchObject({
    reports: 2,
    source: 'pixel',
    understood: { value: 2.5, transaction_id: null },
  });
  expect((await report(`/track/postback?click_id=${test.click_id}`)).body.code).toBe(0);
  expect(await show(test)).toMatchObject({ source: 'postback', understood: { has_code: false } });
  expect(dataOf(await owner.get(`${at}/conversions`))).toMatchObject({ total: 0 });
  expect(dataOf(await owner.get(`${at}/tests`))).toMatchObject({ items: [{ id: test.id }] });
  await nothingCounted();
});

test('a report of a test · that would be refused · is, and the test says why', async () => {
  const made = await scene();
  const other = await scene();
  const test = await made.begin();
  const refused = async (query: string, status: number, outcome: string) => {
    const answer = await report(`/track/conversion?click_id=${test.click_id}&${query}`);
    expect([answer.status, answer.body.conversion_id]).toEqual([status, 0]);
    expect(await made.show(test)).toMatchObject({ outcome, message: answer.body.msg });
  };
  await refused(`code=${made.code}&value=much`, 400, 'malformed_request');
  await refused(`code=${made.code}&currency=1`, 400, 'malformed_request');
  await refused('code=trk_none', 404, 'not_found');
  await refused(`code=${other.code}`, 404, 'not_found');
  expect(await made.show(test)).toMatchObject({ reports: 4 });
  expect((await made.owner.put(made.at, { status: 'PAUSED' })).status).toBe(200);
  await refused(`code=${made.code}`, 404, 'not_found');
  await nothingCounted();
});

test('a tracker that wants signatures · tested without, with a wrong and with the right one · tells them apart', async () => {
  const { begin, show, at, owner, code } = await scene({ type: 'POSTBACK', require_sig: true });
  const test = await begin();
  const send = async (sig?: string) =>
    await request(stand.app)
      .post('/track/conversion')
      .send({ code, click_id: test.click_id, ...(sig === undefined ? {} : { sig }) });
  expect((await send()).status).toBe(401);
  expect(await show(test)).toMatchObject({
    outcome: 'signature_bad',
    understood: { is_signed: false },
  });
  expect((await send('00'.repeat(32))).status).toBe(401);
  expect(await show(test)).toMatchObject({
    outcome: 'signature_bad',
    understood: { is_signed: true },
  });
  const { secret } = dataOf(await owner.get(`${at}/postback-secret`)) as { secret: string };
  const text = `click_id=${test.click_id}&code=${code}`;
  const right = await send(createHmac('sha256', secret).update(text).digest('hex'));
  expect(right.body).toMatchObject({ code: 0, msg: 'test: would be accepted' });
  expect(await show(test)).toMatchObject({ outcome: 'ACCEPTED' });
});

test('a test · called now, or first accepted · queues one marked call without a try again', async () => {
  const { begin, show, at, owner } = await scene({
    postback_url: 'https://shop.example/pb?c={click_id}&n={conversion_id}',
  });
  const callOf = async (test: Test) => {
    const { rows } = await stand.database.pool.query(
      `SELECT p.url, o.payload->'input'->'retryAfterSeconds' AS waits FROM postbacks p
       JOIN outbox o ON o.dedupe_key = 'start:postback:' || p.id || ':1' WHERE p.test_id = $1`,
      [test.id],
    );
    return rows;
  };
  const now = await begin({ call_now: true });
  const url = (test: Test) => `https://shop.example/pb?c=${test.click_id}&n=0&test=1`;
  expect(await callOf(now)).toEqual([{ url: url(now), waits: [] }]);
  const later = await begin();
  expect(await callOf(later)).toEqual([]);
  await report(pathOf(later.conversion_url));
  await report(pathOf(later.conversion_url));
  expect(await callOf(later)).toEqual([{ url: url(later), waits: [] }]);
  expect(await show(later)).toMatchObject({ postback: { status: 'PENDING', answer: null } });
  expect(dataOf(await owner.get(`${at}/postbacks`))).toMatchObject({
    total: 2,
    items: [
      { test_id: later.id, conversion_id: null },
      { test_id: now.id, conversion_id: null },
    ],
  });
  await nothingCounted();
});

test('a test · over, of a stranger, of no address to call · is refused by name', async () => {
  const { begin, show, at, owner } = await scene();
  const test = await begin();
  await stand.database.pool.query('UPDATE tracker_tests SET expires_at = now() WHERE id = $1', [
    test.id,
  ]);
  const late = await report(pathOf(test.conversion_url));
  expect([late.status, late.body.msg]).toEqual([404, expect.stringContaining('over')]);
  expect(await show(test)).toMatchObject({ outcome: 'not_found' });
  expect((await owner.post(`${at}/test`, { call_now: true })).status).toBe(409);
  expect((await owner.post(`${at}/test`, { send: true })).status).toBe(422);
  const stranger = await scene();
  expect((await stranger.owner.post(`${at}/test`, {})).status).toBe(404);
  expect((await stranger.owner.get(`${at}/tests`)).status).toBe(404);
  expect((await stranger.owner.get(`${at}/tests/${test.id}`)).status).toBe(404);
  expect((await stranger.owner.get(`${stranger.at}/tests/${test.id}`)).status).toBe(404);
});

test('a click id that only looks like a test · is any other that nobody knows', async () => {
  const { code } = await scene();
  const answer = await report(`/track/conversion?code=${code}&click_id=test_${'0'.repeat(32)}`);
  expect(answer.body).toMatchObject({ code: 0, msg: 'ok' });
  expect(answer.body.conversion_id).toBeGreaterThan(0);
});
