import type { Page, Route } from 'playwright-core';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { eventually, until } from '../../support/until.ts';

/** What axe does not see: a screen looked at four times as large, wide letters, somebody's own colours, a slow line. */
let stand: ConsoleStand;
let owner: Account;
let finance: Account;
let task: number;

beforeAll(async () => {
  stand = await startConsole();
  [owner, finance] = await Promise.all([
    stand.newAccount('advertiser', 'Conditions'),
    stand.operator('FINANCE'),
  ]);
  const order = { amount: 300, payment_method: 'BANK' };
  const { id } = await owner.api.must<{ id: number }>('POST', '/deposits', order);
  // Another amount than the order's asks a person.
  const receipt = { amount: 280, reference: 'CONDITION-1' };
  await finance.api.must('POST', `/deposits/${id}/receipts`, receipt);
  task = await until('somebody is asked', async () => {
    const asked = `/tasks?status=open&subject_type=deposit&subject_id=${id}`;
    return (await finance.api.must<{ items: { id: number }[] }>('GET', asked)).items[0]?.id;
  });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

/** 1280 by 1024 at 400 % (WCAG 1.4.10). */
const ENLARGED = { width: 320, height: 256 };
const NARROW = { width: 360, height: 800 };
/** WCAG 1.4.12. */
const WIDE_LETTERS = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important } p { margin-bottom: 2em !important }`;

/** In the page: words beyond its edge, where nothing scrolls to them, and what stays over most of it. */
const HIDDEN = `(() => {
  const shown = [...document.querySelectorAll('body *')].filter(
    (each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.visually-hidden, .skip-link'));
  const edge = document.documentElement.clientWidth;
  const scrolls = (node) => node !== null &&
    (/auto|scroll/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement));
  const words = (each) => each.tagName + ' ' + each.textContent.trim().slice(0, 40);
  const beyond = shown.filter((each) => each.children.length === 0 && each.textContent.trim() !== '' &&
    each.getBoundingClientRect().right > edge + 1 && !scrolls(each.parentElement));
  const over = shown.filter((each) => /sticky|fixed/.test(getComputedStyle(each).position) &&
    each.clientWidth > edge / 2 && each.clientHeight > innerHeight * 0.4);
  return [...(document.documentElement.scrollWidth > edge ? ['the page moves sideways'] : []),
    ...beyond.map((each) => 'beyond the edge: ' + words(each)), ...over.map((each) => 'over the page: ' + words(each))];
})()`;

/** In the page: buttons whose words are cut. */
const CUT = `[...document.querySelectorAll('button, button *, a[role=button] *')].filter((each) =>
  each.checkVisibility({ visibilityProperty: true }) && each.clientWidth > 2 && each.textContent.trim() !== '' &&
  getComputedStyle(each).overflowX === 'hidden' && getComputedStyle(each).textOverflow !== 'ellipsis' &&
  (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1))
  .map((each) => each.textContent.trim().slice(0, 40))`;

/** Charts and what else measures itself are drawn anew a little later. */
const comesTo = async (page: Page, where: string, look: string): Promise<void> => {
  await eventually(async () => {
    expect([where, await page.evaluate<string[]>(look)]).toEqual([where, []]);
  });
};

async function judge({ page }: Person, path: string): Promise<void> {
  await page.setViewportSize(ENLARGED);
  await comesTo(page, `${path} at 400 %`, HIDDEN);
  await page.setViewportSize(NARROW);
  const style = await page.addStyleTag({ content: WIDE_LETTERS });
  await comesTo(page, `${path} in wide letters`, HIDDEN);
  await comesTo(page, `${path} in wide letters, cut`, CUT);
  await style.evaluate((node) => (node as unknown as { remove: () => void }).remove());
}

const PAGES: [realm: 'advertiser' | 'admin', paths: () => string[]][] = [
  [
    'advertiser',
    () => [
      '/advertiser',
      '/advertiser/campaigns',
      '/advertiser/campaigns/new',
      '/advertiser/reports',
      '/advertiser/money',
    ],
  ],
  [
    'admin',
    () => [
      '/operator',
      `/operator/tasks/${task}`,
      '/operator/withdrawals',
      '/operator/refunds/new',
    ],
  ],
];

test.each(PAGES)(
  '%s · at 400 %% and in wide letters · nothing is cut, beyond the edge or behind a bar',
  async (realm, paths) => {
    const account = realm === 'admin' ? finance : owner;
    const person = await stand.newPerson({ as: [realm, account], bypassCSP: true });
    for (const path of paths()) {
      await person.page.setViewportSize({ width: 1280, height: 800 });
      await person.open(path);
      await judge(person, path);
    }
  },
  60_000,
);

test('names of one long word, or written the other way · wherever they stand · move no page sideways', async () => {
  const made = async (path: string, body: object): Promise<number> =>
    (await owner.api.must<{ id: number }>('POST', path, body)).id;
  const name = 'W'.repeat(200);
  const campaign = { name, ad_type: 'BANNER', bid: 0.5, landing_url: 'https://shop.example/' };
  const campaignId = await made('/campaigns', campaign);
  const groupId = await made('/adgroups', { campaign_id: campaignId, name });
  const html = { creative_type: 'html', html_code: '<b>Rope</b>', width: 300, height: 250 };
  const creativeId = await made('/creatives', { name, ...html });
  await made('/creatives', { name: 'حملة الربيع (تخفيضات)'.repeat(5), ...html });
  const adId = await made('/ads', { adgroup_id: groupId, creative_id: creativeId, name });
  const person = await stand.newPerson({ as: ['advertiser', owner], viewport: NARROW });
  for (const path of [
    '/advertiser/campaigns',
    `/advertiser/campaigns/${campaignId}`,
    `/advertiser/ad-groups/${groupId}`,
    '/advertiser/creatives',
    `/advertiser/creatives/${creativeId}`,
    `/advertiser/ads/${adId}`,
  ]) {
    await person.open(path);
    await person.page.getByText(name).filter({ visible: true }).first().waitFor();
    await comesTo(person.page, path, HIDDEN);
  }
}, 60_000);

const groundOf = async (page: Page, selector: string): Promise<string> =>
  await page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`,
  );

test('somebody’s own few colours · the page that is open and a switch that is on · are told from others', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner], forcedColors: 'active' });
  const { page } = person;
  await person.open('/advertiser/notifications/settings');
  const [open, other] = [
    await groundOf(page, 'nav a[aria-current]'),
    await groundOf(page, 'nav a:not([aria-current])'),
  ];
  expect(open).not.toBe(other);
  const [on, off] = [
    await groundOf(page, 'input:checked ~ .mantine-Switch-track'),
    await groundOf(page, 'input:not(:checked) ~ .mantine-Switch-track'),
  ];
  expect(on).not.toBe(off);
  expect(await person.barriers()).toEqual([]);
});

test('somebody’s own few colours · a dialog · is told from the page below it by its edge', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner], forcedColors: 'active' });
  await person.open('/advertiser/security');
  await person.button('Add an authenticator app').click();
  await person.page.getByRole('dialog').waitFor();
  const edge = await person.page.evaluate<string>(
    `(({ borderTopStyle, borderTopWidth }) => borderTopStyle + ' ' + borderTopWidth)(
      getComputedStyle(document.querySelector('.mantine-Modal-content')))`,
  );
  expect(edge).toBe('solid 2px');
});

test('a home on a slow line · one of its reads is late · no button is there that would move under a finger', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner], viewport: NARROW });
  const held: Route[] = [];
  await person.page.route(/\/api\/advertiser\/creatives\?.*audit_status=DRAFT/, (route) => {
    held.push(route);
  });
  await person.page.goto(`${stand.platform.baseUrl}/console/advertiser`);
  await until('it is asked', () => held.length > 0);
  await person.page.getByRole('progressbar', { name: 'Loading…' }).first().waitFor();
  expect(await person.link('Top up').count()).toBe(0);
  await held[0]?.continue();
  await person.link('Top up').first().waitFor();
});

test('a home · one of its reads hangs · shows the others after some seconds', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const { page } = person;
  await page.clock.install();
  const held: Route[] = [];
  await page.route(/\/api\/advertiser\/creatives\?.*audit_status=DRAFT/, (route) => {
    held.push(route);
  });
  await page.goto(`${stand.platform.baseUrl}/console/advertiser`);
  await until('it is asked', () => held.length > 0);
  await page.getByRole('progressbar', { name: 'Loading…' }).first().waitFor();
  await page.clock.fastForward(5_000);
  await person.link('Top up').first().waitFor();
  expect(held).toHaveLength(1);
});
