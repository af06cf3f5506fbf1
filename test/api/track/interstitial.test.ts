import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { createTrackSurface } from '../../../api/track/surface.ts';
import { createPageReader } from '../../../api/pages.ts';
import { createViewerReader } from '../../../api/viewer.ts';
import { createPostgresEventLog } from '../../../db/events/event-log-postgres.ts';
import type { EventLog } from '../../../db/events/event-log.ts';
import { openGeo } from '../../../db/geo.ts';
import { createFingerprints } from '../../../domain/tracking/fingerprint.ts';
import { createSessionKeys } from '../../../domain/tracking/session-key.ts';
import { createTrackSealer } from '../../../domain/tracking/track-id.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { launchBrowser } from '../../support/browser.ts';

/** The page between ad and advertiser, in a browser, under its own content policy. */
const log = pino({ level: 'silent' });
const hashKey = randomBytes(32);
const sealer = createTrackSealer([{ id: 0, secret: randomBytes(32) }]);
let database: TestDatabase;
let spoolDir: string;
let eventLog: EventLog;
let server: Server;
let browser: Browser;
let line: Line;
let refusals = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  spoolDir = mkdtempSync(path.join(tmpdir(), 'page-'));
  eventLog = createPostgresEventLog({ pool: database.pool, spoolDir, log });
  const app = express();
  app.post('/track/click-verify', (_req, res, next) => {
    if (refusals === 0) next();
    else {
      refusals -= 1;
      res.status(503).end();
    }
  });
  app.use(
    '/track',
    createTrackSurface({
      pool: database.pool,
      eventLog,
      sealer,
      sessionKeys: createSessionKeys(hashKey),
      fingerprintOf: createFingerprints(hashKey),
      readPage: createPageReader(),
      pages: { note: () => undefined },
      readViewer: createViewerReader({ hashKey, geo: openGeo(), trustedProxies: [] }),
      shards: 1,
      clock: () => new Date(),
      log,
    }),
  );
  app.get('/favicon.ico', (_req, res) => {
    res.status(204).end();
  });
  app.get('/landing', (req, res) => {
    const { searchParams } = new URL(req.url, 'http://shop.example');
    res.send(`<p id="landed">${searchParams.get('c') ?? ''}</p>`);
  });
  server = app.listen(0, '127.0.0.1');
  browser = await launchBrowser('MAP shop.example 127.0.0.1');
  line = await makeLine(database);
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
  await eventLog.close();
  await database.close();
  rmSync(spoolDir, { recursive: true });
});

async function openClick(trackId: string): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`http://127.0.0.1:${port()}/track/click/${trackId}`);
  return { page, faults };
}
const port = (): number => (server.address() as AddressInfo).port;
const landing = async (url: string): Promise<string> => {
  await database.pool.query('UPDATE ad_revisions SET landing_url = $1 WHERE ad_id = $2', [
    url,
    line.adId,
  ]);
  return sealer.seal({
    requestId: randomBytes(16).toString('hex'),
    bidId: randomBytes(8).toString('hex'),
    advertiserId: line.advertiserId,
    campaignId: line.campaignId,
    adId: line.adId,
    creativeId: line.creativeId,
    zoneId: line.zoneId,
    issuedAt: Math.floor(Date.now() / 1000),
    protocol: 1,
    channel: 'page',
    pricingModel: 'CPC',
    priceNanos: 1n,
    uaHash: '00000000',
    ipHash: '00000000',
    country: null,
    device: 'DESKTOP',
    os: 'LINUX',
  });
};

test('interstitial · good click · leads to the landing page with its click_id, and leaves no step back', async () => {
  const trackId = await landing(`http://shop.example:${port()}/landing?c={click_id}`);
  const { page, faults } = await openClick(trackId);
  await page.waitForSelector('#landed');
  const { rows } = await database.pool.query(
    'SELECT click_id, status FROM clicks ORDER BY clicked_at DESC LIMIT 1',
  );
  expect(rows[0].status).toBe('verified');
  expect(await page.textContent('#landed')).toBe(rows[0].click_id);
  expect(await page.evaluate('history.length')).toBe(2);
  expect(faults).toEqual([]);
  await page.close();
});

test.each([
  ['asks for privacy', true, ['webdriver']],
  ['asks for none', false, expect.arrayContaining(['webdriver', 'language', 'screen'])],
])(
  'interstitial · of a browser that %s · (%p) · says no more of the device than it may',
  async (_what, asks, said) => {
    const trackId = await landing(`http://shop.example:${port()}/landing?c={click_id}`);
    const page = await browser.newPage();
    await page.addInitScript(
      `Object.defineProperty(navigator,'globalPrivacyControl',{value:${asks}})`,
    );
    const told = page.waitForRequest(/click-verify/);
    await page.goto(`http://127.0.0.1:${port()}/track/click/${trackId}`);
    const { device_data: device } = (await told).postDataJSON() as { device_data: object };
    expect(Object.keys(device)).toEqual(said);
    await page.waitForSelector('#landed');
    await page.close();
  },
);

test('interstitial · reloaded after use · asks anew, as the click is a new one', async () => {
  const trackId = await landing(`http://shop.example:${port()}/landing?c={click_id}`);
  for (let round = 0; round < 2; round += 1) {
    const { page } = await openClick(trackId);
    await page.waitForSelector('#landed');
    await page.close();
  }
});

test('interstitial · forged track_id · says that the link is not valid, goes nowhere', async () => {
  const { page } = await openClick('forged');
  await page.locator('#m', { hasText: 'no longer valid' }).waitFor();
  expect(page.url()).toContain('/track/click/forged');
  await page.close();
});

test('interstitial · verification unavailable for a moment · tries again', async () => {
  const trackId = await landing(`http://shop.example:${port()}/landing?c={click_id}`);
  refusals = 2;
  const { page } = await openClick(trackId);
  await page.waitForSelector('#landed');
  await page.close();
});

test('interstitial · landing page with a script scheme · is never followed', async () => {
  const { page } = await openClick(await landing('javascript:document.title="run"'));
  await page.locator('#m', { hasText: 'no longer valid' }).waitFor();
  expect(await page.title()).toBe('One moment');
  await page.close();
});
