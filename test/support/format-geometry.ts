import type { Frame, Page } from 'playwright-core';
import type { FormatCase } from './format-cases.ts';

/** Where everything of a drawn ad is, in the pixels of its frame; null is not shown. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
type Parts = Record<
  'box' | 'badge' | 'title' | 'text' | 'brand' | 'button' | 'picture' | 'inner',
  Box | null
>;
interface Drawn {
  parts: Parts;
  width: number;
  height: number;
  /** What would have to be scrolled to be seen. */
  scrolled: { width: number; height: number };
  /** Lines of title and text that are shown in part. */
  brokenLines: string[];
  fit: string;
}

/** Read in the document itself: nothing outside can look into it. */
const MEASURE = `(() => {
  const boxOf = (selector) => {
    const element = document.querySelector(selector);
    if (element === null) return null;
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    return width * height === 0 ? null : { left, top, right, bottom };
  };
  const brokenLines = [...document.querySelectorAll('.x b, .x span')].filter((element) => {
    const lines = element.clientHeight / parseFloat(getComputedStyle(element).lineHeight);
    return Math.abs(lines - Math.round(lines)) > 0.02;
  }).map((element) => element.textContent);
  const media = document.querySelector('.t .q, img.m, video');
  const root = document.documentElement;
  return {
    parts: {
      box: boxOf('.b'), badge: boxOf('.g'), title: boxOf('.x b'), text: boxOf('.x span'),
      brand: boxOf('.x i'), button: boxOf('.t em'), picture: boxOf('.t .q, img.m, video'),
      inner: boxOf('.b iframe'),
    },
    width: innerWidth, height: innerHeight,
    scrolled: { width: root.scrollWidth, height: root.scrollHeight },
    brokenLines,
    fit: media === null ? '' : getComputedStyle(media).objectFit,
  };
})()`;

/** Answers what is wrong with the ads of a page, a line each; an empty list is a page that looks right. */
export async function faultsOf(page: Page, cases: readonly FormatCase[]): Promise<string[]> {
  const faults: string[] = [];
  const sideways = (await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )) as number;
  if (sideways > 0) faults.push(`the page is pushed sideways by ${sideways} px`);
  const room = (await page.evaluate(`document.querySelector('section').clientWidth`)) as number;
  const frames = await page.locator('section iframe').elementHandles();
  if (frames.length !== cases.length) faults.push(`${frames.length} of ${cases.length} ads`);
  const drawn = await Promise.all(
    frames.map(async (handle) => {
      const frame = await handle.contentFrame();
      return frame === null ? undefined : await measured(frame);
    }),
  );
  for (const [index, one] of cases.entries()) {
    const ad = drawn[index];
    const own = ad === undefined ? ['no frame'] : faultsIn(one, ad, room);
    for (const fault of own) faults.push(`${one.name}: ${fault}`);
  }
  return faults;
}

async function measured(frame: Frame): Promise<Drawn> {
  await frame.waitForLoadState();
  return (await frame.evaluate(MEASURE)) as Drawn;
}

const near = (a: number, b: number, by = 1): boolean => Math.abs(a - b) <= by;

function faultsIn(one: FormatCase, drawn: Drawn, room: number): string[] {
  const { parts, scrolled, brokenLines } = drawn;
  const faults = sizeFaults(one, drawn, room);
  if (scrolled.width > drawn.width || scrolled.height > drawn.height) {
    faults.push(`needs ${scrolled.width}×${scrolled.height}`);
  }
  const { box, ...inside } = parts;
  for (const [name, part] of Object.entries(inside)) {
    if (box === null || part === null || isInside(part, box)) continue;
    faults.push(`${name} is cut off: ${JSON.stringify(part)}`);
  }
  for (const text of brokenLines) faults.push(`half a line: ${text.slice(0, 30)}`);
  if (parts.badge === null) faults.push('no badge');
  const apart = ['title', 'text', 'brand', 'button', 'picture'] as const;
  for (const [at, name] of apart.entries()) {
    const others = apart.slice(at + 1).filter((other) => isOver(parts[name], parts[other]));
    for (const other of others) faults.push(`${name} and ${other} overlap`);
    if (name !== 'picture' && isOver(parts[name], parts.badge)) faults.push(`badge over ${name}`);
  }
  return [...faults, ...missing(one, drawn)];
}

function sizeFaults({ display, markup }: FormatCase, drawn: Drawn, room: number): string[] {
  const { width, height, isFluid } = markup;
  const wide = isFluid ? room : Math.min(width, room);
  const isText = display === 'NATIVE' || display === 'TEXT';
  const tall = isFluid || isText ? height : (height * wide) / width;
  const { box } = drawn.parts;
  if (box === null) return ['nothing is drawn'];
  const isWhole = near(box.right - box.left, drawn.width) && near(box.bottom, drawn.height);
  return [
    ...(near(drawn.width, wide) && near(drawn.height, tall)
      ? []
      : [`is ${drawn.width}×${drawn.height}, not ${wide}×${tall}`]),
    ...(isWhole ? [] : ['does not fill its frame']),
  ];
}

/** What the zone's size has room for is there, and of its own shape. */
function missing({ display, markup, media }: FormatCase, { parts, fit }: Drawn): string[] {
  const faults: string[] = [];
  const isCard = display === 'NATIVE' || display === 'TEXT';
  if (isCard && markup.title !== null && parts.title === null) faults.push('no title');
  if (isCard && markup.buttonText !== null && parts.button === null) faults.push('no button');
  const hasTwoLines = markup.height >= 50;
  if (isCard && hasTwoLines && markup.description !== null && parts.text === null) {
    faults.push('no text');
  }
  if (media !== null) {
    if (parts.picture === null) faults.push('no picture');
    else if (areaOf(parts.picture) < 32 * 32) faults.push('picture too small to be seen');
    if (fit !== 'contain') faults.push(`picture is drawn to ${fit}`);
  }
  const { drawnFor } = markup;
  if (drawnFor !== null && parts.inner !== null) {
    const { left, right, top, bottom } = parts.inner;
    const shape = (right - left) / (bottom - top) / (drawnFor.width / drawnFor.height);
    if (!near(shape, 1, 0.02)) faults.push('code has lost its shape');
  }
  return faults;
}

const areaOf = ({ left, right, top, bottom }: Box): number => (right - left) * (bottom - top);
const isInside = (part: Box, box: Box): boolean =>
  part.left >= box.left - 0.6 &&
  part.top >= box.top - 0.6 &&
  part.right <= box.right + 0.6 &&
  part.bottom <= box.bottom + 0.6;
const isOver = (a: Box | null, b: Box | null): boolean =>
  a !== null &&
  b !== null &&
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.6 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.6;
