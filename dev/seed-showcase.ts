import type { ApiClient } from './api-client.ts';
import { first, type Seed, seedDeposit } from './seed.ts';
import { loginOrRegister } from './seed-accounts.ts';
import {
  banner,
  CARD,
  type Creative,
  FILM,
  inWords,
  nativeCard,
  SCREEN,
  SKYSCRAPER,
  SQUARE,
} from './seed-formats.ts';
import { line } from './seed-line.ts';
import { decideTask } from './seed-tasks.ts';

const FERRIES = { name: 'skerry', contact: 'Sven Skerry', company: 'Skerry Ferries' };

/**
 * An ad for each type of zone that has none yet: a campaign is sold into zones of its own type, so what the
 * platform can show is seen on the demo's pages. After the formats, some of which are shown here.
 */
export async function seedShowcase(seed: Seed, northwind: ApiClient): Promise<void> {
  const { advertiser, demoUrl } = seed;
  const approved = async (creative: Creative | undefined): Promise<Creative> => {
    if (creative === undefined) throw new Error('a creative of the demo is missing');
    const { id } = creative;
    await decideTask(seed, { type: 'creative', id }, { decision: 'approve' });
    return creative;
  };
  const named = async (name: string) =>
    await approved(
      await first<Creative>(advertiser, `/creatives?keyword=${encodeURIComponent(name)}`),
    );
  const sells =
    (client: ApiClient, brand: string, landing_url: string) =>
    async ([name, title]: [string, string], creative: Creative, campaign: object) => {
      const sold = { landing_url, ...campaign };
      await line(seed, { client, brand }, { name, campaign: sold, creative, title });
    };
  // An account may write sixty times a minute, and the first one has much to write already.
  const ferries = await loginOrRegister(seed, 'advertiser', FERRIES);
  await seedDeposit({ ...seed, advertiser: ferries });
  const ferry = sells(ferries, FERRIES.company, `${demoUrl}/shop?ferry={click_id}`);
  const rope = sells(advertiser, 'Harbour Rope', `${demoUrl}/shop?click={click_id}`);
  const coffee = sells(northwind, 'Northwind Coffee', `${demoUrl}/shop?coffee={click_id}`);

  const film = await named(FILM);
  await rope(['The pier at night, a film', 'A night at the pier'], film, {
    ad_type: 'VIDEO',
    price: 14,
  });
  await rope(['Films for readers', 'Watch how a pier is lit'], film, {
    ad_type: 'REWARDED',
    price: 10,
  });

  const words = await approved(await inWords(ferries, 'To the islands, in words'));
  await ferry(['To the islands', 'To the islands, three times a day'], words, {
    ad_type: 'TEXT',
    price: 3,
  });
  const screen = await approved(await banner(ferries, 'Lighthouse', ['lighthouse', SCREEN]));
  await ferry(['Lighthouse week', 'Come and see the light'], screen, {
    ad_type: 'INTERSTITIAL',
    price: 9,
  });
  const deck = await approved(await banner(ferries, 'Bow, tall', ['rope', SKYSCRAPER]));
  await ferry(['Both sides of the bay', 'Cast off with us'], deck, {
    ad_type: 'COUPLET',
    price: 5,
  });

  const tall = await approved(await banner(northwind, 'A cup, tall', ['coffee', SKYSCRAPER]));
  await coffee(['Cups on both sides', 'Your cup is ready'], tall, { ad_type: 'COUPLET', price: 5 });
  const cup = await approved(await banner(northwind, 'A cup in the morning', ['coffee', SQUARE]));
  await coffee(['A free cup', 'The first cup is free'], cup, { ad_type: 'POPUP', price: 7 });
  await coffee(['Beans to your door', 'Beans to your door'], cup, { ad_type: 'FLOAT', price: 5 });
  await coffee(['Before you go', 'Ten per cent off your first bag'], cup, {
    ad_type: 'EXIT_INTENT',
    price: 8,
  });
  const card = await approved(await nativeCard(northwind, 'Roasted today', ['coffee', CARD]));
  await coffee(['Northwind everywhere', 'Roasted this morning'], card, {
    ad_type: 'RESPONSIVE',
    price: 1.5,
  });
}
