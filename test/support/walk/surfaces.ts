import { untilClickable } from '../by-hand.ts';
import { AGENT, idOf, wordOf, type World } from './world.ts';
import { until } from '../until.ts';

interface Served {
  ads: { id: string; image_url: string | null }[];
  qa_k: string;
}

const headers = { 'User-Agent': AGENT };

/** What pages, players and servers ask: ads, beacons, conversions, rewards. */
export async function walkSurfaces(world: World): Promise<void> {
  const { walk } = world;
  await walk.step('ad request', () => adRequest(world));
  await walk.step('render', () => render(world));
  await walk.step('beacons', () => beacons(world));
  await walk.step('click', () => click(world));
  await walk.step('conversions', () => conversions(world));
  await walk.step('video', () => video(world));
  await walk.step('reward', () => reward(world));
  await walk.step('files', () => files(world));
}

/** The inventory reaches a serving process within a second of its last approval. */
async function served(world: World, zone: string): Promise<Served> {
  return await until({ what: `an ad in zone ${zone}`, withinMs: 30_000 }, async () => {
    const answer = await fetch(
      `${world.platform.baseUrl}/ad/request?zone=${wordOf(world, `zone ${zone}`)}`,
      { headers },
    );
    const { data } = (await answer.json()) as { data: Served };
    return data.ads.length > 0 && data;
  });
}

const firstOf = ({ ads: [ad] }: Served): Served['ads'][number] => {
  if (ad === undefined) throw new Error('no ad was served');
  return ad;
};

async function adRequest(world: World): Promise<void> {
  const { walk, words } = world;
  const zone = wordOf(world, 'zone banner');
  const ad = firstOf(await served(world, 'banner'));
  words['track id'] = ad.id;
  words['image'] = ad.image_url ?? '';
  await walk.ask('GET /ad/request', { headers, query: { zone, page_lang: 'en' } });
  await walk.ask('POST /ad/request', { headers, body: { zone, limit: 1 } });
  await walk.ask('OPTIONS /ad/request', { headers });
  await walk.ask('GET /ad/request/:zone_id', { headers, params: { zone_id: zone } });
}

async function render(world: World): Promise<void> {
  const zone_id = wordOf(world, 'zone banner');
  await world.walk.ask('GET /ad/render/:zone_id', { headers, params: { zone_id } });
  const track_id = firstOf(await served(world, 'banner')).id;
  await world.walk.ask('GET /ad/render/ad/:track_id', { headers, params: { track_id } });
}

async function beacons(world: World): Promise<void> {
  const params = { track_id: wordOf(world, 'track id') };
  await world.walk.ask('GET /track/impression/:track_id', { headers, params });
  await world.walk.ask('GET /track/view/:track_id', { headers, params });
}

async function click(world: World): Promise<void> {
  const { walk, words, platform } = world;
  const track_id = firstOf(await served(world, 'click')).id;
  await fetch(`${platform.baseUrl}/track/impression/${track_id}`, { headers });
  await untilClickable();
  await walk.ask('GET /track/click/:track_id', { headers, params: { track_id } });
  // The example's page shows no key that could be used: a click of its own is verified.
  const page = await fetch(`${platform.baseUrl}/track/click/${track_id}`, { headers });
  const qa_k = /data-key="([\w-]+)"/.exec(await page.text())?.[1] ?? '';
  const { click_id } = await walk.ask<{ click_id: string }>('POST /track/click-verify', {
    headers,
    body: { track_id, qa_k, device_data: { webdriver: false, language: 'en' } },
  });
  words['click id'] = click_id;
  await walk.ask('OPTIONS /track/click-verify', { headers });
}

async function conversions(world: World): Promise<void> {
  const { walk } = world;
  const code = wordOf(world, 'tracking code');
  const click_id = wordOf(world, 'click id');
  const report = (txid: string) => ({ code, click_id, value: 42.5, txid });
  await walk.ask('GET /track/postback', { query: report('order-1') });
  await walk.ask('POST /track/postback', { body: report('order-2') });
  await walk.ask('GET /track/conversion', { query: report('order-3') });
  await walk.ask('POST /track/conversion', { body: report('order-4') });
  await walk.ask('GET /track/conversion.gif', { query: { c: code } });
}

async function video(world: World): Promise<void> {
  const { walk } = world;
  const zone_id = wordOf(world, 'zone video');
  const track_id = firstOf(await served(world, 'video')).id;
  await walk.ask('GET /ad/render/vast/:zone_id', {
    headers,
    params: { zone_id },
    query: { version: '4.2' },
  });
  const params = { track_id };
  await walk.ask('GET /track/video/:track_id', { headers, params, query: { e: 'start' } });
  await walk.ask('GET /track/vast-error/:track_id', { headers, params, query: { code: 405 } });
}

/** interface 4.13: token when the video begins, verification when it was watched. */
async function reward(world: World): Promise<void> {
  const { walk, platform } = world;
  const track_id = firstOf(await served(world, 'rewarded')).id;
  await fetch(`${platform.baseUrl}/track/impression/${track_id}`, { headers });
  const begin = { track_id, user_id: 'player-7' };
  const { token } = await walk.ask<{ token: string }>('POST /ad/reward/token', {
    headers,
    body: begin,
  });
  await walk.ask('GET /ad/reward/token', { headers, query: begin });
  const verified = await until('the reward may be verified', async () => {
    const answer = await fetch(`${platform.baseUrl}/ad/reward/verify`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    return answer.ok;
  });
  if (verified) {
    const { payload, signature, key_id } = await walk.ask<Signed>('POST /ad/reward/verify', {
      headers,
      body: { token },
    });
    await walk.ask('GET /ad/reward/verify', { headers, query: { token } });
    const query = { ...Object.fromEntries(new URLSearchParams(payload)), signature, key_id };
    await walk.ask('GET /ad/reward/ssv-callback', { headers, query });
  }
  await walk.ask('GET /ad/reward/keys', { headers });
}

interface Signed {
  payload: string;
  signature: string;
  key_id: number;
}

async function files(world: World): Promise<void> {
  const { walk } = world;
  await walk.ask('GET /health/live');
  await walk.ask('GET /health/ready');
  await walk.ask('GET /sdk.js');
  await walk.ask('GET /prebid-adapter.js');
  await walk.ask('GET /openapi.json');
  await walk.ask('GET /document-keys.json');
  await walk.step('sellers', async () => {
    await walk.ask('GET /sellers.json');
    await walk.ask('GET /ads.txt');
  });
  const [, folder = '', file = ''] =
    /\/media\/([^/]+)\/([^/?]+)/.exec(wordOf(world, 'image')) ?? [];
  await walk.ask('GET /media/:folder/:file', { params: { folder, file } });
  await bundles(world);
  const shown = await walk.ask<{ url: string }>('GET /api/advertiser/media/:id', {
    id: idOf(world, 'image'),
    token: world.tokens.advertiser,
  });
  const [, seal = '', ...own] = /\/signed\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(shown.url) ?? [];
  await walk.ask('GET /media/signed/:seal/:folder/:file', {
    params: { seal, folder: own[0] ?? '', file: own[1] ?? '' },
  });
}

/** Before anybody has looked at it, and after: a reviewer's approval is put there by hand. */
async function bundles(world: World): Promise<void> {
  const { walk, platform } = world;
  const [, seal = '', folder = '', bundle = ''] =
    /\/signed\/([^/]+)\/([^/]+)\/([^/]+)\//.exec(wordOf(world, 'bundle')) ?? [];
  const params = { folder, bundle, file: 'index.html' };
  await walk.ask('GET /media/signed/:seal/:folder/:bundle/:file', { params: { seal, ...params } });
  await platform.pool.query(
    `WITH c AS (
       INSERT INTO creatives (advertiser_id, name, creative_type, type, approved_revision, audit_status)
       SELECT advertiser_id, 'Zip', 'html5', 'HTML', 1, 'APPROVED' FROM media WHERE id = $1 RETURNING id)
     INSERT INTO creative_revisions (creative_id, revision, html5_media_id, audit_status)
     SELECT id, 1, $1, 'APPROVED' FROM c`,
    [idOf(world, 'bundle')],
  );
  await walk.ask('GET /media/:folder/:bundle/:file', { params });
}
