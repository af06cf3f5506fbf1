import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { image } from '../../support/images.ts';
import { fundPublisher, indebtPublisher, UNIT } from '../../support/make/money.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../../support/payouts.ts';
import { until } from '../../support/until.ts';

/** What a publisher comes for: a site that is theirs, a code for a page, and money that may leave. */
const PROOF = '/.well-known/adplatform.txt';

let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole({
    PAYOUT_SANDBOX_DIR: mkdtempSync(path.join(tmpdir(), 'adplatform-payouts-')),
  });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const at = (person: Person): string => new URL(person.page.url()).pathname;

const proves = (value: string): void => {
  stand.sites.pages.set(PROOF, { type: 'text/plain', body: value });
};

/** An operator's yes to the task of this. */
async function approve(
  role: 'REVIEWER' | 'FINANCE',
  of: { type: 'site' | 'withdrawal'; id: number },
): Promise<void> {
  const { api } = await stand.operator(role);
  const task = await until(`the task of the ${of.type}`, async () => {
    const { items } = await api.must<{
      items: { id: number; subject: { type: string; id: number } }[];
    }>('GET', '/tasks?status=open&page_size=100');
    return items.find(({ subject }) => subject.type === of.type && subject.id === of.id);
  });
  await api.must('POST', `/tasks/${task.id}/decision`, { decision: 'approve' });
}

/** Declared, proven by a file and approved, all through the API. */
async function approvedSite({ api }: Account): Promise<void> {
  const { id } = await api.must<{ id: number }>('POST', '/sites', {
    name: 'Harbour Gazette',
    domain: 'gazette.example.com',
  });
  const { methods } = await api.must<{ methods: { method: string; value: string }[] }>(
    'GET',
    `/sites/${id}/verify-code`,
  );
  proves(methods.find(({ method }) => method === 'FILE')?.value ?? '');
  await api.call('POST', `/sites/${id}/verify`, { method: 'FILE' });
  const site = async () =>
    await api.must<{ verify_status: string; audit_status: string }>('GET', `/sites/${id}`);
  await until('the site is verified', async () => (await site()).verify_status === 'VERIFIED');
  await approve('REVIEWER', { type: 'site', id });
  await until('the site is approved', async () => (await site()).audit_status === 'APPROVED');
}

/** As a hand does it: into the field, then the text. */
async function write(person: Person, label: RegExp, text: string): Promise<void> {
  const field = person.field(label);
  await field.click();
  await field.fill(text);
}

/** Their path, at home. */
const stepsOf = ({ page }: Person) => page.getByRole('list', { name: 'Your first earnings' });

/** How far each step of it is, with the link that it has. */
async function toldBy(person: Person): Promise<string[]> {
  await stepsOf(person).waitFor();
  const texts = await stepsOf(person).getByRole('listitem').allInnerTexts();
  return texts.map((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .slice(1)
      .join(' · '),
  );
}

test('zone · from the login by the path at home to its copied code · in seven clicks', async () => {
  const account = await stand.newAccount('publisher', 'Gazette');
  await approvedSite(account);
  const person = await stand.newPerson();
  await person.open('/publisher/login');
  await write(person, /^Username/, account.username);
  await write(person, /^Password/, account.password);
  await person.button('Log in').click();
  await person.page.waitForURL('**/console/publisher');
  await stepsOf(person).getByRole('link', { name: 'New zone' }).click();
  await person.link(/^Banner/).click();
  await person.button('Create zone').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.button('Create zone').click();
  await person.page.waitForURL(/\/publisher\/zones\/\d+$/);
  await person.settled();
  await person.button('Copy').click();
  await person.button('Copied').waitFor();
  expect((await person.counted()).clicks).toBeLessThanOrEqual(7);
  const { items } = await account.api.must<{ items: { type: string; zone_key: string }[] }>(
    'GET',
    '/zones',
  );
  expect(items).toMatchObject([{ type: 'BANNER' }]);
  const copied = await person.page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toContain(items[0]?.zone_key);
  expect(copied).toContain('<script');
  expect(await person.barriers()).toEqual([]);
});

test('site · added, its proof put on the server, “Check now” · is verified without a reload', async () => {
  const account = await stand.newAccount('publisher', 'Shop');
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher');
  expect(await toldBy(person)).toEqual([
    expect.stringMatching(/^Say who you are · Done/),
    expect.stringMatching(/^Add a site and prove it · .* · Add a site$/),
    expect.stringMatching(/^Site approved · /),
    expect.stringMatching(/^Make a zone · Once a site is approved\.$/),
    expect.stringMatching(/^Put its code on the page · Once there is a zone\.$/),
    expect.stringMatching(/^Earn the first money · /),
    expect.stringMatching(/^Prove identity · .* · Prove identity$/),
    expect.stringMatching(/^Add a payout account · .* · Add an account$/),
    expect.stringMatching(/^Withdraw · /),
  ]);
  // What is simply next is said once: below is what else needs somebody.
  expect(await person.page.getByText('Needs your attention').count()).toBe(1);
  expect(await person.page.getByRole('alert').getByRole('link').allInnerTexts()).toEqual([
    'Change address',
  ]);
  expect(await person.barriers()).toEqual([]);
  await person.link('Add a site').click();
  await write(person, /^Name/, 'The rope shop');
  await write(person, /^Domain/, 'shop.example.com');
  expect(await person.barriers()).toEqual([]);
  await person.button('Add a site').click();
  await person.page.waitForURL(/\/publisher\/sites\/\d+$/);
  await person.page.getByRole('tab', { name: 'File on the server' }).click();
  // Until the address has changed the other way's text stands under the same words.
  await person.page.getByRole('tabpanel', { name: 'File on the server' }).waitFor();
  expect(await person.page.getByLabel('Where', { exact: true }).innerText()).toContain(PROOF);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  // What is found is said of the way that was chosen.
  const code = await person.field('What to put there').innerText();
  proves('something else');
  await person.button('Check now').click();
  await person.page.getByText('The file is there and holds something else.').waitFor();
  expect(await person.barriers()).toEqual([]);
  proves(code);
  let loads = 0;
  person.page.on('domcontentloaded', () => {
    loads += 1;
  });
  await person.button('Check now').click();
  const path = person.page.getByRole('list', { name: 'From the site to its first ad' });
  await path.getByText('It is yours', { exact: true }).waitFor();
  await path.getByText('A person looks at it').waitFor();
  expect(loads).toBe(0);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  const { items } = await account.api.must<{ items: { id: number }[] }>('GET', '/sites');
  expect(items).toMatchObject([
    { domain: 'shop.example.com', verify_status: 'VERIFIED', verify_method: 'FILE' },
  ]);
  await person.open('/publisher');
  expect((await toldBy(person)).slice(1, 3)).toEqual([
    'Add a site and prove it · Done',
    'Site approved · Waits for a reviewer; we will tell you.',
  ]);
  // Approved while its page stands open: all of the page says so, not its timeline alone.
  const [{ id } = { id: 0 }] = items;
  await person.open(`/publisher/sites/${id}`);
  await person.heading('Where it stands').waitFor();
  await approve('REVIEWER', { type: 'site', id });
  await person.link('New zone').waitFor();
  await person.heading('Where it stands').waitFor({ state: 'detached' });
});

test('withdrawal · of somebody unknown · leads to the proof of identity', async () => {
  const account = await stand.newAccount('publisher', 'Unknown');
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher');
  await person.link('Withdraw').click();
  await person.heading('Withdraw').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.page.getByText('Before money can leave you have to prove who you are.').waitFor();
  await person.link('Prove identity').click();
  await person.heading('Identity').waitFor();
  expect(at(person)).toBe('/console/publisher/kyc');
  expect(new URL(person.page.url()).searchParams.get('next')).toBe('/publisher/payouts/new');
  await person.button('Send for checking').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('withdrawal · another way chosen · has neither the address nor the refusal of the way before', async () => {
  const account = await stand.newAccount('publisher', 'Wallets');
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher/payouts/new');
  await person.page.getByRole('radio', { name: /^USDT/ }).check();
  await person.button('Request withdrawal').click();
  const needed = person.page.getByText('Required.', { exact: true });
  await until('amount and address are needed', async () => (await needed.count()) === 2);
  await person.page.getByRole('radio', { name: /^PayPal/ }).check();
  await until('the amount is', async () => (await needed.count()) === 1);
  await write(person, /^E-mail address at PayPal/, 'bob@wallets.example.com');
  await person.page.getByRole('radio', { name: /^Paxum/ }).check();
  await person.field(/^E-mail address at Paxum/).waitFor();
  expect(await person.field(/^E-mail address at Paxum/).inputValue()).toBe('');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('withdrawal · below the least of its way, or above the balance · says so in money, before anything is sent', async () => {
  const account = await stand.newAccount('publisher', 'Pennies');
  const { id } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  await passKyc(stand.platform as never, id);
  await fundPublisher(stand.platform.db, id, 50n * UNIT);
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher/payouts/new');
  await person.page.getByRole('radio', { name: /^PayPal/ }).check();
  await write(person, /^E-mail address at PayPal/, 'bob@pennies.example.com');
  const refusedAs = async (amount: string, words: string): Promise<void> => {
    await write(person, /^Amount/, amount);
    await person.button('Request withdrawal').click();
    await person.page
      .getByRole('status')
      .filter({ hasText: `Amount: ${words}` })
      .waitFor({ state: 'attached' });
  };
  await refusedAs('5', 'At least $10.00.');
  await refusedAs('60', 'At most $50.00.');
  await person.page.getByRole('radio', { name: /^Bank/ }).check();
  // At the field, and in the preview.
  const words = 'This way pays at least $100.00, and you can withdraw $50.00 now.';
  await until('said twice', async () => (await person.page.getByText(words).count()) === 2);
  await person.page.getByRole('radio', { name: /^PayPal/ }).check();
  await person.page.getByText(words).first().waitFor({ state: 'detached' });
  const { total } = await account.api.must<{ total: number }>('GET', '/withdrawals');
  expect(total).toBe(0);
});

test('withdrawal · to a bank account that still waits · says since when it can be; another is proposed', async () => {
  const account = await stand.newAccount('publisher', 'Moorings');
  const { id } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  const keep = async (iban: string, isDefault: boolean) =>
    await account.api.must('POST', '/withdrawals/bank-cards', {
      ...CARD,
      iban,
      is_default: isDefault,
    });
  await keep(ibanOf(4_711), true);
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher/payouts/new');
  const field = person.page.getByRole('combobox', { name: /^Account/ });
  await person.page
    .getByText(/^No payout account can be paid to yet: the first in 2[34] hours\.$/)
    .waitFor();
  expect(await field.inputValue()).toMatch(/ · usable in 2[34] hours$/);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await ripenCards(stand.platform as never, id);
  await keep(ibanOf(4_712), true);
  await person.open('/publisher/payouts/new');
  // Their usual one waits: the other is offered.
  await until('an account that can be paid to', async () =>
    (await field.inputValue()).endsWith(' · usable'),
  );
  await field.click();
  const waits = person.page.getByRole('option', { name: /usable in 2[34] hours$/ });
  await waits.waitFor();
  expect(await waits.getAttribute('data-combobox-disabled')).toBe('true');
}, 120_000);

test('bank accounts · another one as the default · is one click, and stays so', async () => {
  const account = await stand.newAccount('publisher', 'Cleats');
  for (const number of [4_721, 4_722]) {
    await account.api.must('POST', '/withdrawals/bank-cards', { ...CARD, iban: ibanOf(number) });
  }
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher/payouts/accounts');
  const cards = person.page.getByRole('article');
  const other = cards.filter({ hasText: ibanOf(4_722).slice(-4) });
  await other.getByRole('button', { name: /^Make it the default/ }).click();
  await person.page.getByText('Payouts go there when nothing else is said.').first().waitFor();
  await other.getByText('Default', { exact: true }).waitFor();
  expect(await cards.getByText('Default', { exact: true }).count()).toBe(1);
  expect((await person.counted()).clicks).toBe(1);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.open('/publisher/payouts/accounts');
  await cards.first().getByText('Default', { exact: true }).waitFor();
  expect(await cards.first().textContent()).toContain(ibanOf(4_722).slice(-4));
});

test('withdrawal · approved · says when it leaves, and calls no account new that may be none', async () => {
  const account = await stand.newAccount('publisher', 'Buoys');
  const { id } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  await passKyc(stand.platform as never, id);
  await fundPublisher(stand.platform.db, id, 100n * UNIT);
  const asked = await account.api.must<{ id: number }>('POST', '/withdrawals', {
    payment_method: 'PAYPAL',
    account_info: 'bo@buoys.example',
    amount: 20,
  });
  await approve('FINANCE', { type: 'withdrawal', id: asked.id });
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open(`/publisher/payouts/${asked.id}`);
  await person.page
    .getByText(/^Not sent before .+\. That is later where the account is new\.$/)
    .waitFor();
});

test('a debt · of earnings that were taken back · is said as what is owed, and why nothing can be withdrawn', async () => {
  const account = await stand.newAccount('publisher', 'Ebb');
  const { id } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  await indebtPublisher(stand.platform.db, id, 13_344_000_000n);
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher/payouts');
  const owed = person.page.getByRole('listitem').filter({ hasText: 'You owe' });
  await owed.getByText('$13.344', { exact: true }).waitFor();
  await person.open('/publisher/payouts/new');
  await person.page.getByText(/^You owe \$13\.344 of earnings that were taken back\./).waitFor();
  expect(await person.page.getByText('Earnings have to mature first').count()).toBe(0);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('a zone of a size of its own · edited · says so in the list of sizes', async () => {
  const account = await stand.newAccount('publisher', 'Sizes');
  const { id: publisherId } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  const { id: site_id } = await makeSite(stand.platform.db, publisherId);
  const { id } = await account.api.must<{ id: number }>('POST', '/zones', {
    name: 'Odd',
    site_id,
    type: 'BANNER',
    width: 301,
    height: 77,
  });
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open(`/publisher/zones/${id}/edit`);
  const size = person.page.getByRole('combobox', { name: 'Size' });
  expect(await size.inputValue()).toBe('Another size');
  expect(await person.field(/^Width/).inputValue()).toBe('301');
  await size.click();
  expect(await person.dialogBarriers('listbox')).toEqual([]);
  await person.page.getByRole('option', { name: /^728 × 90/ }).click();
  await person.field(/^Width/).waitFor({ state: 'detached' });
  await size.click();
  await person.page.getByRole('option', { name: 'Another size' }).click();
  expect(await person.field(/^Width/).inputValue()).toBe('301');
  expect(await person.barriers()).toEqual([]);
});

test('a zone’s code · of a frame · is in the language that its page is said to have, and stays so', async () => {
  const account = await stand.newAccount('publisher', 'Frames');
  const { id } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  const site = await makeSite(stand.platform.db, id, {});
  const zone = await makeZone(stand.platform.db, site);
  const person = await stand.newPerson({ as: ['publisher', account] });
  const { page } = person;
  await person.open(`/publisher/zones/${zone.id}?tab=iframe`);
  const panel = page.getByRole('tabpanel', { name: 'As a frame' });
  await panel.getByText('title="Advertisement"').waitFor();
  await panel.getByRole('combobox', { name: 'Language of the page' }).click();
  await page.getByRole('option', { name: 'German', exact: true }).click();
  await panel.getByText('title="Anzeige"').waitFor();
  expect(await panel.textContent()).toContain('?page_lang=de');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  // A script asks its page.
  await page.getByRole('tab', { name: 'For a web page' }).click();
  const script = page.getByRole('tabpanel', { name: 'For a web page' });
  await script.waitFor();
  expect(await script.getByRole('combobox').count()).toBe(0);
  await page.getByRole('tab', { name: 'As a frame' }).click();
  await panel.getByText('title="Anzeige"').waitFor();
});

test('fields · of two chosen words · are as high as the others', async () => {
  const account = await stand.newAccount('publisher', 'Boxes');
  const { id } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  await makeSite(stand.platform.db, id, {});
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher/zones/new?type=BANNER');
  const heights = await person.page.evaluate<number[]>(
    `[...document.querySelectorAll('fieldset .mantine-Input-wrapper')].map((box) => Math.round(box.getBoundingClientRect().height))`,
  );
  expect(heights.length).toBeGreaterThan(3);
  expect(new Set(heights).size).toBe(1);
});

test('the proof of an app · by its developer’s file · is called by that file’s name', async () => {
  const account = await stand.newAccount('publisher', 'Apps');
  const { id } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  const app = await makeSite(stand.platform.db, id, {
    mediaType: 'APP',
    appPackage: 'com.example.apps',
    verifyStatus: 'UNVERIFIED',
  });
  const site = await makeSite(stand.platform.db, id, { verifyStatus: 'UNVERIFIED' });
  const person = await stand.newPerson({ as: ['publisher', account] });
  const tab = (name: string) => person.page.getByRole('tab', { name, exact: true });
  await person.open(`/publisher/sites/${app.id}?tab=ADS_TXT`);
  await tab('app-ads.txt').waitFor();
  expect(await tab('ads.txt').count()).toBe(0);
  expect(await person.page.getByText('ads.txt', { exact: true }).count()).toBe(0);
  await person.open(`/publisher/sites/${site.id}?tab=ADS_TXT`);
  await tab('ads.txt').waitFor();
});

test('identity · by keys · a country as it is typed, the good ones of several files, the focus where it was', async () => {
  const account = await stand.newAccount('publisher', 'Papers');
  const person = await stand.newPerson({ as: ['publisher', account] });
  person.expects(/status of 41[35]/);
  const { keyboard } = person.page;
  await person.open('/publisher/kyc');
  const country = person.field(/^Country that issued/).first();
  await country.focus();
  await keyboard.type('india');
  await person.page.getByRole('option', { name: 'India', exact: true }).waitFor();
  expect(await person.dialogBarriers('listbox')).toEqual([]);
  await keyboard.press('Enter');
  await until('it is chosen', async () => (await country.inputValue()) === 'India');
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose files').press('Enter');
  await (
    await asked
  ).setFiles([
    { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
    { name: 'all.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(6_000_000, '%PDF') },
    {
      name: 'passport.png',
      mimeType: 'image/png',
      buffer: await image('png', { width: 300, height: 250 }),
    },
  ]);
  await person.page.getByText(/^note\.txt: This file is neither/).waitFor();
  await person.page.getByText(/all\.pdf: The file is too large: at most 5 MB\.$/).waitFor();
  await person.page.getByText(/^passport\.png/).waitFor();
  const hasFocus = async (name: string): Promise<boolean> =>
    await person.button(name).evaluate((node) => node === node.ownerDocument.activeElement);
  await until('files can be chosen again', async () => await hasFocus('Choose files'));
  expect(await person.barriers()).toEqual([]);
  await person.button('Take away').press('Enter');
  await person.page.getByText(/^passport\.png/).waitFor({ state: 'detached' });
  await until('the focus is on what is left', async () => await hasFocus('Choose files'));
  const send = person.button('Send for checking');
  await send.press('Enter');
  // The name, the number and a paper, beside what was wrong with the one that was given.
  const needed = person.page.getByText('Required.', { exact: true });
  await until('name and number are needed', async () => (await needed.count()) === 2);
  await person.page.getByText(/^Required\. note\.txt: This file/).waitFor();
  await person.field(/^Full name/).fill('Bob Sheet');
  await person.field(/^Number of/).fill('C01X00T47');
  await person.field(/^Valid until/).fill('2099-02-01');
  const again = person.page.waitForEvent('filechooser');
  await person.button('Choose files').press('Enter');
  await (
    await again
  ).setFiles({
    name: 'passport.png',
    mimeType: 'image/png',
    buffer: await image('png', { width: 300, height: 250 }),
  });
  await person.page.getByText(/^passport\.png/).waitFor();
  await send.press('Enter');
  await person.page.getByText('Feb 1, 2099', { exact: true }).waitFor();
  await person.settled();
  const now = await person.page.evaluate<string>('document.activeElement.id');
  expect(now).toBe('content');
  await person.open('/publisher/history');
  await person.page.getByRole('cell', { name: 'Proof of identity', exact: true }).waitFor();
  await person.open('/publisher/documents');
  await person.page.getByText(/A receipt comes some minutes after a payout,/).waitFor();
  // None of this run's months has ended.
  await person.page.route('**/api/publisher/documents?**', async (asked) => {
    const statement = {
      id: 1,
      kind: 'STATEMENT',
      number: 'ST-2026-000001',
      month: '2026-10',
      currency: 'USD',
      opening: 0,
      total: 76.25,
      closing: 76.25,
      formats: ['pdf'],
      issued_at: '2026-11-01T01:00:00.000Z',
    };
    const response = await asked.fetch();
    const body = (await response.json()) as { data: object };
    const json = { ...body, data: { ...body.data, items: [statement], total: 1 } };
    await asked.fulfill({ response, json });
  });
  await person.page.reload();
  await person.page.getByRole('cell', { name: 'October 2026', exact: true }).waitFor();
}, 120_000);
