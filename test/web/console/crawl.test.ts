import { readFileSync } from 'node:fs';
import { runBooks } from '../../../db/queries/books.ts';
import { gather, seedDemo } from '../../../dev/seed.ts';
import { seedMarket } from '../../../dev/seed-market.ts';
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

/**
 * Every page of the consoles, with the demo's data, wide and narrow, light and dark. The list is made
 * of the routes' files, so a new page is looked at without a line here; an address with an id is taken
 * from a page that links to it.
 */
const DOMAIN = 'gazette.example.com';
const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
] as const;
const CONSOLES: [folder: string, realm: Realm, account: keyof DemoAccounts][] = [
  ['advertiser', 'advertiser', 'advertiser'],
  ['publisher', 'publisher', 'publisher'],
  ['operator', 'admin', 'admin'],
];

let stand: ConsoleStand;
let routes: string[];
const accounts = Object.fromEntries(
  ['admin', 'reviewer', 'finance', 'support', 'advertiser', 'publisher'].map((username) => [
    username,
    { username, password: PASSWORD },
  ]),
) as DemoAccounts;

beforeAll(async () => {
  stand = await startConsole();
  routes = await readRoutes();
  const { baseUrl, postgresUrl } = stand.platform;
  const { signal } = new AbortController();
  const seed = await gather({
    baseUrl,
    demoUrl: `http://${DOMAIN}`,
    demoDomain: DOMAIN,
    tellSite: ({ verification }) => {
      const page = { type: 'text/plain', body: verification };
      stand.sites.pages.set('/.well-known/adplatform.txt', page);
    },
    postgresUrl,
    accounts,
    say: () => undefined,
    signal,
  });
  await seedDemo(seed);
  await seedMarket(seed);
  const dataDir = stand.platform.env['SPOOL_DIR'] ?? '';
  expect(await seedTraffic({ postgresUrl, dataDir, shards: 1, signal })).toBeGreaterThan(1_000);
  // Told twice, it is told once.
  expect(await seedTraffic({ postgresUrl, dataDir, shards: 1, signal })).toBe(0);
  await settled();
}, 240_000);
afterAll(async () => await stand?.close(), 60_000);

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
  return [...fullPaths.matchAll(/'([^']+)':/g)].map(([, at = '']) => at);
}

/** Until all that was written is judged: pages then show what they will go on showing. */
async function settled(): Promise<void> {
  await until({ what: 'the traffic is settled', withinMs: 60_000 }, async () => {
    const { rows } = await stand.platform.pool.query<{ waits: boolean }>(
      `SELECT EXISTS (SELECT FROM event_inbox i WHERE NOT EXISTS (SELECT FROM events e WHERE e.id = i.id AND e.day = i.day)) AS waits`,
    );
    return rows[0]?.waits === false;
  });
}

const patternOf = (route: string): RegExp =>
  new RegExp(`^/console${route.replace(/\$\w+/g, '[\\w-]+')}$`);

async function logIn([, realm, name]: (typeof CONSOLES)[number]): Promise<Account> {
  const api = new ApiClient(`${stand.platform.baseUrl}/api/${realm}`);
  const { username, password } = accounts[name];
  return { api: await api.login(username, password), username, password };
}

/** Whether nothing stands out sideways once the page has found its new width. */
async function fits({ page }: Person): Promise<boolean> {
  const look = async (): Promise<boolean> =>
    await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth');
  try {
    return await until({ what: 'it fits', withinMs: 2_000 }, look);
  } catch {
    return false;
  }
}

/** What is wrong with the page that stands open. */
async function lookAt(person: Person, route: string): Promise<string[]> {
  const { page } = person;
  const findings: string[] = [];
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await person.settled();
    const at = `${route} at ${width} px, ${colorScheme}`;
    if (!(await fits(person))) findings.push(`${at}: something stands out sideways`);
    findings.push(...(await person.barriers()).map((barrier) => `${at}: ${barrier}`));
  }
  const heads = await page.getByRole('heading', { level: 1 }).count();
  if (heads !== 1) findings.push(`${route}: ${heads} first headings`);
  const title = await page.title();
  if (route !== '/' && !/\S · \S/.test(title)) findings.push(`${route}: the title is "${title}"`);
  await page.setViewportSize({ width: 1280, height: 800 });
  return findings;
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

/** Opens each route, those without an id first, and looks; ids come from links that were seen. */
async function crawl(person: Person, wanted: readonly string[]): Promise<string[]> {
  const seen = new Set<string>();
  const findings: string[] = [];
  const parts = (route: string): number => route.split('$').length;
  for (const route of wanted.toSorted((a, b) => parts(a) - parts(b))) {
    const address = addressOf(route, seen);
    if (address === undefined) {
      findings.push(`${route}: no page links to one`);
      continue;
    }
    await person.open(address.replace(/^\/console/, ''));
    findings.push(...(await lookAt(person, route)));
    const links = await person.page
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const link of links) seen.add(link.split(/[?#]/, 1)[0] ?? '');
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
  expect(paid.map(({ kind }) => kind).toSorted()).toEqual(['click_verify', 'impression']);
});

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
    expect(await crawl(person, pages)).toEqual([]);
  },
  600_000,
);
