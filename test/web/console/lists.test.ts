import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { image } from '../../support/images.ts';
import { until } from '../../support/until.ts';

/** What a list says of itself: where it ends, what it is narrowed to, and what is done to its rows. */
const CAMPAIGNS = 25;
const ZONES = 60;

let stand: ConsoleStand;
let owner: Account;
let holder: Account;
let siteId: number;
let trackerId: number;

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Shelves');
  holder = await stand.newAccount('publisher', 'Racks');
  const { pool } = stand.platform;
  const idOf = async ({ api }: Account): Promise<number> =>
    (await api.must<{ id: number }>('GET', '/auth/profile')).id;
  await pool.query(
    `INSERT INTO campaigns (advertiser_id, name, ad_type, bid_nanos, status, audit_status)
     SELECT $1, 'Rope ' || lpad(i::text, 3, '0'), 'TEXT', 1000000, 'ACTIVE', 'APPROVED'
     FROM generate_series(1, $2::int) i`,
    [await idOf(owner), CAMPAIGNS],
  );
  trackerId = (
    await owner.api.must<{ id: number }>('POST', '/trackers', {
      name: 'Checkout',
      event_type: 'PURCHASE',
    })
  ).id;
  const { id: site } = await holder.api.must<{ id: number }>('POST', '/sites', {
    name: 'Gazette',
    domain: 'gazette.example.com',
  });
  siteId = site;
  await pool.query(
    `UPDATE sites SET audit_status = 'APPROVED', verify_status = 'VERIFIED' WHERE id = $1`,
    [siteId],
  );
  await pool.query(
    `INSERT INTO zones (publisher_id, site_id, zone_key, name, type, width, height)
     SELECT $1, $2, md5(i::text), 'Corner ' || lpad(i::text, 3, '0'), 'BANNER', 300, 250
     FROM generate_series(1, $3::int) i`,
    [await idOf(holder), siteId, ZONES],
  );
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const asOwner = async (): Promise<Person> => await stand.newPerson({ as: ['advertiser', owner] });
const searchOf = ({ page }: Person): string => new URL(page.url()).search;
const box = ({ page }: Person, name: string) =>
  page.getByRole('checkbox', { name: `Choose ${name}`, exact: true });

test('a page past the end · by an old address · says so, and leads to the last one', async () => {
  const person = await asOwner();
  await person.open('/advertiser/campaigns?page=7');
  await person.page.getByText('Nothing is on this page any more').waitFor();
  expect(await person.page.getByText('No campaign yet').count()).toBe(0);
  expect(await person.barriers()).toEqual([]);
  await person.button('Go to page 2, the last one').click();
  await box(person, 'Rope 001').waitFor();
  expect(searchOf(person)).toBe('?page=2');
});

test('rows that are chosen · named, and left by another page or filter · are chosen no more', async () => {
  const person = await asOwner();
  const bar = person.page.getByRole('toolbar');
  await person.open('/advertiser/campaigns');
  await box(person, 'Rope 025').check();
  await bar.getByText('1 chosen').waitFor();
  await person.button('Page 2 of 2').click();
  await box(person, 'Rope 001').waitFor();
  expect(await bar.count()).toBe(0);
  await box(person, 'Rope 001').check();
  await person.field('Name').fill('Rope 00');
  await person.page.waitForURL(/keyword/);
  await person.settled();
  expect(await bar.count()).toBe(0);
  expect(await box(person, 'Rope 001').isChecked()).toBe(false);
});

test('on a phone, by keys · a list with heads · no stop is out of sight, all rows are chosen by one box', async () => {
  const person = await stand.newPerson({
    as: ['advertiser', owner],
    viewport: { width: 360, height: 740 },
  });
  const { page } = person;
  await person.open('/advertiser/campaigns');
  const all = page.getByRole('checkbox', { name: 'All', exact: true });
  await all.waitFor();
  await all.focus();
  // As the keyboard goes on from the head: the next stop is in the first row, not a head that nobody sees.
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("tbody") !== null')).toBe(true);
  const { width = 0, height = 0 } = (await all.boundingBox()) ?? {};
  expect(Math.min(width, height)).toBeGreaterThan(10);
  await all.check();
  await page.getByRole('toolbar').getByText('20 chosen').waitFor();
  expect(await person.barriers()).toEqual([]);
});

test('on a phone · a link that looks like a button · says its words in the middle', async () => {
  const racks = await stand.newAccount('advertiser', 'Empty');
  const person = await stand.newPerson({
    as: ['advertiser', racks],
    viewport: { width: 360, height: 740 },
  });
  await person.open('/advertiser/trackers');
  await person.page.getByText('No tracker yet').waitFor();
  const off = await person.page.evaluate<number[]>(`[...document.querySelectorAll('main a')]
    .filter((link) => link.querySelector('.mantine-Button-label'))
    .map((link) => {
      const [box, words] = [link, link.querySelector('.mantine-Button-label')].map((node) => node.getBoundingClientRect());
      return Math.abs(box.top + box.height / 2 - (words.top + words.height / 2));
    })`);
  expect(off.length).toBeGreaterThan(0);
  expect(Math.max(...off)).toBeLessThan(1.5);
});

test('creatives chosen by their cards · paused together · each says so, and one stays as it was', async () => {
  const ids: number[] = [];
  for (const name of ['Knot', 'Splice', 'Bend']) {
    ids.push((await owner.api.must<{ id: number }>('POST', '/creatives', { name })).id);
  }
  const person = await asOwner();
  const bar = person.page.getByRole('toolbar');
  await person.open('/advertiser/creatives');
  await person.page.getByRole('checkbox', { name: 'All', exact: true }).check();
  await bar.getByText('3 chosen').waitFor();
  await box(person, 'Bend').uncheck();
  expect(await bar.getByRole('button', { name: 'Set the bid' }).count()).toBe(0);
  expect(await person.barriers()).toEqual([]);
  await bar.getByRole('button', { name: 'Pause' }).click();
  const asked = person.page.getByRole('dialog');
  await asked.getByText('2 rows will be changed.').waitFor();
  await asked.getByRole('button', { name: 'Do it' }).click();
  await asked.waitFor({ state: 'detached' });
  expect(await bar.count()).toBe(0);
  const states = ids.map(
    async (id) => (await owner.api.must<{ status: string }>('GET', `/creatives/${id}`)).status,
  );
  expect(await Promise.all(states)).toEqual(['PAUSED', 'PAUSED', 'ACTIVE']);
});

test('by keys · a row that leaves its list, a form and back · the focus is at what stands in its place', async () => {
  const person = await asOwner();
  const { page } = person;
  const hasFocus = async (target: Locator): Promise<void> => {
    await until(
      `the focus is at ${String(target)}`,
      async () => await target.evaluate((node) => node === node.ownerDocument.activeElement),
    );
  };
  const press = async (button: Locator): Promise<void> => {
    await button.focus();
    await page.keyboard.press('Enter');
  };
  await person.open('/advertiser/campaigns?status=ACTIVE');
  const row = page.getByRole('row', { name: /Rope 024/ });
  await press(row.getByRole('button', { name: 'Pause' }));
  await row.waitFor({ state: 'detached' });
  await hasFocus(box(person, 'Rope 023'));
  // The last way of going: with a dialog between.
  await press(person.button('Actions: Rope 022'));
  await press(page.getByRole('menuitem', { name: 'Archive' }));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Archive' }));
  await page.getByRole('row', { name: /Rope 022/ }).waitFor({ state: 'detached' });
  await hasFocus(box(person, 'Rope 021'));
  const { id } = await owner.api.must<{ id: number }>('POST', '/creatives', {
    name: 'Hitch',
    creative_type: 'text',
  });
  await person.open(`/advertiser/creatives/${id}`);
  await press(person.button('Edit'));
  await hasFocus(person.field(/^Name/));
  await press(person.button('Cancel'));
  await hasFocus(person.button('Edit'));
  // A button that waits for its answer has the focus again when it has come.
  await person.open('/advertiser/creatives/generate');
  await page.getByText('Ad copy', { exact: true }).click();
  await person.field(/^Describe it/).fill('A knot');
  await press(person.button('Generate'));
  await page.getByText('Generated', { exact: true }).waitFor();
  await hasFocus(person.button('Generate'));
  // A dialog that asks for something begins there, and not at what closes it.
  await person.open('/advertiser/campaigns');
  await press(person.button(/^Views/));
  await press(page.getByRole('menuitem', { name: 'Save this view…' }));
  await hasFocus(page.getByRole('dialog').getByLabel(/^Name/));
  await page.keyboard.press('Escape');
  await hasFocus(person.button(/^Views/));
  // What keys lead to is not behind the head of the page.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await box(person, 'Rope 025').focus();
  const head = await page.getByRole('banner').boundingBox();
  const shown = await box(person, 'Rope 025').boundingBox();
  expect(shown?.y).toBeGreaterThan(head?.height ?? 0);
});

test('a budget that somebody else has changed · saved from a list · shows theirs, and one of both', async () => {
  const person = await asOwner();
  person.expects(/status of 412/);
  await person.open('/advertiser/campaigns?keyword=Rope%20010');
  const { items } = await owner.api.must<{ items: { id: number }[] }>(
    'GET',
    '/campaigns?keyword=Rope%20010',
  );
  const id = items[0]?.id;
  const open = person.button(/^Daily budget of Rope 010/);
  await open.click();
  await person
    .field(/^Daily budget of Rope 010/)
    .last()
    .fill('20');
  await owner.api.must('PUT', `/campaigns/${id}`, { daily_budget: 35 });
  const asked = person.page.getByRole('dialog');
  await asked.getByRole('button', { name: 'Save' }).click();
  await asked.getByText('Somebody changed this meanwhile').waitFor();
  await asked.getByRole('row', { name: /Daily budget \$35\.00 \$20\.00/ }).waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await asked.getByRole('button', { name: 'Keep mine' }).click();
  await asked.waitFor({ state: 'detached' });
  const row = await owner.api.must<{ daily_budget: number }>('GET', `/campaigns/${id}`);
  expect(row.daily_budget).toBe(20);
});

test('conversions of one tracker · by an address · say so, and are all shown again', async () => {
  const person = await asOwner();
  await person.open(`/advertiser/conversions?tracker_id=${trackerId}`);
  const pick = person.page.getByRole('combobox', { name: 'Tracker' });
  expect(await pick.inputValue()).toBe('Checkout');
  await person.button('Clear').last().click();
  await person.page.waitForURL((url) => url.search === '');
  await pick.fill('Chec');
  await person.page.getByRole('option', { name: 'Checkout' }).click();
  await person.page.waitForURL(/tracker_id/);
});

test('the ledger of one owner, and terms of one publisher · by an address · are named and cleared', async () => {
  const person = await stand.newPerson({ as: ['admin', await stand.operator('ADMIN')] });
  const { id } = await holder.api.must<{ id: number }>('GET', '/auth/profile');
  for (const [address, label] of [
    [`/operator/ledger?owner_type=PUBLISHER&owner_id=${id}`, 'Owner by name'],
    [`/operator/terms?publisher_id=${id}`, 'Publisher'],
  ] as const) {
    await person.open(address);
    const pick = person.page.getByRole('combobox', { name: label, exact: true });
    expect(await pick.inputValue()).toContain('Racks Ltd');
    expect(await person.barriers()).toEqual([]);
    await person.page.getByRole('search').getByText('Clear', { exact: true }).click();
    await person.page.waitForURL((url) => url.search === '');
  }
});

test('a site with many zones · turned to the second page · shows the rest', async () => {
  const person = await stand.newPerson({ as: ['publisher', holder] });
  await person.open(`/publisher/sites/${siteId}`);
  await person.button('Page 2 of 2').click();
  await person.page.waitForURL(/page=2/);
  await person.settled();
  expect(await person.page.getByRole('table', { name: 'Zones' }).locator('tbody tr').count()).toBe(
    ZONES - 50,
  );
});

const FILM = readFileSync(path.join(process.cwd(), 'test/fixtures/video/tone.webm'));

/** The files of the library that stand there now. */
const filesOf = async ({ page }: Person): Promise<string[]> => {
  const names = page
    .getByRole('list', { name: 'Media' })
    .getByRole('listitem')
    .locator('p')
    .first();
  await names.waitFor();
  return await page
    .getByRole('list', { name: 'Media' })
    .getByRole('listitem')
    .evaluateAll((cards) => cards.map((card) => card.querySelector('p')?.textContent ?? ''));
};

test('media · many dropped, one chosen for a creative by keys · is deleted only while no creative shows it', async () => {
  const person = await asOwner();
  const { page } = person;
  await person.open('/advertiser/media');
  await page.getByText('No file yet').waitFor();
  const asked = page.waitForEvent('filechooser');
  await person.button('Choose files').click();
  await (
    await asked
  ).setFiles([
    { name: 'harbour.png', mimeType: 'image/png', buffer: await image('png') },
    { name: 'harbour.webm', mimeType: 'video/webm', buffer: FILM },
    { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
  ]);
  person.expects(/415/);
  // Each says how it went; the third is refused by name.
  await page.getByText(/^Refused: The file is not/).waitFor();
  await person.settled();
  expect(await filesOf(person)).toEqual(['harbour.webm', 'harbour.png']);
  expect(await person.barriers()).toEqual([]);
  await person.field('Kind').click();
  await page.getByRole('option', { name: 'Picture' }).click();
  await person.settled();
  expect([searchOf(person), await filesOf(person)]).toEqual(['?type=IMAGE', ['harbour.png']]);

  await person.open('/advertiser/creatives/new');
  await person.field('Name').fill('Harbour');
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Picture', exact: true }).click();
  await person.button('Choose from your media').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Choose a picture' });
  // A video is no picture.
  await dialog.getByRole('button', { name: /harbour/ }).waitFor();
  expect(await dialog.getByRole('button', { name: /harbour/ }).count()).toBe(1);
  expect(await person.barriers()).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await person.button('Submit for review').click();
  await page.waitForURL(/\/creatives\/\d+$/);

  await person.open('/advertiser/media');
  const remove = (name: string) =>
    page.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Delete' });
  expect(await remove('harbour.png').getAttribute('aria-description')).toBe(
    'Shown by “Harbour”: archive the creative or give it another file first.',
  );
  expect(await remove('harbour.png').getAttribute('aria-disabled')).toBe('true');
  await remove('harbour.webm').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted.').waitFor();
  await person.settled();
  expect(await filesOf(person)).toEqual(['harbour.png']);
  expect(person.faults()).toEqual([]);
});

test('filters on a phone · none set · wait behind a button, and stay in sight while one narrows the list', async () => {
  const viewport = { width: 360, height: 800 };
  const person = await stand.newPerson({ as: ['advertiser', owner], viewport });
  const { page } = person;
  await person.open('/advertiser/campaigns');
  await box(person, 'Rope 025').waitFor();
  const status = page.getByRole('combobox', { name: 'Status' });
  expect(await page.getByRole('searchbox', { name: 'Name' }).isVisible()).toBe(true);
  expect(await status.isVisible()).toBe(false);
  const filters = person.button('Filters');
  expect(await filters.getAttribute('aria-expanded')).toBe('false');
  await filters.press('Enter');
  await status.waitFor();
  await status.click();
  await page.getByRole('option', { name: 'Paused' }).click();
  await page.waitForURL('**/campaigns?status=PAUSED');
  await until('nothing hides it any more', async () => (await filters.count()) === 0);
  await person.open(`/advertiser/campaigns${searchOf(person)}`);
  await page.getByText('Clear', { exact: true }).click();
  await box(person, 'Rope 025').waitFor();
  await until('they are folded again', async () => !(await status.isVisible()));
  await page.setViewportSize({ width: 1280, height: 800 });
  await status.waitFor();
  expect(await filters.isVisible()).toBe(false);
});

test('a row on a phone · is a card · its name first, and short values two in a line', async () => {
  const viewport = { width: 360, height: 800 };
  const person = await stand.newPerson({ as: ['advertiser', owner], viewport });
  await person.open('/advertiser/campaigns');
  const card = person.page.getByRole('row').filter({ has: box(person, 'Rope 025') });
  const placeOf = async (name: string) => {
    const cell = card.locator(`td[data-label="${name}"]`);
    const { x = 0, y = 0 } = (await cell.boundingBox()) ?? {};
    return { x, y };
  };
  await card.waitFor();
  const [tick, name, status, review] = [
    (await box(person, 'Rope 025').boundingBox()) ?? { x: 0, y: 0, height: 0 },
    await placeOf('Name'),
    await placeOf('Status'),
    await placeOf('Review'),
  ];
  expect(Math.abs(tick.y - name.y)).toBeLessThan(tick.height * 2);
  expect(name.x).toBeGreaterThan(tick.x);
  expect(status.y).toBeGreaterThan(name.y);
  expect(review.y).toBe(status.y);
  expect(review.x).toBeGreaterThan(status.x);
});
