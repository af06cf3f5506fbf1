import type { Browser, Page } from 'playwright-core';
import { readHtml5Zip } from '../../../activities/providers/html5-zip.ts';
import { bundlePath, createFileMediaStore } from '../../../db/files/media-store.ts';
import { type Listener, startListener } from '../../support/listener.ts';
import { ask } from '../../support/serving.ts';
import { zipOf } from '../../support/zips.ts';
import { until } from '../../support/until.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import { launchBrowser } from '../../support/browser.ts';

/** An HTML5 creative in a real browser, told by what it loads, opens and fails to reach. */
let stand: Stand;
let browser: Browser;
/** The publisher's page, and where tracks and media are said to be. */
let site: Listener;
let outside: Listener;
let zoneId: number;
let pageHtml = '';
const seen: string[] = [];
const leaked: string[] = [];

beforeAll(async () => {
  site = await startListener((req, res) => {
    const url = req.url ?? '';
    seen.push(url);
    if (url.startsWith('/media/')) stand.app(req, res);
    else res.writeHead(200, { 'content-type': 'text/html' }).end(pageHtml);
  });
  outside = await startListener((req, res) => {
    leaked.push(req.url ?? '');
    res.end();
  });
  stand = await createStand({ env: { TRACK_URL: site.url, CDN_URL: site.url } });
  await stand.startServing();
  browser = await launchBrowser('');
  zoneId = await zoneWithHtml5();
});

afterAll(async () => {
  await browser.close();
  await stand.close();
  await site.close();
  await outside.close();
});

/** A creative as agencies pack it, that tries to reach out as well. */
async function zoneWithHtml5(): Promise<number> {
  const script = `
    const attempt = (name, run) => { try { run(); window.told.push(name + ' done'); } catch { window.told.push(name + ' refused'); } };
    attempt('cookie', () => { if (document.cookie === undefined) throw 1; });
    attempt('parent', () => parent.document.title);
    fetch(${JSON.stringify(outside.url)} + '/fetched').catch(() => window.told.push('fetch refused'));
    new Image().src = ${JSON.stringify(outside.url)} + '/pixel';
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
  await createFileMediaStore(stand.config.mediaDir).putBundle(folder, bundle.files);
  const advertiser = await makeAdvertiser(stand.database.db, { balance: 100 });
  const media = await stand.database.db.models.media.create({
    advertiserId: advertiser.id,
    type: 'HTML5',
    mime: 'text/html',
    width: bundle.width,
    height: bundle.height,
    bytes: bundle.bytes,
    sha256: 'html5',
    path: `${folder}/index.html`,
  });
  await makeCampaignTree(stand.database.db, advertiser.id, {
    creative: { creativeType: 'html5', type: 'HTML' },
    revision: { width: null, height: null, imageMediaId: null, html5MediaId: media.id },
  });
  const { zone, publisher } = await makePlace(stand.database.db, { zone: { width: 4_003 } });
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
    await page.goto(site.url);
    await expectAtHome(page);
    await page.close();
  });

  test('/ad/render as src · the same behind its own policy', async () => {
    pageHtml = `<iframe width="4003" height="250" src="${stand.url}/ad/render/${zoneId}"></iframe>`;
    const page = await browser.newPage();
    await page.goto(site.url);
    await expectAtHome(page);
    await page.close();
  });
});
