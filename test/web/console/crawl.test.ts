import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { runBooks } from '../../../db/queries/books.ts';
import { demoAnswer, type DemoTold, pathOf } from '../../../dev/demo-pages.ts';
import { gather, seedDemo } from '../../../dev/seed.ts';
import { demoDays } from '../../../dev/seed-days.ts';
import { seedMarket } from '../../../dev/seed-market.ts';
import { seedMoney } from '../../../dev/seed-money.ts';
import { seedMonth, seedReceipts } from '../../../dev/seed-month.ts';
import { seedOffice } from '../../../dev/seed-office.ts';
import { seedTraffic } from '../../../dev/seed-traffic.ts';
import type { DemoAccounts } from '../../../dev/seed-accounts.ts';
import { runCommand } from '../../../dev/services/processes.ts';
import { ApiClient } from '../../support/call.ts';
import {
  type Account,
  type ConsoleStand,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { until } from '../../support/until.ts';
import type { Realm } from '../../../api/http/auth.ts';
import { ZONE_TYPES } from '../../../domain/zone-settings.ts';

/**
 * Every page of the consoles, with the demo's data, wide and narrow, light and dark, and the dialogs
 * and menus that it opens. The list is made of the routes' files, so a new page is looked at without
 * a line here; an address with an id is taken from a page that links to it. With SHOTS_DIR each look
 * is kept as a picture.
 */
const DOMAIN = 'gazette.example.com';
interface Look {
  width: number;
  colorScheme: 'light' | 'dark';
  /** What can differ from the looks before: all of it once wide and once narrow, colours in each. */
  asks: 'everything' | 'colours';
}
const SHOTS = process.env['SHOTS_DIR'];
const ALL_LOOKS: readonly Look[] = [
  { width: 1280, colorScheme: 'light', asks: 'everything' },
  { width: 1280, colorScheme: 'dark', asks: 'colours' },
  { width: 360, colorScheme: 'dark', asks: 'everything' },
  { width: 360, colorScheme: 'light', asks: 'colours' },
];
/**
 * A run looks at each page once, at one wide and light and the next narrow and dark; at all of it, with
 * tabs and all that opens, when pictures are asked for.
 */
const looksAt = (index: number): readonly Look[] =>
  SHOTS === undefined ? ALL_LOOKS.slice((index % 2) * 2, (index % 2) * 2 + 1) : ALL_LOOKS;
/** A tablet: nothing stands out there either. */
const TABLET_PX = 820;
/** The statuses of a list may be tabs as well: a few tell for all. */
const TABS_MAX = 5;
const CONSOLES: [folder: string, realm: Realm, account: keyof DemoAccounts][] = [
  ['advertiser', 'advertiser', 'advertiser'],
  ['publisher', 'publisher', 'publisher'],
  ['operator', 'admin', 'admin'],
];

/** Of the demo's site. */
const PAPER = [
  '/.well-known/adplatform.txt',
  '/',
  '/news',
  '/style.css',
  '/reward.js',
  ...ZONE_TYPES.map(pathOf),
];

let stand: ConsoleStand;
const told: DemoTold = {};
let routes: string[];
const accounts = Object.fromEntries(
  ['admin', 'reviewer', 'finance', 'support', 'advertiser', 'publisher'].map((username) => [
    username,
    { username, password: PASSWORD },
  ]),
) as DemoAccounts;

beforeAll(async () => {
  stand = await startConsole({
    PAYOUT_SANDBOX_DIR: mkdtempSync(path.join(tmpdir(), 'adplatform-payouts-')),
  });
  routes = await readRoutes();
  const { baseUrl, postgresUrl, ownerUrl, env } = stand.platform;
  const { signal } = new AbortController();
  const seed = await gather({
    baseUrl,
    demoUrl: `http://${DOMAIN}`,
    demoDomain: DOMAIN,
    tellSite: (some) => {
      Object.assign(told, some);
      for (const at of PAPER) {
        const page = demoAnswer(at, told, baseUrl);
        if (page !== undefined) stand.sites.pages.set(at, page);
      }
    },
    postgresUrl,
    ownerUrl,
    env,
    accounts,
    say: () => undefined,
    signal,
  });
  await seedDemo(seed);
  await seedMarket(seed);
  const dataDir = env['SPOOL_DIR'] ?? '';
  const traffic = { postgresUrl, env, dataDir, shards: 1, signal };
  expect(await seedMonth(seed, traffic)).toBe(true);
  expect(await seedTraffic(traffic)).toBeGreaterThan(1_000);
  await seedMoney(seed);
  await seedOffice(seed);
  await seedReceipts(seed);
  // Told twice, it is told once.
  const before = await counted();
  await seedDemo(seed);
  await seedMarket(seed);
  expect(await seedMonth(seed, traffic)).toBe(false);
  expect(await seedTraffic(traffic)).toBe(0);
  await seedMoney(seed);
  await seedOffice(seed);
  await seedReceipts(seed);
  expect(await counted()).toEqual(before);
}, 420_000);
afterAll(async () => await stand?.close(), 60_000);

/** How many there are of what the demo makes. */
async function counted(): Promise<object> {
  const tables = ['accounts', 'campaigns', 'ads', 'creatives', 'zones', 'trackers', 'deposits'];
  const rest = ['deposit_receipts', 'withdrawals', 'bank_cards', 'conversions', 'media'];
  const office = [
    'members',
    'saved_views',
    'bank_statements',
    'balance_refunds',
    'reversals',
    'documents',
  ];
  const { rows } = await stand.platform.pool.query<object>(
    `SELECT ${[...tables, ...rest, ...office].map((each) => `(SELECT count(*) FROM ${each}) AS ${each}`).join(', ')}`,
  );
  return rows[0] ?? {};
}

/** Full addresses, as the router's own generator reads them from the files: `/operator/tasks/$id`. */
async function readRoutes(): Promise<string[]> {
  const { code, stderr } = await runCommand(process.execPath, [
    '--import',
    'tsx',
    'dev/console-routes.ts',
  ]);
  if (code !== 0) throw new Error(stderr);
  const tree = readFileSync('web/console/route-tree.gen.ts', 'utf8');
  const [, fullPaths = ''] = /interface FileRoutesByTo \{([^}]*)\}/.exec(tree) ?? [];
  const all = [...fullPaths.matchAll(/'([^']+)':/g)].map(([, at = '']) => at);
  // Those that take whatever is no address have a test of their own.
  return all.filter((route) => !route.endsWith('/$'));
}

const patternOf = (route: string): RegExp =>
  new RegExp(`^/console${route.replace(/\$\w+/g, '[\\w-]+')}$`);

async function logIn([, realm, name]: (typeof CONSOLES)[number]): Promise<Account> {
  const api = new ApiClient(`${stand.platform.baseUrl}/api/${realm}`);
  const { username, password } = accounts[name];
  return { api: await api.login(username, password), username, password };
}

/** Whether nothing stands out sideways once the page has found its new width. */
const fits = async (person: Person): Promise<boolean> =>
  await isSoon(person, 'document.documentElement.scrollWidth <= window.innerWidth');

/** A table moves in its frame where somebody chose more columns; with those of a first visit none has to, on a laptop. */
const tablesFit = async (person: Person): Promise<boolean> =>
  await isSoon(
    person,
    '[...document.querySelectorAll("table")].every((table) => table.parentElement.scrollWidth <= table.parentElement.clientWidth)',
  );

async function isSoon({ page }: Person, condition: string): Promise<boolean> {
  try {
    return await until(
      { what: condition, withinMs: 2_000 },
      async () => await page.evaluate<boolean>(condition),
    );
  } catch {
    return false;
  }
}

/** What a phone folds is looked at as well, and what is opened in it lasts at any width. */
async function unfold({ page }: Person): Promise<void> {
  await page.setViewportSize({ width: 360, height: 800 });
  const folded = page.locator('[role="search"][data-folded] button[aria-expanded]').first();
  if (await folded.isVisible()) await folded.click();
}

/** What is wrong with the page that stands open. `met` are the dialogs that were looked at before. */
async function lookAt(
  person: Person,
  route: string,
  met: Set<string>,
  looks: readonly Look[],
): Promise<string[]> {
  const { page } = person;
  const findings: string[] = [];
  await unfold(person);
  for (const { width, colorScheme, asks } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const at = `${route} at ${width} px, ${colorScheme}`;
    findings.push(...(await lookOnce(person, at, asks)));
    if (SHOTS === undefined) findings.push(...(await openNew(person, route, met)));
    if (asks === 'colours' || SHOTS === undefined) continue;
    findings.push(...(await openAll(person, at, met)));
    const others = await page.getByRole('tab', { selected: false }).allInnerTexts();
    for (const tab of others.slice(0, TABS_MAX)) {
      await page.getByRole('tab', { name: tab, exact: true }).first().click();
      findings.push(...(await lookOnce(person, `${at}, tab ${tab}`, asks)));
    }
    if (others.length > 0) await page.getByRole('tab').first().click();
  }
  await page.setViewportSize({ width: TABLET_PX, height: 800 });
  if (!(await fits(person))) {
    findings.push(`${route} at ${TABLET_PX} px: something stands out sideways`);
  }
  const heads = await page.getByRole('heading', { level: 1 }).count();
  if (heads !== 1) findings.push(`${route}: ${heads} first headings`);
  const title = await page.title();
  if (route !== '/' && !/\S · \S/.test(title)) findings.push(`${route}: the title is "${title}"`);
  await page.setViewportSize({ width: 1280, height: 800 });
  if (!(await tablesFit(person))) findings.push(`${route} at 1280 px: a table is cut at its right`);
  return findings;
}

/**
 * Words and numbers that go on in the next line: `300 × 25` and `0`. What has no place to break, such as an address, is
 * broken where it must be.
 */
const LONGEST_WORD = 20;
const BROKEN_WORDS = `(() => {
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    const seen = text.parentElement.checkVisibility({ contentVisibilityAuto: true });
    if (!seen || text.parentElement.closest('code, pre, input, textarea, svg')) continue;
    for (const { 0: word, index } of text.data.matchAll(/[^\\s/-]+/g)) {
      if (word.length > ${LONGEST_WORD} || /[@._]\\w/.test(word)) continue;
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (new Set(lines.map(({ top }) => Math.round(top))).size > 1) found.add(word);
    }
  }
  return [...found];
})()`;

async function lookOnce(person: Person, at: string, asks: Look['asks']): Promise<string[]> {
  await person.settled();
  const findings = (await person.barriers(asks)).map((barrier) => `${at}: ${barrier}`);
  if (!(await fits(person))) findings.push(`${at}: something stands out sideways`);
  const broken = await person.page.evaluate<string[]>(BROKEN_WORDS);
  findings.push(...broken.map((word) => `${at}: a word is broken inside: ${word}`));
  await keep(person, at);
  return findings;
}

async function keep({ page }: Person, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  const file = `${name.replace(/^\//, '').replace(/[^\w$]+/g, '-')}.png`;
  await page.screenshot({ path: path.join(SHOTS, file), fullPage: true });
}

const POPUPS = 'button[aria-haspopup]:not([aria-disabled="true"]):visible';

/**
 * Opens each dialog and menu that the page says it has, one of a kind, and looks at it. Opening
 * changes nothing; what is inside is only looked at.
 */
async function openAll(person: Person, at: string, met: Set<string>): Promise<string[]> {
  const { page } = person;
  const findings: string[] = [];
  const buttons = page.locator(POPUPS);
  for (let index = 0; index < (await buttons.count()); index += 1) {
    const button = buttons.nth(index);
    const name = await button.getAttribute('aria-label');
    // Behind a colon or "of" stands whose it is: a row's menu is looked at in one row.
    const [kind = '', whose] = (name ?? (await button.innerText())).split(/:| of /);
    // What only has a name is the frame's, and alike on every page.
    const isOfFrame = name !== null && whose === undefined;
    const key = `${isOfFrame ? at.replace(/^\S+/, '') : at} ${kind}`;
    if (met.has(key)) continue;
    met.add(key);
    await button.click();
    findings.push(...(await lookAtPopup(person, `${at}, "${kind}"`)));
    const items = page.getByRole('menuitem').and(page.locator(POPUPS));
    for (let item = 0; item < (await items.count()); item += 1) {
      await items.nth(item).click();
      findings.push(...(await lookAtPopup(person, `${at}, "${kind}" ${item + 1}`)));
      await close(person);
      await button.click();
    }
    await close(person);
  }
  return findings;
}

/** One that is hidden lies under what is chosen. */
const CHOICES = 'input[aria-haspopup="listbox"]:not(:disabled):not([data-type="hidden"]):visible';
const OPENERS = `${POPUPS}, ${CHOICES}`;

/**
 * In a run without pictures: what opens and was not met on another page of the console, known by the words that open it,
 * alone and not with the page around it.
 */
async function openNew(person: Person, at: string, met: Set<string>): Promise<string[]> {
  const { page } = person;
  const findings: string[] = [];
  const openers = page.locator(OPENERS);
  const isNew = async (opener: Locator): Promise<boolean> => {
    const role = (await opener.getAttribute('aria-haspopup')) ?? '';
    const named = (await opener.getAttribute('aria-label')) ?? (await opener.innerText());
    const [words = '', whose] = named.split(/:| of /);
    // A row's menu is another one in each list; of choices one of each component tells for all.
    const inRow = role === 'menu' && whose !== undefined ? at : '';
    const kind = role === 'listbox' ? await componentOf(opener) : `${words} ${inRow}`;
    const isMet = met.has(`${role} ${kind}`);
    met.add(`${role} ${kind}`);
    return !isMet;
  };
  const look = async (opener: Locator): Promise<void> => {
    const role = (await opener.getAttribute('aria-haspopup')) as 'dialog' | 'menu' | 'listbox';
    const words = (await opener.getAttribute('aria-label')) ?? (await opener.innerText());
    await opener.click();
    const barriers = await person.dialogBarriers(role);
    findings.push(...barriers.map((barrier) => `${at}, "${words}": ${barrier}`));
  };
  for (let index = 0; index < (await openers.count()); index += 1) {
    const opener = openers.nth(index);
    const isMenu = (await opener.getAttribute('aria-haspopup')) === 'menu';
    if (!(await isNew(opener))) continue;
    await look(opener);
    const items = page.getByRole('menuitem').and(page.locator(POPUPS));
    for (let item = 0; isMenu && item < (await items.count()); item += 1) {
      if (!(await isNew(items.nth(item)))) continue;
      // Its row stood elsewhere at the other width.
      await opener.scrollIntoViewIfNeeded();
      await look(items.nth(item));
      await close(person);
      await opener.click();
      await page.getByRole('menu').waitFor();
    }
    await close(person);
  }
  return findings;
}

/** `Select`, `MultiSelect` …, or ours. */
const componentOf = async (opener: Locator): Promise<string> =>
  /mantine-(\w+)-input/.exec((await opener.getAttribute('class')) ?? '')?.[1] ?? 'ours';

const OPENED = '[role="dialog"]:visible, [role="menu"]:visible, [role="listbox"]:visible';

async function lookAtPopup(person: Person, at: string): Promise<string[]> {
  await person.page.locator(OPENED).first().waitFor();
  return await lookOnce(person, at, 'everything');
}

/** By its key, as soon as it listens: what has just been opened takes the focus a moment later. */
async function close({ page }: Person): Promise<void> {
  await until('it is closed by Escape', async () => {
    await page.keyboard.press('Escape');
    return (await page.locator(OPENED).count()) === 0;
  });
  // Nothing is hovered where the next look does not expect it.
  await page.mouse.move(0, 0);
}

/** The route itself, or with an id: a link to it, or to the record that it is a page of. */
function addressOf(route: string, seen: ReadonlySet<string>): string | undefined {
  if (!route.includes('$')) return `/console${route}`;
  const [, record = '', page = ''] = /^(.*\$\w+)(.*)$/.exec(route) ?? [];
  const pages = new Set(routes.map((each) => `/console${each}`));
  const records = [...seen].filter((link) => !pages.has(link));
  const find = (wanted: string) => records.find((link) => patternOf(wanted).test(link));
  const parent = find(record);
  return find(route) ?? (parent === undefined ? undefined : parent + page);
}

const isInside = ({ page }: Person): boolean => page.url().includes('/console/');

/** A page that cannot be looked at is a finding like others; the rest is looked at all the same. */
async function openAndLook(
  person: Person,
  [address, route]: [string, string],
  met: Set<string>,
  looks: readonly Look[],
): Promise<string[]> {
  try {
    await (isInside(person) ? person.follow(address) : person.open(address));
    return await lookAt(person, route, met, looks);
  } catch (error) {
    return [`${route}: ${String(error)}`];
  }
}

/** One open task of each kind: what an operator looks at is another page for each. */
async function tasksOfEachKind(): Promise<string[]> {
  const { api } = await logIn(['operator', 'admin', 'admin']);
  const { items } = await api.must<{ items: { id: number; kind: string }[] }>(
    'GET',
    '/tasks?status=open&page_size=100',
  );
  const kinds = new Map(items.map(({ id, kind }) => [kind, id]));
  return [...kinds.values()].map((id) => `/operator/tasks/${id}`);
}

/** Opens each route, those without an id first, and looks; ids come from links that were seen. */
async function crawl(
  person: Person,
  wanted: readonly string[],
  also: readonly string[] = [],
): Promise<string[]> {
  const seen = new Set<string>();
  const met = new Set<string>();
  const findings: string[] = [];
  const parts = (route: string): number => route.split('$').length;
  // A start page first: what it links to is what people open.
  const size = (route: string): number => parts(route) * 1_000 + route.length;
  const sorted = wanted.toSorted((a, b) => size(a) - size(b));
  for (const [index, route] of sorted.entries()) {
    const address = addressOf(route, seen);
    if (address === undefined) {
      findings.push(`${route}: no page links to one`);
      continue;
    }
    const to = address.replace(/^\/console/, '');
    findings.push(...(await openAndLook(person, [to, route], met, looksAt(index))));
    const links = await person.page
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const link of links) seen.add(link.split(/[?#]/, 1)[0] ?? '');
  }
  for (const [index, address] of also.entries()) {
    findings.push(...(await openAndLook(person, [address, address], met, looksAt(index))));
  }
  return [...findings, ...person.faults()];
}

const isDoor = (route: string): boolean => /\/(login|register|forgot|reset|accept)$/.test(route);

test('the demo · its two weeks settled · shows what pays and what is refused, and the books are right', async () => {
  const { pool } = stand.platform;
  expect((await runBooks(pool)).filter(({ ok }) => !ok)).toEqual([]);
  const { rows } = await pool.query<{ reason: string }>(
    'SELECT DISTINCT reason FROM events WHERE reason IS NOT NULL',
  );
  const reasons = rows.map(({ reason }) => reason);
  expect(reasons).toEqual(
    expect.arrayContaining(['BOT_UA', 'DATACENTER_IP', 'DUPLICATE_IMPRESSION', 'TOO_FAST']),
  );
  const { rows: paid } = await pool.query<{ kind: string }>(
    'SELECT DISTINCT kind FROM events WHERE price_nanos > 0',
  );
  expect(paid.map(({ kind }) => kind).toSorted()).toEqual([
    'click_verify',
    'conversion',
    'impression',
  ]);
});

test('the demo · its month before · is closed, with what each side is issued', async () => {
  const { monthFrom, monthEnd } = demoDays(new Date());
  const { rows } = await stand.platform.pool.query<{ kind: string; realm: string }>(
    `SELECT DISTINCT d.kind, a.kind AS realm FROM documents d JOIN accounts a ON a.id = d.account_id
     WHERE d.month = $1 OR d.issued_at >= $1 AND d.issued_at < $2
       -- The platform's own schedule may have been first: then its receipt is of today.
       OR d.kind = 'DEPOSIT_RECEIPT' ORDER BY 1, 2`,
    [monthFrom, monthEnd],
  );
  expect(rows.map(({ kind, realm }) => `${realm} ${kind}`)).toEqual([
    'ADVERTISER CREDIT_NOTE',
    'ADVERTISER DEPOSIT_RECEIPT',
    'ADVERTISER INVOICE',
    'ADVERTISER STATEMENT',
    'PUBLISHER STATEMENT',
  ]);
  // What was seen in the month is billed in the month; sales are when somebody has decided them.
  const { rows: sums } = await stand.platform.pool.query<Record<'seen' | 'billed' | 'all', string>>(
    `SELECT sum(price_nanos) FILTER (WHERE kind <> 'conversion') AS seen, sum(price_nanos) AS all,
       (SELECT sum(total_nanos) FROM documents WHERE kind = 'INVOICE') AS billed
     FROM events WHERE day >= $1 AND day < $2`,
    [monthFrom, monthEnd],
  );
  const [{ seen, billed, all } = { seen: 0, billed: 0, all: 0 }] = sums;
  expect(BigInt(billed)).toBeGreaterThanOrEqual(BigInt(seen));
  expect(BigInt(billed)).toBeLessThanOrEqual(BigInt(all));
  // Nothing is dated by the seed any more.
  const { rows: left } = await stand.platform.pool.query(
    `SELECT FROM pg_attrdef WHERE pg_get_expr(adbin, adrelid) LIKE '%seed_clock%'`,
  );
  expect(left).toEqual([]);
});

/** What a reader does until the ad is there, of those that do not come by themselves. */
const WAITED_FOR: Readonly<Record<string, (page: Person['page']) => Promise<void>>> = {
  FLOAT: async (page) => await page.mouse.wheel(0, 2_000),
  EXIT_INTENT: async (page) =>
    await page.evaluate(
      `document.documentElement.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, clientY: -1 }))`,
    ),
};

test('the demo · its two weeks · look like an account’s', async () => {
  const { rows } = await stand.platform.pool.query<Record<'imps' | 'clicks' | 'spend', string>>(
    `SELECT count(*) FILTER (WHERE kind = 'impression' AND billable) AS imps,
       count(*) FILTER (WHERE kind = 'click_verify' AND billable) AS clicks, sum(price_nanos) / 1e9 AS spend
     FROM events WHERE day < (now() AT TIME ZONE 'UTC')::date AND day >= (now() AT TIME ZONE 'UTC')::date - 14 GROUP BY day`,
  );
  const of = (name: 'imps' | 'clicks' | 'spend'): number[] => rows.map((row) => Number(row[name]));
  const sum = (all: number[]): number => all.reduce((total, each) => total + each, 0);
  expect(rows).toHaveLength(14);
  expect(Math.min(...of('imps'))).toBeGreaterThan(1_000);
  const rate = sum(of('clicks')) / sum(of('imps'));
  expect(rate).toBeGreaterThan(0.005);
  expect(rate).toBeLessThan(0.02);
  // No day towers over the others.
  expect(Math.max(...of('spend'))).toBeLessThan((3 * sum(of('spend'))) / rows.length);
});

test.each(ZONE_TYPES)(
  'the demo’s paper · its page of a zone of type %s · shows an ad',
  async (type) => {
    const context = await stand.browser.newContext({ viewport: { width: 1_280, height: 600 } });
    const page = await context.newPage();
    await page.goto(`http://${DOMAIN}${pathOf(type)}`);
    const inConsole = page.getByRole('paragraph').filter({ hasText: 'console' }).getByRole('link');
    expect(await inConsole.getAttribute('href')).toMatch(/\/console\/publisher\/zones\/\d+$/);
    const element = page.locator('[data-adp-zone]');
    await element.and(page.locator('[data-adp-state]')).waitFor({ state: 'attached' });
    await WAITED_FOR[type]?.(page);
    await page.locator('[data-adp-state="filled"]').waitFor({ state: 'attached' });
    const ad = element.locator('iframe').first();
    await ad.waitFor();
    // It is drawn, and in sight: an empty frame would be filled as well.
    await ad.contentFrame().locator('img, video, a').first().waitFor();
    await context.close();
  },
);

test('doors · each page before a login · can be read by everybody', async () => {
  const doors = routes.filter((route) => route === '/' || isDoor(route));
  expect(doors.length).toBeGreaterThan(8);
  const person = await stand.newPerson();
  expect(await crawl(person, doors)).toEqual([]);
}, 300_000);

test.each(CONSOLES)(
  '%s · each page with the demo’s data · can be read by everybody',
  async (...console) => {
    const [folder, realm] = console;
    const pages = routes.filter((route) => route.startsWith(`/${folder}`) && !isDoor(route));
    expect(pages.length).toBeGreaterThan(0);
    const person = await stand.newPerson({ as: [realm, await logIn(console)] });
    const also = folder === 'operator' ? await tasksOfEachKind() : [];
    if (also.length > 0) expect(also.length).toBeGreaterThan(6);
    expect(await crawl(person, pages, also)).toEqual([]);
  },
  900_000,
);

test('an address that is none, and a record that is none · say so on a page of their own', async () => {
  const nowhere = ['/nowhere', '/advertiser/nowhere', '/publisher/no/where', '/operator/nowhere'];
  const records = routes
    .filter((route) => route.includes('$'))
    .map((route) => route.replace(/\$\w+/g, '999999'));
  const findings: string[] = [];
  for (const console of CONSOLES) {
    const [folder, realm] = console;
    const person = await stand.newPerson({ as: [realm, await logIn(console)] });
    person.expects(/status of 404/);
    const met = new Set<string>();
    for (const [index, address] of [...nowhere, ...records].entries()) {
      if (!address.startsWith(`/${folder}`) && !(address === '/nowhere' && folder === 'operator'))
        continue;
      findings.push(...(await openAndLook(person, [address, address], met, looksAt(index))));
    }
    findings.push(...person.faults());
  }
  expect(findings).toEqual([]);
}, 600_000);
