import { readFileSync } from 'node:fs';
import { image } from '../images.ts';
import { html5Zip } from '../zips.ts';
import { appealed, approved, fileForm, idOf, SHOP_DOMAIN, type World } from './world.ts';
import { until } from '../until.ts';

const at = '/api/advertiser';
const LANDING = `http://${SHOP_DOMAIN}/landing?cid={click_id}`;

/** Media, creatives, trackers and campaigns, from upload to approval. */
export async function walkAdvertiser(world: World): Promise<void> {
  const { walk } = world;
  await walk.step('media', () => media(world));
  await walk.step('video', () => video(world));
  await walk.step('bundle', () => bundle(world));
  await walk.step('creatives', () => creatives(world));
  await walk.step('generated media', () => generated(world));
  await walk.step('trackers', () => trackers(world));
  for (const [name, creative, terms] of [
    ['cpm', 'creative', { ad_type: 'BANNER', pricing_model: 'CPM', bid: 5 }],
    ['cpc', 'creative', { ad_type: 'BANNER', pricing_model: 'CPC', bid: 0.5 }],
    ['film', 'video creative', { ad_type: 'RESPONSIVE', pricing_model: 'CPM', bid: 9 }],
  ] as const) {
    await walk.step(`campaign ${name}`, () => campaign(world, name, { creative, terms }));
  }
  await world.nextMinute();
  await walk.step('campaign routes', () => campaignRoutes(world));
  await world.nextMinute();
  await walk.step('ad group routes', () => nodeRoutes(world, 'adgroups'));
  await walk.step('ad routes', () => nodeRoutes(world, 'ads'));
  await world.nextMinute();
  await walk.step('history', async () => {
    const query = { subject_type: 'campaign', page_size: 3 };
    await walk.ask(`GET ${at}/history`, { token: world.tokens.advertiser, query });
  });
  await walk.step('notifications', async () => {
    const token = world.tokens.advertiser;
    const { items } = await walk.ask<{ items: { id: number }[] }>(`GET ${at}/notifications`, {
      token,
      query: { status: 'unread', page_size: 3 },
    });
    const ids = items.map(({ id }) => id);
    await walk.ask(`POST ${at}/notifications/read`, { token, body: { ids } });
    await walk.ask(`GET ${at}/notification-settings`, { token });
    await walk.ask(`PUT ${at}/notification-settings`, {
      token,
      body: { kinds: { review_decided: { mail: true } } },
    });
  });
}

async function media({ walk, tokens, made }: World): Promise<void> {
  const token = tokens.advertiser;
  const png = async (colour: string, width = 300, height = 250) =>
    fileForm(await image('png', { width, height, colour }), { name: 'a.png', type: 'image/png' });
  const upload = async (route: string, form: FormData): Promise<number> =>
    (await walk.ask<{ id: number }>(route, { token, form })).id;
  made['image'] = await upload(`POST ${at}/creatives/upload`, await png('#0a5cad'));
  const spare = await upload(`POST ${at}/media/upload`, await png('#ad5c0a'));
  await walk.ask(`GET ${at}/media`, { token });
  await walk.ask(`GET ${at}/media/:id`, { id: spare, token });
  await walk.ask(`DELETE ${at}/media/:id`, { id: spare, token });
}

async function video({ walk, tokens, made }: World): Promise<void> {
  const file = { name: 'tone.mp4', type: 'video/mp4' };
  const { id } = await walk.ask<{ id: number }>(`POST ${at}/creatives/upload-video`, {
    token: tokens.advertiser,
    form: fileForm(readFileSync('test/fixtures/video/tone.mp4'), file),
  });
  made['video'] = id;
}

/** A zip is unpacked; its files are served each by its own address. */
async function bundle({ walk, tokens, made, words }: World): Promise<void> {
  const token = tokens.advertiser;
  const file = { name: 'rope.zip', type: 'application/zip' };
  const { id, url } = await walk.ask<{ id: number; url: string }>(`POST ${at}/media/upload`, {
    token,
    form: fileForm(await html5Zip(), file),
  });
  made['bundle'] = id;
  words['bundle'] = url;
}

/** interface 2.5: each generator answers an operation whose result is media, or copy. */
async function generated({ walk, tokens }: World): Promise<void> {
  const token = tokens.advertiser;
  for (const [kind, body] of [
    ['ai-image', { prompt: 'A boat at sunset', n: 1, width: 300, height: 250 }],
    ['ai-video', { prompt: 'A boat leaves the harbour', duration_s: 2, aspect_ratio: '16:9' }],
    ['ai-copy', { prompt: 'Ropes for every boat', n: 2, language: 'en', tone: 'friendly' }],
  ] as const) {
    const { operation } = await walk.ask<{ operation: { id: number } }>(
      `POST ${at}/media/${kind}`,
      { token, body },
    );
    await until({ what: `${kind} is done`, withinMs: 60_000 }, async () => {
      const { status } = await walk.ask<{ status: string }>(`GET ${at}/operations/:id`, {
        id: operation.id,
        token,
        query: { wait: 5 },
      });
      if (status === 'failed') throw new Error(`${kind} failed`);
      return status === 'succeeded';
    });
  }
  const { operation } = await walk.ask<{ operation: { id: number } }>(`POST ${at}/media/ai-video`, {
    token,
    body: { prompt: 'A boat that is not wanted', duration_s: 15 },
  });
  const { id } = operation;
  await walk.ask(`POST ${at}/operations/:id/cancel`, { id, token });
  await walk.ask(`GET ${at}/operations`, { token });
}

async function creatives(world: World): Promise<void> {
  const { walk, tokens, made } = world;
  const token = tokens.advertiser;
  const make = async (body: object): Promise<number> =>
    (await walk.ask<{ id: number }>(`POST ${at}/creatives`, { token, body })).id;
  const picture = {
    creative_type: 'image',
    width: 300,
    height: 250,
    image_media_id: made['image'],
  };
  const id = await make({ name: 'Boat at sunset', ...picture });
  made['creative'] = id;
  await approved(world, `GET ${at}/creatives/:id`, { type: 'creative', id, token });
  await walk.ask(`GET ${at}/creatives`, {
    token,
    query: { type: 'IMAGE', audit_status: 'APPROVED' },
  });
  await walk.step('revisions', async () => {
    await walk.ask(`GET ${at}/creatives/:id/revisions`, { id, token });
  });
  const draft = await make({ name: 'Boat at noon', ...picture, save_as_draft: true });
  await walk.ask(`PUT ${at}/creatives/:id`, { id: draft, token, body: { name: 'Boat at dawn' } });
  await walk.ask(`POST ${at}/creatives/:id/submit-audit`, { id: draft, token });
  await walk.ask(`POST ${at}/creatives/:id/toggle`, { id: draft, token });
  await walk.ask(`DELETE ${at}/creatives/:id`, { id: draft, token });
  await walk.step('appeal of a creative', async () => {
    const other = await make({ name: 'Boat at night', ...picture, save_as_draft: true });
    await appealed(world, { noun: `${at}/creatives`, type: 'creative', id: other, token });
    await walk.ask(`DELETE ${at}/creatives/:id`, { id: other, token });
  });
  await walk.step('video creative', async () => {
    const body = { name: 'Boat film', creative_type: 'video', video_media_id: made['video'] };
    const film = await make({ ...body, width: 640, height: 360 });
    made['video creative'] = film;
    await approved(world, `GET ${at}/creatives/:id`, { type: 'creative', id: film, token });
  });
}

async function trackers({ walk, tokens, made, words }: World): Promise<void> {
  const token = tokens.advertiser;
  const { id, tracking_code } = await walk.ask<{ id: number; tracking_code: string }>(
    `POST ${at}/trackers`,
    {
      token,
      body: {
        name: 'Sale',
        type: 'POSTBACK',
        event_type: 'PURCHASE',
        conversion_value: 9.99,
        postback_url: `http://${SHOP_DOMAIN}/sold?click={click_id}`,
      },
    },
  );
  made['tracker'] = id;
  words['tracking code'] = tracking_code;
  await walk.ask(`GET ${at}/trackers`, { token });
  await walk.ask(`GET ${at}/trackers/:id`, { id, token });
  await walk.ask(`PUT ${at}/trackers/:id`, { id, token, body: { attribution_window: 14 } });
  await walk.ask(`GET ${at}/trackers/:id/code`, { id, token });
  await walk.step('postback secret', async () => {
    await walk.ask(`GET ${at}/trackers/:id/postback-secret`, { id, token });
  });
  await walk.step('a test', async () => {
    const test = await walk.ask<{ id: number }>(`POST ${at}/trackers/:id/test`, {
      id,
      token,
      body: { call_now: true },
    });
    await walk.ask(`GET ${at}/trackers/:id/tests`, { id, token });
    await walk.ask(`GET ${at}/trackers/:id/tests/:test_id`, {
      id,
      token,
      params: { test_id: test.id },
    });
  });
  const { id: other } = await walk.ask<{ id: number }>(`POST ${at}/trackers`, {
    token,
    body: { name: 'Sign-up', event_type: 'SIGNUP' },
  });
  await walk.ask(`POST ${at}/trackers/:id/regenerate-code`, { id: other, token });
  await walk.ask(`DELETE ${at}/trackers/:id`, { id: other, token });
}

/** Campaign, ad group and ad, approved; the creative is the walk's own. */
async function campaign(
  world: World,
  name: string,
  { creative, terms }: { creative: string; terms: object },
): Promise<void> {
  const { walk, tokens, made } = world;
  const token = tokens.advertiser;
  const make = async (noun: string, body: object): Promise<number> => {
    const { id } = await walk.ask<{ id: number }>(`POST ${at}/${noun}`, { token, body });
    made[`${noun} ${name}`] = id;
    return id;
  };
  const campaign_id = await make('campaigns', {
    name: `Ropes for every boat, ${name}`,
    daily_budget: 50,
    rotation_mode: 'ASAP',
    landing_url: LANDING,
    bid_adjustments: { device: { MOBILE: 20 } },
    ...terms,
  });
  const adgroup_id = await make('adgroups', { campaign_id, name: 'Readers' });
  const ad = await make('ads', {
    adgroup_id,
    creative_id: idOf(world, creative),
    name: 'Boat picture',
    title: 'Ropes for every boat',
    description: 'Spliced by hand',
    button_text: 'See the shop',
    brand_name: 'Harbour Rope',
  });
  for (const [route, type, id] of [
    ['campaigns', 'campaign', campaign_id],
    ['adgroups', 'adgroup', adgroup_id],
    ['ads', 'ad', ad],
  ] as const) {
    await approved(world, `GET ${at}/${route}/:id`, { type, id, token });
  }
}

async function campaignRoutes(world: World): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens.advertiser;
  const id = idOf(world, 'campaigns cpc');
  await walk.ask(`GET ${at}/campaigns`, { token, query: { pricing_model: 'CPC', page_size: 5 } });
  await walk.ask(`GET ${at}/campaigns/options`, { token });
  const copy = await walk.ask<{ id: number }>(`POST ${at}/campaigns/:id/copy`, { id, token });
  await walk.ask(`PUT ${at}/campaigns/:id`, {
    id: copy.id,
    token,
    body: { name: 'Ropes, once more' },
    headers: { 'If-Match': '"1"' },
  });
  await walk.ask(`POST ${at}/campaigns/:id/toggle`, { id: copy.id, token });
  await walk.ask(`POST ${at}/campaigns/:id/submit-audit`, { id: copy.id, token });
  const second = await walk.ask<{ id: number }>(`POST ${at}/campaigns/:id/copy`, { id, token });
  await walk.ask(`POST ${at}/campaigns/batch-submit-audit`, { token, body: { ids: [second.id] } });
  await walk.ask(`POST ${at}/campaigns/bulk`, {
    token,
    body: { action: 'set_daily_budget', ids: [copy.id, second.id], value: 25 },
  });
  await walk.ask(`POST ${at}/creatives/bulk`, {
    token,
    body: { action: 'pause', ids: [idOf(world, 'creative')], dry_run: true },
  });
  await walk.ask(`GET ${at}/ads/:id/revisions`, { id: idOf(world, 'ads cpc'), token });
  await walk.ask(`DELETE ${at}/campaigns/:id`, { id: copy.id, token });
  await walk.step('appeal of a campaign', async () => {
    const third = await walk.ask<{ id: number }>(`POST ${at}/campaigns/:id/copy`, { id, token });
    await appealed(world, { noun: `${at}/campaigns`, type: 'campaign', id: third.id, token });
    await walk.ask(`DELETE ${at}/campaigns/:id`, { id: third.id, token });
  });
}

/** What ad groups and ads share; on a draft, so that what serves is left as it is. */
async function nodeRoutes(world: World, noun: 'adgroups' | 'ads'): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens.advertiser;
  const body =
    noun === 'adgroups'
      ? { campaign_id: idOf(world, 'campaigns cpm') }
      : { adgroup_id: idOf(world, 'adgroups cpm'), creative_id: idOf(world, 'creative') };
  const { id } = await walk.ask<{ id: number }>(`POST ${at}/${noun}`, {
    token,
    body: { ...body, name: 'On trial', save_as_draft: true },
  });
  await walk.ask(`GET ${at}/${noun}`, { token, query: { keyword: 'trial' } });
  await walk.ask(`PUT ${at}/${noun}/:id`, { id, token, body: { name: 'On a longer trial' } });
  await walk.ask(`POST ${at}/${noun}/:id/submit-audit`, { id, token });
  await walk.ask(`POST ${at}/${noun}/:id/toggle`, { id, token });
  await walk.ask(`POST ${at}/${noun}/bulk`, { token, body: { action: 'resume', ids: [id] } });
  await walk.ask(`DELETE ${at}/${noun}/:id`, { id, token });
  await walk.step(`appeal of ${noun}`, async () => {
    const other = await walk.ask<{ id: number }>(`POST ${at}/${noun}`, {
      token,
      body: { ...body, name: 'On appeal', save_as_draft: true },
    });
    const type = noun === 'ads' ? 'ad' : 'adgroup';
    await appealed(world, { noun: `${at}/${noun}`, type, id: other.id, token });
    await walk.ask(`DELETE ${at}/${noun}/:id`, { id: other.id, token });
  });
}
