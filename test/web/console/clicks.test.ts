import { type Account, type ConsoleStand, startConsole } from '../../support/console.ts';
import { image } from '../../support/images.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { makePlace, makeSite, makeZone } from '../../support/make/place.ts';

/** How far it is from a list to the reason why a row of it is not shown, and to stopping it. */
let stand: ConsoleStand;
let owner: Account;
let seller: Account;

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Asker');
  seller = await stand.newAccount('publisher', 'Asked');
  const idOf = async ({ api }: Account): Promise<number> =>
    (await api.must<{ id: number }>('GET', '/auth/profile')).id;
  const { db } = stand.platform;
  // Nobody has paid anything in, so that nothing of it is served.
  await makeCampaignTree(db, await idOf(owner), { creative: { auditStatus: 'PENDING' } });
  const site = await makeSite(db, await idOf(seller), { auditStatus: 'PENDING' });
  await makeZone(db, site, { name: 'Top', status: 'PAUSED' });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const LISTS = ['campaigns', 'ad-groups', 'ads', 'creatives'];

test.each(LISTS)('why not · in the list of %s · is said two clicks away at most', async (list) => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  // The creative's picture is a row without a file.
  person.expects(/status of 404 .*\/media\//);
  await person.open(`/advertiser/${list}`);
  await person.page
    .getByRole('button', { name: /why\?$/ })
    .first()
    .click();
  await person.page.getByRole('dialog').locator('[data-reason]').first().waitFor();
  expect((await person.counted()).clicks).toBeLessThanOrEqual(2);
});

test.each(LISTS.slice(0, 3))('pause · in the list of %s · is one click', async (list) => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  // The creative's picture is a row without a file.
  person.expects(/status of 404 .*\/media\//);
  await person.open(`/advertiser/${list}`);
  await person
    .button(/^Pause$/)
    .first()
    .click();
  await person
    .button(/^Resume$/)
    .first()
    .waitFor();
  expect((await person.counted()).clicks).toBe(1);
});

test('why not · in the list of zones · is said one click away', async () => {
  const person = await stand.newPerson({ as: ['publisher', seller] });
  await person.open('/publisher/zones');
  await person.link('Top').click();
  await person.page.getByText('Why no ads are shown').waitFor();
  await person.page.getByText('The zone is paused. Resume it.').waitFor();
  expect((await person.counted()).clicks).toBe(1);
});

test('zones that could show it · one of a size that no creative has · the size is named, and files are chosen a click away', async () => {
  await makePlace(stand.platform.db, { zone: { width: 728, height: 90 } });
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  // The creative's picture is a row without a file.
  person.expects(/status of 404 .*\/media\//);
  await person.open('/advertiser/campaigns');
  await person.page.getByRole('link', { name: 'Campaign', exact: true }).click();
  const steps = person.page.getByRole('list', { name: 'Zones that could show it' });
  await steps.waitFor();
  const lines = await steps.getByRole('listitem').allInnerTexts();
  expect(lines.map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
    'Open now 1',
    'That take what it shows 1',
    'Of a size that it has 0 Sizes that it lacks: 728 × 90 (1 zone)',
    'That sell CPM 0',
    'At a floor price that its bid reaches 0',
  ]);
  await person.button('Add pictures').click();
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose files').click();
  const buffer = await image('png', { width: 728, height: 90 });
  await (await asked).setFiles({ name: 'wide.png', mimeType: 'image/png', buffer });
  await person.page.getByRole('dialog').getByText('Pending').waitFor();
  expect((await person.counted()).clicks).toBe(3);
  expect(await person.barriers()).toEqual([]);
  const { items } = await owner.api.must<{ items: { name: string; creative_id: number }[] }>(
    'GET',
    '/ads',
  );
  expect(items[0]?.name).toBe('Campaign 728×90');
  // What was missing is missing no more, without a reload.
  await person.button('Close').click();
  await steps.getByText('Sizes that it lacks:').waitFor({ state: 'hidden' });
});
