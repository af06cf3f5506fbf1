import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core';
import { createFileMediaStore } from '../../db/files/media-store.ts';
import { createRedis, noticesOf } from '../../db/redis.ts';
import type { ZoneSettingsPatch, ZoneType } from '../../domain/zone-settings.ts';
import { ownAddress } from '../support/address.ts';
import { startListener } from '../support/listener.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { makeCampaignTree } from '../support/make/campaign.ts';
import { nanos } from '../support/make/money.ts';
import { makePlace } from '../support/make/place.ts';
import { image } from '../support/images.ts';
import { launchBrowser } from '../support/browser.ts';
import { startLocalSites } from '../support/local-sites.ts';

/** Pages of a publisher with zones of every type, in Chromium, over the whole platform. */
export interface SdkStand {
  platform: Platform;
  browser: Browser;
  /** A page that carries this zone, in a browser of its own unless `before` lends its one. */
  open(zone: string, options?: OpenOptions): Promise<ZonePage>;
  /** Keeps every file of the media host back until what this answers is called. */
  holdMedia(): () => void;
  close(): Promise<void>;
}

/** A publisher's page of its own: its markup, and what its server says of it. */
interface OwnPage {
  html: (zones: ZoneAddresses) => string;
  headers?: (zones: ZoneAddresses) => Record<string, string>;
}
interface ZoneAddresses {
  keys: Readonly<Record<string, string>>;
  base: string;
  track: string;
}

interface OpenOptions {
  /** Instead of the page that carries the zone alone. */
  own?: OwnPage;
  before?: ZonePage;
  context?: BrowserContextOptions;
  /** Script for every document, before its own. */
  initScript?: string;
  /** Before the page is loaded. */
  prepare?: (page: Page) => Promise<void>;
}

export interface ZonePage {
  page: Page;
  /** Ad requests of this page. */
  asks: URL[];
  /** Creatives that were answered, by track_id. */
  won: Map<string, number>;
  /** Beacons since this page was opened. */
  readonly impressions: URL[];
  readonly videos: URL[];
  readonly views: URL[];
  /** Errors that were thrown into the page. */
  errors: string[];
  /** Waits for the state of the zone's element. */
  state(name: string): Promise<void>;
}

const SITE = 'gazette.example.com';
const VIDEO_SECONDS = 2;
export const REFRESH_SECONDS = 30;

/** Zones by name; a RESPONSIVE campaign's picture is sold into all that show pictures. */
const ZONES = {
  banner: ['BANNER', {}],
  refreshed: ['BANNER', {}],
  popup: [
    'POPUP',
    {
      trigger: { type: 'DELAY', delay_seconds: 1 },
      popup: { position: 'CENTER', overlay: true, close_button: true, close_delay_seconds: 1 },
    },
  ],
  once: [
    'POPUP',
    {
      frequency: { impressions: 1, window_seconds: 3_600 },
      popup: { position: 'TOP', overlay: false, close_button: true, close_delay_seconds: 0 },
    },
  ],
  float: [
    'FLOAT',
    {
      trigger: { type: 'SCROLL', scroll_percent: 50 },
      popup: { position: 'CENTER', overlay: true, close_button: true, close_delay_seconds: 0 },
    },
  ],
  interstitial: [
    'INTERSTITIAL',
    {
      trigger: { type: 'CLICK' },
      popup: { position: 'TOP', overlay: false, close_button: false, close_delay_seconds: 0 },
    },
  ],
  exit: ['EXIT_INTENT', { frequency: { impressions: 1, window_seconds: 3_600 } }],
  couplet: ['COUPLET', { couplet: { min_screen_width: 1_000, offset_top: 60, offset_side: 20 } }],
  video: ['VIDEO', {}],
  rewarded: ['REWARDED', { rewarded: { watch_seconds: 2, skippable_after_seconds: 1 } }],
} as const satisfies Record<string, [ZoneType, ZoneSettingsPatch]>;

export async function startSdkStand(): Promise<SdkStand> {
  const sites = await startLocalSites();
  const tracking = await startOuterHost();
  const platform = await startPlatform({
    TRACK_URL: tracking.url,
    CDN_URL: tracking.url,
    CDN_PORT: '0',
  });
  tracking.forwardTo(platform.baseUrl);
  const browser = await launchBrowser(`MAP ${SITE} 127.0.0.1:${sites.port}`);
  const keys = await seed(platform);
  for (const [name, key] of Object.entries(keys)) {
    sites.pages.set(`/${name}`, { type: 'text/html', body: pageWith(key, platform.baseUrl) });
  }
  return {
    platform,
    browser,
    open: async (zone, options = {}) => {
      tracking.nextViewer();
      if (options.own !== undefined) {
        const zones = { keys, base: platform.baseUrl, track: tracking.url };
        sites.pages.set(`/own/${zone}`, {
          type: 'text/html',
          body: options.own.html(zones),
          ...(options.own.headers === undefined ? {} : { headers: options.own.headers(zones) }),
        });
      }
      return await openPage({ browser, beacons: tracking.beacons }, zone, options);
    },
    holdMedia: tracking.holdMedia,
    close: async () => {
      await browser.close();
      await tracking.close();
      await platform.close();
      await sites.close();
    },
  };
}

/**
 * A tracking and media host of its own before the platform, as a split deployment has it; and the
 * one place that sees every beacon: a debugger of the page misses what a sandboxed frame loads first.
 */
async function startOuterHost() {
  const beacons: URL[] = [];
  let target = '';
  let viewer = ownAddress();
  let held = Promise.resolve();
  const listener = await startListener((req, res) => {
    const url = new URL(req.url ?? '/', target);
    beacons.push(url);
    const { method = 'GET' } = req;
    const headers = { ...req.headers, 'x-forwarded-for': viewer };
    const onward = http.request(url, { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    void (url.pathname.startsWith('/media/') ? held : Promise.resolve()).then(() =>
      req.pipe(onward),
    );
  });
  return {
    ...listener,
    beacons,
    holdMedia: () => {
      let release = (): void => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    /** Beacons are somebody else's from here on: none is a duplicate of an earlier page's. */
    nextViewer: () => {
      viewer = ownAddress();
    },
    forwardTo: (url: string) => {
      target = url;
    },
  };
}

/** Long enough to be scrolled; the ancestor would move and clip a plainly fixed box. */
const pageWith = (zoneKey: string, baseUrl: string): string => `<!doctype html><html lang="en">
<body style="margin:0;height:3000px"><button id="own" onclick="this.dataset.done = 1">Own</button>
<script>window.told = []; addEventListener('adp:reward', (event) => told.push(event.detail), true);</script>
<div style="transform:translateX(0);overflow:hidden;width:400px;height:300px;margin-top:100px">
<div data-adp-zone="${zoneKey}"></div></div>
<script async src="${baseUrl}/sdk.js"></script></body></html>`;

async function openPage(
  { browser, beacons }: { browser: Browser; beacons: readonly URL[] },
  zone: string,
  options: OpenOptions,
): Promise<ZonePage> {
  const context =
    options.before?.page.context() ??
    (await browser.newContext({ viewport: { width: 1_200, height: 800 }, ...options.context }));
  const page = await context.newPage();
  if (options.initScript !== undefined) await page.addInitScript(options.initScript);
  const openedAt = beacons.length;
  const since = (name: string): URL[] =>
    beacons.slice(openedAt).filter(({ pathname }) => pathname.startsWith(`/track/${name}/`));
  const opened: ZonePage = {
    page,
    asks: [],
    won: new Map(),
    get impressions() {
      return since('impression');
    },
    get views() {
      return since('view');
    },
    get videos() {
      return since('video');
    },
    errors: [],
    state: async (name) => {
      await page.waitForSelector(`[data-adp-state=${name}]`, {
        state: 'attached',
        timeout: 10_000,
      });
    },
  };
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/ad/request') opened.asks.push(url);
  });
  page.on('response', (response) => {
    if (new URL(response.url()).pathname === '/ad/request') void noteWon(opened, response);
  });
  page.on('pageerror', (error) => opened.errors.push(error.message));
  await options.prepare?.(page);
  await page.goto(`http://${SITE}/${options.own === undefined ? '' : 'own/'}${zone}`);
  return opened;
}

/** What a page that is gone no longer reads is nobody's. */
async function noteWon({ won }: ZonePage, response: Response): Promise<void> {
  const body = await response.text().catch(() => '{}');
  const { data } = JSON.parse(body) as { data?: { ads?: { id: string; creative_id: number }[] } };
  for (const ad of data?.ads ?? []) won.set(ad.id, ad.creative_id);
}

/** Answers the zones' keys, once the serving process knows them and what they sell. */
async function seed({ db, env, baseUrl }: Platform): Promise<Record<string, string>> {
  const changed: { topic: 'advertiser' | 'publisher'; id: number }[] = [];
  const colours = { Rope: '#c58af9', Tar: '#5bb974' } as const;
  for (const title of ['Rope', 'Tar'] as const) {
    const { id } = await makeAdvertiser(db, { balance: 100 });
    changed.push({ topic: 'advertiser', id });
    const tree = await makeCampaignTree(db, id, {
      // The first one is won first: which picture a page shows is no matter of chance.
      campaign: { adType: 'RESPONSIVE', bidNanos: nanos(title === 'Rope' ? 3 : 2) },
      ad: { title },
    });
    const media = await db.models.media.findByPk(tree.revision.imageMediaId ?? 0, {
      rejectOnEmpty: true,
    });
    const picture = await image('png', { width: 300, height: 250, colour: colours[title] });
    await createFileMediaStore(env['MEDIA_DIR'] ?? '').put(media.path, picture);
  }
  const film = await makeAdvertiser(db, { balance: 100 });
  changed.push({ topic: 'advertiser', id: film.id });
  const video = await videoOf({ db, env }, film.id);
  for (const [adType, pricingModel] of [
    ['VIDEO', 'CPV'],
    ['REWARDED', 'CPM'],
  ] as const) {
    await makeCampaignTree(db, film.id, {
      campaign: { adType, pricingModel, bidNanos: nanos(1) },
      creative: { creativeType: 'video', type: 'VIDEO' },
      revision: { imageMediaId: null, videoMediaId: video },
    });
  }
  const keys: Record<string, string> = {};
  for (const [name, [type, settings]] of Object.entries(ZONES)) {
    const refresh = name === 'refreshed' ? REFRESH_SECONDS : 0;
    const { zone, publisher } = await makePlace(db, { zone: { type, settings, refresh } });
    changed.push({ topic: 'publisher', id: publisher.id });
    keys[name] = zone.zoneKey;
  }
  const redis = createRedis(env['REDIS_URL'] ?? '');
  await redis.connect();
  for (const change of changed) await redis.publish(noticesOf(redis), JSON.stringify(change));
  redis.destroy();
  for (const key of Object.values(keys)) await untilSold(`${baseUrl}/ad/request?zone=${key}`);
  return keys;
}

async function untilSold(url: string): Promise<void> {
  const headers = { 'X-Forwarded-For': ownAddress() };
  await until(`${url} is sold`, async () => {
    const { data } = (await (await fetch(url, { headers })).json()) as {
      data: { ads?: unknown[] };
    };
    return data.ads?.length === 1;
  });
}

/** A film of two seconds, in the platform's own media folder. */
async function videoOf(
  { db, env }: Pick<Platform, 'db' | 'env'>,
  advertiserId: number,
): Promise<number> {
  const bytes = readFileSync(path.join(process.cwd(), 'test/fixtures/video/tone.webm'));
  const file = `cd/${'cd'.repeat(16)}.webm`;
  await createFileMediaStore(env['MEDIA_DIR'] ?? '').put(file, bytes);
  const { id } = await db.models.media.create({
    advertiserId,
    type: 'VIDEO',
    mime: 'video/webm',
    width: 160,
    height: 90,
    bytes: bytes.length,
    durationS: VIDEO_SECONDS,
    sha256: 'video',
    path: file,
  });
  return id;
}
