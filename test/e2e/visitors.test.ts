import { type SdkStand, startSdkStand, type ZonePage } from './sdk-stand.ts';
import { adRequestKey, deobfuscate } from '../../domain/tracking/obfuscation.ts';
import { pause, until } from '../support/until.ts';

/** Visitors who do not see the page, turn their phone, go on, or have said how private they want to be. */
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
/** The zone in a box of its own, which the page may do with as it likes. */
const boxed = (zone: string, style = '', script = 'async'): Own => ({
  html: ({
    keys,
    base,
  }) => `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><body>
<button id="own" onclick="this.textContent = 'done'">go</button>
<div id="box" style="${style}"><div data-adp-zone="${keys[zone] ?? ''}"></div></div>
<script ${script} src="${base}/sdk.js"></script></body></html>`,
});
const counted = async (zone: ZonePage, count: number): Promise<void> => {
  await until(`${count} impressions`, () => zone.impressions.length >= count);
  await pause(250, 'one too many would come');
  expect(zone.impressions).toHaveLength(count);
};
const nothingAsked = async (zone: ZonePage): Promise<void> => {
  await zone.state('waiting');
  await pause(600, 'it would be asked for, and its impression would come');
  expect(zone.asks).toEqual([]);
  expect(zone.impressions).toEqual([]);
};
const CLOSE = 'button[aria-label="Close advertisement"]';

describe('what nobody can see', () => {
  test('a tab in the background, or a page made ahead · asks for nothing until it is looked at', async () => {
    const zone = await open('banner', {
      own: boxed('banner'),
      initScript: `window.seen = 'hidden';
        Object.defineProperty(document, 'visibilityState', { get: () => seen });`,
    });
    await nothingAsked(zone);
    await zone.page.evaluate(`seen = 'visible'`);
    await zone.state('filled');
    await counted(zone, 1);
  });

  test('a zone that is not drawn · asks for nothing until it is', async () => {
    const zone = await open('banner', { own: boxed('banner', 'display:none') });
    await nothingAsked(zone);
    await zone.page.evaluate(`box.style.display = ''`);
    await zone.state('filled');
    await counted(zone, 1);
    expect(zone.asks).toHaveLength(1);
  });

  test('a zone without a box of its own · is drawn like any other', async () => {
    const zone = await open('banner', {
      own: boxed('banner'),
      initScript: `addEventListener('DOMContentLoaded', () => {
        document.querySelector('[data-adp-zone]')?.style.setProperty('display', 'contents');
      });`,
    });
    await zone.state('filled');
    await counted(zone, 1);
  });

  test('a layer in a box that is not drawn · does not make the page unusable', async () => {
    const zone = await open('popup', { own: boxed('popup', 'display:none') });
    await nothingAsked(zone);
    await zone.page.click('#own');
    expect(await zone.page.textContent('#own')).toBe('done');
    await zone.page.evaluate(`box.style.display = ''`);
    await zone.state('filled');
    await zone.page.click(CLOSE);
    await zone.state('closed');
  });

  test('taken away while it waits, and put back · is asked for once', async () => {
    const zone = await open('banner', { own: boxed('banner', 'display:none') });
    await nothingAsked(zone);
    await zone.page.evaluate(`(window.kept = box, box.remove())`);
    await pause(600, 'it is given up');
    await zone.page.evaluate(`(kept.style.display = '', document.body.append(kept))`);
    await zone.state('filled');
    await counted(zone, 1);
    expect(zone.asks).toHaveLength(1);
  });
});

describe('a page that changes', () => {
  test.each(['interstitial', 'once'])(
    'a phone that is turned · %s · keeps the ad and its button in the window',
    async (name) => {
      const zone = await open(name, {
        own: boxed(name),
        context: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true },
      });
      if (name === 'interstitial') {
        await zone.state('waiting');
        await zone.page.tap('#own');
      }
      await zone.state('filled');
      await zone.page.locator(CLOSE).waitFor();
      await zone.page.setViewportSize({ width: 480, height: 200 });
      await until('it fits', async () => {
        const boxes = await Promise.all(
          [CLOSE, 'iframe'].map(async (one) => await zone.page.locator(one).boundingBox()),
        );
        return boxes.every((box) => box !== null && box.y >= 0 && box.y + box.height <= 200);
      });
      await zone.page.tap(CLOSE);
      await zone.state('closed');
    },
  );

  test('a layer taken away before it may be closed · leaves Escape to the page', async () => {
    const zone = await open('popup', {
      own: boxed('popup'),
      initScript: `window.escapes = [];
        addEventListener('keydown', (event) => escapes.push(event.defaultPrevented));`,
    });
    await zone.state('filled');
    await zone.page.keyboard.press('Escape');
    await zone.page.evaluate(`document.querySelector('[data-adp-zone]').remove()`);
    await zone.page.keyboard.press('Escape');
    expect(await zone.page.evaluate('escapes')).toEqual([true, false]);
  });

  test('a dark page · gives the frame no white ground', async () => {
    const zone = await open('banner', {
      own: boxed('banner'),
      initScript: `if (self === top) addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.cssText = 'color-scheme:dark;background:#000';
      });`,
    });
    await counted(zone, 1);
    const frame = zone.page.frames().find((one) => one.url().includes('/ad/render/ad/'));
    await frame?.evaluate(`document.querySelector('.b').style.visibility = 'hidden'`);
    const shot = await zone.page.locator('iframe').screenshot();
    const { default: sharp } = await import('sharp');
    const { channels } = await sharp(shot).removeAlpha().stats();
    expect(channels.map(({ max }) => max)).toEqual([0, 0, 0]);
  });

  test('the script as a module · finds its own host', async () => {
    const zone = await open('banner', { own: boxed('banner', '', 'type="module" async') });
    await zone.state('filled');
    await counted(zone, 1);
  });
});

/** A consent string of TCF 2 that says `isGranted` to purpose 1. */
const tcString = (isGranted: boolean): string => {
  const bytes = Buffer.alloc(30);
  bytes[0] = 2 << 2;
  if (isGranted) bytes[19] = 0x80;
  return bytes.toString('base64url');
};
const tcf = (data: object): string =>
  `window.__tcfapi = (command, version, hear) =>
    command === 'addEventListener' && hear({ listenerId: 1, ...${JSON.stringify(data)} }, true);`;

describe('consent', () => {
  const SIGNALS = ['gdpr', 'gdpr_consent', 'gpp', 'gpp_sid', 'us_privacy', 'coppa'];
  const saidBy = ({ searchParams }: URL): Record<string, string> =>
    Object.fromEntries([...searchParams].filter(([name]) => SIGNALS.includes(name)));
  const describedBy = ({ searchParams }: URL): boolean => {
    const said = (name: string): string => searchParams.get(name) ?? '';
    const nonce = said('_r');
    const device = deobfuscate(said('_d'), { key: adRequestKey(said('zone'), nonce), nonce });
    expect(device).toMatchObject({ wd: false });
    return device !== null && 'tz' in device && 'ua' in device;
  };
  const remembered = async ({ page }: ZonePage): Promise<unknown> =>
    await page.evaluate('localStorage.length');

  test.each([
    ['no tool', '', {}, true],
    [
      'TCF · agreed',
      tcf({ gdprApplies: true, eventStatus: 'tcloaded', tcString: tcString(true) }),
      { gdpr: '1', gdpr_consent: tcString(true) },
      true,
    ],
    [
      'TCF · refused',
      tcf({ gdprApplies: true, eventStatus: 'useractioncomplete', tcString: tcString(false) }),
      { gdpr: '1', gdpr_consent: tcString(false) },
      false,
    ],
    [
      'TCF · being asked again, with what was said before',
      tcf({ gdprApplies: true, eventStatus: 'cmpuishown', tcString: tcString(true) }),
      { gdpr: '1' },
      false,
    ],
    ['TCF · where it does not apply', tcf({ gdprApplies: false }), { gdpr: '0' }, true],
    ['TCF · a tool that never answers', 'window.__tcfapi = () => {};', { gdpr: '1' }, false],
    ['TCF · a tool that fails', `window.__tcfapi = () => { throw 1; };`, { gdpr: '1' }, false],
  ])('%s · says so, and remembers accordingly', async (_name, initScript, said, isOpen) => {
    const zone = await open('once', { own: boxed('once'), initScript });
    await zone.state('filled');
    const [ask] = zone.asks;
    if (ask === undefined) throw new Error('nothing was asked');
    expect(saidBy(ask)).toEqual(said);
    expect([describedBy(ask), await remembered(zone)]).toEqual([isOpen, isOpen ? 1 : 0]);
  });

  test.each([
    [
      'GPP',
      `window.__gpp = (command, hear) => {
        for (const signalStatus of ['not ready', 'ready']) hear({ eventName: 'signalStatus',
          pingData: { signalStatus, gppString: 'DBABLA~BVVmVVVVBVA.QA', applicableSections: [7] } }, true);
      };`,
      { gpp: 'DBABLA~BVVmVVVVBVA.QA', gpp_sid: '7' },
    ],
    [
      'US Privacy',
      `window.__uspapi = (command, version, hear) => hear({ uspString: '1YYN' }, true);`,
      { us_privacy: '1YYN' },
    ],
  ])('%s · opted out · says so, and counts how often alone', async (_name, initScript, said) => {
    const zone = await open('once', { own: boxed('once'), initScript });
    await zone.state('filled');
    const [ask] = zone.asks;
    if (ask === undefined) throw new Error('nothing was asked');
    expect(saidBy(ask)).toEqual(said);
    expect([describedBy(ask), await remembered(zone)]).toEqual([false, 1]);
  });

  test.each([
    ['agreed', tcString(true), true],
    ['refused', tcString(false), false],
  ])('GPP · the EU’s section %s · remembers accordingly', async (_name, tcf2, isOpen) => {
    const zone = await open('once', {
      own: boxed('once'),
      initScript: `window.__gpp = (command, hear) => hear({ pingData: { signalStatus: 'ready',
        gppString: 'DBABMA~${tcf2}', applicableSections: [2] } }, true);`,
    });
    await zone.state('filled');
    const [ask] = zone.asks;
    if (ask === undefined) throw new Error('nothing was asked');
    expect([describedBy(ask), await remembered(zone)]).toEqual([isOpen, isOpen ? 1 : 0]);
  });

  test('said by the page itself · goes before what a tool says', async () => {
    const zone = await open('banner', {
      own: boxed('banner', '', 'async data-adp-coppa="1" data-adp-gdpr-consent="own"'),
      initScript: tcf({ gdprApplies: true, eventStatus: 'tcloaded', tcString: tcString(true) }),
    });
    await zone.state('filled');
    expect(zone.asks.map(saidBy)).toEqual([{ gdpr: '1', gdpr_consent: 'own', coppa: '1' }]);
    expect(zone.asks.map(describedBy)).toEqual([false]);
  });
});
