import {
  type Account,
  type ConsoleStand,
  menuOf,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { makeLine } from '../../support/make/line.ts';
import { fundAdvertiser, UNIT } from '../../support/make/money.ts';
import { show } from '../../support/served.ts';
import { eventually, pause } from '../../support/until.ts';

/** What is shown stands in the address: sent to somebody else it shows the same, and Back leads back. */
const CAMPAIGNS = 45;

let stand: ConsoleStand;
let owner: Account;

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Copies');
  const { id } = await owner.api.must<{ id: number }>('GET', '/auth/profile');
  const { db, pool } = stand.platform;
  const line = await makeLine({ db, pool } as Parameters<typeof makeLine>[0], { advertiserId: id });
  await fundAdvertiser(db, id, 10n * UNIT);
  await show(stand.platform, line, [{}, {}]);
  await pool.query(
    `INSERT INTO campaigns (advertiser_id, name, ad_type, bid_nanos, status, audit_status)
     SELECT $1, 'Rope ' || lpad(i::text, 3, '0'), 'TEXT', i * 1000000, CASE WHEN i % 3 = 0 THEN 'PAUSED' ELSE 'ACTIVE' END, 'APPROVED'
     FROM generate_series(1, $2::int) i`,
    [id, CAMPAIGNS],
  );
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const rowsOf = async ({ page }: Person): Promise<string[]> =>
  await page.getByRole('table', { name: 'Campaigns' }).locator('tbody tr').allInnerTexts();

/** The address leads; rows that were read before are drawn a little later. */
const listed = async (person: Person, first: string): Promise<string[]> =>
  await eventually(async () => {
    const rows = await rowsOf(person);
    expect(rows[0]).toContain(first);
    return rows;
  });

const addressOf = ({ page }: Person): string => page.url().replace(/^.*\/console/, '');

const choose = async ({ page }: Person, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

test('a list · its address opened by somebody else · the same rows, filters, order and page', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser/campaigns');
  await choose(person, 'Status', 'Active');
  await person.settled();
  await person.field('Name').fill('Rope');
  await person.page.waitForURL(/keyword=Rope/);
  await person.settled();
  await person.button(/^Bid/).click();
  await person.settled();
  await person.button(/^Bid/).click();
  await person.settled();
  await person.button('Page 2 of 2').click();
  await person.page.waitForURL(/page=2/);
  await person.settled();
  const rows = await listed(person, 'Rope 031');
  expect(rows).toHaveLength(10);

  const other = await stand.newPerson({
    as: ['advertiser', owner],
    viewport: { width: 900, height: 700 },
  });
  await other.open(addressOf(person));
  expect(await rowsOf(other)).toEqual(rows);
  expect(await other.field('Name').inputValue()).toBe('Rope');
  expect(await other.page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('Active');
  const head = other.page.getByRole('columnheader', { name: /^Bid/ });
  expect(await head.getAttribute('aria-sort')).toBe('ascending');

  for (const gone of [/page=2/, /sort=bid/]) {
    await person.page.goBack();
    await person.settled();
    expect(person.page.url()).not.toMatch(gone);
  }
  await listed(person, 'Rope 044');
});

test('a report · its address opened in another time zone · the same days, zone, columns and sums', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'Europe/London' });
  await person.open('/advertiser/reports');
  await person.page
    .getByLabel('Date range', { exact: true })
    .selectOption({ label: 'Last 30 days' });
  await person.settled();
  await person.page.getByRole('region', { name: 'Figures' }).waitFor();
  await person.button(/^Impressions/).click();
  await person.page.waitForURL(/sort=/);
  await person.settled();
  const shownBy = async ({ page }: Person): Promise<string[]> => [
    await page.getByRole('region', { name: 'Figures' }).innerText(),
    await page.getByText(/ to .* · Europe\/London · /).innerText(),
  ];
  const shown = await shownBy(person);
  const other = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'Asia/Tokyo' });
  await other.open(addressOf(person));
  await other.page.getByRole('region', { name: 'Figures' }).waitFor();
  // When it was counted is a moment, told in the reader's own zone.
  const withoutMoment = (texts: string[]): string[] =>
    texts.map((text) => text.replace(/Counted until.*/, ''));
  expect(withoutMoment(await shownBy(other))).toEqual(withoutMoment(shown));
});

test('tabs · of a zone’s code and of a site’s proof · stand in the address, and Back leads back', async () => {
  const seller = await stand.newAccount('publisher', 'Tabs');
  const { id } = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  const site = await makeSite(stand.platform.db, id, { verifyStatus: 'UNVERIFIED' });
  const zone = await makeZone(stand.platform.db, site);
  const person = await stand.newPerson({ as: ['publisher', seller] });
  const tabOf = ({ page }: Person, name: string, selected?: boolean) =>
    page.getByRole('tab', { name, ...(selected === undefined ? {} : { selected }) });
  for (const [address, first, next, search] of [
    [`/publisher/zones/${zone.id}`, 'For a web page', 'As a frame', '?tab=iframe'],
    [`/publisher/sites/${site.id}`, 'Tag on the home page', 'DNS record', '?tab=DNS'],
  ] as const) {
    await person.open(address);
    await tabOf(person, next).click();
    await tabOf(person, next, true).waitFor();
    expect(addressOf(person)).toBe(`${address}${search}`);
    const other = await stand.newPerson({ as: ['publisher', seller] });
    await other.open(addressOf(person));
    await tabOf(other, next, true).waitFor();
    expect(await other.barriers()).toEqual([]);
    await person.page.goBack();
    await tabOf(person, first, true).waitFor();
    expect(addressOf(person)).toBe(address);
    await other.open(`${address}?tab=nonsense`);
    await tabOf(other, first, true).waitFor();
    expect(addressOf(other)).toBe(address);
  }
});

test('back · from a row far below · the list stands where it was left', async () => {
  const person = await stand.newPerson({
    as: ['advertiser', owner],
    viewport: { width: 1280, height: 500 },
  });
  await person.open('/advertiser/campaigns?sort=name&keyword=Rope');
  await person.link('Rope 018').scrollIntoViewIfNeeded();
  const scrolled = async (): Promise<number> => await person.page.evaluate<number>('scrollY');
  const left = await scrolled();
  expect(left).toBeGreaterThan(100);
  await person.link('Rope 018').click();
  await person.page.waitForURL(/\/campaigns\/\d+$/);
  await person.settled();
  await person.page.goBack();
  await person.page.waitForURL(/keyword=Rope/);
  await person.settled();
  expect(await scrolled()).toBe(left);
  expect(await person.link('Rope 018').isVisible()).toBe(true);
  await menuOf(person, 'Home').click();
  await person.page.waitForURL('**/console/advertiser');
  await person.settled();
  expect(await scrolled()).toBe(0);
});

test('a filter · typed on after the first rows came, taken back and set again · says what the rows say', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser/campaigns');
  const name = person.field('Name');
  await name.focus();
  await person.page.keyboard.type('Ro');
  await person.page.waitForURL(/keyword=Ro$/);
  await person.settled();
  await person.page.keyboard.type('pe 018');
  await person.page.waitForURL(/keyword=Rope\+018$|keyword=Rope%20018$/);
  await person.settled();
  expect(await rowsOf(person)).toHaveLength(1);
  await person.button('Clear').click();
  await person.page.waitForURL(/campaigns$/);
  expect(await name.inputValue()).toBe('');
  await person.page.goBack();
  await person.page.waitForURL(/keyword=Rope/);
  // The field follows the address.
  await eventually(async () => {
    expect(await name.inputValue()).toBe('Rope 018');
  });
});

test('a filter · typed into, and a link followed at once · stays behind', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser/campaigns');
  await person.field('Name').focus();
  await person.page.route(/\.js$/, async (asset) => {
    await pause(600, 'what was typed must not be sent from a page that is being left');
    await asset.continue();
  });
  await person.page.keyboard.type('Rope');
  await menuOf(person, 'Money').click();
  await person.page.waitForURL(/\/money$/);
  await person.settled();
  expect(addressOf(person)).toBe('/advertiser/money');
});

test('a list that a link has narrowed · says to what, and leads to all of it', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser/campaigns?keyword=Rope%20001');
  await person.link('Rope 001').click();
  await person.heading('Rope 001').waitFor();
  const id = /campaigns\/(\d+)/.exec(person.page.url())?.[1];
  await person.open(`/advertiser/ads?campaign_id=${id}`);
  await person.page.getByText('Only of campaign').waitFor();
  expect(await person.link('Rope 001').count()).toBe(1);
  await person.button('Show all').click();
  await person.page.waitForURL(/\/advertiser\/ads$/);
  await person.page.getByText('Only of campaign').waitFor({ state: 'detached' });
});

test('words that no page knows · in an address · mean the default, and leave it', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser/reports?range=quarter&by=campaign');
  await person.heading('Reports').waitFor();
  await person.settled();
  expect(addressOf(person)).toBe('/advertiser/reports?by=campaign');
  await person.open('/advertiser/reports?by=season');
  await person.page.getByRole('columnheader', { name: /^Day/ }).waitFor();
  await person.open('/advertiser/campaigns?status=SLEEPING&keyword=Rope&page=0');
  await listed(person, 'Rope');
  expect(addressOf(person)).toBe('/advertiser/campaigns?keyword=Rope');
});

test('a page of an older version · a part of it that is gone · says so, and what was saved stays', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(
    /status of 404|dynamically imported|error occurred in one of your React|Minified React/,
  );
  await person.open('/advertiser/campaigns?keyword=Rope%20001');
  await listed(person, 'Rope 001');
  await person.page.route('**/console/assets/*.js', async (route) => {
    await route.fulfill({ status: 404, body: '' });
  });
  await person.button(/Daily budget of Rope 001/).click();
  const asked = person.page.getByRole('dialog');
  await asked.getByRole('textbox').fill('20');
  await asked.getByRole('button', { name: 'Save' }).click();
  await person.page.getByText('There is a newer version of this console').waitFor();
  expect(await listed(person, 'Rope 001')).toHaveLength(1);
  expect((await rowsOf(person))[0]).toContain('$20.00');
});
