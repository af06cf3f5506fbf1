import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
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
 * machine; a few pictures are kept beside that, small enough for letters to be no more than grey.
 *
 * SHOTS_DIR leaves a picture of each page; UPDATE_PICTURES=1 writes the kept ones.
 */
const KEPT_DIR = path.join('test', 'fixtures', 'ads');
const KEPT_SIDE = 64;
/** Mean difference of a channel, of 255. */
const DIFFERENCE_MAX = 10;
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
  return page;
}

const looks = PAGE_WIDTHS.flatMap((pageWidth) =>
  ZONES.map((zone) => [`${zone.zoneType} ${zone.width}×${zone.height}`, pageWidth, zone] as const),
);

test.each(looks)(
  'zone of %s · on a page of %i px · every ad is whole',
  async (name, width, zone) => {
    const cases = formatCases(pages.url, zone);
    const page = await opened(cases, width);
    expect(await faultsOf(page, cases)).toEqual([]);
    if (shotsDir !== undefined) {
      await mkdir(shotsDir, { recursive: true });
      await page.screenshot({ path: path.join(shotsDir, `${width} ${name}.png`) });
    }
    await page.close();
  },
);

const KEPT = [
  ['NATIVE usual', { zoneType: 'NATIVE', width: 300, height: 250 }, 375],
  ['NATIVE arabic', { zoneType: 'NATIVE', width: 728, height: 90 }, 1_280],
  ['NATIVE long', { zoneType: 'NATIVE', width: 160, height: 600 }, 1_280],
  ['NATIVE usual', { zoneType: 'NATIVE', width: 320, height: 50 }, 375],
  ['TEXT long', { zoneType: 'NATIVE', width: 970, height: 250 }, 375],
  ['IMAGE usual', { zoneType: 'NATIVE', width: 728, height: 90 }, 375],
  ['HTML usual sized', { zoneType: 'NATIVE', width: 970, height: 250 }, 375],
  ['RICH_MEDIA usual sized', { zoneType: 'RESPONSIVE', width: 300, height: 250 }, 1_280],
] as const;

test.each(KEPT)('picture · %s · looks as it did', async (name, zone, width) => {
  const cases = formatCases(pages.url, zone).filter((one) => one.name === name);
  const page = await opened(cases, width);
  expect(await faultsOf(page, cases)).toEqual([]);
  const seen = await small(await page.locator('section iframe').screenshot());
  await page.close();
  const file = path
    .join(
      KEPT_DIR,
      `${name} ${zone.width}x${zone.height} on ${width}`.replaceAll(' ', '-').toLowerCase(),
    )
    .concat('.png');
  if (process.env['UPDATE_PICTURES'] === '1' || !existsSync(file)) {
    await mkdir(KEPT_DIR, { recursive: true });
    await writeFile(file, seen);
  }
  expect(await difference(await readFile(file), seen)).toBeLessThan(DIFFERENCE_MAX);
});

const small = async (picture: Buffer): Promise<Buffer> =>
  await sharp(picture)
    .resize(KEPT_SIDE, KEPT_SIDE, { fit: 'fill' })
    .removeAlpha()
    .png({ palette: false })
    .toBuffer();

async function difference(kept: Buffer, seen: Buffer): Promise<number> {
  const [before, after] = [await sharp(kept).raw().toBuffer(), await sharp(seen).raw().toBuffer()];
  if (before.length !== after.length) return Infinity;
  let sum = 0;
  for (const [index, value] of before.entries()) sum += Math.abs(value - (after[index] ?? 0));
  return sum / before.length;
}
