import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Account,
  type ConsoleStand,
  menuOf,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { fundPublisher, UNIT } from '../../support/make/money.ts';
import { passKyc } from '../../support/payouts.ts';

/** How many clicks everyday jobs take from Home; what is typed is beside. */
let stand: ConsoleStand;
let buyer: Account;
let seller: Account;
let sellerId: number;

const idOf = async ({ api }: Account): Promise<number> =>
  (await api.must<{ id: number }>('GET', '/auth/profile')).id;

beforeAll(async () => {
  stand = await startConsole({
    PAYOUT_SANDBOX_DIR: mkdtempSync(path.join(tmpdir(), 'adplatform-payouts-')),
  });
  buyer = await stand.newAccount('advertiser', 'Daily');
  seller = await stand.newAccount('publisher', 'Weekly');
  sellerId = await idOf(seller);
  const { db } = stand.platform;
  await makeCampaignTree(db, await idOf(buyer), {
    campaign: { name: 'Autumn ropes', dailyBudgetNanos: 20n * UNIT },
    creative: { name: 'Miracle rope', auditStatus: 'REJECTED', approvedRevision: null },
  });
  await passKyc(stand.platform as never, sellerId);
  await fundPublisher(db, sellerId, 100n * UNIT);
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function atHome(realm: 'advertiser' | 'publisher', account: Account): Promise<Person> {
  const person = await stand.newPerson({ as: [realm, account] });
  // Its pictures are rows without files.
  person.expects(/status of 404 .*\/media\//);
  await person.open(`/${realm}`);
  return person;
}

const clicksOf = async (person: Person): Promise<number> => (await person.counted()).clicks;

test('advertiser · another daily budget · two clicks, the sum and Enter', async () => {
  const person = await atHome('advertiser', buyer);
  await menuOf(person, 'Campaigns').click();
  await person.button(/^Daily budget of Autumn ropes/).click();
  // The field has the focus and what stands in it is there to be written over.
  await person
    .field(/^Daily budget of Autumn ropes/)
    .last()
    .waitFor();
  await person.page.keyboard.press('Control+A');
  await person.page.keyboard.type('35');
  await person.page.keyboard.press('Enter');
  await person.page.getByText('Saved.').first().waitFor();
  expect(await clicksOf(person)).toBe(2);
  const { items } = await buyer.api.must<{ items: object[] }>('GET', '/campaigns');
  expect(items).toEqual([expect.objectContaining({ daily_budget: 35 })]);
});

test('advertiser · why a campaign does not serve · two clicks', async () => {
  const person = await atHome('advertiser', buyer);
  await menuOf(person, 'Campaigns').click();
  await person
    .button(/why\?$/)
    .first()
    .click();
  await person.page.getByRole('dialog').locator('[data-reason]').first().waitFor();
  expect(await clicksOf(person)).toBe(2);
});

test('advertiser · a rejected creative · two clicks to its form, which is in sight', async () => {
  const person = await atHome('advertiser', buyer);
  await person.page
    .getByRole('listitem')
    .filter({ hasText: 'Miracle rope' })
    .getByRole('link', { name: 'See why' })
    .click();
  await person.heading('Miracle rope').waitFor();
  await person.button('Mend it').click();
  await person.page.locator('input[name=name]:focus').waitFor();
  expect(await person.barriers()).toEqual([]);
  expect(await clicksOf(person)).toBe(2);
});

test('publisher · last month’s earnings by site · one click', async () => {
  const person = await atHome('publisher', seller);
  await person.link('Last month by site').click();
  await person.heading('Reports').waitFor();
  await person.page.waitForURL(/\?range=lastMonth&by=site$/);
  // Nothing was earned in it.
  const days = person.page.getByLabel('Days', { exact: true });
  await days.waitFor();
  expect(await days.inputValue()).toBe('lastMonth');
  expect(await clicksOf(person)).toBe(1);
});

test('publisher · why money is not there yet, and the withdrawal cancelled · two clicks, and two', async () => {
  await seller.api.must('POST', '/withdrawals', {
    payment_method: 'PAYPAL',
    account_info: 'bo@weekly.example',
    amount: 20,
  });
  const person = await atHome('publisher', seller);
  await person.page
    .getByRole('list', { name: 'What you have earned' })
    .getByRole('link', { name: 'On its way' })
    .click();
  await person.heading('Payouts').waitFor();
  await person.page.getByRole('table').getByRole('link').first().click();
  await person.heading(/^Withdrawal/).waitFor();
  await person.page.getByRole('alert').first().waitFor();
  expect(await clicksOf(person)).toBe(2);
  await person.button('Cancel withdrawal').click();
  await person.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Cancel/ })
    .last()
    .click();
  await person.page.getByText('Cancelled.').first().waitFor();
  expect(await clicksOf(person)).toBe(4);
});
