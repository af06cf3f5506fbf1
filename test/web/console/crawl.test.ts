import { readFileSync } from 'node:fs';
import { seedDemo } from '../../../dev/seed.ts';
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
  await seedDemo({
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
    signal: new AbortController().signal,
  });
}, 180_000);
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

const patternOf = (route: string): RegExp =>
  new RegExp(`^/console${route.replace(/\$\w+/g, '[\\w-]+')}$`);

async function logIn([, realm, name]: (typeof CONSOLES)[number]): Promise<Account> {
  const api = new ApiClient(`${stand.platform.baseUrl}/api/${realm}`);
  const { username, password } = accounts[name];
  return { api: await api.login(username, password), username, password };
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
    const sideways = await page.evaluate<number>(
      'document.documentElement.scrollWidth - window.innerWidth',
    );
    if (sideways > 0) findings.push(`${at}: ${sideways} px stand out sideways`);
    findings.push(...(await person.barriers()).map((barrier) => `${at}: ${barrier}`));
  }
  const heads = await page.getByRole('heading', { level: 1 }).count();
  if (heads !== 1) findings.push(`${route}: ${heads} first headings`);
  const title = await page.title();
  if (route !== '/' && !/\S · \S/.test(title)) findings.push(`${route}: the title is "${title}"`);
  await page.setViewportSize({ width: 1280, height: 800 });
  return findings;
}

/** Opens each route, those without an id first, and looks; ids come from links that were seen. */
async function crawl(person: Person, wanted: readonly string[]): Promise<string[]> {
  const seen = new Set<string>();
  const findings: string[] = [];
  const parts = (route: string): number => route.split('$').length;
  for (const route of wanted.toSorted((a, b) => parts(a) - parts(b))) {
    const pattern = patternOf(route);
    const address = route.includes('$')
      ? [...seen].find((link) => pattern.test(link))
      : `/console${route}`;
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
