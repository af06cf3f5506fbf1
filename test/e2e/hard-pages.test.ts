import type { Frame } from 'playwright-core';
import { REFRESH_SECONDS, type SdkStand, startSdkStand, type ZonePage } from './sdk-stand.ts';
import { changed } from '../support/ad-sheets.ts';
import { otherThanKept, pictureOf } from '../support/page-pictures.ts';
import { pause, until } from '../support/until.ts';

/** Pages that make it hard for an ad: their policies, their modes, their ways of going on. */
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

type Own = NonNullable<NonNullable<Parameters<SdkStand['open']>[1]>['own']>;
const bodyOf = (zones: readonly string[], { keys, base }: Parameters<Own['html']>[0]): string =>
  `${zones.map((name) => `<div data-adp-zone="${keys[name] ?? ''}"></div>`).join('\n')}
<script async src="${base}/sdk.js"></script>`;
const own = (...zones: string[]): Own => ({
  html: (given) => `<!doctype html><body>${bodyOf(zones, given)}</body>`,
});

/** As its test left it. Where zones race for creatives, which one has which is chance, and no picture is kept. */
const looksAsKept = async ({ page }: ZonePage, name: string): Promise<void> => {
  expect(await otherThanKept(page, name)).toEqual([]);
};
/** Of the impressions, in the order that they came. */
const creativesOf = ({ impressions, won }: ZonePage): (number | undefined)[] =>
  impressions.map(({ pathname }) => won.get(pathname.split('/').at(-1) ?? ''));
const states = async ({ page }: ZonePage): Promise<unknown> =>
  await page.evaluate(
    `[...document.querySelectorAll('[data-adp-zone]')].map((it) => it.dataset.adpState ?? null)`,
  );
const counted = async (zone: ZonePage, count: number): Promise<void> => {
  await until(`${count} impressions`, () => zone.impressions.length >= count);
  await pause(250, 'one too many would come');
  expect(zone.impressions).toHaveLength(count);
};
const adFrameOf = async ({ page }: ZonePage): Promise<Frame> =>
  await until('the ad has its frame', () =>
    page.frames().find((frame) => frame.url().includes('/ad/render/ad/')),
  );
/** Zones that take the page or stand over it have what they need beside these. */
const STRICT = ({ base, track }: Parameters<Own['html']>[0]): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${base}`,
    `connect-src ${base}`,
    `frame-src ${base}`,
    `img-src ${track}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
});
const NOTE_BREACHES = `window.breaches = [];
  addEventListener('securitypolicyviolation', (event) => breaches.push(event.violatedDirective), true);`;

describe('a page with a policy of its own', () => {
  test.each(['banner', 'once', 'couplet'])(
    'strict policy and Trusted Types · %s · the ad is drawn, counted and seen, and nothing is breached',
    async (name) => {
      const zone = await open(name, {
        own: { ...own(name), headers: STRICT },
        initScript: NOTE_BREACHES,
      });
      await zone.state('filled');
      const frame = await adFrameOf(zone);
      expect(await frame.locator('.g').boundingBox()).toMatchObject({ height: 11 });
      await until('it is seen', () => zone.views.length > 0);
      await counted(zone, name === 'couplet' ? 2 : 1);
      expect(await zone.page.evaluate('breaches')).toEqual([]);
      expect(await frame.evaluate('origin')).toBe('null');
      await looksAsKept(zone, `strict-${name}`);
    },
  );

  test('strict policy · a film · plays, and tells how far', async () => {
    const zone = await open('video', { own: { ...own('video'), headers: STRICT } });
    await until('it is played to its end', () =>
      zone.videos.some((url) => url.searchParams.get('e') === 'complete'),
    );
    await looksAsKept(zone, 'strict-video');
  });

  test('messages of strangers · while a film plays · report nothing; its own frame may say words alone', async () => {
    const zone = await open('video', {
      own: own('video'),
      initScript: `window.heard = [];
        addEventListener('message', ({ data }) => heard.push(data?.adpVideo));`,
    });
    const frame = await adFrameOf(zone);
    await zone.page.evaluate(`(() => {
      postMessage({ adpVideo: 'stolen', adpKey: 'Escape' }, '*');
      const stranger = document.createElement('iframe');
      stranger.srcdoc = "<script>parent.postMessage({ adpVideo: 'planted' }, '*')</script>";
      document.body.append(stranger);
    })()`);
    await frame.evaluate(`parent.postMessage({ adpVideo: 'no word/../' }, '*')`);
    await until('all three have arrived', async () => {
      const heard = await zone.page.evaluate<string[]>('heard');
      return ['stolen', 'planted', 'no word/../'].every((word) => heard.includes(word));
    });
    const told = (): (string | null)[] => zone.videos.map((url) => url.searchParams.get('e'));
    await until('it is played to its end', () => told().includes('complete'));
    expect(told().filter((event) => /stolen|planted|word/.test(event ?? ''))).toEqual([]);
  });

  test('a policy that lets no frame in · the place stays empty, and says so', async () => {
    const zone = await open('banner', {
      own: {
        ...own('banner'),
        headers: ({ base }) => ({
          'Content-Security-Policy': `script-src ${base}; connect-src ${base}; frame-src 'none'`,
        }),
      },
    });
    await zone.state('failed');
    expect(await zone.page.locator('iframe').count()).toBe(0);
    await counted(zone, 0);
    await looksAsKept(zone, 'no-frame-let-in');
  });
});

describe('a page that goes on', () => {
  test('single-page navigation · another creative, then the last one without a new report', async () => {
    const zone = await open('banner', { own: own('banner') });
    await zone.state('filled');
    await counted(zone, 1);
    const again = async (): Promise<void> => {
      await zone.page.evaluate(`(() => {
        history.pushState({}, '', '/next');
        const old = document.querySelector('[data-adp-zone]');
        const fresh = document.createElement('div');
        old.remove();
        document.body.append(fresh);
        // After it is on the page, as frameworks do.
        fresh.setAttribute('data-adp-zone', old.getAttribute('data-adp-zone'));
      })()`);
      await zone.state('filled');
    };
    await again();
    await counted(zone, 2);
    expect(new Set(creativesOf(zone)).size).toBe(2);
    await again();
    expect(await zone.page.locator('iframe').getAttribute('src')).toMatch(/&again=1$/);
    await (await adFrameOf(zone)).locator('.g').waitFor();
    await counted(zone, 2);
    await looksAsKept(zone, 'next-view');
  });

  test('data-adp-zone · set, changed and taken away later · is noticed', async () => {
    const zone = await open('banner', {
      own: {
        html: (given) =>
          `<!doctype html><body data-keys='${JSON.stringify(given.keys)}'><div id="late"></div>${bodyOf([], given)}</body>`,
      },
    });
    const set = async (name: string): Promise<void> => {
      await zone.page.evaluate(
        `document.querySelector('#late').dataset.adpZone = JSON.parse(document.body.dataset.keys)['${name}']`,
      );
    };
    await zone.page.waitForLoadState();
    await set('banner');
    await zone.state('filled');
    await counted(zone, 1);
    await set('video');
    await until('the other zone is asked', () => zone.asks.length === 2);
    await zone.state('filled');
    await zone.page.evaluate(`delete document.querySelector('#late').dataset.adpZone`);
    await until('it is empty', async () => (await zone.page.locator('iframe').count()) === 0);
    await looksAsKept(zone, 'zone-taken-away');
  });

  test('refresh · inside the window · another creative, and the old one where there is none', async () => {
    const zone = await open('refreshed', {
      own: own('refreshed'),
      prepare: async ({ clock }) => {
        await clock.install();
      },
    });
    const source = async (): Promise<string> =>
      (await zone.page.locator('iframe').getAttribute('src')) ?? '';
    const goOn = async (asks: number): Promise<void> => {
      await zone.page.clock.runFor(REFRESH_SECONDS * 1_000);
      await until('it asks again', () => zone.asks.length === asks);
    };
    await zone.state('filled');
    // Filled says that the frame is there; a refresh before it has loaded takes its report with it.
    await counted(zone, 1);
    const first = await source();
    await goOn(2);
    await until('another one', async () => (await source()) !== first);
    await counted(zone, 2);
    const second = await source();
    await goOn(3);
    await counted(zone, 2);
    expect(await source()).toBe(second);
    expect(await states(zone)).toEqual(['filled']);
    // The first one is past the window again.
    await goOn(4);
    await until('a third report', () => zone.impressions.length === 3);
    await looksAsKept(zone, 'refreshed');
  });

  test('five zones · two of them of the same place · no creative twice, none counted twice', async () => {
    const zone = await open('banner', {
      own: own('banner', 'banner', 'refreshed', 'video', 'banner'),
    });
    await until('all are decided', async () =>
      ((await states(zone)) as string[]).every((state) => /filled|empty/.test(state)),
    );
    // Two pictures and a film are sold.
    expect(((await states(zone)) as string[]).filter((state) => state === 'filled')).toHaveLength(
      3,
    );
    await counted(zone, 3);
    expect(new Set(creativesOf(zone)).size).toBe(3);
  });
});

describe('a page in trouble', () => {
  test('the whole code of each zone, script and all · each asks once, and is counted once', async () => {
    const zone = await open('banner', {
      own: {
        html: (given) =>
          `<!doctype html><body>${bodyOf(['banner'], given)}${bodyOf(['video'], given)}`,
      },
    });
    await until('both are drawn', async () => {
      const now = (await states(zone)) as string[];
      return now.every((state) => state === 'filled');
    });
    await counted(zone, 2);
    expect(zone.asks).toHaveLength(2);
    await looksAsKept(zone, 'whole-code-twice');
  });

  test.each([
    [240, 224],
    [375, 300],
  ])('quirks mode · a page of %i px · is not pushed sideways', async (width, wide) => {
    const zone = await open('banner', {
      own: { html: (given) => `<body>${bodyOf(['banner', 'video'], given)}` },
      context: { viewport: { width, height: 700 } },
    });
    await until('both are drawn', async () => {
      const now = (await states(zone)) as string[];
      return now.every((state) => state === 'filled');
    });
    expect(await zone.page.evaluate('document.compatMode')).toBe('BackCompat');
    expect(await zone.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(
      true,
    );
    for (const frame of await zone.page.locator('iframe').all()) {
      const box = await frame.boundingBox();
      expect(box).toMatchObject({ width: wide });
      expect(box?.height).toBeCloseTo((wide * 250) / 300, 0);
    }
    await looksAsKept(zone, `quirks-${width}`);
  });

  test('the SDK blocked · the page is as if nobody had been asked', async () => {
    const zone = await open('banner', {
      own: own('banner'),
      prepare: async (page) => {
        await page.route('**/sdk.js', async (route) => {
          await route.abort('blockedbyclient');
        });
      },
    });
    await zone.page.waitForLoadState();
    expect(await states(zone)).toEqual([null]);
    expect(await zone.page.evaluate(`document.querySelector('[data-adp-zone]').offsetHeight`)).toBe(
      0,
    );
    await counted(zone, 0);
    await looksAsKept(zone, 'sdk-blocked');
  });

  test('an answer after four seconds · the page is usable meanwhile, and the ad comes', async () => {
    const zone = await open('banner', {
      own: {
        html: (given) =>
          `<!doctype html><button onclick="this.textContent = 'done'">go</button>${bodyOf(['banner'], given)}`,
      },
      prepare: async (page) => {
        await page.route('**/ad/request?*', async (route) => {
          await pause(4_000, 'the ad server is slow');
          await route.continue();
        });
      },
    });
    await zone.state('loading');
    await zone.page.click('button');
    expect(await zone.page.textContent('button')).toBe('done');
    await zone.state('filled');
    await counted(zone, 1);
    await looksAsKept(zone, 'late-answer');
  });

  test('a layer · clicked and come back to · closes by Escape, and not by another frame that says it', async () => {
    const zone = await open('once');
    await zone.state('filled');
    const frame = await adFrameOf(zone);
    const popup = zone.page.waitForEvent('popup');
    await frame.locator('a').click();
    const opened = await popup;
    expect(opened.url()).toMatch(/\/track\/click\/[\w-]+\?_p=\d{13}\.[\w-]{16}\.[\w-]+$/);
    await opened.close();
    expect(await zone.page.evaluate('document.activeElement.tagName')).toBe('IFRAME');
    // Another frame of the page says Escape to the page and to the ad; the ad has heard it when it says so.
    await frame.evaluate(
      `addEventListener('message', ({ data }) => data.adpKey && parent.postMessage('heard', '*'))`,
    );
    await zone.page.evaluate(`new Promise((heard) => {
      addEventListener('message', ({ data }) => data === 'heard' && heard());
      const stranger = document.createElement('iframe');
      stranger.srcdoc = \`<script>
        for (const target of [parent, parent.frames[0]]) target.postMessage({ adpKey: 'Escape' }, '*');
      </script>\`;
      document.body.append(stranger);
    })`);
    expect(await states(zone)).toEqual(['filled']);
    await frame.locator('a').focus();
    await zone.page.keyboard.press('Escape');
    await zone.state('closed');
    await looksAsKept(zone, 'layer-closed');
  });

  test('the frame alone · is measured as the script measures', async () => {
    const zone = await open('banner', {
      own: {
        html: ({ keys, base }) =>
          `<!doctype html><iframe width="300" height="250" src="${base}/ad/render/${keys['banner'] ?? ''}"></iframe>`,
      },
    });
    await until('it is seen', () => zone.views.length > 0);
    await counted(zone, 1);
    const [view] = zone.views;
    expect(view?.pathname.split('/').at(-1)).toBe(zone.impressions[0]?.pathname.split('/').at(-1));
    expect(view?.search).toBe('?s=viewable');
    await looksAsKept(zone, 'frame-alone');
  });

  test('the frame alone, below what is in sight · is counted and not seen, until it is', async () => {
    const zone = await open('banner', {
      own: {
        html: ({ keys, base }) =>
          `<!doctype html><body style="height:4000px"><iframe style="margin-top:3000px" width="300" height="250" src="${base}/ad/render/${keys['banner'] ?? ''}"></iframe>`,
      },
    });
    await until('it is counted', () => zone.impressions.length === 1);
    await pause(1_300, 'it would be seen');
    expect(zone.views).toEqual([]);
    await zone.page.evaluate('scrollTo(0, 3000)');
    await until('it is seen', () => zone.views.length === 1);
    await looksAsKept(zone, 'frame-below');
  });
});

test('a page whose ad is not drawn, or elsewhere · looks otherwise', async () => {
  const zone = await open('banner', { own: own('banner') });
  await counted(zone, 1);
  const whole = await pictureOf(zone.page);
  for (const fault of ['visibility:hidden', 'margin-left:300px', 'width:100px']) {
    await zone.page.evaluate(
      `document.querySelector('[data-adp-zone]').style.cssText = ${JSON.stringify(fault)}`,
    );
    const { sheet, parts } = await pictureOf(zone.page);
    expect([fault, changed(whole.sheet, sheet, parts).length > 0]).toEqual([fault, true]);
  }
});
