import type { ApiClient } from './api-client.ts';
import { once, type Seed, seedDeposit } from './seed.ts';
import { loginOrRegister } from './seed-accounts.ts';
import { banner, CARD, LEADERBOARD, nativeCard, seedFormats, SQUARE } from './seed-formats.ts';
import { line } from './seed-line.ts';
import { seedShowcase } from './seed-showcase.ts';
import { decideTask } from './seed-tasks.ts';
import { seedZones } from './seed-zones.ts';

/**
 * What makes the consoles alive: campaigns in every state, each format, another advertiser and
 * publisher, and reviews that wait for an operator. As people would, over HTTP; whatever is there by
 * its name is kept, so that an interrupted start goes on where it was.
 */
export async function seedMarket(seed: Seed): Promise<void> {
  seed.tellSite({ zones: await seedZones(seed) });
  const [northwind] = await Promise.all([seedNorthwind(seed), seedCoast(seed)]);
  await seedCampaigns(seed);
  await seedWider(seed);
  await seedFormats(seed);
  await seedShowcase(seed, northwind);
}

/** The tracker of what is sold. */
export const MEMBERSHIP = 'Membership bought';
/** The other publisher. */
export const COAST = { name: 'coast', contact: 'Cora Strand', company: 'Coast Weather' };

async function seedCampaigns(seed: Seed): Promise<void> {
  const { advertiser, demoUrl } = seed;
  const landing = { landing_url: `${demoUrl}/shop?click={click_id}` };
  const brand = 'Harbour Rope';
  const lantern = await banner(advertiser, 'Lantern at night', ['lantern', SQUARE]);
  const miracle = await banner(advertiser, 'Miracle rope', ['mountain', SQUARE]);
  await decideTask(seed, { type: 'creative', id: lantern.id }, { decision: 'approve' });
  await decideTask(
    seed,
    { type: 'creative', id: miracle.id },
    {
      decision: 'reject',
      reasons: [{ code: 'MISLEADING', note: 'No rope lasts for ever; say how long.' }],
    },
  );
  await line(
    seed,
    { client: advertiser, brand },
    {
      name: 'Lanterns for the pier',
      campaign: landing,
      creative: lantern,
      title: 'Light for every pier',
    },
  );
  await line(
    seed,
    { client: advertiser, brand },
    {
      name: 'Last coils of the year',
      campaign: { ...landing, total_budget: 5, price: 6 },
      creative: lantern,
      title: 'Only a few left',
    },
  );
  const paused = await line(
    seed,
    { client: advertiser, brand },
    {
      name: 'Summer regatta',
      campaign: landing,
      creative: lantern,
      title: 'Ready for the regatta',
    },
  );
  const { status } = await advertiser.call<{ status: string }>('GET', `/campaigns/${paused.id}`);
  if (status === 'ACTIVE') await advertiser.call('POST', `/campaigns/${paused.id}/toggle`);
  await line(
    seed,
    { client: advertiser, brand },
    {
      name: 'Winter catalogue',
      campaign: { ...landing, save_as_draft: true },
      creative: miracle,
      title: 'The catalogue is here',
      isWaiting: true,
    },
  );
  await line(
    seed,
    { client: advertiser, brand },
    {
      name: 'Rope fair in spring',
      campaign: landing,
      creative: await banner(advertiser, 'Harbour in spring', ['mountain', SQUARE]),
      title: 'Meet us at the fair',
      isWaiting: true,
    },
  );
}

/** Other places than the square: a wide banner, a card between stories, and one that pays for sales. */
async function seedWider(seed: Seed): Promise<void> {
  const { advertiser, demoUrl, demoDomain } = seed;
  const brand = 'Harbour Rope';
  const landing = { landing_url: `${demoUrl}/shop?click={click_id}` };
  const wide = await banner(advertiser, 'Pier at dawn, wide', ['mountain', LEADERBOARD]);
  const card = await nativeCard(advertiser, 'How a rope is made', ['lantern', CARD]);
  for (const { id } of [wide, card]) {
    await decideTask(seed, { type: 'creative', id }, { decision: 'approve' });
  }
  await line(
    seed,
    { client: advertiser, brand },
    {
      name: 'Pier at dawn',
      campaign: { ...landing, price: 9 },
      creative: wide,
      title: 'Moor safely',
    },
  );
  await line(
    seed,
    { client: advertiser, brand },
    {
      name: 'Stories of the ropewalk',
      campaign: { ...landing, ad_type: 'NATIVE', price: 8 },
      creative: card,
      title: 'How a rope is made',
    },
  );
  await once(advertiser, '/trackers', 'Newsletter signed up', { event_type: 'SIGNUP' });
  const tracker = await once<{ id: number }>(advertiser, '/trackers', MEMBERSHIP, {
    type: 'POSTBACK',
    event_type: 'PURCHASE',
    conversion_value: 49,
    postback_url: `http://${demoDomain}/sold?click={click_id}`,
  });
  await line(
    seed,
    { client: advertiser, brand },
    {
      name: 'Harbour club membership',
      campaign: {
        ...landing,
        pricing_model: 'CPA',
        price: 4,
        daily_budget: 40,
        tracker_id: tracker.id,
      },
      creative: await banner(advertiser, 'Lantern at night', ['lantern', SQUARE]),
      title: 'Become a member',
    },
  );
}

/** The other advertiser: what competes, and what is compared. */
async function seedNorthwind(seed: Seed): Promise<ApiClient> {
  const northwind = await loginOrRegister(seed, 'advertiser', {
    name: 'northwind',
    contact: 'Nora Winde',
    company: 'Northwind Coffee',
  });
  await seedDeposit({ ...seed, advertiser: northwind });
  const coffee = await banner(northwind, 'A cup in the morning', ['coffee', SQUARE]);
  await decideTask(seed, { type: 'creative', id: coffee.id }, { decision: 'approve' });
  await line(
    seed,
    { client: northwind, brand: 'Northwind Coffee' },
    {
      name: 'Morning roast',
      campaign: { landing_url: `${seed.demoUrl}/shop?coffee={click_id}`, price: 4 },
      creative: coffee,
      title: 'Fresh from the roaster',
    },
  );
  return northwind;
}

/** The other publisher: a site that nobody has verified yet. */
async function seedCoast(seed: Seed): Promise<void> {
  const coast = await loginOrRegister(seed, 'publisher', COAST);
  await once(coast, '/sites', 'Coast Weather', {
    domain: `weather.${seed.demoDomain}`,
    description: 'Tides, winds and warnings',
  });
}
