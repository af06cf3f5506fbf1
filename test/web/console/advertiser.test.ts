import type { Locator } from 'playwright-core';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { image } from '../../support/images.ts';
import { type Listener, startListener } from '../../support/listener.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';
import { until } from '../../support/until.ts';
import { inlineOf, wrapperTo } from '../../support/vast-documents.ts';
import { html5Zip } from '../../support/zips.ts';

/** What an advertiser comes for: a campaign in review, money, and why something does not serve. */
const LANDING = 'https://shop.example.com/rope';
const KINDS = ['campaigns', 'adgroups', 'creatives', 'ads'] as const;
const REVIEWED = ['campaign', 'adgroup', 'ad', 'creative'] as const;

interface Rows {
  total: number;
  items: { id: number; name: string; status: string; audit_status: string }[];
}

interface Order {
  id: number;
  reference: string;
  status: string;
  amount: number;
  received: number;
}

let stand: ConsoleStand;
let sandboxes: TestSandboxes;
/** A model that writes nothing that it is asked for. */
let model: Listener;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  model = await startListener((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'against our rules' } }));
  });
  stand = await startConsole({
    ...sandboxes.env,
    AI_BASE_URL: model.url,
    AI_TEXT_MODEL: 'writer',
  });
  const admin = await stand.operator('ADMIN');
  // What a machine may approve would be approved at some moment of the story; a person never comes.
  for (const subject of REVIEWED) {
    await admin.api.must('PUT', `/settings/review.${subject}`, { value: 'human' });
  }
}, 120_000);
afterAll(async () => {
  await stand?.close();
  await sandboxes?.close();
  await model?.close();
}, 60_000);

const at = (person: Person): string => new URL(person.page.url()).pathname;

const rows = async ({ api }: Account, kind: (typeof KINDS)[number]): Promise<Rows> =>
  await api.must<Rows>('GET', `/${kind}`);

/** Of each of the four, the states of their reviews. */
async function reviews(account: Account): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const kind of KINDS) {
    const { items } = await rows(account, kind);
    found[kind] = items.map((row) => row.audit_status);
  }
  return found;
}

const ONE_OF_EACH = {
  campaigns: ['PENDING'],
  adgroups: ['PENDING'],
  creatives: ['PENDING'],
  ads: ['PENDING'],
};
const NONE = { campaigns: [], adgroups: [], creatives: [], ads: [] };

/** As a hand does it: into the field, then the text. */
async function write(person: Person, label: RegExp, text: string): Promise<void> {
  const field = person.field(label);
  await field.click();
  await field.fill(text);
}

async function choosePicture(person: Person): Promise<void> {
  const buffer = await image('png', { width: 300, height: 250 });
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose files').click();
  await (await asked).setFiles({ name: 'harbour-rope.png', mimeType: 'image/png', buffer });
  await person.button('Remove: harbour rope').waitFor();
}

/** A text campaign of this account, made through the API. */
async function newCampaign({ api }: Account, name: string): Promise<number> {
  const { id } = await api.must<{ id: number }>('POST', '/campaigns', {
    name,
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 0.2,
    landing_url: LANDING,
  });
  return id;
}

test('campaign · by mouse, of a picture · one of each waits for its review, still after a reload', async () => {
  const account = await stand.newAccount('advertiser', 'Mouse');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser');
  await person.link('New campaign').first().click();
  await person.heading('New campaign').waitFor();
  await choosePicture(person);
  // The file has said how the campaign may be called.
  expect(await person.field(/^Campaign name/).inputValue()).toBe('harbour rope');
  await write(person, /^Landing page/, LANDING);
  await write(person, /^Your bid/, '0.35');
  await write(person, /^Campaign name/, 'Autumn ropes');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.button('Create and submit for review').click();
  await person.page.waitForURL(/\/advertiser\/campaigns\/\d+$/);
  expect((await person.counted()).clicks).toBeLessThanOrEqual(12);
  for (const look of ['at once', 'after a reload']) {
    if (look === 'after a reload') await person.page.reload();
    await person.heading('Autumn ropes').waitFor();
    await person.page.getByText('The campaign waits for its review.').waitFor();
    await person.settled();
  }
  expect(await person.barriers()).toEqual([]);
  expect(await reviews(account)).toEqual(ONE_OF_EACH);
  expect((await rows(account, 'campaigns')).items[0]).toMatchObject({
    name: 'Autumn ropes',
    landing_url: LANDING,
    bid: 0.35,
  });
  // The path of a new account says how far it is.
  await person.open('/advertiser');
  const path = person.page.getByRole('list', { name: 'Your first ad' });
  const step = async (name: RegExp): Promise<string> =>
    (await path.getByRole('listitem').filter({ hasText: name }).getAttribute('data-state')) ?? '';
  await path.getByText('We are looking at it; we will tell you.').waitFor();
  expect(await step(/^✓Make a campaign/)).toBe('done');
  expect(await step(/^2Top up/)).toBe('next');
  expect(await step(/Pass the review/)).toBe('later');
  // A review goes on as anything else that takes its time, and what it is of is a press away.
  const on = person.page.getByRole('region', { name: 'In progress' });
  await on.getByRole('link', { name: '1 ad', exact: true }).waitFor();
  expect(await on.getByText('Nothing in progress.').count()).toBe(0);
  expect(await on.getByRole('link', { name: '1 creative' }).getAttribute('href')).toBe(
    '/console/advertiser/creatives?audit_status=PENDING',
  );
  // What its next thing is, it says with a link, and nothing else says it again.
  expect(await person.page.getByText('Your balance is empty').count()).toBe(0);
  await path.getByRole('link', { name: 'Top up' }).click();
  await person.heading('Money').waitFor();
});

/** The colour keeps two of one size apart. */
const picture = async (name: string, width: number, height: number, colour = '#c02020') => ({
  name,
  mimeType: 'image/png',
  buffer: await image('png', { width, height, colour }),
});

test('campaign · of pictures of several sizes at once · is an ad of each, and says which usual sizes are missing', async () => {
  const account = await stand.newAccount('advertiser', 'Sizes');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  const { page } = person;
  person.expects(/status of 415|ERR_CONNECTION_RESET/);
  await person.open('/advertiser/campaigns/new');
  const asked = page.waitForEvent('filechooser');
  await person.button('Choose files').click();
  await (
    await asked
  ).setFiles([
    await picture('rope-300x250.png', 300, 250),
    await picture('rope-728x90.png', 728, 90),
    await picture('again-728x90.png', 728, 90, '#20c020'),
    // The same bytes are the same file, and not shown twice.
    await picture('copy-of-it.png', 728, 90),
    { name: 'none.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
  ]);
  const chosen = page.getByRole('list', { name: 'Pictures, videos or HTML5' });
  await page.getByText('Each becomes an ad of its own: 3 ads.').waitFor();
  // What was refused is named, and holds up nothing.
  await page.getByText(/^none\.png: /).waitFor();
  expect(await chosen.getByRole('listitem').count()).toBe(3);
  await page.getByText(/Usual sizes that you do not have yet: .*320\s×\s50/).waitFor();
  // Called as its pictures are, without the size of the first.
  expect(await person.field(/^Campaign name/).inputValue()).toBe('rope');
  await write(person, /^Landing page/, LANDING);
  await write(person, /^Your bid/, '0.35');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  let ads = 0;
  // The second ad's answer is lost, and its picture taken away before the next try.
  await page.route('**/api/advertiser/ads', async (route) => {
    if (route.request().method() === 'POST') ads += 1;
    if (ads !== 3) return await route.continue();
    ads += 1;
    await route.fetch();
    return await route.abort('connectionreset');
  });
  await person.button('Create and submit for review').click();
  await page.getByText('Ad: no answer').waitFor();
  await person.button('Remove: rope 300x250').click();
  await person.button('Create and submit for review').click();
  await page.waitForURL(/\/advertiser\/campaigns\/\d+$/);
  const made = await account.api.must<{ items: { name: string; status: string }[] }>('GET', '/ads');
  const running = made.items.filter(({ status }) => status === 'ACTIVE').map(({ name }) => name);
  expect(running.toSorted()).toEqual(['rope 728×90', 'rope 728×90 #2']);
  expect((await rows(account, 'campaigns')).total).toBe(1);
  expect((await rows(account, 'creatives')).total).toBe(3);
});

test('campaign · of a budget below its bid · is told before it is sent, and says so after', async () => {
  const account = await stand.newAccount('advertiser', 'Thin');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser/campaigns/new');
  await choosePicture(person);
  await write(person, /^Landing page/, LANDING);
  await write(person, /^Your bid/, '5');
  await write(person, /^Daily budget/, '2');
  const told = person.page.getByText(/The budget is smaller than the bid/);
  await told.waitFor();
  await write(person, /^Daily budget/, '5');
  await until('it pays for one', async () => (await told.count()) === 0);
  await write(person, /^Daily budget/, '2');
  await person.button('Create and submit for review').click();
  await person.page.waitForURL(/\/advertiser\/campaigns\/\d+$/);
  await told.waitFor();
  await person.settled();
  expect((await rows(account, 'campaigns')).items[0]).toMatchObject({
    delivery_reasons: expect.arrayContaining(['BUDGET_BELOW_BID']),
  });
  expect(await person.barriers()).toEqual([]);
});

test('campaign · paid by conversions · has its tracker’s help off the box below', async () => {
  const account = await stand.newAccount('advertiser', 'Spaces');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser/campaigns/new');
  await person
    .field(/^Pay per/)
    .first()
    .click();
  await person.page.getByRole('option', { name: /CPA/ }).click();
  const field = person.page.locator('.mantine-InputWrapper-root', { hasText: /^Tracker/ });
  const help = await field.locator('.mantine-InputWrapper-description').boundingBox();
  const box = await field.getByRole('combobox').boundingBox();
  if (help === null || box === null) throw new Error('the field is not drawn');
  expect(box.y - help.y - help.height).toBeGreaterThanOrEqual(4);
});

test('campaign · with a landing page that is none · is refused at its field; mended, it is made once', async () => {
  const account = await stand.newAccount('advertiser', 'Slip');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  person.expects(/status of 422/);
  await person.open('/advertiser/campaigns/new');
  await choosePicture(person);
  await write(person, /^Landing page/, 'shop dot example');
  await write(person, /^Your bid/, '0.35');
  await person.button('Create and submit for review').click();
  const landing = person.field(/^Landing page/);
  await until(
    'the landing page is refused',
    async () => (await landing.getAttribute('aria-invalid')) === 'true',
  );
  expect(await isFocused(landing)).toBe(true);
  expect(at(person)).toBe('/console/advertiser/campaigns/new');
  expect(await person.barriers()).toEqual([]);
  expect(await reviews(account)).toEqual(NONE);
  await write(person, /^Landing page/, LANDING);
  await person.button('Create and submit for review').click();
  await person.page.waitForURL(/\/advertiser\/campaigns\/\d+$/);
  expect(await reviews(account)).toEqual(ONE_OF_EACH);
});

test('campaign · whose answer was lost · is not called refused; sent again, it is made once', async () => {
  const account = await stand.newAccount('advertiser', 'Lost');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  person.expects(/ERR_CONNECTION_RESET/);
  await person.open('/advertiser/campaigns/new');
  await choosePicture(person);
  await write(person, /^Landing page/, LANDING);
  await write(person, /^Your bid/, '0.35');
  await person.page.route(
    '**/api/advertiser/campaigns',
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await person.button('Create and submit for review').click();
  await person.page.getByText('Campaign: no answer').waitFor();
  await person.page
    .getByText('No answer came. Press the button again: nothing is made twice.')
    .waitFor();
  expect(await person.page.getByText('It stopped here.').count()).toBe(0);
  await person.button('Create and submit for review').click();
  await person.page.waitForURL(/\/advertiser\/campaigns\/\d+$/);
  expect(await reviews(account)).toEqual(ONE_OF_EACH);
});

const isFocused = async (locator: Locator): Promise<boolean> =>
  await locator.evaluate((node) => node === node.ownerDocument.activeElement);

/** As far as anybody would go on pressing Tab. */
const TABS_MAX = 60;

async function tabTo(person: Person, locator: Locator): Promise<void> {
  await locator.waitFor();
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (await isFocused(locator)) return;
    await person.page.keyboard.press('Tab');
  }
  throw new Error(`${TABS_MAX} tabs do not lead to ${String(locator)}`);
}

async function type(person: Person, label: RegExp, text: string): Promise<void> {
  await tabTo(person, person.field(label).first());
  await person.page.keyboard.type(text);
}

async function enter(person: Person, locator: Locator): Promise<void> {
  await tabTo(person, locator);
  await person.page.keyboard.press('Enter');
}

test('campaign · by keyboard alone, from the login on · a text campaign waits for its review', async () => {
  const account = await stand.newAccount('advertiser', 'Keys');
  const person = await stand.newPerson();
  const { keyboard } = person.page;
  await person.open('/advertiser/login');
  await type(person, /^Username/, account.username);
  await type(person, /^Password/, account.password);
  await keyboard.press('Enter');
  await person.page.waitForURL('**/console/advertiser');
  await person.settled();
  await enter(person, person.link('New campaign').first());
  await person.heading('New campaign').waitFor();
  await type(person, /^Ad type/, 'Text');
  // The list narrows a moment after the keys: nobody chooses what is not shown.
  await person.page.getByRole('option', { name: 'Text', exact: true }).waitFor();
  await person.page.getByRole('option').nth(1).waitFor({ state: 'hidden' });
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await type(person, /^Title/, 'Ropes that hold');
  await type(person, /^Landing page/, LANDING);
  await type(person, /^Your bid/, '0.2');
  await type(person, /^Campaign name/, 'By keyboard');
  await enter(person, person.button('Create and submit for review'));
  await person.page.waitForURL(/\/advertiser\/campaigns\/\d+$/);
  await person.page.getByText('The campaign waits for its review.').waitFor();
  const { clicks, keys } = await person.counted();
  expect(clicks).toBe(0);
  expect(keys).toBeGreaterThan(50);
  expect(await reviews(account)).toEqual(ONE_OF_EACH);
  expect((await rows(account, 'ads')).items[0]).toMatchObject({ title: 'Ropes that hold' });
});

test('campaigns · in the list · paused and resumed by a click each; why it does not serve by one more', async () => {
  const account = await stand.newAccount('advertiser', 'Lister');
  const id = await newCampaign(account, 'Winter ropes');
  await newCampaign(account, 'Summer ropes');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser/campaigns');
  const row = person.page.getByRole('row', { name: /Winter ropes/ });
  const isNow = async (status: string): Promise<void> => {
    const { status: now } = await account.api.must<{ status: string }>('GET', `/campaigns/${id}`);
    expect(now).toBe(status);
  };
  await row.getByRole('button', { name: 'Pause', exact: true }).click();
  await row.getByRole('button', { name: 'Resume' }).waitFor();
  expect((await person.counted()).clicks).toBe(1);
  await isNow('PAUSED');
  await person.page.reload();
  await person.settled();
  await row.getByRole('button', { name: 'Resume' }).click();
  await row.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await isNow('ACTIVE');
  const before = (await person.counted()).clicks;
  await row.getByRole('button', { name: /why\?$/ }).click();
  const why = person.page.getByRole('dialog');
  await why.getByText('The campaign waits for its review.').waitFor();
  expect((await person.counted()).clicks - before).toBeLessThanOrEqual(2);
  expect(await person.barriers()).toEqual([]);
  const { items } = await rows(account, 'campaigns');
  expect(items.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
});

test('top-up · ordered, then cancelled · shows its reference, asks first, and stays cancelled', async () => {
  const account = await stand.newAccount('advertiser', 'Payer');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser/money');
  expect(await person.barriers()).toEqual([]);
  await write(person, /^Amount/, '2');
  await person.button('Order the top-up').click();
  await person.page.getByText('At least $10.00 this way.', { exact: true }).waitFor();
  await write(person, /^Amount/, '250');
  await person.button('Order the top-up').click();
  await person.page.waitForURL(/\/advertiser\/money\/deposits\/\d+$/);
  await person.settled();
  const orders = async () => await account.api.must<{ items: Order[] }>('GET', '/deposits');
  const [order, ...others] = (await orders()).items;
  expect(others).toEqual([]);
  expect(order).toMatchObject({ status: 'PENDING', amount: 250 });
  expect(await person.field(/^Reference/).innerText()).toBe(order?.reference);
  await person.button('Cancel the top-up').click();
  const asked = person.page.getByRole('dialog', { name: 'Cancel this top-up?' });
  await asked.waitFor();
  expect(await person.barriers()).toEqual([]);
  expect((await orders()).items[0]).toMatchObject({ status: 'PENDING' });
  await asked.getByRole('button', { name: 'Cancel the top-up' }).click();
  await person.page.getByText('It was cancelled before money came.').waitFor();
  await person.page.reload();
  await person.page.getByText('It was cancelled before money came.').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  expect((await orders()).items[0]).toMatchObject({ status: 'CANCELLED' });
  // What comes for it after that is not kept from its payer.
  const finance = await stand.operator('FINANCE');
  const late = { amount: 250, reference: 'LATE-1' };
  await finance.api.must('POST', `/deposits/${order?.id}/receipts`, late);
  await until('the money is noted', async () => (await orders()).items[0]?.received === 250);
  await person.page.reload();
  await person.page.getByText(/Money came all the same/).waitFor();
  // Another one begins as it was.
  await person.link('Order a new one').click();
  await person.heading('Top up').waitFor();
  expect(await person.field(/^Amount/).inputValue()).toBe('$250');
});

test('top-up in USDT · on TRON · an address of its own as text and code, and which network; the chain credits it', async () => {
  const account = await stand.newAccount('advertiser', 'TokenPayer');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  const { page } = person;
  await person.open('/advertiser/money');
  await write(person, /^Amount/, '50');
  await page.getByRole('radio', { name: 'USDT' }).check();
  await page.getByRole('radio', { name: 'TRON (TRC20)' }).check();
  expect(await person.barriers()).toEqual([]);
  await person.button('Order the top-up').click();
  await page.waitForURL(/\/advertiser\/money\/deposits\/\d+$/);
  await page.getByText('Only on TRON (TRC20)').waitFor();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const { items } = await account.api.must<{ items: { payment: { address: string } }[] }>(
    'GET',
    '/deposits',
  );
  const address = items[0]?.payment.address ?? '';
  expect(address).toMatch(/^T\w{33}$/);
  expect(await person.field(/^Address/).innerText()).toBe(address);
  expect(await person.barriers()).toEqual([]);
  sandboxes.tron.send({ to: address, value: 50_000_000n });
  sandboxes.tron.mine(18);
  // A look every ten seconds, and its flow.
  await page.getByText('Done: it is in your balance.').waitFor({ timeout: 120_000 });
}, 180_000);

test('a creative · sent without its content · says what it lacks, and leads to where it goes', async () => {
  const account = await stand.newAccount('advertiser', 'Bare');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  const { page } = person;
  await person.open('/advertiser/creatives/new');
  await write(person, /^Name/, 'Knots');
  await person.button('Submit for review').click();
  await page.getByText('It has no content yet: add its HTML code, then submit it.').waitFor();
  expect(await person.button('Submit for review').getAttribute('aria-disabled')).toBe('true');
  await person.button('Add content').click();
  const code = person.field('HTML code');
  await until(
    'its field has the focus',
    async () => await code.evaluate((node) => node === node.ownerDocument.activeElement),
  );
  await page.keyboard.type('<b>Knots that hold</b>');
  await person.button('Save').click();
  await page.getByText('It has no content yet').waitFor({ state: 'detached' });
  await person.button('Submit for review').click();
  await page.getByText('It waits for a reviewer.').waitFor();
  expect(await reviews(account)).toEqual({ ...NONE, creatives: ['PENDING'] });
});

test('a creative of VAST · by its own film, and by another server’s · shows the film, or says who has it', async () => {
  const account = await stand.newAccount('advertiser', 'Films');
  const make = async (name: string, vast: string): Promise<number> => {
    const body = { name, creative_type: 'vast', vast_xml: vast, save_as_draft: true };
    return (await account.api.must<{ id: number }>('POST', '/creatives', body)).id;
  };
  const film = 'https://films.example/rope.mp4';
  const own = await make('Own film', inlineOf(film));
  const elsewhere = await make('Elsewhere', wrapperTo('https://films.example/next.xml'));
  const person = await stand.newPerson({ as: ['advertiser', account] });
  // Nobody has this name.
  person.expects(/ERR_NAME_NOT_RESOLVED/);
  await person.open(`/advertiser/creatives/${own}`);
  await person.page.locator(`video[src="${film}"]`).waitFor();
  await person.page.getByText('00:00:15', { exact: true }).waitFor();
  expect(await person.barriers()).toEqual([]);
  await person.follow(`/advertiser/creatives/${elsewhere}`);
  await person.page.getByText(/^The film is on another server/).waitFor();
  expect(await person.page.locator('video').count()).toBe(0);
  expect(await person.barriers()).toEqual([]);
});

test('a creative of a picture · given another kind of file · says so at once, and keeps its own', async () => {
  const account = await stand.newAccount('advertiser', 'Mixed');
  const { id } = await account.api.must<{ id: number }>('POST', '/creatives', {
    name: 'Rope',
    creative_type: 'image',
  });
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open(`/advertiser/creatives/${id}?edit=1`);
  await person.page.getByText('Drop a picture here, or').waitFor();
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose a file').click();
  const zip = { name: 'rope.zip', mimeType: 'application/zip', buffer: await html5Zip() };
  await (await asked).setFiles(zip);
  await person.page.getByText('This creative shows a picture, and this file is none.').waitFor();
  await person.button('Save').click();
  await person.page.getByText('Saved.').waitFor();
  expect(await account.api.must('GET', `/creatives/${id}`)).toMatchObject({
    image_media_id: null,
    audit_status: 'DRAFT',
  });
});

/** Decided by a reviewer as soon as it is asked. */
async function reject(type: string, id: number): Promise<void> {
  const { api } = await stand.operator('REVIEWER');
  const task = await until(`the review of ${type} ${id}`, async () => {
    const query = `status=open&subject_type=${type}&subject_id=${id}`;
    const { items } = await api.must<{ items: { id: number }[] }>('GET', `/tasks?${query}`);
    return items[0];
  });
  await api.must('POST', `/tasks/${task.id}/decision`, {
    decision: 'reject',
    reasons: [{ code: 'MISLEADING', note: 'No rope holds for ever.' }],
  });
}

/** A creative and an ad that shows it, of this campaign. */
async function newAd({ api }: Account, campaign: number, name: string) {
  const made = async (path: string, body: object): Promise<number> =>
    (await api.must<{ id: number }>('POST', path, { name, ...body })).id;
  const group = await made('/adgroups', { campaign_id: campaign });
  const creative = await made('/creatives', { creative_type: 'text' });
  const ad = await made('/ads', { adgroup_id: group, creative_id: creative, title: name });
  return { creative, ad };
}

test('what was sent back · campaign, ad or creative · begins with the reasons, and is mended by the button beside them', async () => {
  const account = await stand.newAccount('advertiser', 'Returned');
  const campaign = await newCampaign(account, 'Ropes for ever');
  const { creative, ad } = await newAd(account, campaign, 'For ever');
  await reject('campaign', campaign);
  await reject('creative', creative);
  await reject('ad', ad);
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser');
  for (const [thing, name, form] of [
    ['Campaign', 'Ropes for ever', /^Bid/],
    ['Creative', 'For ever', /^Name/],
    ['Ad', 'For ever', /^Title/],
  ] as const) {
    await person.follow('/advertiser');
    const need = person.page.getByRole('listitem').filter({
      hasText: `${thing} “${name}” was rejected.`,
    });
    await need.getByRole('link', { name: 'See why' }).click();
    await person.heading(name).waitFor();
    await person.settled();
    // Nothing stands between the heading and what they say.
    const first = person.page.getByRole('main').getByRole('alert').first();
    await first.getByText('No rope holds for ever.').waitFor();
    await first.getByRole('link', { name: 'Fix it' }).click();
    await person.field(form).waitFor();
    await person.button('Save').waitFor();
    expect(await person.link('Fix it').count()).toBe(0);
    expect(await person.button('Appeal').count()).toBe(0);
    expect(await person.barriers()).toEqual([]);
  }
});

test('a campaign · whose creative waits for its review · says how many are before it and until when, and leads there', async () => {
  const account = await stand.newAccount('advertiser', 'Waits');
  const campaign = await newCampaign(account, 'Ropes in line');
  const { creative } = await newAd(account, campaign, 'In line');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open(`/advertiser/campaigns/${campaign}`);
  const why = person.page.getByRole('alert', { name: 'Why it is not serving' });
  const line = why
    .getByRole('listitem')
    .filter({ hasText: /^“In line”: The creative waits for its review\./ });
  await line
    .getByText(
      /ahead of it in the queue; answered by .+ at the latest\.|next in the queue; answered by /,
    )
    .waitFor();
  // It is on its own page: its own review has no link that leads nowhere.
  const own = why
    .getByRole('listitem')
    .filter({ hasText: /^The campaign waits for its review\..+in the queue/ });
  await own.waitFor();
  expect(await own.getByRole('link').count()).toBe(0);
  expect(await person.barriers()).toEqual([]);
  await line.getByRole('link', { name: 'See the review' }).click();
  await person.page.waitForURL(`**/advertiser/creatives/${creative}`);
  await person.page.getByText('Where it stands').waitFor();
});

test('home · a draft, and a creative without content · are said there, each with one press that ends it', async () => {
  const account = await stand.newAccount('advertiser', 'Begun');
  const draft = await account.api.must<{ id: number }>('POST', '/campaigns', {
    name: 'Ropes begun',
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 0.2,
    landing_url: LANDING,
    save_as_draft: true,
  });
  const bare = await account.api.must<{ id: number }>('POST', '/creatives', {
    name: 'Bare',
    creative_type: 'html',
    save_as_draft: true,
  });
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser');
  const needs = person.page.getByRole('alert', { name: 'Unfinished' });
  await needs.getByText('Creative “Bare” has no content yet.').waitFor();
  const line = needs.getByRole('listitem').filter({ hasText: 'Campaign “Ropes begun” is a draft' });
  expect(await person.barriers()).toEqual([]);
  await line.getByRole('button', { name: /^Submit for review/ }).click();
  await line.waitFor({ state: 'detached' });
  const { audit_status: now } = await account.api.must<{ audit_status: string }>(
    'GET',
    `/campaigns/${draft.id}`,
  );
  expect(now).toBe('PENDING');
  await needs.getByText('Campaign “Ropes begun” has no ad yet.').waitFor();
  await needs.getByRole('link', { name: 'Add content' }).click();
  await person.page.waitForURL(`**/advertiser/creatives/${bare.id}?edit=1`);
  await person.field('HTML code').waitFor();
});

test('made with AI · refused says so and what to do; pictures that are made stand before how they were', async () => {
  const account = await stand.newAccount('advertiser', 'Maker');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  const { page } = person;
  await person.open('/advertiser/creatives/generate?kind=copy');
  await write(person, /^Describe it/, 'Ropes that hold');
  await person.button('Generate').click();
  await page.getByText(/^The generator will not make this\. Describe it in another way/).waitFor();
  expect(await person.barriers()).toEqual([]);

  // What cannot be is said before anything is sent.
  await page.getByRole('main').getByText('Video', { exact: true }).click();
  await write(person, /^Describe it/, 'Ropes that hold');
  await write(person, /^Length, seconds/, '99');
  await person.button('Generate').click();
  await page.getByText('At most 15.', { exact: true }).waitFor();

  await page.getByRole('main').getByText('Picture', { exact: true }).click();
  await write(person, /^Describe it/, 'Ropes that hold');
  await person.button('Generate').click();
  await person.button('Use as a creative').nth(1).waitFor();
  const headings = await page
    .getByRole('main')
    .getByRole('heading', { level: 2 })
    .allTextContents();
  expect(headings).toEqual(['What is made of it', 'How it went']);
  expect(await person.barriers()).toEqual([]);
});

test('a campaign · with a name of another direction · is in its own order, in the list and on its page', async () => {
  const account = await stand.newAccount('advertiser', 'Hebrew');
  const name = 'חבלים!';
  const id = await newCampaign(account, name);
  const person = await stand.newPerson({ as: ['advertiser', account] });
  // Where its last sign stands: at the left of the word that it ends.
  const endsAtLeft = async (of: Locator): Promise<boolean> =>
    await of.evaluate((node) => {
      const text = node.firstChild ?? node;
      const leftOf = (from: number, to: number): number => {
        const range = node.ownerDocument.createRange();
        range.setStart(text, from);
        range.setEnd(text, to);
        return range.getBoundingClientRect().left;
      };
      const last = (text.textContent ?? '').length - 1;
      return leftOf(last, last + 1) < leftOf(0, 1);
    });
  await person.open('/advertiser/campaigns');
  expect(await endsAtLeft(person.link(name))).toBe(true);
  await person.follow(`/advertiser/campaigns/${id}`);
  await person.heading(name).waitFor();
  expect(await endsAtLeft(person.heading(name))).toBe(true);
});
