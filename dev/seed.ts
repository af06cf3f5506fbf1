import { type ApiClient, ApiRefusal, type Page, until } from './api-client.ts';
import { drawScene } from './demo-images.ts';
import type { DemoTold } from './demo-pages.ts';
import { type DemoAccounts, login, loginOrRegister, makeOperators } from './seed-accounts.ts';
import { demoDays, onSeedClock } from './seed-days.ts';
import { openTask, type Subject } from './seed-tasks.ts';
import { StandError } from './services/progress.ts';

/**
 * Sets up the demo as its people would, over HTTP: both sides register, money arrives, a site is
 * verified and approved, a campaign is built and reviewed. Every step looks first whether it was
 * done before, so that an interrupted start goes on where it was.
 */
export interface SeedOptions {
  baseUrl: string;
  demoUrl: string;
  demoDomain: string;
  /** What the demo site is to serve, beside what it was told before. */
  tellSite: (state: DemoTold) => void;
  postgresUrl: string;
  /** The owner of the tables: a month that has ended is dated by it (seed-days.ts). */
  ownerUrl: string;
  /** What API and worker were told. */
  env: Readonly<Record<string, string | undefined>>;
  accounts: DemoAccounts;
  say: (text: string) => void;
  signal: AbortSignal;
}

export interface Seed extends SeedOptions {
  advertiser: ApiClient;
  publisher: ApiClient;
  admin: ApiClient;
  reviewer: ApiClient;
  finance: ApiClient;
}

interface Reviewed {
  id: number;
  audit_status: string;
}

const DEPOSIT = 2_000;
const ZONE = 'Beside the article';
const ZONE_WIDTH = 300;
const ZONE_HEIGHT = 250;

/** The demo's people, logged in. */
export async function gather(options: SeedOptions): Promise<Seed> {
  const { accounts, baseUrl } = options;
  await makeOperators(options.postgresUrl, accounts);
  return {
    ...options,
    admin: await login(`${baseUrl}/api/admin`, accounts.admin),
    reviewer: await login(`${baseUrl}/api/admin`, accounts.reviewer),
    finance: await login(`${baseUrl}/api/admin`, accounts.finance),
    advertiser: await loginOrRegister(options, 'advertiser'),
    publisher: await loginOrRegister(options, 'publisher'),
  };
}

/** Answers the zone key under which an ad is served. Raises StandError that says what did not come. */
export async function seedDemo(seed: Seed): Promise<string> {
  const [zoneKey] = await Promise.all([seedPublisher(seed), seedAdvertiser(seed)]);
  await until('served ad', () => servedAd(seed, zoneKey), { signal: seed.signal });
  return zoneKey;
}

async function seedPublisher(seed: Seed): Promise<string> {
  const { publisher, demoDomain } = seed;
  const site =
    (await first<Reviewed>(publisher, `/sites?keyword=${demoDomain}`)) ??
    (await publisher.call<Reviewed>('POST', '/sites', {
      name: 'The Harbour Gazette',
      domain: demoDomain,
      description: `A demonstration on this machine: ${seed.demoUrl} has a page for each type of zone.`,
    }));
  const { methods } = await publisher.call<{ methods: { method: string; value: string }[] }>(
    'GET',
    `/sites/${site.id}/verify-code`,
  );
  const verification = methods.find((item) => item.method === 'FILE')?.value ?? '';
  seed.tellSite({ verification });
  await verifySite(seed, site.id);
  await approved(seed, publisher, { type: 'site', id: site.id, path: `/sites/${site.id}` });
  seed.say('the publisher has a verified, approved site');
  const zone =
    (await first<{ id: number; zone_key: string }>(
      publisher,
      `/zones?site_id=${site.id}&keyword=${encodeURIComponent(ZONE)}`,
    )) ??
    (await publisher.call<{ id: number; zone_key: string }>('POST', '/zones', {
      name: ZONE,
      site_id: site.id,
      type: 'BANNER',
      width: ZONE_WIDTH,
      height: ZONE_HEIGHT,
      // Alone in an auction an ad pays the floor: without one the demo's money would not move.
      floor_price_cpc: 0.05,
    }));
  seed.tellSite({ zone_key: zone.zone_key });
  await approved(seed, publisher, { type: 'zone', id: zone.id, path: `/zones/${zone.id}` });
  return zone.zone_key;
}

async function verifySite({ publisher, signal }: Seed, id: number): Promise<void> {
  const status = async () =>
    (await publisher.call<{ verify_status: string }>('GET', `/sites/${id}`)).verify_status;
  if ((await status()) === 'VERIFIED') return;
  await publisher.call('POST', `/sites/${id}/verify`, { method: 'FILE' });
  await until('verified site', async () => ((await status()) === 'VERIFIED' ? true : undefined), {
    signal,
  });
}

async function seedAdvertiser(seed: Seed): Promise<void> {
  await seedDeposit(seed);
  seed.say('the advertiser has a balance');
  const { advertiser } = seed;
  const campaign = await once<Reviewed>(advertiser, '/campaigns', 'Ropes for every boat', {
    ad_type: 'BANNER',
    pricing_model: 'CPC',
    price: 0.2,
    daily_budget: 20,
    rotation_mode: 'ASAP',
    landing_url: `${seed.demoUrl}/shop?click={click_id}`,
  });
  const group = await once<Reviewed>(advertiser, '/adgroups', 'Readers', {
    campaign_id: campaign.id,
  });
  const creative = await ensureCreative(seed);
  const ad = await once<Reviewed>(advertiser, '/ads', 'Boat picture', {
    adgroup_id: group.id,
    creative_id: creative.id,
    title: 'Ropes for every boat',
    description: 'Spliced by hand',
    button_text: 'See the shop',
    brand_name: 'Harbour Rope',
  });
  const subjects = [
    { type: 'campaign', id: campaign.id, path: `/campaigns/${campaign.id}` },
    { type: 'adgroup', id: group.id, path: `/adgroups/${group.id}` },
    { type: 'creative', id: creative.id, path: `/creatives/${creative.id}` },
    { type: 'ad', id: ad.id, path: `/ads/${ad.id}` },
  ] as const;
  for (const subject of subjects) await approved(seed, advertiser, subject);
  seed.say('the campaign, its ad group, ad and creative are approved');
}

/** What an account begins with, paid in when the month before began. */
export async function seedDeposit(seed: Seed): Promise<void> {
  const { advertiser } = seed;
  const orders = await advertiser.call<Page<{ id: number; status: string }>>('GET', '/deposits');
  if (orders.items.some((order) => order.status === 'PAID')) return;
  const { paidIn } = demoDays(new Date());
  await onSeedClock(seed.ownerUrl, async (clock) => {
    await clock.at(paidIn);
    await payIn(seed, orders, paidIn);
  });
}

async function payIn(
  { advertiser, finance, signal }: Seed,
  orders: Page<{ id: number; status: string }>,
  paidIn: Date,
): Promise<void> {
  const order =
    orders.items.find((item) => item.status === 'PENDING') ??
    (await advertiser.call<{ id: number }>('POST', '/deposits', {
      amount: DEPOSIT,
      payment_method: 'BANK',
    }));
  const receipt = {
    amount: DEPOSIT,
    reference: `DEMO-${order.id}`,
    received_at: paidIn.toISOString(),
  };
  await finance.call('POST', `/deposits/${order.id}/receipts`, receipt);
  const isPaid = async () => {
    const { status } = await advertiser.call<{ status: string }>('GET', `/deposits/${order.id}`);
    return status === 'PAID' ? true : undefined;
  };
  await until('paid deposit', isPaid, { signal });
}

async function ensureCreative(seed: Seed): Promise<Reviewed> {
  const name = 'Boat at sunset';
  const existing = await first<Reviewed>(
    seed.advertiser,
    `/creatives?keyword=${encodeURIComponent(name)}`,
  );
  if (existing) return existing;
  const form = new FormData();
  const image = await drawScene('boat', ZONE_WIDTH, ZONE_HEIGHT);
  form.set('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'boat.png');
  const media = await seed.advertiser.call<{ id: number }>('POST', '/creatives/upload', form);
  return await seed.advertiser.call<Reviewed>('POST', '/creatives', {
    name,
    creative_type: 'image',
    type: 'IMAGE',
    width: ZONE_WIDTH,
    height: ZONE_HEIGHT,
    image_media_id: media.id,
  });
}

/** By its name: what was made before is kept. */
export async function once<Made>(
  client: ApiClient,
  path: string,
  name: string,
  fields: object,
): Promise<Made> {
  const made = await first<Made>(client, `${path}?keyword=${encodeURIComponent(name)}`);
  return made ?? (await client.call<Made>('POST', path, { name, ...fields }));
}

export async function first<Item>(client: ApiClient, path: string): Promise<Item | undefined> {
  return (await client.call<Page<Item>>('GET', path)).items[0];
}

/** A task stays open until its flow has taken the decision: whoever asks meanwhile is refused, and waits. */
async function decideOnce(reviewer: ApiClient, taskId: number): Promise<void> {
  try {
    await reviewer.call('POST', `/tasks/${taskId}/decision`, { decision: 'approve' });
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 409) throw error;
  }
}

/** Waits for the outcome of a review; where a person is asked, the reviewer approves. */
async function approved(
  { reviewer, signal }: Seed,
  owner: ApiClient,
  subject: Subject & { path: string },
): Promise<void> {
  await until(
    `approval of ${subject.type} ${subject.id}`,
    async () => {
      const { audit_status } = await owner.call<Reviewed>('GET', subject.path);
      if (audit_status === 'APPROVED') return true;
      if (audit_status === 'REJECTED') {
        throw new StandError(`The demo's ${subject.type} was rejected; see ${subject.path}.`);
      }
      const task = await openTask(reviewer, subject);
      if (task) await decideOnce(reviewer, task.id);
      return undefined;
    },
    { signal },
  );
}

async function servedAd({ baseUrl }: Seed, zoneKey: string): Promise<true | undefined> {
  const response = await fetch(`${baseUrl}/ad/request?zone=${zoneKey}`, {
    signal: AbortSignal.timeout(5_000),
  });
  const body = (await response.json()) as { data?: { ads?: unknown[] } };
  return (body.data?.ads?.length ?? 0) > 0 ? true : undefined;
}
