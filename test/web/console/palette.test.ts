import { type ConsoleStand, type Person, startConsole } from '../../support/console.ts';

/** "Go to or do…" of an account: pages, what people come for, and their own things by name. */
let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const ask = async (person: Person, text: string): Promise<void> => {
  await person.page.keyboard.press('Control+k');
  await person.page.getByRole('combobox', { name: /^Go to/ }).fill(text);
};
const option = ({ page }: Person, name: string) => page.getByRole('option', { name });

test('advertiser · a campaign by its name, and what one comes to do · are found and opened', async () => {
  const owner = await stand.newAccount('advertiser', 'Masts');
  const { id } = await owner.api.must<{ id: number }>('POST', '/campaigns', {
    name: 'Autumn ropes',
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 0.2,
    landing_url: 'https://shop.example.com/rope',
  });
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser');
  await ask(person, 'autumn');
  await option(person, 'Autumn ropes Campaigns').click();
  await person.page.waitForURL(`**/advertiser/campaigns/${id}`);
  await ask(person, 'top up');
  await option(person, 'Top up').waitFor();
  expect(await person.barriers()).toEqual([]);
  await person.page.keyboard.press('Enter');
  await person.page.waitForURL('**/advertiser/money');
  await person.heading('Money').first().waitFor();
  await person.page.keyboard.press('?');
  await person.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await person.barriers()).toEqual([]);
});

test('publisher · a site by its name, and a new zone · are found and opened', async () => {
  const owner = await stand.newAccount('publisher', 'Quays');
  const { id } = await owner.api.must<{ id: number }>('POST', '/sites', {
    name: 'Gazette',
    domain: 'gazette.example.com',
  });
  const person = await stand.newPerson({ as: ['publisher', owner] });
  await person.open('/publisher');
  await ask(person, 'gazet');
  await option(person, 'Gazette Sites').click();
  await person.page.waitForURL(`**/publisher/sites/${id}`);
  await ask(person, 'new zone');
  await option(person, 'New zone').click();
  await person.page.waitForURL('**/publisher/zones/new');
});

test('publisher · pages below those of the menu, by the words of the screens · are found as well', async () => {
  const owner = await stand.newAccount('publisher', 'Piers');
  const person = await stand.newPerson({ as: ['publisher', owner] });
  await person.open('/publisher');
  const found: Record<string, string[]> = {};
  for (const text of ['add', 'removed', 'accounts', 'transactions', 'security', 'settings']) {
    await ask(person, text);
    await person.page.getByRole('option').first().waitFor();
    found[text] = await person.page.getByRole('option').allInnerTexts();
    await person.page.keyboard.press('Escape');
    await person.page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(found).toEqual({
    add: ['Add a site or app', 'Add a payout account'],
    removed: ['Removed events'],
    accounts: ['Payout accounts'],
    transactions: ['Transactions'],
    security: ['Security'],
    settings: ['Notification settings'],
  });
  await ask(person, 'security');
  await person.page.keyboard.press('Enter');
  await person.page.waitForURL('**/publisher/security');
});

test('a search · while it is looked · does not say that there is nothing', async () => {
  const owner = await stand.newAccount('publisher', 'Slips');
  const person = await stand.newPerson({ as: ['publisher', owner] });
  await person.open('/publisher');
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await person.page.route('**/api/publisher/sites?*keyword=*', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await ask(person, 'no such thing');
  const dialog = person.page.getByRole('dialog');
  await dialog.getByText('Loading…').waitFor();
  expect(await dialog.getByText('None', { exact: true }).count()).toBe(0);
  answer();
  await dialog.getByText('None', { exact: true }).waitFor();
});

test('operator · the id that a complaint names · leads to its fate, for whom that is', async () => {
  const id = '01a21bd4fff279ec8e83d8468fb57f06';
  const support = await stand.newPerson({ as: ['admin', await stand.operator('SUPPORT')] });
  support.expects(/status of 404/);
  await support.open('/operator');
  await ask(support, ` ${id} `);
  await option(support, 'What became of this click').waitFor();
  await option(support, 'What became of this request').waitFor();
  expect(await support.barriers()).toEqual([]);
  await support.page.keyboard.press('Enter');
  await support.page.waitForURL(`**/operator/events?request_id=${id}`);
  await support.page
    .getByText(/^Nothing/)
    .first()
    .waitFor();
  expect((await support.counted()).clicks).toBe(0);

  const track = 'a1.'.repeat(40);
  await ask(support, track);
  await option(support, 'What became of this impression').click();
  await support.page.waitForURL(`**/operator/events?track_id=${track}`);

  const finance = await stand.newPerson({ as: ['admin', await stand.operator('FINANCE')] });
  await finance.open('/operator');
  await ask(finance, id);
  await finance.page.getByText('None', { exact: true }).waitFor();
}, 60_000);
