import { gzipSync } from 'node:zlib';
import { type SdkStand, startSdkStand, type ZonePage } from './sdk-stand.ts';
import { deobfuscate } from '../../domain/tracking/obfuscation.ts';
import { pause, until } from '../support/until.ts';

/** Every zone type as a page's visitor meets it: when it comes, where it lies, how it goes. */
let stand: SdkStand;
const pages: ZonePage[] = [];

beforeAll(async () => {
  stand = await startSdkStand();
}, 120_000);
afterAll(async () => {
  await stand?.close();
}, 60_000);
afterEach(async () => {
  const errors = pages.flatMap((opened) => opened.errors);
  for (const { page } of pages.splice(0)) await page.context().close();
  expect(errors).toEqual([]);
});

async function open(...parameters: Parameters<SdkStand['open']>): Promise<ZonePage> {
  const opened = await stand.open(...parameters);
  pages.push(opened);
  return opened;
}

const boxOf = async ({ page }: ZonePage, selector: string) => {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not in sight`);
  return box;
};
/** As Selenium and its like leave it. */
const AUTOMATED = `Object.defineProperty(navigator,'webdriver',{value:true})`;
const PRIVATE = `Object.defineProperty(navigator,'globalPrivacyControl',{value:true})`;
/** What the SDK said of the device in a film's report. */
const deviceOf = (url: URL | undefined): unknown => {
  const said = (name: string): string => url?.searchParams.get(name) ?? '';
  return deobfuscate(said('_d'), { key: said('qa_k'), nonce: said('_r') });
};
const CLOSE = 'button[aria-label="Close advertisement"]';
const LAYER = '[role=dialog][aria-label=Advertisement]';

/** Of the ad that is shown: its frame has rendered, and so its pixel was asked for. */
const shown = async (zone: ZonePage, count = 1): Promise<void> => {
  await zone.state('filled');
  await until(`${count} impressions`, () => zone.impressions.length >= count);
  expect(zone.impressions).toHaveLength(count);
};
/** The page's time stands still, and goes on with `clock.runFor`. */
const stopped = {
  prepare: async ({ clock }: ZonePage['page']): Promise<void> => {
    // From a minute ago: until it is stopped it goes on, and may not have passed the moment.
    const now = Date.now();
    await clock.install({ time: now - 60_000 });
    await clock.pauseAt(now);
  },
};
const nothingShown = async (zone: ZonePage): Promise<void> => {
  await pause(250, 'an impression that must not be would come');
  expect(await zone.page.locator('iframe').count()).toBe(0);
  expect(zone.impressions).toEqual([]);
};

describe('the page SDK', () => {
  test('sdk.js · as it is served · stays below 10 KB', async () => {
    const response = await fetch(`${stand.platform.baseUrl}/sdk.js`);
    expect(gzipSync(await response.text(), { level: 9 }).length).toBeLessThan(10_000);
  });

  test('BANNER · in its element · is drawn at once, where it stands', async () => {
    const zone = await open('banner');
    await shown(zone);
    const box = await boxOf(zone, '[data-adp-zone] > iframe');
    expect(box).toMatchObject({ width: 300, height: 250 });
    expect(await zone.page.evaluate('localStorage.length')).toBe(0);
  });

  test('POPUP · after its delay · dims the page, and closes by Escape once it may', async () => {
    const zone = await open('popup', stopped);
    const { page } = zone;
    await zone.state('waiting');
    await page.focus('#own');
    await page.clock.runFor(990);
    await nothingShown(zone);
    await page.clock.runFor(10);
    await shown(zone);
    expect(zone.asks).toHaveLength(1);
    const box = await boxOf(zone, `${LAYER} iframe`);
    expect(box.x + box.width / 2).toBeCloseTo(600, 0);
    expect(Math.abs(box.y + box.height / 2 - 400)).toBeLessThan(30);
    expect(await boxOf(zone, LAYER)).toMatchObject({ x: 0, y: 0, width: 1_200, height: 800 });

    await page.clock.runFor(990);
    expect(await page.locator(CLOSE).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.locator(LAYER).count()).toBe(1);
    await page.clock.runFor(10);
    await page.waitForSelector(`${CLOSE}:focus`);
    await page.keyboard.press('Escape');
    await zone.state('closed');
    expect(await page.locator('iframe').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('own');
  });

  test('POPUP · without an overlay · leaves the page usable and closes by its button', async () => {
    const zone = await open('once');
    await shown(zone);
    const box = await boxOf(zone, LAYER);
    expect(box).toMatchObject({ x: 450, y: 8, width: 300 });
    await zone.page.mouse.click(20, 10);
    expect(await zone.page.getAttribute('#own', 'data-done')).toBe('1');
    await zone.page.click(CLOSE);
    await zone.state('closed');
  });

  test.each([
    ['de-AT', 'ltr', 'de', 'Anzeige', 'Anzeige schließen'],
    ['ar', 'rtl', 'ar', 'إعلان', 'إغلاق الإعلان'],
    ['xx', 'ltr', 'en', 'Advertisement', 'Close advertisement'],
  ])(
    'POPUP · on a page in %s, %s · its words are %s, its button at the end of the line',
    async (said, direction, lang, ad, close) => {
      const zone = await open('popup', {
        own: {
          html: ({ keys, base }) => `<!doctype html><html lang="${said}" dir="${direction}"><body>
          <div data-adp-zone="${keys['popup']}"></div><script async src="${base}/sdk.js"></script></body></html>`,
        },
      });
      await shown(zone);
      const layer = zone.page.getByRole('dialog', { name: ad, exact: true });
      const button = layer.getByRole('button', { name: close, exact: true });
      await button.waitFor();
      const frame = layer.locator('iframe');
      expect(await frame.getAttribute('title')).toBe(ad);
      const [inside, around] = [await button.boundingBox(), await frame.boundingBox()];
      const side = (box: typeof inside): number | undefined =>
        box === null ? undefined : direction === 'rtl' ? box.x : box.x + box.width;
      expect(side(inside)).toBe(side(around));
      const document = frame.contentFrame().locator('html');
      expect(await document.getAttribute('lang')).toBe(lang);
    },
  );

  test('frequency · one in an hour · is kept on the next page, which asks for nothing', async () => {
    const first = await open('once');
    await shown(first);
    const second = await open('once', { before: first });
    await second.state('capped');
    await nothingShown(second);
    expect(second.asks).toEqual([]);
    // An hour later it is shown again.
    const third = await open('once', {
      before: first,
      prepare: async (page) => {
        await page.clock.install({ time: Date.now() + 3_601_000 });
      },
    });
    await third.state('filled');
  });

  test.each([
    [
      'refused',
      `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })`,
    ],
    [
      'full',
      `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }`,
    ],
    ['spoilt', `Storage.prototype.getItem = () => '{"shown":7,"terms":null}'`],
  ])(
    'frequency · storage %s · is not kept, and the page hears nothing',
    async (_what, initScript) => {
      const first = await open('once', { initScript });
      await shown(first);
      const second = await open('once', { before: first, initScript });
      await shown(second);
    },
  );

  test('FLOAT · at half of the page · lies in a corner, and neither covers nor disturbs', async () => {
    const zone = await open('float');
    const { page } = zone;
    await zone.state('waiting');
    await page.focus('#own');
    await page.evaluate('scrollTo(0, 900)');
    await nothingShown(zone);
    await page.evaluate('scrollTo(0, 1200)');
    await shown(zone);
    const box = await boxOf(zone, LAYER);
    expect(box).toMatchObject({ width: 300, height: 282 });
    expect([box.x + box.width, box.y + box.height]).toEqual([1_192, 792]);
    expect(await page.evaluate('document.activeElement.id')).toBe('own');
    await page.click(CLOSE);
    await zone.state('closed');
  });

  test('INTERSTITIAL · on a click · covers the window of a phone, and always has a way out', async () => {
    const context = { viewport: { width: 240, height: 400 } };
    const zone = await open('interstitial', { context });
    const { page } = zone;
    await zone.state('waiting');
    await nothingShown(zone);
    await page.mouse.click(100, 350);
    await shown(zone);
    expect(await boxOf(zone, LAYER)).toMatchObject({ x: 0, y: 0, width: 240, height: 400 });
    const box = await boxOf(zone, `${LAYER} iframe`);
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(240);
    // The page behind is out of reach, by pointer and by keyboard.
    await page.evaluate(`document.querySelector('#own').focus()`);
    expect(await page.evaluate('document.activeElement.id')).not.toBe('own');
    await page.click(CLOSE);
    await zone.state('closed');

    // The next page knows the trigger: it asks when it is clicked, and not before.
    const next = await open('interstitial', { before: zone });
    await next.state('waiting');
    await nothingShown(next);
    expect(next.asks).toEqual([]);
    await next.page.mouse.click(100, 350);
    await shown(next);
    expect(next.asks).toHaveLength(1);
  });

  test('an ad held for its trigger · longer than its pixel is good for · is asked for anew', async () => {
    const zone = await open('interstitial', {
      prepare: async (page) => {
        await page.clock.install();
      },
    });
    await zone.state('waiting');
    await zone.page.clock.fastForward('05:00');
    await zone.page.mouse.click(100, 350);
    await shown(zone);
    expect(zone.asks).toHaveLength(2);
  });

  test('a page that the browser makes ahead · asks for nothing before somebody looks at it', async () => {
    const zone = await stand.open('banner', {
      initScript: `Object.defineProperty(document, 'prerendering', { get: () => window.isLookedAt !== true })`,
    });
    await zone.page.waitForLoadState('networkidle');
    expect(zone.asks).toEqual([]);
    await zone.page.evaluate(
      `window.isLookedAt = true; document.dispatchEvent(new Event('prerenderingchange'))`,
    );
    await zone.state('filled');
    expect(zone.asks).toHaveLength(1);
  });

  test('a zone · taken away before its trigger · shows nothing and counts nothing', async () => {
    const zone = await open('interstitial');
    await zone.state('waiting');
    await zone.page.evaluate(`document.querySelector('[data-adp-zone]').remove()`);
    await zone.page.mouse.click(100, 350);
    await nothingShown(zone);
  });

  test('EXIT_INTENT · as the mouse leaves through the top · is shown, once', async () => {
    const zone = await open('exit');
    const { page } = zone;
    await zone.state('waiting');
    await page.mouse.move(300, 300);
    await page.mouse.move(1_250, 300, { steps: 4 });
    await nothingShown(zone);
    await page.mouse.move(300, 300);
    await page.mouse.move(300, -20, { steps: 4 });
    await shown(zone);
    await page.click(CLOSE);
    await zone.state('closed');
    await page.mouse.move(300, 300);
    await page.mouse.move(300, -20, { steps: 4 });
    await pause(250, 'a second impression would come');
    expect(zone.impressions).toHaveLength(1);
  });

  test('COUPLET · in a wide window · is two ads, each counted by itself, that close together', async () => {
    const zone = await open('couplet');
    const { page } = zone;
    await shown(zone, 2);
    expect(new Set(zone.impressions.map(({ pathname }) => pathname)).size).toBe(2);
    const sides = page.locator('[role=complementary]');
    const [left, right] = [await sides.nth(0).boundingBox(), await sides.nth(1).boundingBox()];
    expect([left?.x, left?.y]).toEqual([20, 60]);
    expect([(right?.x ?? 0) + (right?.width ?? 0), right?.y]).toEqual([1_180, 60]);
    await page.setViewportSize({ width: 900, height: 800 });
    await sides.nth(0).waitFor({ state: 'hidden' });
    expect(await sides.nth(1).isVisible()).toBe(false);
    await page.setViewportSize({ width: 1_200, height: 800 });
    await sides.nth(0).locator(CLOSE).click();
    await zone.state('closed');
    expect(await sides.count()).toBe(0);
    expect(zone.impressions).toHaveLength(2);
  });

  test('COUPLET · on a small screen · is not there until there is room', async () => {
    const zone = await open('couplet', { context: { viewport: { width: 900, height: 800 } } });
    await zone.state('waiting');
    await nothingShown(zone);
    const next = await open('couplet', { before: zone });
    await next.state('waiting');
    expect(next.asks).toEqual([]);
    await next.page.setViewportSize({ width: 1_100, height: 800 });
    await shown(next, 2);
    expect(next.asks).toHaveLength(1);
  });

  test('REWARDED · watched · tells the page, whose viewer is granted the reward', async () => {
    const zone = await open('rewarded');
    const { page } = zone;
    await shown(zone);
    expect(await boxOf(zone, LAYER)).toMatchObject({ width: 1_200, height: 800 });
    const token = await page.evaluate(`(async () => {
      const { token_url, track_id, qa_k } = told[0];
      const query = new URLSearchParams({ track_id, qa_k, user_id: 'ada' });
      return (await (await fetch(token_url + '?' + query)).json()).data;
    })()`);
    expect(token).toMatchObject({ watch_seconds: 2, reward_item: 'coin' });
    await page.waitForFunction('told.length === 2');
    expect(await page.evaluate('told.map(({ state }) => state)')).toEqual(['started', 'watched']);
    const { token: sealed } = token as { token: string };
    await until('the reward is granted', async () => {
      const granted = await page.evaluate(
        `fetch(told[1].verify_url + '?token=' + ${JSON.stringify(sealed)}).then((it) => it.json())`,
      );
      return (granted as { code: number }).code === 0;
    });
    await page.click(CLOSE);
    await zone.state('closed');
    expect(await page.evaluate('told.length')).toBe(2);
  });

  test('REWARDED · closed as soon as it may be skipped · earns nothing', async () => {
    const zone = await open('rewarded', stopped);
    await shown(zone);
    expect(await zone.page.locator(CLOSE).count()).toBe(0);
    await zone.page.clock.runFor(1_000);
    await zone.page.click(CLOSE);
    await zone.state('closed');
    const states = await zone.page.evaluate('told.map(({ state }) => state)');
    expect(states).toEqual(['started', 'skipped']);
  });
});

describe('a video on a page', () => {
  const names = (zone: ZonePage) => zone.videos.map((url) => url.searchParams.get('e'));
  const inFrame = async (zone: ZonePage, script: string): Promise<unknown> =>
    await zone.page.frames().at(-1)?.evaluate(script);
  /** And has told of `step`; with a moment in which a step that must not be told would come. */
  const ended = async (zone: ZonePage, step: string): Promise<void> => {
    await zone.page.frameLocator('iframe').locator('video').waitFor();
    await until(`the video ends and tells ${step}`, async () => {
      const isOver = (await inFrame(zone, `document.querySelector('video').ended`)) === true;
      return isOver && names(zone).includes(step);
    });
    await pause(250, 'a beacon told twice would come');
  };
  /** Of this zone: a rewarded film may have ended as well. */
  const views = async () => {
    const { rows } = await stand.platform.pool.query<{ reason: string | null; price: string }>(
      `SELECT e.reason, e.price_nanos::text AS price FROM events e
       JOIN zones z ON z.id = e.zone_id AND z.type = 'VIDEO'
       WHERE e.kind = 'video_view' ORDER BY e.id`,
    );
    return rows;
  };

  test('sought to its end · reports what was played, and is no view', async () => {
    // The file is held until the seek waits for it: two seconds of film are soon over.
    const release = stand.holdMedia();
    const zone = await open('video');
    await zone.page.frameLocator('iframe').locator('video').waitFor();
    await inFrame(
      zone,
      `document.querySelector('video').onloadedmetadata = ({ target }) => { target.currentTime = 1.7; }`,
    );
    release();
    await ended(zone, 'start');
    expect(names(zone)).toEqual(['start']);
  });

  test('played to its end, twice · reports each step once, and bills one view', async () => {
    const zone = await open('video');
    await ended(zone, 'complete');
    const steps = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
    expect(names(zone)).toEqual(steps);
    await inFrame(zone, `document.querySelector('video').play()`);
    await ended(zone, 'complete');
    expect(names(zone)).toEqual(steps);
    const counted = await until('the view is judged', async () => {
      const rows = await views();
      return rows.length > 0 && rows;
    });
    expect(counted).toEqual([{ reason: null, price: expect.stringMatching(/^[1-9]/) as string }]);
    expect(deviceOf(zone.videos[0])).toEqual({
      l: 'en-US',
      tz: expect.any(String) as string,
      pf: expect.any(String) as string,
      wd: false,
      pl: [300, 250],
    });
  });

  test('in a browser that asks for privacy · reports nothing of the device', async () => {
    const zone = await open('video', { initScript: PRIVATE });
    await ended(zone, 'complete');
    const { l, tz, pf, pl } = deviceOf(zone.videos[0]) as Record<string, unknown>;
    expect([l, tz, pf, pl]).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('in an automated browser · shown, seen and played to its end, in a plain frame too · is a robot’s', async () => {
    const { baseUrl, pool } = stand.platform;
    const { rows: keys } = await pool.query<{ key: string }>(
      `SELECT zone_key AS key FROM zones WHERE type = 'VIDEO'`,
    );
    const reasonsSince = async (at: Date): Promise<string[]> => {
      return await until('all of it is judged', async () => {
        const { rows } = await pool.query<{ said: string }>(
          `SELECT DISTINCT kind || ' ' || COALESCE(reason, '-') AS said FROM events
           WHERE bid_id = (SELECT bid_id FROM events WHERE kind = 'video_view' AND received_at > $1)
           ORDER BY 1`,
          [at],
        );
        const said = rows.map((row) => row.said);
        return said.some((text) => text.startsWith('video_view')) && said.length > 3 && said;
      });
    };
    const opened = new Date();
    const ours = await open('video', { initScript: AUTOMATED });
    await ended(ours, 'complete');
    expect(await reasonsSince(opened)).toEqual(
      ['impression', 'video', 'video_view', 'view'].map((kind) => `${kind} WEBDRIVER`),
    );
    const reopened = new Date();
    const plain = await open('banner', { initScript: AUTOMATED });
    await plain.page.setContent(`<iframe src="${baseUrl}/ad/render/${keys[0]?.key}"></iframe>`);
    await ended(plain, 'complete');
    expect(await reasonsSince(reopened)).toEqual([
      'impression WEBDRIVER',
      'video WEBDRIVER',
      'video_view WEBDRIVER',
      'view WEBDRIVER',
    ]);
  });

  test('a plain frame where no script runs · is counted and billed as it stands', async () => {
    const { baseUrl, pool } = stand.platform;
    const { rows } = await pool.query<{ key: string }>(
      `SELECT zone_key AS key FROM zones WHERE type = 'BANNER' ORDER BY id LIMIT 1`,
    );
    const opened = new Date();
    const plain = await open('banner', { context: { javaScriptEnabled: false } });
    await plain.page.setContent(`<iframe src="${baseUrl}/ad/render/${rows[0]?.key}"></iframe>`);
    await until('its impression', () => plain.impressions.length === 1);
    expect(plain.impressions[0]?.search).toBe('');
    const judged = await until('it is judged', async () => {
      const found = await pool.query<{ kind: string; reason: string | null }>(
        `SELECT kind, reason FROM events WHERE received_at > $1`,
        [opened],
      );
      return found.rows.length > 0 && found.rows;
    });
    expect(judged).toEqual([{ kind: 'impression', reason: null }]);
  });

  test('from /ad/render · a document without our script around · bills its view as well', async () => {
    const before = (await views()).length;
    const zone = await open('banner');
    const { baseUrl, pool } = stand.platform;
    const { rows } = await pool.query<{ key: string }>(
      `SELECT zone_key AS key FROM zones WHERE type = 'VIDEO'`,
    );
    await zone.page.setContent(`<iframe src="${baseUrl}/ad/render/${rows[0]?.key}"></iframe>`);
    await ended(zone, 'complete');
    expect(names(zone)).toContain('complete');
    const counted = await until('the view is judged', async () => {
      const after = await views();
      return after.length > before && after;
    });
    expect(counted.at(-1)).toEqual({
      reason: null,
      price: expect.stringMatching(/^[1-9]/) as string,
    });
  });
});
