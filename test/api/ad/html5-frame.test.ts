import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import type { Browser, Page } from 'playwright-core';
import { readHtml5Zip } from '../../../activities/providers/html5-zip.ts';
import { mediaFileRoutes } from '../../../api/media-files.ts';
import { loadConfig } from '../../../config.ts';
import { bundlePath, createFileMediaStore } from '../../../db/files/media-store.ts';
import { createTestDatabase, serviceUrl, type TestDatabase } from '../../support/database.ts';
import { ask, type ServingStand, startServing } from '../../support/serving.ts';
import { zipOf } from '../../support/zips.ts';
import { until } from '../../support/until.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { makePlace } from '../../support/make/place.ts';
import { launchBrowser } from '../../support/browser.ts';

/** An HTML5 creative in a real browser, told by what it loads, opens and fails to reach. */
let database: TestDatabase;
let stand: ServingStand;
let browser: Browser;
let site: Server;
let siteUrl: string;
let outside: Server;
let outsideUrl: string;
let mediaDir: string;
let zoneId: number;
let pageHtml = '';
const seen: string[] = [];
const leaked: string[] = [];

beforeAll(async () => {
  mediaDir = mkdtempSync(path.join(tmpdir(), 'html5-'));
  const app = express();
  app.use((req, _res, next) => {
    seen.push(req.url);
    next();
  });
  app.use('/media', mediaFileRoutes({ config: { ...loadConfig({ NODE_ENV: 'test' }), mediaDir } }));
  app.use((_req, res) => res.type('html').send(pageHtml));
  site = createServer(app);
  siteUrl = await listen(site);
  outside = createServer((req, res) => {
    leaked.push(req.url ?? '');
    res.end();
  });
  outsideUrl = await listen(outside);
  database = await createTestDatabase();
  stand = await startServing({
    sql: database.pool,
    redisUrl: serviceUrl('REDIS_URL'),
    urls: { track: siteUrl, cdn: siteUrl },
  });
  browser = await launchBrowser('');
  zoneId = await zoneWithHtml5();
});

afterAll(async () => {
  await browser.close();
  await stand.close();
  await database.close();
  for (const server of [site, outside]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await rm(mediaDir, { recursive: true });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A creative as agencies pack it, that tries to reach out as well. */
async function zoneWithHtml5(): Promise<number> {
  const script = `
    const attempt = (name, run) => { try { run(); window.told.push(name + ' done'); } catch { window.told.push(name + ' refused'); } };
    attempt('cookie', () => { if (document.cookie === undefined) throw 1; });
    attempt('parent', () => parent.document.title);
    fetch(${JSON.stringify(outsideUrl)} + '/fetched').catch(() => window.told.push('fetch refused'));
    new Image().src = ${JSON.stringify(outsideUrl)} + '/pixel';
    document.getElementById('go').addEventListener('click', () => window.open(window.clickTag));`;
  const zip = await zipOf([
    {
      name: 'index.html',
      content: `<!doctype html><html><head><meta name="ad.size" content="width=4003,height=250">
        <script>window.told = []; var clickTag = "https://preview.example/";</script></head>
        <body><button id="go">Go</button><script src="js/main.js"></script></body></html>`,
    },
    { name: 'js/main.js', content: script },
  ]);
  const bundle = await readHtml5Zip(zip);
  const folder = bundlePath('c0ffee00'.repeat(4));
  await createFileMediaStore(mediaDir).putBundle(folder, bundle.files);
  const advertiser = await makeAdvertiser(database.db, { balance: 100 });
  const media = await database.db.models.media.create({
    advertiserId: advertiser.id,
    type: 'HTML5',
    mime: 'text/html',
    width: bundle.width,
    height: bundle.height,
    bytes: bundle.bytes,
    sha256: 'html5',
    path: `${folder}/index.html`,
  });
  await makeCampaignTree(database.db, advertiser.id, {
    creative: { creativeType: 'html5', type: 'HTML' },
    revision: { width: null, height: null, imageMediaId: null, html5MediaId: media.id },
  });
  const { zone, publisher } = await makePlace(database.db, { zone: { width: 4_003 } });
  await stand.publish({ topic: 'advertiser', id: advertiser.id });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  await until(async () => {
    const answer = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`);
    return answer.status === 200 && answer.body.data.ads.length === 1;
  });
  return zone.id;
}

/** The creative ran, reached nobody outside, and its click opened the address of the ad. */
async function expectAtHome(page: Page): Promise<void> {
  const creative = await found(() =>
    page.frames().find((frame) => frame.url().includes('/media/')),
  );
  expect(creative.url()).toMatch(/\/index\.html#clickTag=http/);
  // Asked from outside: what waits inside a page needs eval, which this one's policy forbids.
  await until(
    async () => (await creative.evaluate('window.told?.includes("fetch refused")')) === true,
  );
  const told = (await creative.evaluate('window.told')) as string[];
  expect(told.sort()).toEqual(['cookie refused', 'fetch refused', 'parent refused']);
  const popup = page.waitForEvent('popup');
  await creative.click('#go');
  const opened = await popup;
  await until(() => seen.some((url) => url.startsWith('/track/click/')));
  expect(opened.url()).not.toContain('preview.example');
  expect(leaked).toEqual([]);
}

async function found<Found>(find: () => Found | undefined): Promise<Found> {
  await until(() => find() !== undefined);
  const it = find();
  if (it === undefined) throw new Error('it went away again');
  return it;
}

describe('an HTML5 creative in a browser', () => {
  beforeEach(() => {
    seen.length = 0;
  });

  test('html as srcdoc · runs in a frame of its own, and its click is ours', async () => {
    const { body } = await ask(`${stand.url}/ad/request?zone_id=${zoneId}`);
    const [ad] = body.data.ads;
    expect(ad).toMatchObject({ type: 'HTML', width: 4_003, height: 250 });
    pageHtml = `<iframe width="4003" height="250"></iframe><script>
      document.querySelector('iframe').srcdoc = ${JSON.stringify(ad?.['html']).replaceAll('<', '\\u003c')};
    </script>`;
    const page = await browser.newPage();
    await page.goto(siteUrl);
    await expectAtHome(page);
    await page.close();
  });

  test('/ad/render as src · the same behind its own policy', async () => {
    pageHtml = `<iframe width="4003" height="250" src="${stand.url}/ad/render/${zoneId}"></iframe>`;
    const page = await browser.newPage();
    await page.goto(siteUrl);
    await expectAtHome(page);
    await page.close();
  });
});
