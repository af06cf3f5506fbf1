import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Route } from 'playwright-core';
import { launchBrowser, PERSON_AGENT } from '../../support/browser.ts';
import { type Listener, startListener } from '../../support/listener.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import { until } from '../../support/until.ts';

/**
 * Our documents in two players that know nothing of each other, in Chromium: Fluid Player, and an element of
 * the page that is led by Dailymotion's client. Each plays the film to its end, and every event of it
 * arrives: ours, and of a wrapper the other server's too.
 */
const CORE_EVENTS = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
const THEIR_HOST = 'https://other.example';
const FILM = readFileSync(path.join('test', 'fixtures', 'video', 'tone.webm'));

const tracking = CORE_EVENTS.map(
  (event) => `<Tracking event="${event}">${THEIR_HOST}/event?e=${event}</Tracking>`,
).join('');
const THEIR_AD = `<VAST version="3.0"><Ad id="9"><InLine><AdSystem>theirs</AdSystem><AdTitle>Theirs</AdTitle>
  <Impression>${THEIR_HOST}/impression</Impression><Creatives><Creative><Linear><Duration>00:00:02</Duration>
  <TrackingEvents>${tracking}</TrackingEvents><VideoClicks><ClickThrough>https://shop.example/</ClickThrough></VideoClicks>
  <MediaFiles><MediaFile delivery="progressive" type="video/webm" width="320" height="180">${THEIR_HOST}/film.webm</MediaFile></MediaFiles>
  </Linear></Creative></Creatives></InLine></Ad></VAST>`;
const TO_THEM = `<VAST version="3.0"><Ad id="9"><Wrapper><AdSystem>x</AdSystem><VASTAdTagURI>${THEIR_HOST}/tag</VASTAdTagURI>
  <Impression>${THEIR_HOST}/wrapper</Impression></Wrapper></Ad></VAST>`;

const PLAYERS = {
  'Fluid Player': `
    import fluidPlayer from 'fluid-player';
    window.play = (tag) => {
      fluidPlayer(document.querySelector('video'), {
        layoutControls: { autoPlay: true, mute: true },
        vastOptions: { adList: [{ roll: 'preRoll', vastTag: tag }] },
      });
    };`,
  'Dailymotion’s client': `
    import { VASTClient, VASTTracker } from '@dailymotion/vast-client';
    window.play = async (tag) => {
      const client = new VASTClient();
      const { ads } = await client.get(tag);
      const creative = ads[0].creatives.find(({ type }) => type === 'linear');
      const tracker = new VASTTracker(client, ads[0], creative);
      const video = document.querySelector('video');
      video.addEventListener('timeupdate', () => {
        tracker.setDuration(video.duration);
        tracker.setProgress(video.currentTime);
      });
      video.addEventListener('playing', () => tracker.trackImpression(), { once: true });
      video.addEventListener('ended', () => tracker.complete());
      video.muted = true;
      video.src = creative.mediaFiles[0].fileURL;
      await video.play();
    };`,
} as const;
type PlayerName = keyof typeof PLAYERS;

let stand: Stand;
let site: Listener;
let browser: Browser;
let zones: Record<'film' | 'wrapper', number>;
const scripts = new Map<string, string>();

beforeAll(async () => {
  for (const [name, source] of Object.entries(PLAYERS)) scripts.set(name, await bundled(source));
  site = await startListener((req, res) => {
    const player = decodeURIComponent((req.url ?? '').slice(1));
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    res.end(
      `<!doctype html><video width="640" height="360" muted><source src="${THEIR_HOST}/film.webm" type="video/webm"></video>
       <script>${scripts.get(player) ?? ''}</script>`,
    );
  });
  stand = await createStand();
  zones = { film: await aZone(THEIR_AD), wrapper: await aZone(TO_THEM) };
  await stand.startServing();
  browser = await launchBrowser('');
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stand?.close();
  await site?.close();
});

async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    format: 'iife',
    write: false,
    minify: true,
    conditions: ['browser'],
    loader: { '.svg': 'dataurl' },
    // What plays streams, and turns pictures round, is asked for by films that are such.
    external: ['dashjs', 'hls.js', 'panolens', 'videojs-vtt.js'],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script');
}

let bids = 0;

/** A zone whose floor only its own ad reaches. */
async function aZone(vastXml: string): Promise<number> {
  const { db } = stand.database;
  bids += 1;
  const bidNanos = nanos(bids * 10);
  const { id } = await makeAdvertiser(db, { balance: 10_000 });
  await makeCampaignTree(db, id, {
    campaign: { adType: 'VIDEO', bidNanos },
    creative: { creativeType: 'vast', type: 'VIDEO' },
    revision: { width: null, height: null, imageMediaId: null, vastXml },
  });
  const place = await makePlace(db, {
    zone: { type: 'VIDEO', floorPriceCpmNanos: bidNanos - nanos(1) },
  });
  return place.zone.id;
}

/** Plays what the tag leads to; answers what was reported, to us and to the other server. */
async function played(player: PlayerName, tag: string) {
  const ours: string[] = [];
  const theirs: string[] = [];
  const context = await browser.newContext({ userAgent: PERSON_AGENT });
  const page = await context.newPage();
  page.on('request', (request) => {
    const url = new URL(request.url());
    const [, , kind, trackId] = url.pathname.split('/');
    if (url.pathname.startsWith('/track/')) {
      expect(stand.sealer.open(trackId ?? '')).not.toBeNull();
      ours.push(url.searchParams.get('e') ?? String(kind));
    }
  });
  await context.route(`${THEIR_HOST}/**`, async (route: Route) => {
    const url = new URL(route.request().url());
    if (/event|impression|wrapper/.test(url.pathname)) {
      theirs.push(url.searchParams.get('e') ?? url.pathname.slice(1));
    }
    const isFilm = url.pathname === '/film.webm';
    await route.fulfill({
      // One of the players asks with credentials.
      headers: {
        'Access-Control-Allow-Origin': site.url,
        'Access-Control-Allow-Credentials': 'true',
      },
      contentType: isFilm ? 'video/webm' : 'application/xml',
      body: isFilm ? FILM : THEIR_AD,
    });
  });
  await page.goto(`${site.url}/${encodeURIComponent(player)}`);
  await page.evaluate(`window.play(${JSON.stringify(tag)})`);
  const all = ['impression', ...CORE_EVENTS];
  await until({ what: `${player} reports every event`, withinMs: 60_000 }, () =>
    all.every((event) => ours.includes(event) && theirs.includes(event)),
  );
  await context.close();
  return { ours, theirs };
}

describe.each(Object.keys(PLAYERS) as PlayerName[])('%s', (player) => {
  test.each([
    ['2.0', 'film'],
    ['4.2', 'film'],
    ['2.0', 'wrapper'],
    ['4.2', 'wrapper'],
  ] as const)(
    'version %s · a %s · is played, and told of by all five events once',
    async (version, kind) => {
      const { ours, theirs } = await played(
        player,
        `${stand.url}/ad/render/vast/${zones[kind]}?version=${version}`,
      );
      for (const event of ['impression', ...CORE_EVENTS]) {
        expect(ours.filter((each) => each === event)).toEqual([event]);
        expect(theirs.filter((each) => each === event)).toEqual([event]);
      }
      if (kind === 'wrapper') expect(theirs).toContain('wrapper');
    },
  );
});
