import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { changed, type Frame, packed, sheetOf, unpacked } from './ad-sheets.ts';

/**
 * What a page looks like, as a sheet of its parts: what is missing or elsewhere is much of a part, while
 * letters of another font are little. SHOTS_DIR leaves the picture itself; UPDATE_PICTURES=1 writes the kept sheets.
 */
const KEPT_DIR = path.join('test', 'fixtures', 'pages');
const COLUMNS = 4;
const ROWS = 3;

interface Picture {
  shot: Buffer;
  sheet: Buffer;
  parts: (Frame & { name: string })[];
}

export async function pictureOf(page: Page): Promise<Picture> {
  for (const frame of page.frames()) await frame.waitForLoadState();
  await darkenFilms(page);
  const shot = await page.screenshot();
  const parts = partsOf(page);
  return { shot, parts, sheet: await sheetOf(shot, parts) };
}

/** The parts that look otherwise than kept. */
export async function otherThanKept(page: Page, name: string): Promise<string[]> {
  const { shot, sheet, parts } = await pictureOf(page);
  const shotsDir = process.env['SHOTS_DIR'];
  if (shotsDir !== undefined) {
    await mkdir(shotsDir, { recursive: true });
    await writeFile(path.join(shotsDir, `${name}.png`), shot);
  }
  const file = path.join(KEPT_DIR, `${name}.webp`);
  if (process.env['UPDATE_PICTURES'] === '1') await writeFile(file, await packed(sheet));
  return changed(await unpacked(await readFile(file)), sheet, parts);
}

function partsOf(page: Page): Picture['parts'] {
  const size = page.viewportSize();
  if (size === null) throw new Error('the page has no size');
  const width = Math.floor(size.width / COLUMNS);
  const height = Math.floor(size.height / ROWS);
  return Array.from({ length: COLUMNS * ROWS }, (_, at) => {
    const [column, row] = [at % COLUMNS, Math.floor(at / COLUMNS)];
    const [left, top] = [column * width, row * height];
    return { name: `row ${row + 1}, column ${column + 1}`, left, top, width, height };
  });
}

/** A film goes on: its picture is where it is, and how large. */
async function darkenFilms(page: Page): Promise<void> {
  for (const frame of page.frames().slice(1)) {
    try {
      await frame.evaluate(
        `for (const film of document.querySelectorAll('video')) film.style.filter = 'brightness(0)'`,
      );
    } catch (error) {
      // A zone that refreshes itself has taken its frame away meanwhile, with what was in it.
      if (!frame.isDetached()) throw error;
    }
  }
}
