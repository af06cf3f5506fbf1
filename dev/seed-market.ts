import type { ApiClient } from './api-client.ts';
import { drawScene, type Scene } from './demo-images.ts';
import { decideTask, first, type Page, type Seed, seedDeposit } from './seed.ts';
import { loginOrRegister } from './seed-accounts.ts';

/**
 * What makes the consoles alive: campaigns in every state, each format, another advertiser and
 * publisher, and one of each that waits for an operator. As people would, over HTTP; the last step is
 * what is looked for first, so that it is done once.
 */
const LAST_STEP = 'Rope fair in spring';

export async function seedMarket(seed: Seed): Promise<void> {
  const { advertiser } = seed;
  if (await find(advertiser, '/campaigns', LAST_STEP)) return;
  await seedZones(seed);
  await Promise.all([seedWaiting(seed), seedNorthwind(seed), seedCoast(seed)]);
  await seedCampaigns(seed);
}

interface Named {
  id: number;
  name: string;
  audit_status: string;
}

const find = async (client: ApiClient, path: string, name: string): Promise<Named | undefined> =>
  await first<Named>(client, `${path}?keyword=${encodeURIComponent(name)}`);

/** An earlier start may have been stopped anywhere: what is there by its name is kept. */
const once = async (client: ApiClient, path: string, name: string, fields: object) =>
  (await find(client, path, name)) ?? (await client.call<Named>('POST', path, { name, ...fields }));

async function upload(client: ApiClient, scene: Scene, [width, height]: [number, number]) {
  const form = new FormData();
  const bytes = new Uint8Array(await drawScene(scene, width, height));
  form.set('file', new Blob([bytes], { type: 'image/png' }), `${scene}.png`);
  return (await client.call<{ id: number }>('POST', '/creatives/upload', form)).id;
}

async function banner(client: ApiClient, name: string, scene: Scene): Promise<Named> {
  const existing = await find(client, '/creatives', name);
  if (existing) return existing;
  const image = await upload(client, scene, [300, 250]);
  return await client.call<Named>('POST', '/creatives', {
    name,
    creative_type: 'image',
    type: 'IMAGE',
    width: 300,
    height: 250,
    image_media_id: image,
  });
}

interface Line {
  name: string;
  campaign: object;
  creative: Named;
  title: string;
}

/** Campaign, ad group and ad; answers the campaign. */
async function line(client: ApiClient, brand: string, { name, campaign, creative, title }: Line) {
  const made = await once(client, '/campaigns', name, {
    ad_type: 'BANNER',
    pricing_model: 'CPM',
    price: 4,
    daily_budget: 30,
    rotation_mode: 'ASAP',
    landing_url: 'https://rope.example/',
    ...campaign,
  });
  const group = await once(client, '/adgroups', `${name}: everyone`, { campaign_id: made.id });
  await once(client, '/ads', `${name}: ${title}`, {
    adgroup_id: group.id,
    creative_id: creative.id,
    title,
    description: 'Made to last, at a fair price',
    button_text: 'See more',
    brand_name: brand,
  });
  return made;
}

async function seedCampaigns(seed: Seed): Promise<void> {
  const { advertiser, demoUrl } = seed;
  const landing = { landing_url: `${demoUrl}/shop?click={click_id}` };
  const brand = 'Harbour Rope';
  const lantern = await banner(advertiser, 'Lantern at night', 'lantern');
  const miracle = await banner(advertiser, 'Miracle rope', 'mountain');
  await decideTask(seed, { type: 'creative', id: lantern.id }, { decision: 'approve' });
  await decideTask(
    seed,
    { type: 'creative', id: miracle.id },
    {
      decision: 'reject',
      reasons: [{ code: 'MISLEADING', note: 'No rope lasts for ever; say how long.' }],
    },
  );
  await line(advertiser, brand, {
    name: 'Lanterns for the pier',
    campaign: landing,
    creative: lantern,
    title: 'Light for every pier',
  });
  await line(advertiser, brand, {
    name: 'Last coils of the year',
    campaign: { ...landing, total_budget: 5, price: 6 },
    creative: lantern,
    title: 'Only a few left',
  });
  const paused = await line(advertiser, brand, {
    name: 'Summer regatta',
    campaign: landing,
    creative: lantern,
    title: 'Ready for the regatta',
  });
  await advertiser.call('POST', `/campaigns/${paused.id}/toggle`);
  await once(advertiser, '/creatives', 'Rope, in one line', {
    creative_type: 'text',
    type: 'TEXT',
  });
  await once(advertiser, '/creatives', 'Turning knot', {
    creative_type: 'html',
    type: 'HTML',
    width: 300,
    height: 250,
    html_code: KNOT,
  });
  await line(advertiser, brand, {
    name: 'Winter catalogue',
    campaign: { ...landing, save_as_draft: true },
    creative: miracle,
    title: 'The catalogue is here',
  });
  await line(advertiser, brand, {
    name: LAST_STEP,
    campaign: landing,
    creative: await banner(advertiser, 'Harbour in spring', 'mountain'),
    title: 'Meet us at the fair',
  });
}

const KNOT = `<div style="width:300px;height:250px;background:#123a5a;display:grid;place-items:center">
<div style="width:120px;height:120px;border:16px double #f6c177;border-radius:50%"></div></div>`;

/** Places of several kinds beside the one that the demo page shows. */
async function seedZones({ publisher }: Seed): Promise<void> {
  const site = await first<{ id: number }>(publisher, '/sites');
  const zone = async (name: string, fields: object) =>
    await once(publisher, '/zones', name, { site_id: site?.id, floor_price_cpm: 1, ...fields });
  await zone('Above the headlines', { type: 'BANNER', width: 728, height: 90 });
  await zone('Between the stories', { type: 'NATIVE', width: 600, height: 300 });
  await zone('Before one leaves', { type: 'EXIT_INTENT', width: 300, height: 250 });
  await zone('While the page opens', { type: 'INTERSTITIAL' });
  await zone('Classifieds', { type: 'TEXT', width: 300, height: 100 });
}

/** One of each that an operator has to look at. */
async function seedWaiting({ advertiser, publisher }: Seed): Promise<void> {
  const deposits = await advertiser.call<Page<{ status: string }>>('GET', '/deposits');
  if (!deposits.items.some(({ status }) => status === 'PENDING')) {
    await advertiser.call('POST', '/deposits', { amount: 250, payment_method: 'BANK' });
  }
  const { kyc_status } = await publisher.call<{ kyc_status: string }>('GET', '/kyc');
  if (['pending', 'approved'].includes(kyc_status)) return;
  const form = new FormData();
  const page = new Uint8Array(await drawScene('mountain', 900, 600));
  form.set('file', new Blob([page], { type: 'image/png' }), 'passport.png');
  const document = await publisher.call<{ id: number }>('POST', '/kyc/documents', form);
  await publisher.call('POST', '/kyc', {
    entity_type: 'PERSONAL',
    legal_name: 'Bo Lantern',
    country: 'DE',
    document_number: 'C01X00T47',
    document_ids: [document.id],
  });
}

/** The other advertiser: what competes, and what is compared. */
async function seedNorthwind(seed: Seed): Promise<void> {
  const northwind = await loginOrRegister(seed, 'advertiser', {
    name: 'northwind',
    contact: 'Nora Winde',
    company: 'Northwind Coffee',
  });
  await seedDeposit({ ...seed, advertiser: northwind });
  const coffee = await banner(northwind, 'A cup in the morning', 'coffee');
  await decideTask(seed, { type: 'creative', id: coffee.id }, { decision: 'approve' });
  await line(northwind, 'Northwind Coffee', {
    name: 'Morning roast',
    campaign: { landing_url: `${seed.demoUrl}/shop?coffee={click_id}`, price: 3 },
    creative: coffee,
    title: 'Fresh from the roaster',
  });
}

/** The other publisher: a site that nobody has verified yet. */
async function seedCoast(seed: Seed): Promise<void> {
  const coast = await loginOrRegister(seed, 'publisher', {
    name: 'coast',
    contact: 'Cora Strand',
    company: 'Coast Weather',
  });
  await once(coast, '/sites', 'Coast Weather', {
    domain: `weather.${seed.demoDomain}`,
    description: 'Tides, winds and warnings',
  });
}
