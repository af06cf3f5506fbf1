import { createPublicKey, randomBytes, verify } from 'node:crypto';
import type { Test } from 'supertest';
import type { TrackPayload } from '../../../domain/tracking/facts.ts';
import { createTrackSealer } from '../../../domain/tracking/track-id.ts';
import { CHROME } from '../../support/agents.ts';
import type { TestDatabase } from '../../support/database.ts';
import { whenReadable } from '../../support/settlement.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeCampaignTree, makeVideoTree } from '../../support/make/campaign.ts';
import { nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Rewards over HTTP, from the ad of a rewarded zone to the callback a publisher's server verifies. */
const WATCH_SECONDS = 15;

let stand: Stand;
let database: TestDatabase;
let zone: { id: number; zoneKey: string };
let banner: { id: number };

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  const { db } = database;
  const advertiser = await makeAdvertiser(db, { balance: 100 });
  await makeVideoTree(db, advertiser.id, {
    seconds: 20,
    campaign: { adType: 'REWARDED', pricingModel: 'CPM', bidNanos: nanos(5) },
  });
  const settings: object = {
    rewarded: { watch_seconds: WATCH_SECONDS, reward_amount: 25, reward_type: 'gold coins' },
  };
  ({ zone } = await makePlace(db, { zone: { type: 'REWARDED', settings } }));
  await makeCampaignTree(db, advertiser.id);
  ({ zone: banner } = await makePlace(db));
  await stand.startServing();
});
afterAll(async () => {
  await stand.close();
});

let visitor = 1;
const from = (): Record<string, string> => ({
  'user-agent': CHROME,
  'x-forwarded-for': `203.0.113.${visitor}`,
});
const get = (path: string): Test => stand.anyone.get(path).set(from());
const token = (body: object): Test => stand.anyone.post('/ad/reward/token', body).set(from());
const grant = (body: object): Test => stand.anyone.post('/ad/reward/verify', body).set(from());

/** A new viewer's ad, as a page gets it. */
async function anAd(options: { zoneId?: number; version?: number } = {}) {
  visitor += 1;
  const { zoneId = zone.id, version = 1 } = options;
  const answer = await get(`/ad/request?zone_id=${zoneId}&_v=${version}`);
  const [ad] = answer.body.data['ads'] as { id: string; html: string; impression_url: string }[];
  if (ad === undefined) throw new Error('no ad was served');
  return { ...ad, qa_k: String(answer.body.data['qa_k']) };
}
async function show(ad: { impression_url: string }, agent = CHROME): Promise<void> {
  await get(new URL(ad.impression_url).pathname).set('user-agent', agent);
  await settle();
}
async function settle(): Promise<void> {
  await whenReadable(database);
  while ((await stand.activities.settleBatch({ shard: 0 })).events > 0);
}
/** An ad that was shown, with its token, watched to the end. */
async function watched(words: { user_id?: string; custom_data?: string } = {}) {
  const ad = await anAd();
  const issued = await token({ track_id: ad.id, ...words });
  await show(ad);
  stand.passTime(WATCH_SECONDS * 1_000);
  return { ad, issued: issued.body.data, token: String(issued.body.data.token) };
}

describe('POST /ad/reward/token', () => {
  test('an ad of a rewarded zone · tells the zone’s own terms, never the page’s', async () => {
    const ad = await anAd();
    const { status, body } = await token({
      track_id: ad.id,
      user_id: 'u.1',
      custom_data: 'level~3',
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9_-]{60}$/) as string,
      expires_in: WATCH_SECONDS + 900,
      transaction_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      watch_seconds: WATCH_SECONDS,
      reward_amount: 25,
      reward_item: 'gold-coins',
    });
  });

  test('asked again, at once, by GET, with another user · is the same reward of the first user', async () => {
    const ad = await anAd();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => await token({ track_id: ad.id, user_id: 'first' })),
    );
    answers.push(await token({ track_id: ad.id, user_id: 'second' }));
    answers.push(await get(`/ad/reward/token?track_id=${ad.id}`));
    expect(new Set(answers.map(({ body }) => body.data.token)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.data['transaction_id'])).size).toBe(1);
    const { rows } = await database.pool.query(
      'SELECT user_id FROM rewards WHERE transaction_id = $1',
      [answers[0]?.body.data['transaction_id']],
    );
    expect(rows).toEqual([{ user_id: 'first' }]);
  });

  test('a track_id · forged, foreign, changed or old · is 403 or 410, and leaves nothing', async () => {
    const count = async () => (await database.pool.query('SELECT 1 FROM rewards')).rowCount;
    const before = await count();
    const ad = await anAd();
    const payload = stand.sealer.open(ad.id) as TrackPayload;
    const foreign = createTrackSealer([{ id: 0, secret: randomBytes(32) }]);
    for (const track_id of ['x', ad.id.slice(1), `${ad.id}A`, foreign.seal(payload)]) {
      const { status, body } = await token({ track_id });
      expect([status, body.data['error']]).toEqual([403, 'seal_invalid']);
    }
    const old = stand.sealer.seal({ ...payload, issuedAt: payload.issuedAt - 3_700 });
    expect((await token({ track_id: old })).status).toBe(410);
    expect(await count()).toBe(before);
  });

  test('an ad of another zone · is 422: it gives no reward', async () => {
    const ad = await anAd({ zoneId: banner.id });
    const { status, body } = await token({ track_id: ad.id });
    expect(status).toBe(422);
    expect(body.data['errors']).toMatchObject([{ field: 'track_id', code: 'not_rewarded' }]);
  });

  test('an ad of protocol 2 · needs the qa_k of its own request and browser', async () => {
    const ad = await anAd({ version: 2 });
    const keyOfFirst = ad.qa_k;
    expect((await token({ track_id: ad.id })).status).toBe(422);
    expect((await token({ track_id: ad.id, qa_k: 'x' })).status).toBe(403);
    const other = await anAd({ version: 2 });
    expect((await token({ track_id: ad.id, qa_k: other.qa_k })).status).toBe(403);
    const firefox = CHROME.replace('Chrome/126', 'Firefox/126');
    const body = { track_id: ad.id, qa_k: keyOfFirst };
    expect((await token(body).set('user-agent', firefox)).status).toBe(403);
    expect((await token(body)).status).toBe(200);
  });

  test.each([
    ['no track_id', {}, 'track_id'],
    ['a number as track_id', { track_id: 1 }, 'track_id'],
    ['a long track_id', { track_id: 'x'.repeat(501) }, 'track_id'],
    ['a space in user_id', { track_id: 'x', user_id: 'a b' }, 'user_id'],
    ['a long user_id', { track_id: 'x', user_id: 'u'.repeat(129) }, 'user_id'],
    ['an ampersand in custom_data', { track_id: 'x', custom_data: 'a&b=1' }, 'custom_data'],
    ['a reward of one’s own', { track_id: 'x', reward_amount: 1_000_000 }, 'reward_amount'],
    ['terms of one’s own', { track_id: 'x', watch_seconds: 0 }, 'watch_seconds'],
  ])('%s · is 422', async (_name, body, field) => {
    const answer = await token(body);
    expect(answer.status).toBe(422);
    expect(answer.body.data['errors']).toEqual(
      expect.arrayContaining([expect.objectContaining({ field })]),
    );
  });
});

describe('POST /ad/reward/verify', () => {
  test('a watched video · is granted: signed for the publisher’s server to check', async () => {
    const { token: text, issued } = await watched({ user_id: 'u1', custom_data: 'c1' });
    const { status, body } = await grant({ token: text, completed: true });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      verified: true,
      duplicate: false,
      transaction_id: issued['transaction_id'],
      user_id: 'u1',
      custom_data: 'c1',
      reward_amount: 25,
      reward_item: 'gold-coins',
      callback: 'none',
    });
    const { payload, signature, key_id } = body.data as Record<string, string>;
    expect(payload).toMatch(
      new RegExp(`^ad_network=adplatform&ad_unit=${zone.zoneKey}&custom_data=c1&reward_amount=25`),
    );
    const keys = (await get('/ad/reward/keys')).body.keys ?? [];
    const key = keys.find(({ keyId }: { keyId: number }) => String(keyId) === String(key_id));
    const signed = Buffer.from(signature ?? '', 'base64url');
    expect(
      verify('sha256', Buffer.from(payload ?? ''), createPublicKey(String(key?.['pem'])), signed),
    ).toBe(true);
  });

  test('asked again, 20 at once · is granted once, the rest are duplicates of the same words', async () => {
    const { token: text } = await watched();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await grant({ token: text })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.filter(({ body }) => body.data['duplicate'] === false)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.data['signature'])).size).toBe(1);
    const later = await get(`/ad/reward/verify?token=${text}&completed=true`);
    expect(later.body.data).toMatchObject({ verified: true, duplicate: true });
  });

  test('issued by a build that did not keep its request · is granted as any other', async () => {
    const { issued, token: text } = await watched();
    await database.pool.query(
      'UPDATE rewards SET request_id = NULL WHERE transaction_id = $1 AND request_id IS NOT NULL',
      [issued['transaction_id']],
    );
    expect((await grant({ token: text, completed: true })).status).toBe(200);
  });

  test('too early · is 409 with the time that is left, and grants later', async () => {
    const ad = await anAd();
    const { body } = await token({ track_id: ad.id });
    await show(ad);
    const early = await grant({ token: body.data.token });
    expect(early.status).toBe(409);
    expect(early.body.data).toMatchObject({ error: 'reward_too_early' });
    const left = Number(early.body.data['retry_after']);
    expect(left).toBeGreaterThan(10);
    expect(left).toBeLessThanOrEqual(WATCH_SECONDS);
    expect(early.headers['retry-after']).toBe(String(left));
    stand.passTime(left * 1_000);
    expect((await grant({ token: body.data.token })).status).toBe(200);
  });

  test('an ad · that nobody was shown · is not rewarded, however long one waits', async () => {
    const ad = await anAd();
    const { body } = await token({ track_id: ad.id });
    stand.passTime(60_000);
    const refused = await grant({ token: body.data.token });
    expect(refused.status).toBe(409);
    expect(refused.body.data).toMatchObject({ error: 'reward_too_early', retry_after: 1 });
    await show(ad);
    expect((await grant({ token: body.data.token })).status).toBe(200);
  });

  test('an ad · shown to a robot · is not rewarded', async () => {
    const ad = await anAd();
    const { body } = await token({ track_id: ad.id });
    await show(ad, 'curl/8.5.0 and nothing else');
    stand.passTime(60_000);
    const refused = await grant({ token: body.data.token });
    expect([refused.status, refused.body.data['error']]).toEqual([409, 'state_conflict']);
  });

  test('a page · that says the video was not watched · gets nothing yet', async () => {
    const { token: text } = await watched();
    expect((await grant({ token: text, completed: false })).status).toBe(409);
    expect((await grant({ token: text, completed: true })).body.data['duplicate']).toBe(false);
  });

  test('a token · forged or changed · is 403; past its end it is 410', async () => {
    const { token: text } = await watched();
    const changed = (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    for (const wrong of ['x', changed, `${text}A`, text.slice(1)]) {
      const { status, body } = await grant({ token: wrong });
      expect([status, body.data['error']]).toEqual([403, 'seal_invalid']);
    }
    stand.passTime(901_000);
    const late = await grant({ token: text });
    expect([late.status, late.body.data['error']]).toEqual([410, 'seal_expired']);
  });
});

describe('GET /ad/reward/ssv-callback', () => {
  const check = (query: string): Test => get(`/ad/reward/ssv-callback?${query}`);
  async function aCallback() {
    const { token: text } = await watched({ user_id: 'u1' });
    const { payload, signature, key_id } = (await grant({ token: text })).body.data as Record<
      string,
      string
    >;
    return { payload: payload ?? '', rest: `&signature=${signature}&key_id=${key_id}`, signature };
  }

  test('our own callback · as it is, and again · is verified', async () => {
    const { payload, rest } = await aCallback();
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await check(payload + rest);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ verified: true, user_id: 'u1', reward_amount: 25 });
    }
  });

  test('a callback · changed in its words · is 403', async () => {
    const { payload, rest } = await aCallback();
    for (const spoilt of [
      payload.replace('reward_amount=25', 'reward_amount=2500'),
      payload.replace('user_id=u1', 'user_id=u2'),
      payload.replace('user_id=u1', 'user_id=%75%31'),
    ]) {
      expect(spoilt).not.toBe(payload);
      expect((await check(spoilt + rest)).status).toBe(403);
    }
  });

  test('a callback · in another order, or with more behind it · is 400', async () => {
    const { payload, rest, signature } = await aCallback();
    const key = rest.split('&key_id=')[1];
    expect((await check(`${payload}&key_id=${key}&signature=${signature}`)).status).toBe(400);
    expect((await check(payload)).status).toBe(400);
    expect((await check('')).status).toBe(400);
    expect((await check(`${payload}${rest}&reward_amount=99`)).status).toBe(422);
    expect((await check(`${payload}${rest}&more=1`)).status).toBe(422);
  });

  test('a callback · older than 15 minutes · is 410', async () => {
    const { payload, rest } = await aCallback();
    stand.passTime(900_500);
    expect((await check(payload + rest)).status).toBe(410);
  });
});

test('the keys · are public, cacheable, and stand where stock verifiers look', async () => {
  const { status, headers, body } = await get('/ad/reward/keys');
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('public, max-age=3600');
  expect(body.keys).toEqual(body.data['keys']);
  expect(body.keys?.[0]).toEqual({
    keyId: expect.any(Number) as number,
    pem: expect.stringContaining('BEGIN PUBLIC KEY') as string,
    base64: expect.any(String) as string,
  });
});

test('a page · of any origin · may ask from its browser', async () => {
  const preflight = await fetch(`http://127.0.0.1:${stand.port}/ad/reward/token`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://pages.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  const refused = await token({});
  expect(refused.headers['access-control-allow-origin']).toBe('*');
});

describe('reward_callback_url of a zone', () => {
  const publisher = async () => {
    const place = await makePlace(database.db, { zone: { type: 'REWARDED' } });
    const owner = stand.as('publisher', place.publisher.id);
    const put = (body: object): Test => owner.put(`/zones/${place.zone.id}`, body);
    return { ...place, put };
  };

  test('set, shown to its owner, and kept from every page', async () => {
    const { zone: own, publisher: owner, put } = await publisher();
    const { status, body } = await put({ reward_callback_url: 'https://game.example/ssv' });
    expect([status, body.data['reward_callback_url']]).toEqual([200, 'https://game.example/ssv']);
    expect(own.publisherId).toBe(owner.id);
    // The zone that is served, with the address as if its owner had set it.
    await database.pool.query(
      `UPDATE zones SET reward_callback_url = 'https://game.example/ssv' WHERE id = $1`,
      [zone.id],
    );
    const page = await get(`/ad/request?zone_id=${zone.id}`);
    await database.pool.query('UPDATE zones SET reward_callback_url = NULL');
    expect(page.status).toBe(200);
    expect(JSON.stringify(page.body)).not.toContain('game.example');
  });

  test('taken away by null, and by a type that gives no rewards', async () => {
    const { put } = await publisher();
    await put({ reward_callback_url: 'https://game.example/ssv' });
    expect((await put({ reward_callback_url: null })).body.data['reward_callback_url']).toBeNull();
    await put({ reward_callback_url: 'https://game.example/ssv' });
    const { body } = await put({ type: 'VIDEO' });
    expect(body.data).toMatchObject({ type: 'VIDEO', reward_callback_url: null });
  });

  test.each([
    'javascript:alert(1)',
    'ftp://game.example/',
    'https://u:p@game.example/',
    'https://game.example/ssv?mine=1',
    'https://game.example/ssv#x',
    'game.example',
  ])('%s · is 422', async (reward_callback_url) => {
    const { put } = await publisher();
    expect((await put({ reward_callback_url })).status).toBe(422);
  });

  test('of a zone that gives no rewards · is 422', async () => {
    const { put } = await publisher();
    const { status, body } = await put({
      type: 'VIDEO',
      reward_callback_url: 'https://g.example/',
    });
    expect(status).toBe(422);
    expect(body.data['errors']).toMatchObject([
      { field: 'reward_callback_url', code: 'not_for_type' },
    ]);
  });
});
