import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { buildSdk } from '../support/format-pages.ts';
import { type Listener, startListener } from '../support/listener.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { makeCampaignTree } from '../support/make/campaign.ts';
import { makePlace } from '../support/make/place.ts';
import { bidsFor, buildPrebid, PREBID_SCRIPTS } from '../support/prebid.ts';
import { ask } from '../support/serving.ts';
import { createStand, type Stand } from '../support/stand.ts';
import { until } from '../support/until.ts';

/**
 * A campaign that asks for a category, a keyword and a language, and the ways in which a page says its own:
 * in Chromium, over our ad server.
 */
let stand: Stand;
let browser: Browser;
/** The publisher's site. */
let site: Listener;
let scripts: Record<string, string>;
let html = '';
let zoneKey: string;
const pages: Page[] = [];

beforeAll(async () => {
  scripts = { ...(await buildPrebid()), '/sdk.js': await buildSdk() };
  site = await startListener((req, res) => {
    const script = scripts[req.url ?? ''];
    const type = script === undefined ? 'text/html; charset=utf-8' : 'text/javascript';
    res.writeHead(200, { 'Content-Type': type }).end(script ?? html);
  });
  stand = await createStand({ env: { TRACK_URL: site.url, CDN_URL: site.url } });
  await stand.startServing();
  browser = await launchBrowser('');
  zoneKey = await targetedZone();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await stand?.close();
  await site?.close();
});

afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
});

const WORDS = { page_category: 'Sailing', page_keywords: 'rope, tar', page_lang: 'en-GB' };

async function targetedZone(): Promise<string> {
  const { db } = stand.database;
  const advertiser = await makeAdvertiser(db, { balance: 100 });
  await makeCampaignTree(db, advertiser.id, {
    campaign: {
      targetCategories: ['sailing'],
      targetKeywords: ['rope'],
      targetLanguages: ['en-gb'],
    },
  });
  const { zone, publisher } = await makePlace(db);
  await stand.publish({ topic: 'advertiser', id: advertiser.id });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  await until('the zone is sold to a page of these words', async () => {
    const words = new URLSearchParams({ zone: zone.zoneKey, ...WORDS }).toString();
    const answer = await ask(`${stand.url}/ad/request?${words}`);
    return answer.status === 200 && answer.body.data.ads.length === 1;
  });
  return zone.zoneKey;
}

async function opened(body: string): Promise<Page> {
  html = `<!doctype html>${body}`;
  const page = await browser.newPage();
  pages.push(page);
  await page.goto(site.url);
  return page;
}

interface SdkPage {
  lang?: string;
  head?: string;
  element?: string;
  script?: string;
}

/** Whether the SDK fills the zone of this page. */
async function isFilled({ lang = 'en-GB', head = '', element = '', script = '' }: SdkPage) {
  const page = await opened(`<html lang="${lang}"><head>${head}</head><body>
<div data-adp-zone="${zoneKey}" ${element}></div>
<script async src="/sdk.js" data-base="${stand.url}" ${script}></script>`);
  const settled = page.locator('[data-adp-state=filled], [data-adp-state=empty]');
  return (await settled.getAttribute('data-adp-state')) === 'filled';
}

const META = `<meta name="Keywords" content="rope, tar"><meta property="article:section" content="Sailing">`;
const SAID = 'data-adp-keywords="rope, tar" data-adp-category="Sailing"';

describe('a page with the SDK', () => {
  test.each<[string, SdkPage]>([
    ['on the zone’s element', { element: SAID }],
    ['on the script', { script: SAID }],
    ['in meta tags', { head: META }],
    [
      'on the element, whatever the others say',
      { element: SAID, script: 'data-adp-keywords="tin"' },
    ],
    [
      'as tags',
      {
        head: `${META.replace('rope', '')}<meta property="article:tag" content="tin"><meta property="article:tag" content="Rope">`,
      },
    ],
    [
      'in another language than the page around it',
      { lang: 'de', element: `${SAID} data-adp-lang="en-GB"` },
    ],
    ['among far too many', { head: META.replace('tar', '绳索、'.repeat(5_000)) }],
  ])('its words %s · are met', async (_where, said) => {
    expect(await isFilled(said)).toBe(true);
  });

  test.each<[string, SdkPage]>([
    ['no words', {}],
    ['other words', { element: 'data-adp-keywords="tin" data-adp-category="Sailing"' }],
    ['other words than its meta tags', { head: META, script: 'data-adp-keywords="tin"' }],
    ['a word taken back', { head: META, element: 'data-adp-category=""' }],
    ['another language', { lang: 'de', head: META }],
    // 500 characters end within it.
    [
      'half a word',
      {
        head: META.replace(
          'rope',
          `${'x'.repeat(60)},`.repeat(8).padEnd(495, 'y') + ',rope-ladder',
        ),
      },
    ],
  ])('%s · are not', async (_what, said) => {
    expect(await isFilled(said)).toBe(false);
  });
});

test('a frame alone · with page_ parameters in its address · is met, and not without', async () => {
  const frame = async (words: object): Promise<string | null> => {
    const query = new URLSearchParams({ ...words }).toString();
    const page = await opened(`<iframe src="${stand.url}/ad/render/${zoneKey}?${query}"></iframe>`);
    return (await page.frames()[1]?.textContent('body')) ?? null;
  };
  expect(await frame(WORDS)).toContain('AD');
  expect(await frame({ ...WORDS, page_category: 'Tin' })).not.toContain('AD');
});

describe('a page with Prebid.js', () => {
  const bids = async (head: string, site_: object): Promise<number> => {
    const page = await opened(`<html lang="en-GB"><head>${head}${PREBID_SCRIPTS}</head>`);
    const params = { zone: zoneKey, base: stand.url, cpm: 1 };
    const [found] = await bidsFor(page, [{ params }], { ortb2: { site: site_ } });
    return found?.length ?? 0;
  };

  test.each<[string, string, object]>([
    ['what the page gives Prebid', '', { keywords: 'tar,rope', pagecat: ['Sailing'] }],
    ['of its site and its content', '', { kwarray: ['rope'], content: { cat: ['Sailing'] } }],
    ['in Prebid’s own place', META.replace('K', 'k'), { ext: { data: { category: 'Sailing' } } }],
  ])('its words %s · are met', async (_where, head, said) => {
    expect(await bids(head, said)).toBe(1);
  });

  test.each<[string, object]>([
    ['no words', {}],
    ['other words', { keywords: 'tin', cat: ['Sailing'] }],
    ['another language', { keywords: 'rope', cat: ['Sailing'], content: { language: 'de' } }],
    ['far too many', { keywords: 'tin, '.repeat(50_000), cat: ['Sailing'] }],
  ])('%s · are not', async (_what, said) => {
    expect(await bids('', said)).toBe(0);
  });
});
