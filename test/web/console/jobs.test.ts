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
import { setByOwner } from '../../support/by-owner.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { fundPublisher, UNIT } from '../../support/make/money.ts';
import { passKyc } from '../../support/payouts.ts';
import { until } from '../../support/until.ts';

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

const PATHS = { advertiser: 'advertiser', publisher: 'publisher', admin: 'operator' } as const;

async function atHome(realm: keyof typeof PATHS, account: Account): Promise<Person> {
  const person = await stand.newPerson({ as: [realm, account] });
  // Its pictures are rows without files.
  person.expects(/status of 404 .*\/media\//);
  await person.open(`/${PATHS[realm]}`);
  return person;
}

interface Words {
  title: string;
  description: string;
  button_text: string;
}

/** The first words of the last that was made. */
async function madeFirst({ api }: Account): Promise<Words | undefined> {
  const { items } = await api.must<{ items: { result: { variants: Words[] } }[] }>(
    'GET',
    '/operations?page_size=1',
  );
  return items[0]?.result.variants[0];
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
  await person.button('Fix it').click();
  await person.page.locator('input[name=name]:focus').waitFor();
  expect(await person.barriers()).toEqual([]);
  expect(await clicksOf(person)).toBe(2);
});

test('advertiser · what was made, for who has left the page · one click from home', async () => {
  const { operation } = await buyer.api.must<{ operation: { id: number } }>(
    'POST',
    '/media/ai-copy',
    { prompt: 'Ropes for boats', n: 1 },
  );
  const person = await atHome('advertiser', buyer);
  await person.link('AI copy').first().click();
  await person.link('Use in a new ad').first().waitFor();
  expect(new URL(person.page.url()).search).toBe(`?kind=copy&operation=${operation.id}`);
  expect(await clicksOf(person)).toBe(1);
});

test('advertiser · words that were made · one click to the form of an ad that has them', async () => {
  const person = await atHome('advertiser', buyer);
  await person.open('/advertiser/creatives/generate?kind=copy');
  await person.field(/^Describe it/).fill('Ropes that hold');
  await person.button('Generate').click();
  const made = person.link('Use in a new ad').first();
  await made.waitFor();
  const before = await clicksOf(person);
  const words = await madeFirst(buyer);
  await made.click();
  await person.heading('New ad').waitFor();
  expect((await clicksOf(person)) - before).toBe(1);
  expect(await person.field(/^Title/).inputValue()).toBe(words?.title);
  expect(await person.field(/^Description/).inputValue()).toBe(words?.description);
  expect(await person.field(/^Button/).inputValue()).toBe(words?.button_text);
  expect(await person.barriers()).toEqual([]);
});

test('publisher · last month’s earnings by site · one click', async () => {
  const person = await atHome('publisher', seller);
  await person.link('Last month by site').click();
  await person.heading('Reports').waitFor();
  await person.page.waitForURL(/\?range=lastMonth&by=site$/);
  // Nothing was earned in it.
  const days = person.page.getByLabel('Date range', { exact: true });
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
    .getByRole('list', { name: 'Your earnings' })
    .getByRole('link', { name: 'On its way' })
    .click();
  await person.heading('Payouts').waitFor();
  await person.page.getByRole('table').getByRole('link').first().click();
  await person.heading(/^Withdrawal/).waitFor();
  await person.page.getByRole('alert').first().waitFor();
  expect(await clicksOf(person)).toBe(2);
  const steps = person.page.getByRole('list', { name: 'Where it stands' });
  await steps.getByText("Waits for an operator's decision").waitFor();
  await person.button('Cancel withdrawal').click();
  await person.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Cancel/ })
    .last()
    .click();
  await person.page.getByText('Cancelled.').first().waitFor();
  expect(await clicksOf(person)).toBe(4);
  // Nobody decided: its owner ended it.
  await steps.getByText("Waited for an operator's decision").waitFor();
  expect(await steps.getByText('Decided by an operator').count()).toBe(0);
});

const decided = ({ page }: Person, name: RegExp) =>
  page.getByRole('region', { name: 'Your decision' }).getByRole('button', { name });

test('finance · a payout that waits for a second person · two clicks, and the wait in which it can be undone', async () => {
  await setByOwner(stand.platform, 'payout.second_approval_above', 10);
  const { id } = await seller.api.must<{ id: number }>('POST', '/withdrawals', {
    payment_method: 'PAYPAL',
    account_info: 'bo@weekly.example',
    amount: 30,
  });
  const { api } = await stand.colleague('FINANCE');
  const taskOf = async (kind: string): Promise<number> =>
    await until(`its ${kind}`, async () => {
      const query = `status=open&kind=${kind}&subject_type=withdrawal&subject_id=${id}`;
      const { items } = await api.must<{ items: { id: number }[] }>('GET', `/tasks?${query}`);
      return items[0]?.id;
    });
  const first = await taskOf('withdrawal_review');
  await api.must('POST', `/tasks/${first}/decision`, { decision: 'approve' });
  await taskOf('withdrawal_second_approval');
  const person = await atHome('admin', await stand.colleague('FINANCE'));
  await person.link(/^Second approval of \$30\.00/).click();
  await decided(person, /^Approve/).click();
  await person.page.getByText(/^Approve: sent in/).waitFor();
  expect(await clicksOf(person)).toBe(2);
  await decided(person, /^Send now/).click();
  await until('it is approved', async () => {
    const { status } = await api.must<{ status: string }>('GET', `/withdrawals/${id}`);
    return status !== 'PENDING';
  });
  expect(await clicksOf(person)).toBe(3);
});

test('finance · a line of the bank that names its order · five clicks from the desk to its credit', async () => {
  const { id, reference } = await buyer.api.must<{ id: number; reference: string }>(
    'POST',
    '/deposits',
    { amount: 50, payment_method: 'BANK' },
  );
  const clerk = await stand.colleague('FINANCE');
  const importer = await atHome('admin', clerk);
  await importer.open('/operator/statements/new');
  const asked = importer.page.waitForEvent('filechooser');
  await importer.button('Choose a file').click();
  const lines = ['Date,Amount,Currency,Reference,Text', `2026-01-05,50.00,USD,JB-1,${reference}`];
  await (
    await asked
  ).setFiles({ name: 'day.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await importer.field(/^Account/).fill('Daily Bank');
  await importer.button('Upload').click();
  await importer.page.waitForURL(/\/operator\/statements\/\d+$/);

  const person = await atHome('admin', clerk);
  await menuOf(person, 'Bank statements').click();
  await person.page.getByRole('link', { name: 'Daily Bank' }).click();
  await person.page.getByRole('row', { name: /JB-1/ }).getByRole('checkbox').check();
  await person.page.getByRole('toolbar').getByRole('button', { name: 'Record' }).click();
  const dialog = person.page.getByRole('dialog');
  // What will happen stands there without being asked for.
  await dialog.getByText('1 row will be changed.').waitFor();
  await dialog.getByRole('button', { name: 'Do it' }).click();
  await until('the order is paid', async () => {
    const { status } = await buyer.api.must<{ status: string }>('GET', `/deposits/${id}`);
    return status === 'PAID';
  });
  expect(await clicksOf(person)).toBe(5);
});
