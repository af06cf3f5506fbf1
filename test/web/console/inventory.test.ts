import { type Account, type ConsoleStand, startConsole } from '../../support/console.ts';
import { approveAll } from '../../support/desk.ts';
import { image } from '../../support/images.ts';
import { makeSite } from '../../support/make/place.ts';

/** What accounts run, looked at and stopped by operators. */
let stand: ConsoleStand;
let owner: Account;

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Ropeworks');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function newCreative(name: string): Promise<number> {
  const form = new FormData();
  const bytes = await image('png', { width: 300, height: 250, colour: '#0a5cad' });
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'rope.png');
  const media = await owner.api.must<{ id: number }>('POST', '/creatives/upload', form);
  const body = { name, image_media_id: media.id, width: 300, height: 250 };
  const { id } = await owner.api.must<{ id: number }>('POST', '/creatives', body);
  return id;
}

test('a complaint about a creative · found by a reviewer · is stopped, decided anew, and told to its owner', async () => {
  const id = await newCreative('Miracle rope');
  await approveAll((await stand.operator('REVIEWER')).api, owner.api);
  const person = await stand.newPerson({ as: ['admin', await stand.operator('REVIEWER')] });
  await person.open('/operator');
  await person.page.keyboard.press('Control+k');
  await person.page.getByRole('combobox', { name: /^Go to/ }).fill('Miracle rope');
  await person.page.getByRole('option', { name: /Miracle rope/ }).click();
  await person.heading('Miracle rope').waitFor();
  await person.page.getByText('What its owner is told about its delivery').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.button('Take back into review…').click();
  const dialog = person.page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: /^Take back/ }).isDisabled()).toBe(true);
  await dialog.getByLabel('Why').fill('It leads to malware since today');
  expect(await person.barriers()).toEqual([]);
  await dialog.getByRole('button', { name: /^Take back/ }).click();
  await person.page
    .getByText('Taken back into review: it does not serve any more.')
    .first()
    .waitFor();
  await person.page.getByText('It leads to malware since today').waitFor();
  const [why] = await person.page
    .getByRole('button', { name: 'Take back into review…' })
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-disabled')));
  expect(why).toBe('true');

  // On the desk the word of whoever stopped it comes before what is shown.
  await person.link('Its tasks on the desk').click();
  await person.page
    .getByRole('row')
    .filter({ hasText: 'Open' })
    .getByRole('link', { name: /Miracle rope/ })
    .click();
  await person.page
    .getByText('Stopped and taken back into review by an operator')
    .first()
    .waitFor();
  await person.page.getByText('It leads to malware since today').first().waitFor();

  const theirs = await stand.newPerson({ as: ['advertiser', owner] });
  await theirs.open(`/advertiser/creatives/${id}`);
  await theirs.page.getByText('It waits for a reviewer.').waitFor();
  await theirs.page.getByText('By the platform: what was approved is looked at again').waitFor();
  expect(await theirs.page.getByText('malware').count()).toBe(0);
  await theirs.open('/advertiser/notifications');
  await theirs.page.getByText(/Miracle rope.*stopped, and looked at again/).waitFor();
});

test('what an account runs · asked for by support, on a phone · is listed by kind with its states, and only read', async () => {
  await newCreative('Quiet rope');
  const support = await stand.operator('SUPPORT');
  const person = await stand.newPerson({
    as: ['admin', support],
    viewport: { width: 360, height: 800 },
  });
  const { items } = await support.api.must<{ items: { id: number }[] }>(
    'GET',
    '/advertisers?keyword=Ropeworks',
  );
  await person.open(`/operator/advertisers/${items[0]?.id}`);
  await person.link('Campaigns and creatives').click();
  await person.button('Creatives').click();
  await person.page.getByRole('link', { name: 'Quiet rope' }).click();
  await person.heading('Quiet rope').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  expect(await person.button('Take back into review…').getAttribute('aria-disabled')).toBe('true');
});

test('a site · suspended by a reviewer, and restored · serves nothing meanwhile, and its publisher reads so', async () => {
  const seller = await stand.newAccount('publisher', 'HiddenBay');
  const { id: publisherId } = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  const site = await makeSite(stand.platform.db, publisherId, { name: 'Hidden Bay' });
  const person = await stand.newPerson({ as: ['admin', await stand.operator('REVIEWER')] });
  await person.open(`/operator/inventory/site/${site.id}`);
  const dialog = person.page.getByRole('dialog');
  await person.button('Suspend site…').click();
  await dialog.getByLabel('Why').fill('Its zones lie behind the page');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await dialog.getByRole('button', { name: /^Suspend/ }).click();
  await person.button('Restore site…').waitFor();
  await person.page.getByText('Operators took its site out of serving.').first().waitFor();

  const theirs = await stand.newPerson({ as: ['publisher', seller] });
  await theirs.open(`/publisher/sites/${site.id}`);
  await theirs.page.getByText('Taken out of serving').first().waitFor();
  expect(await theirs.page.getByText('lie behind the page').count()).toBe(0);

  await person.button('Restore site…').click();
  await dialog.getByLabel('Why').fill('They were moved');
  await dialog.getByRole('button', { name: /^Restore/ }).click();
  await person.button('Suspend site…').waitFor();
  await theirs.open('/publisher/notifications');
  await theirs.page.getByText(/Hidden Bay.*: approved again/).waitFor();
  await theirs.page.getByText(/Hidden Bay.*: taken out of serving by the platform/).waitFor();
});
