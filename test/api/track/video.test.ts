import { runBooks } from '../../../db/queries/books.ts';
import { CHROME } from '../../support/agents.ts';
import type { TestDatabase } from '../../support/database.ts';
import { whenReadable } from '../../support/settlement.ts';
import { find, readNodes } from '../../support/vast-rules.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeVideoTree } from '../../support/make/campaign.ts';
import { nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** A video ad from the player's request to the bill, over HTTP; only the player is ours. */
/** So long that nothing but the clock of the test can pass it. */
const VIDEO_SECONDS = 30;
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

let stand: Stand;
let database: TestDatabase;
let zoneId: number;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  const { db } = database;
  const advertiser = await makeAdvertiser(db, { balance: 100 });
  await makeVideoTree(db, advertiser.id, {
    seconds: VIDEO_SECONDS,
    campaign: { adType: 'VIDEO', pricingModel: 'CPV', bidNanos: nanos(1) },
  });
  zoneId = (await makePlace(db, { zone: { type: 'VIDEO' } })).zone.id;
  await stand.startServing();
});
afterAll(async () => {
  await stand.close();
});

let visitor = 10;
/** A new viewer by address, with the beacons of the ad that is served to them. */
async function play() {
  visitor += 1;
  const headers = { 'user-agent': CHROME, 'x-forwarded-for': `198.51.100.${visitor}` };
  const get = async (path: string) => {
    const { status, body } = await stand.anyone.get(path).set(headers).responseType('blob');
    return { status, bytes: body as Buffer };
  };
  const document = await get(`/ad/render/vast/${zoneId}`);
  const [root] = readNodes(document.bytes.toString('utf8'));
  const beacons = new Map<string, string>();
  for (const name of ['Impression', 'Error']) {
    const [node] = root === undefined ? [] : find(root, name);
    beacons.set(name, new URL(node?.text ?? '').pathname);
  }
  for (const node of root === undefined ? [] : find(root, 'Tracking')) {
    const url = new URL(node.text);
    beacons.set(node.attributes['event'] ?? '', url.pathname + url.search);
  }
  const fire = async (name: string, query = '') =>
    await get(`${beacons.get(name) ?? name}${query}`);
  return { fire, beacons };
}

async function settle(): Promise<Record<string, unknown>[]> {
  await whenReadable(database);
  while ((await stand.activities.settleBatch({ shard: 0 })).events > 0);
  const { rows } = await database.pool.query<Record<string, unknown>>(
    'SELECT kind, status, reason, price_nanos FROM events ORDER BY received_at, id',
  );
  return rows;
}
const last = (rows: Record<string, unknown>[], kind: string) =>
  rows.findLast((row) => row['kind'] === kind);

test('a player · that plays to the end · every beacon answers the GIF, the view is billed', async () => {
  const { fire } = await play();
  for (const name of [
    'Impression',
    'loaded',
    'start',
    'firstQuartile',
    'midpoint',
    'thirdQuartile',
  ]) {
    expect((await fire(name)).bytes.equals(GIF)).toBe(true);
  }
  stand.passServingTime(VIDEO_SECONDS * 1_000);
  expect(await fire('complete')).toMatchObject({ status: 200 });
  const { rows: appended } = await database.pool.query<{ kind: string; video: string | null }>(
    `SELECT kind, facts->>'video' AS video FROM event_inbox ORDER BY seq`,
  );
  expect(appended.map(({ kind, video }) => video ?? kind)).toEqual([
    'impression',
    'loaded',
    'start',
    'firstQuartile',
    'midpoint',
    'thirdQuartile',
    'complete',
  ]);
  const events = await settle();
  expect(last(events, 'video_view')).toMatchObject({ status: 'valid', reason: null });
  expect(Number(last(events, 'video_view')?.['price_nanos'])).toBeGreaterThan(0);
  expect(last(events, 'impression')).toMatchObject({ status: 'valid', price_nanos: '0' });
  expect((await runBooks(database.pool)).filter(({ ok }) => !ok)).toEqual([]);
});

test('a player · that says the end at once, or again · is answered alike and not billed', async () => {
  const { fire } = await play();
  await fire('Impression');
  expect((await fire('complete')).bytes.equals(GIF)).toBe(true);
  expect(last(await settle(), 'video_view')).toMatchObject({
    reason: 'TOO_FAST',
    price_nanos: '0',
  });
  stand.passServingTime(VIDEO_SECONDS * 1_000);
  expect((await fire('complete')).bytes.equals(GIF)).toBe(true);
  expect(last(await settle(), 'video_view')).toMatchObject({ reason: 'REPLAY', price_nanos: '0' });
});

test('an error · of a player · is kept with its code; of an answer without an ad nothing is', async () => {
  const { fire } = await play();
  const errors = async () => {
    const { rows } = await database.pool.query<{ code: string }>(
      `SELECT facts->>'vastError' AS code FROM event_inbox WHERE kind = 'vast_error' ORDER BY seq`,
    );
    return rows.map(({ code }) => Number(code));
  };
  for (const query of ['?code=405', '?c=303', '?code=[ERRORCODE]', '']) {
    expect((await fire('Error', query)).bytes.equals(GIF)).toBe(true);
  }
  expect(await errors()).toEqual([405, 303, 900, 900]);
  expect((await fire('/track/vast-error/no-ad?code=303')).bytes.equals(GIF)).toBe(true);
  expect(await errors()).toHaveLength(4);
});

test('a name · that no player has · is answered and leaves nothing', async () => {
  const { beacons, fire } = await play();
  const count = async () => (await database.pool.query('SELECT 1 FROM event_inbox')).rowCount;
  const before = await count();
  const [path = ''] = (beacons.get('start') ?? '').split('?');
  for (const query of [
    '',
    '?e=',
    '?e=begin',
    '?e=__proto__',
    '?e=COMPLETE',
    `?e=${'x'.repeat(5_000)}`,
  ]) {
    expect((await fire(path + query)).bytes.equals(GIF)).toBe(true);
  }
  expect(await count()).toBe(before);
});
