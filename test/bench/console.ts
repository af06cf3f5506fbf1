import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Realm } from '../../api/http/auth.ts';
import { createRedis, type Redis } from '../../db/redis.ts';
import { seedLists } from '../support/bulk-lists.ts';
import { launchBrowser } from '../support/browser.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { settlingOf } from '../support/console.ts';
import {
  BENCH_SCRIPT,
  COUNTING_SCRIPT,
  countWork,
  interactionsOf,
  largestPaintOf,
  timeUntil,
  type Work,
  workOf,
} from './console-timing.ts';

/**
 * The consoles as somebody with a slow computer meets them: a fourth of this machine's speed, with
 * 100,000 rows behind each list (BENCH_LIST_ROWS). What the API takes of it stands beside.
 */
const ROWS = Number(process.env['BENCH_LIST_ROWS'] ?? 100_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SLOWDOWN = 4;
const NEXT_ITEMS = 20;
/** Some of MEASURES, by comma; all of them else. */
const ONLY = process.env['BENCH_CONSOLE'];
const LOGGED_IN = { advertiser: 'advertiser', publisher: 'publisher', admin: 'operator' } as const;

interface Visit {
  context: BrowserContext;
  page: Page;
  session: CDPSession;
  settled: () => Promise<void>;
}

interface Bench {
  platform: Platform;
  browser: Browser;
  redis: Redis;
  ids: Record<Realm, number>;
}

/** The lists that are filtered: whose, where, its name, and what is chosen of which filter. */
const LISTS: [realm: Realm, path: string, table: string, label: string, option: string][] = [
  ['advertiser', '/advertiser/campaigns', 'Campaigns', 'Status', 'Paused'],
  ['publisher', '/publisher/zones', 'Zones', 'Status', 'Paused'],
  ['admin', '/operator/deposits', 'Top-ups', 'Status', 'Cancelled'],
  ['admin', '/operator/withdrawals', 'Withdrawals', 'Method', 'PayPal'],
];

const MEASURES: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  work: measureWork,
  filters: measureFilters,
  homes: measureHomes,
  session: measureSession,
  review: measureReview,
};

export async function benchConsole(): Promise<void> {
  // Served apart, as where so much lies behind it; what serves ads keeps all of it in memory.
  const platform = await startPlatform(
    { NODE_ENV: 'production', SURFACES: 'console', OPERATOR_SECOND_FACTOR: 'optional' },
    { built: true },
  );
  const pool = new pg.Pool({ connectionString: platform.ownerUrl, max: 4 });
  const browser = await launchBrowser('');
  const redis = createRedis(platform.env['REDIS_URL'] ?? '');
  await redis.connect();
  try {
    await platform.worker.kill('SIGTERM');
    const owners = await seedLists(pool, { rows: ROWS, owners: 1 });
    const ids = {
      advertiser: owners.advertiserId,
      publisher: owners.publisherId,
      admin: owners.operatorId,
    };
    const bench = { platform, browser, redis, ids };
    const load = loadavg()[0]?.toFixed(1);
    console.log(
      `\nconsoles at ${SLOWDOWN}x slowdown, ${ROWS} rows behind each list, load ${load}, ms`,
    );
    for (const [name, measure] of Object.entries(MEASURES)) {
      if (ONLY === undefined || ONLY.split(',').includes(name)) await measure(bench);
    }
  } finally {
    await browser.close();
    redis.destroy();
    await pool.end();
    await platform.close();
  }
}

function tokenOf({ platform, ids }: Bench, realm: Realm): string {
  const key = platform.env[`JWT_KEY_${realm.toUpperCase()}`] ?? '';
  return jwt.sign({ sub: String(ids[realm]), ver: 1 }, Buffer.from(key, 'hex'), {
    algorithm: 'HS256',
    audience: `adplatform:${realm}`,
    issuer: 'adplatform',
    jwtid: randomUUID(),
    expiresIn: 7_200,
  });
}

/** A browser that was never here before, logged in, with this much less speed. */
async function newPage(bench: Bench, realm: Realm, rate = SLOWDOWN): Promise<Visit> {
  const context = await bench.browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(
    `localStorage.setItem('adp-token-${realm}', '${tokenOf(bench, realm)}'); ${BENCH_SCRIPT}`,
  );
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  return { context, page, session, settled: settlingOf(page) };
}

async function open(bench: Bench, { page, settled }: Visit, path: string): Promise<void> {
  const { platform, redis } = bench;
  // Limits per minute would end the bench.
  await redis.flushDb();
  await page.goto(`${platform.baseUrl}/console${path}`);
  await settled();
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

/** The least says most where others work beside it. */
const line = (name: string, values: readonly number[], most: number): string =>
  `| ${name} | ${values.length} | ${Math.min(...values).toFixed(0)} | ${at(values, 0.5).toFixed(0)} | ${at(values, 0.95).toFixed(0)} | ${most} |`;

const head = (what: string): string =>
  `\n| ${what} | times | least | p50 | p95 | at most |\n|---|---|---|---|---|---|`;

async function measureHomes(bench: Bench): Promise<void> {
  console.log(head('largest paint of'));
  for (const realm of ['advertiser', 'publisher', 'admin'] as const) {
    const paints: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const visit = await newPage(bench, realm);
      const { context, page } = visit;
      await open(bench, visit, `/${LOGGED_IN[realm]}`);
      paints.push(await largestPaintOf(page));
      await context.close();
    }
    console.log(line(`${LOGGED_IN[realm]} home, nothing cached`, paints, 2_500));
  }
}

/** Links, tabs, fields, choices, orders, dialogs: what a browser counts as an interaction. */
async function measureSession(bench: Bench): Promise<void> {
  console.log(head('interactions in a session of'));
  const sessions: [realm: Realm, entries: string[]][] = [
    ['advertiser', ['Campaigns', 'Ads', 'Creatives', 'Reports', 'Money', 'Home']],
    ['publisher', ['Sites', 'Zones', 'Reports', 'Payouts', 'Identity', 'Home']],
    ['admin', ['Top-ups', 'Withdrawals', 'Ledger', 'Advertisers', 'Audit log']],
  ];
  for (const [realm, entries] of sessions) {
    const visit = await newPage(bench, realm);
    const { context, page, settled } = visit;
    await open(bench, visit, `/${LOGGED_IN[realm]}`);
    const menu = page.getByRole('navigation', { name: 'Menu' });
    for (const entry of entries) {
      const before = await page.locator('h1').elementHandle();
      await menu.getByRole('link', { name: entry, exact: true }).click();
      await before?.waitForElementState('hidden');
      await settled();
      const choices = page.getByRole('search').getByRole('combobox');
      if ((await choices.count()) > 0) {
        await choices.first().click();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await settled();
      }
      const fields = page.getByRole('search').getByRole('searchbox');
      if ((await fields.count()) > 0) await fields.first().pressSequentially('77');
      await settled();
    }
    await page.keyboard.press('Control+K');
    await page.keyboard.type('rep');
    await page.keyboard.press('Escape');
    const done = await interactionsOf(page);
    console.log(
      line(
        LOGGED_IN[realm],
        done.map(({ duration }) => duration),
        200,
      ),
    );
    const [slowest] = done.toSorted((a, b) => b.duration - a.duration);
    console.log(`| … the slowest: ${slowest?.what} | 1 | | | ${slowest?.duration} | |`);
    await context.close();
  }
}

/** What opening a list and filtering it cost at full speed, in figures that a busy machine leaves alone. */
async function measureWork(bench: Bench): Promise<void> {
  const what = 'work of (least of each)';
  console.log(`\n| ${what} | components | code ms | style and layout ms | nodes |`);
  console.log('|---|---|---|---|---|');
  for (const [realm, path, table, label, option] of LISTS) {
    const opened: Work[] = [];
    const filtered: Work[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const visit = await newPage(bench, realm, 1);
      const { context, page, session, settled } = visit;
      await context.addInitScript(COUNTING_SCRIPT);
      await countWork(session);
      await open(bench, visit, path);
      await page.getByRole('table', { name: table }).waitFor();
      const before = await workOf(page, session);
      opened.push(before);
      await page.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
      await settled();
      const after = await workOf(page, session);
      filtered.push({
        components: after.components - before.components,
        script: after.script - before.script,
        layout: after.layout - before.layout,
        nodes: after.nodes,
      });
      await context.close();
    }
    console.log(workLine(`${path} opened`, opened));
    console.log(workLine(`… by ${label.toLowerCase()}`, filtered));
  }
}

const workLine = (name: string, all: readonly Work[]): string => {
  const least = (key: keyof Work): string => Math.min(...all.map((each) => each[key])).toFixed(0);
  return `| ${name} | ${least('components')} | ${least('script')} | ${least('layout')} | ${least('nodes')} |`;
};

/** From the press to other rows on the screen. */
async function measureFilters(bench: Bench): Promise<void> {
  console.log(head('filter to rows of'));
  for (const [realm, path, table, label, option] of LISTS) {
    const took: number[] = [];
    const answers: number[] = [];
    const visit = await newPage(bench, realm);
    const { context, page } = visit;
    for (let round = 0; round < ROUNDS; round += 1) {
      await open(bench, visit, path);
      await page.getByRole('table', { name: table }).waitFor();
      await page.getByRole('combobox', { name: label }).click();
      const answered = page.waitForEvent('requestfinished', {
        predicate: (request) => /status=|method=/.test(request.url()),
      });
      const rows = await timeUntil(
        page,
        'click',
        `document.querySelector('table tbody')?.innerText`,
      );
      await page.getByRole('option', { name: option, exact: true }).click();
      took.push(await rows());
      answers.push((await answered).timing().responseEnd);
    }
    console.log(line(`${path} by ${label.toLowerCase()}`, took, 500));
    console.log(line('… of it the API', answers, 500));
    await context.close();
  }
}

/** From the key to the next thing that is asked about. */
async function measureReview(bench: Bench): Promise<void> {
  console.log(head('next item of a reviewer'));
  const visit = await newPage(bench, 'admin');
  const { context, page, settled } = visit;
  await bench.platform.pool.query(`UPDATE operators SET role = 'REVIEWER'`);
  await open(bench, visit, '/operator');
  await page.keyboard.press('c');
  await page.waitForURL(/\/tasks\/\d+/);
  await settled();
  const took: number[] = [];
  for (let item = 0; item < NEXT_ITEMS; item += 1) {
    await bench.redis.flushDb();
    await page.keyboard.press('a');
    await settled();
    const next = await timeUntil(
      page,
      'keydown',
      `location.pathname + document.querySelector('h1')?.innerText`,
    );
    await page.keyboard.press('n');
    took.push(await next());
    await settled();
  }
  console.log(line('key to next page', took, 300));
  await context.close();
}
