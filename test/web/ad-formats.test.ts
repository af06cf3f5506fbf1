import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { changed, framesOf, packed, sheetOf, unpacked } from '../support/ad-sheets.ts';
import { launchBrowser } from '../support/browser.ts';
import {
  type FormatCase,
  FORMAT_SIZES,
  formatCases,
  PAGE_WIDTHS,
} from '../support/format-cases.ts';
import { faultsOf } from '../support/format-geometry.ts';
import { buildSdk, type FormatPages, startFormatPages } from '../support/format-pages.ts';

/**
 * Every format in every size, on a telephone's page and a desktop's, with texts of every kind, drawn by
 * the SDK. What is right is told by where things are, because letters differ from machine to
 * machine; beside that a picture of each ad is kept, small enough for letters to be no more than grey.
 *
 * SHOTS_DIR leaves a picture of each page; UPDATE_PICTURES=1 writes the kept ones.
 */
const KEPT_DIR = path.join('test', 'fixtures', 'ads');
const shotsDir = process.env['SHOTS_DIR'];

let pages: FormatPages;
let browser: Browser;

beforeAll(async () => {
  pages = await startFormatPages(await buildSdk());
  browser = await launchBrowser('');
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
});

const ZONES = [
  ...FORMAT_SIZES.map(([width, height]) => ({ zoneType: 'NATIVE', width, height })),
  { zoneType: 'RESPONSIVE', width: 300, height: 250 },
];

/** High enough for every ad to be in sight: what is not is not drawn. */
async function opened(cases: readonly FormatCase[], width: number): Promise<Page> {
  const height = cases.reduce((sum, { markup }) => sum + markup.height + 30, 20);
  const page = await browser.newPage({ viewport: { width, height } });
  await page.goto(pages.page(cases));
  await page.waitForFunction(
    `document.querySelectorAll('[data-adp-state=filled]').length === ${cases.length}`,
  );
  // That is said when the frames are put in; what they show comes later.
  for (const handle of await page.locator('section iframe').elementHandles()) {
    const frame = await handle.contentFrame();
    await frame?.waitForURL(({ href }) => href !== 'about:blank');
  }
  return page;
}

const looks = PAGE_WIDTHS.flatMap((pageWidth) =>
  ZONES.map((zone) => [`${zone.zoneType} ${zone.width}×${zone.height}`, pageWidth, zone] as const),
);

describe.each(looks)('zone of %s · on a page of %i px', (name, width, zone) => {
  let cases: FormatCase[];
  let page: Page;
  beforeAll(async () => {
    cases = formatCases(pages.url, zone);
    page = await opened(cases, width);
  });
  afterAll(async () => await page?.close());

  test('each ad · is whole', async () => {
    expect(await faultsOf(page, cases)).toEqual([]);
  });

  test('each ad · looks as it did', async () => {
    const shot = await page.screenshot();
    if (shotsDir !== undefined) {
      await mkdir(shotsDir, { recursive: true });
      await writeFile(path.join(shotsDir, `${width} ${name}.png`), shot);
    }
    // A film goes on: where it is, and how large, is told above.
    const isStill = (_ad: unknown, at: number): boolean => cases[at]?.display !== 'VIDEO';
    const seen = await sheetOf(shot, (await framesOf(page)).filter(isStill));
    const file = path.join(KEPT_DIR, `${name.replace(/\W+/g, '-').toLowerCase()}-on-${width}.webp`);
    if (process.env['UPDATE_PICTURES'] === '1') await writeFile(file, await packed(seen));
    const others = changed(await unpacked(await readFile(file)), seen, cases.filter(isStill));
    // Whether there are glyphs for Chinese, and which, is the machine's business: geometry holds those, too.
    expect(others.filter((each) => !each.includes('chinese'))).toEqual([]);
  });
});

test.each([
  ['its picture fills the frame', '.t .q{position:fixed;inset:0;width:100%;height:100%}'],
  ['its picture is missing', '.t .q{visibility:hidden}'],
  ['nothing of it is drawn', 'body{visibility:hidden}'],
])('an ad · of which %s · looks otherwise', async (_fault, css) => {
  const zone = { zoneType: 'NATIVE', width: 300, height: 250 };
  const cases = formatCases(pages.url, zone).filter(({ name }) => name === 'NATIVE usual');
  const page = await opened(cases, 375);
  const look = async () => await sheetOf(await page.screenshot(), await framesOf(page));
  const whole = await look();
  expect(changed(whole, await look(), cases)).toEqual([]);
  for (const frame of page.frames().slice(1)) {
    await frame.addStyleTag({
      content: css.replaceAll('}', '!important}').replaceAll(';', '!important;'),
    });
  }
  expect(changed(whole, await look(), cases)).toEqual([expect.stringContaining('NATIVE usual')]);
  await page.close();
});
