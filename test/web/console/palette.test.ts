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
