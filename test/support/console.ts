import { AxeBuilder } from '@axe-core/playwright';
import axeCore from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Realm } from '../../api/http/auth.ts';
import type { OperatorRole } from '../../domain/operator.ts';
import { ownAddress } from './address.ts';
import { launchBrowser } from './browser.ts';
import { ApiClient } from './call.ts';
import { type LocalSites, startLocalSites } from './local-sites.ts';
import { makeOperator } from './make/account.ts';
import { type Platform, startPlatform } from './platform.ts';
import { pause, until } from './until.ts';

/** The consoles as people meet them: the platform as processes, Chromium in front of it. */
export interface ConsoleStand {
  platform: Platform;
  browser: Browser;
  /** What `gazette.example.com` and `shop.example.com` serve. */
  sites: LocalSites;
  /** Somebody who has never been here. */
  newPerson(options?: PersonOptions): Promise<Person>;
  /** A new account with a complete profile, made through the API: what a journey does not tell. */
  newAccount(realm: 'advertiser' | 'publisher', name: string): Promise<Account>;
  /** An operator of this role, logged in at the API. */
  operator(role: OperatorRole): Promise<Account>;
  /** Another person of this role. */
  colleague(role: OperatorRole): Promise<Account>;
  close(): Promise<void>;
}

export interface Account {
  api: ApiClient;
  username: string;
  password: string;
}

export interface PersonOptions extends BrowserContextOptions {
  /** Logged in already, as a browser is that has been here before; with a locale or zone, they prefer these. */
  as?: [Realm, Account];
}

/** A browser of one person, spoken to in roles and labels; what is done with it is counted. */
export interface Person {
  page: Page;
  /** An address of the consoles: `/advertiser/campaigns`. Ends when all that it shows was read. */
  open(path: string): Promise<void>;
  /** The same from a page of the console that stands open, as its links do: nothing is loaded anew. */
  follow(path: string): Promise<void>;
  button(name: string | RegExp): Locator;
  link(name: string | RegExp): Locator;
  field(label: string | RegExp): Locator;
  heading(name: string | RegExp): Locator;
  /** Ends when nothing is read or sent any more and nothing moves. */
  settled(): Promise<void>;
  /** Clicks and keys that the person has made in all pages so far. */
  counted(): Promise<{ clicks: number; keys: number }>;
  /** What axe has against the page as it is now, open dialogs included. */
  barriers(asked?: 'everything' | 'colours'): Promise<string[]>;
  /**
   * The same of the dialog (menu, list of choices) that stands open alone, once wide and light, once narrow and dark.
   */
  dialogBarriers(role?: 'dialog' | 'menu' | 'listbox'): Promise<string[]>;
  /** Errors that are a part of the story, such as the 401 of a wrong password. */
  expects(error: RegExp): void;
  /** Errors of the console and breaches of its policy that nobody expected. */
  faults(): string[];
}

export const PASSWORD = 'correct-horse-battery-9';

/** An entry of the menu at the side. */
export const menuOf = ({ page }: Person, name: string): Locator =>
  page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true });

export async function startConsole(env: Record<string, string> = {}): Promise<ConsoleStand> {
  const sites = await startLocalSites();
  const hosts = ['gazette.example.com', 'shop.example.com'];
  const platform = await startPlatform({
    DEV_HOSTS: hosts.map((host) => `${host}=127.0.0.1:${sites.port}`).join(','),
    ...env,
  });
  const browser = await launchBrowser(
    hosts.map((host) => `MAP ${host} 127.0.0.1:${sites.port}`).join(', '),
  );
  const people: Person[] = [];
  const prefix = (realm: Realm): string => `${platform.baseUrl}/api/${realm}`;
  return {
    platform,
    browser,
    sites,
    newPerson: async (options = {}) => {
      await prefer(options);
      const person = await newPerson(browser, platform.baseUrl, options);
      people.push(person);
      return person;
    },
    newAccount: async (realm, name) => {
      const api = new ApiClient(prefix(realm));
      const username = `${name.toLowerCase()}@${name.toLowerCase()}.example.com`;
      const { token } = await api.must<{ token: string }>('POST', '/auth/register', {
        email: username,
        password: PASSWORD,
        company_name: `${name} Ltd`,
        contact_name: name,
      });
      api.token = token;
      return { api, username, password: PASSWORD };
    },
    operator: async (role) => {
      if (platform.operators[role] === '') await platform.createOperators(PASSWORD);
      const username = platform.operators[role];
      const api = await new ApiClient(prefix('admin')).login(username, PASSWORD);
      return { api, username, password: PASSWORD };
    },
    colleague: async (role) => {
      if (platform.operators[role] === '') await platform.createOperators(PASSWORD);
      const where = { username: platform.operators[role] };
      const { passwordHash } = await platform.db.models.operators.findOne({
        where,
        rejectOnEmpty: true,
      });
      const made = await makeOperator(platform.db, role);
      await made.update({ passwordHash });
      const { username } = made;
      const api = await new ApiClient(prefix('admin')).login(username, PASSWORD);
      return { api, username, password: PASSWORD };
    },
    close: async () => {
      await browser.close();
      await platform.close();
      await sites.close();
      const faults = people.flatMap((person) => person.faults());
      if (faults.length > 0) throw new Error(`in the browser:\n${faults.join('\n')}`);
    },
  };
}

/** What the console has kept of how somebody reads, who has been here before. */
async function prefer({ as, locale, timezoneId }: PersonOptions): Promise<void> {
  if (as === undefined || (locale ?? timezoneId) === undefined) return;
  await as[1].api.must('PUT', '/preferences', {
    ...(locale === undefined ? {} : { language: locale.startsWith('zh') ? 'zh' : 'en' }),
    ...(timezoneId === undefined ? {} : { time_zone: timezoneId }),
  });
}

/**
 * A colour on its way from light to dark is neither. A page hears of another scheme with its next
 * frame, and what that changes is on its way from the frame after: with a busy machine both come late.
 */
const COLOURS_STAND = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const underWay = () => document.getAnimations().filter((each) => each instanceof CSSTransition);
  await frame();
  await frame();
  while (underWay().length > 0) {
    await Promise.allSettled(underWay().map(({ finished }) => finished));
    await frame();
  }
})()`;

/** By the console's own router; it has come to an end when that page is the one that is drawn. */
const FOLLOW = (href: string): string =>
  `__TSR_ROUTER__.navigate({ href: ${JSON.stringify(href)} })`;
const IS_THERE = `__TSR_ROUTER__.state.status === 'idle' &&
  __TSR_ROUTER__.state.resolvedLocation.href === __TSR_ROUTER__.state.location.href`;

/** Ends as soon as nothing was asked of the API for so long; questions that wait there do not count. */
const QUIET_MS = 150;
/** Between two looks at what is under way: a look draws the page once more. */
const LOOK_MS = 20;
const SETTLED_WITHIN_MS = 20_000;
const WIDE = { width: 1280, height: 800 };
const DIALOG_LOOKS = [
  [1280, 'light'],
  [360, 'dark'],
] as const;
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

async function newPerson(
  browser: Browser,
  baseUrl: string,
  { as, ...options }: PersonOptions,
): Promise<Person> {
  const context = await browser.newContext({
    viewport: WIDE,
    // Nothing fades in, so that no colour is looked at on its way.
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'X-Forwarded-For': ownAddress() },
    permissions: ['clipboard-read', 'clipboard-write'],
    locale: 'en-GB',
    ...options,
  });
  context.setDefaultTimeout(SETTLED_WITHIN_MS);
  await context.addInitScript(COUNT_AND_TELL);
  const counted = { clicks: 0, keys: 0 };
  await context.exposeBinding('tellTest', (_source, what: 'clicks' | 'keys') => {
    counted[what] += 1;
  });
  if (as !== undefined) {
    const [realm, { api }] = as;
    // Once: somebody who logs out stays so.
    await context.addInitScript(`if (self.origin !== 'null' && sessionStorage.getItem('was-here') === null) {
      localStorage.setItem('adp-token-${realm}', '${api.token}');
      sessionStorage.setItem('was-here', 'yes');
    }`);
  }
  const page = await context.newPage();
  const errors: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    errors.push(`${page.url()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  const settled = settlingOf(page);
  const axe = axeOf(page);
  const looking = async (): Promise<AxeBuilder> => {
    await page.evaluate(COLOURS_STAND);
    // What strangers' creatives are made of is theirs. Without frames the page itself can be asked
    // (not one opened for each look), and what is right need not be described.
    return new AxeBuilder({ page, ...(await axe()) })
      .options({ iframes: false, resultTypes: ['violations'] })
      .setLegacyMode();
  };
  return {
    page,
    open: async (path) => {
      await page.goto(`${baseUrl}/console${path}`);
      await settled();
    },
    follow: async (path) => {
      await page.evaluate(FOLLOW(`/console${path}`));
      await until(`${path} is drawn`, async () => await page.evaluate<boolean>(IS_THERE));
      if (!page.url().startsWith(baseUrl + `/console${path}`)) {
        // The console may lead on, never to a page of nothing.
        if (path !== '/') throw new Error(`${path} led to ${page.url()}`);
      }
      await settled();
    },
    button: (name) => page.getByRole('button', { name }),
    link: (name) => page.getByRole('link', { name }),
    field: (label) => page.getByLabel(label),
    heading: (name) => page.getByRole('heading', { name }),
    settled,
    counted: async () => {
      // What the page tells arrives in order, so after this all that was done has.
      await page.evaluate('0');
      return { ...counted };
    },
    barriers: async (asked = 'everything') => {
      const builder = await looking();
      return await found(
        asked === 'colours' ? builder.withRules(['color-contrast']) : builder.withTags(WCAG),
      );
    },
    dialogBarriers: async (role = 'dialog') => {
      const before = page.viewportSize() ?? WIDE;
      const opened = `[role=${role}]:visible`;
      await page.locator(opened).first().waitFor();
      const findings: string[] = [];
      // As it was opened first: a menu that there is at one width alone has gone at the other.
      const looks = DIALOG_LOOKS.toSorted(
        ([one], [other]) => Math.abs(one - before.width) - Math.abs(other - before.width),
      );
      for (const [at, [width, colorScheme]] of looks.entries()) {
        await page.setViewportSize({ ...before, width });
        await page.emulateMedia({ colorScheme });
        const look = await looking();
        if (role === 'menu' && at > 0 && (await page.locator(opened).count()) === 0) continue;
        const builder = look.include(`[role=${role}]`).withTags(WCAG);
        const here = await found(builder);
        findings.push(...here.map((each) => `at ${width} px, ${colorScheme}: ${each}`));
      }
      await page.emulateMedia({ colorScheme: null });
      await page.setViewportSize(before);
      return findings;
    },
    expects: (error) => expected.push(error),
    faults: () => errors.filter((error) => !expected.some((each) => each.test(error))),
  };
}

async function found(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
  );
}

/**
 * Half a megabyte of code for each look was most of what tests sent to the browser: the pages that follow the
 * first look bring it along, and one that has it needs no more of it.
 */
function axeOf(page: Page): () => Promise<{ axeSource?: string }> {
  let isBrought = false;
  return async () => {
    if (await page.evaluate<boolean>(`typeof window.axe === 'object'`))
      return { axeSource: 'void 0' };
    if (!isBrought) await page.addInitScript(`if (self === top) { ${axeCore.source} }`);
    isBrought = true;
    return {};
  };
}

/** In each page before its own code: says what a person does, and what the policy has stopped. */
const COUNT_AND_TELL = `
  const tell = (type, what) =>
    addEventListener(type, ({ isTrusted }) => { if (isTrusted) tellTest(what); }, true);
  tell('pointerdown', 'clicks');
  tell('keydown', 'keys');
  addEventListener('securitypolicyviolation', (event) =>
    console.error('policy: ' + event.violatedDirective + ' stopped ' + event.blockedURI), true);
`;

/** In the page: the one that its address names is drawn, it has a heading, and nothing on it says that it is still being read. */
const IS_CALM = `(globalThis.__TSR_ROUTER__ === undefined || (${IS_THERE})) && document.querySelector('h1') !== null &&
  document.querySelector('[aria-busy=true], .mantine-Skeleton-root, .mantine-Button-root[data-loading=true]') === null`;

/** Of a page from its beginning on: ends when nothing is asked any more and nothing moves. */
export function settlingOf(page: Page): () => Promise<void> {
  const traffic = watchTraffic(page);
  // Asked from outside: the page's policy lets nothing be evaluated inside.
  const calm = async (): Promise<boolean> => await page.evaluate<boolean>(IS_CALM);
  return async () => {
    await until(`${page.url()} is calm`, calm);
    await traffic.quiet();
    await until(`${page.url()} is calm`, calm);
  };
}

/** Requests to the API that are under way. */
function watchTraffic(page: Page): { quiet: () => Promise<void> } {
  const open = new Set<unknown>();
  let changedAt = performance.now();
  const change = (): void => {
    changedAt = performance.now();
  };
  page.on('request', (request) => {
    if (!request.url().includes('/api/') || request.url().includes('wait=')) return;
    open.add(request);
    change();
  });
  const close = (request: unknown): void => {
    if (open.delete(request)) change();
  };
  page.on('requestfinished', close);
  page.on('requestfailed', close);
  return {
    quiet: async () => {
      const deadline = performance.now() + SETTLED_WITHIN_MS;
      while (open.size > 0 || performance.now() - changedAt < QUIET_MS) {
        if (performance.now() > deadline) throw new Error('the page asks without end');
        const leftMs = open.size > 0 ? LOOK_MS : QUIET_MS - (performance.now() - changedAt);
        await pause(Math.max(1, leftMs), 'nothing may be asked in it');
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
      }
    },
  };
}
