import type { Page } from 'playwright-core';
import sharp from 'sharp';

/**
 * What several ads look like, small: letters are no more than grey. A sheet is the RGB of their thumbnails, one
 * below the other.
 */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

const SIDE = 64;
const CHANNELS = 3;
/** Mean difference of a channel, of 255: letters of another font are less. */
const DIFFERENCE_MAX = 10;

/** Where the ads of a page are, in the order of the page. */
export async function framesOf(page: Page): Promise<Frame[]> {
  const boxes = await Promise.all(
    (await page.locator('section iframe').all()).map(async (frame) => await frame.boundingBox()),
  );
  return boxes.map((box) => {
    if (box === null) throw new Error('an ad has no frame');
    const [left, top] = [Math.round(box.x), Math.round(box.y)];
    return { left, top, width: Math.round(box.width), height: Math.round(box.height) };
  });
}

export async function sheetOf(shot: Buffer, frames: readonly Frame[]): Promise<Buffer> {
  const thumbnails = await Promise.all(
    frames.map(
      async (frame) =>
        await sharp(shot)
          .extract(frame)
          .resize(SIDE, SIDE, { fit: 'fill' })
          .removeAlpha()
          .raw()
          .toBuffer(),
    ),
  );
  return Buffer.concat(thumbnails);
}

export async function packed(sheet: Buffer): Promise<Buffer> {
  const height = sheet.length / CHANNELS / SIDE;
  return await sharp(sheet, { raw: { width: SIDE, height, channels: CHANNELS } })
    .webp({ lossless: true, effort: 6 })
    .toBuffer();
}

export async function unpacked(picture: Buffer): Promise<Buffer> {
  return await sharp(picture).removeAlpha().raw().toBuffer();
}

/** The ads that look otherwise than before, each with how much; of another number of ads, the number. */
export function changed(kept: Buffer, seen: Buffer, ads: readonly { name: string }[]): string[] {
  const bytes = SIDE * SIDE * CHANNELS;
  if (kept.length !== seen.length || seen.length !== ads.length * bytes) {
    return [`${kept.length / bytes} ads are kept, ${seen.length / bytes} are drawn`];
  }
  return ads.flatMap(({ name }, index) => {
    const part = (sheet: Buffer): Buffer => sheet.subarray(index * bytes, (index + 1) * bytes);
    const difference = differenceOf(part(kept), part(seen));
    return difference > DIFFERENCE_MAX ? [`${name}: ${difference.toFixed(0)} of 255`] : [];
  });
}

function differenceOf(kept: Buffer, seen: Buffer): number {
  let sum = 0;
  for (const [at, value] of kept.entries()) sum += Math.abs(value - (seen[at] ?? 0));
  return sum / kept.length;
}
