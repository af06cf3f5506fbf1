import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { buildSdk } from '../support/format-pages.ts';
import { type Listener, startListener } from '../support/listener.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { makeCampaignTree } from '../support/make/campaign.ts';
import { nanos } from '../support/make/money.ts';
import { makePlace } from '../support/make/place.ts';
import { ask } from '../support/serving.ts';
import { createStand, type Stand } from '../support/stand.ts';
import { until } from '../support/until.ts';

/** A page with more zones than creatives, drawn by the SDK in Chromium over our ad server. */
const CREATIVES = 13;

let stand: Stand;
let browser: Browser;
/** The publisher's site. */
let site: Listener;
let zoneKey: string;

beforeAll(async () => {
  const sdk = await buildSdk();
  site = await startListener((req, res) => {
    const isScript = req.url === '/sdk.js';
    res.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' });
    res.end(isScript ? sdk : pageOf(zoneKey));
  });
  stand = await createStand({ env: { TRACK_URL: site.url, CDN_URL: site.url } });
  await stand.startServing();
  browser = await launchBrowser('');
  zoneKey = await soldZone();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await stand?.close();
  await site?.close();
});

/** Each creative is of another advertiser. */
async function soldZone(): Promise<string> {
  const { db } = stand.database;
  for (let made = 0; made < CREATIVES; made += 1) {
    const advertiser = await makeAdvertiser(db, { balance: 100 });
    // Of another price each: all zones are answered the same one at first.
    await makeCampaignTree(db, advertiser.id, { campaign: { bidNanos: nanos(2 + made) } });
    await stand.publish({ topic: 'advertiser', id: advertiser.id });
  }
  const { zone, publisher } = await makePlace(db);
  await stand.publish({ topic: 'publisher', id: publisher.id });
  await until('all of them are sold', async () => {
    const { status, body } = await ask(`${stand.url}/ad/request?zone=${zone.zoneKey}&limit=10`);
    return status === 200 && body.data.ads.length === 10;
  });
  return zone.zoneKey;
}

const pageOf = (zone: string): string =>
  `<!doctype html>${`<div data-adp-zone="${zone}"></div>`.repeat(CREATIVES + 1)}
<script async src="/sdk.js" data-base="${stand.url}"></script>`;

/** The zones' states, once none waits for an answer. */
async function settled(page: Page): Promise<(string | null)[]> {
  await page.waitForFunction(
    `[...document.querySelectorAll('[data-adp-zone]')].every(({ dataset }) => /filled|empty/.test(dataset.adpState))`,
  );
  return await page
    .locator('[data-adp-zone]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-adp-state')));
}

test('more zones than creatives · each creative once, the last zone empty; later none anew', async () => {
  const page = await browser.newPage();
  await page.goto(site.url);
  const states = await settled(page);
  expect(states.filter((state) => state === 'filled')).toHaveLength(CREATIVES);
  expect(states.filter((state) => state === 'empty')).toHaveLength(1);
  const sources = await page
    .locator('iframe')
    .evaluateAll((all) => all.map((frame) => frame.getAttribute('src') ?? ''));
  const drawn = sources.map((src) => {
    const trackId = /\/ad\/render\/ad\/([\w-]+)/.exec(src)?.[1] ?? '';
    return stand.sealer.open(trackId)?.creativeId;
  });
  expect(new Set(drawn).size).toBe(CREATIVES);
  // As an app does that goes on to its next view: what was drawn first is still known.
  await page.evaluate(`(() => {
    for (const old of document.querySelectorAll('[data-adp-zone]')) old.remove();
    const fresh = document.createElement('div');
    fresh.dataset.adpZone = ${JSON.stringify(zoneKey)};
    document.body.append(fresh);
  })()`);
  expect(await settled(page)).toEqual(['filled']);
  expect(await page.locator('iframe').getAttribute('src')).toMatch(/&again=1$/);
  await page.close();
});
