import PDFDocument from 'pdfkit';
import type { Locator } from 'playwright-core';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { image } from '../../support/images.ts';
import { eventually, until } from '../../support/until.ts';

/** Papers that a reviewer has to read: photographed sideways, or pages of a document. */
let stand: ConsoleStand;
let reviewer: Account;
let task: number;

const WIDE = { width: 900, height: 600 };

async function documentOf(pages: number): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4' });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => document.on('end', resolve));
  document.rect(0, 0, 600, 400).fill('#c02020');
  for (let page = 2; page <= pages; page += 1) document.addPage().text(`Page ${page}`);
  document.end();
  await ended;
  return Buffer.concat(parts);
}

beforeAll(async () => {
  stand = await startConsole();
  reviewer = await stand.operator('REVIEWER');
  const seller = await stand.newAccount('publisher', 'Jetty');
  const person = await stand.newPerson({ as: ['publisher', seller] });
  await person.open('/publisher/kyc');
  await person.field(/^Full name/).fill('Bob Sheet');
  await person
    .field(/^Country/)
    .first()
    .click();
  await person.page.getByRole('option', { name: 'Germany', exact: true }).click();
  await person.field(/^Number of the passport/).fill('C01X00T47');
  await person.page.locator('input[type=file]').setInputFiles([
    { name: 'passport.png', mimeType: 'image/png', buffer: await image('png', WIDE) },
    { name: 'extract.pdf', mimeType: 'application/pdf', buffer: await documentOf(3) },
    { name: 'archive.pdf', mimeType: 'application/pdf', buffer: await documentOf(1_200) },
  ]);
  await person.page.getByText(/passport\.png/).waitFor();
  await person.page.getByText(/extract\.pdf/).waitFor();
  await person.page.getByText(/archive\.pdf/).waitFor();
  await person.button('Send for checking').click();
  task = await until('the reviewer is asked', async () => {
    const { items } = await reviewer.api.must<{ items: { id: number; kind: string }[] }>(
      'GET',
      '/tasks',
    );
    return items.find(({ kind }) => kind === 'kyc_review')?.id;
  });
}, 150_000);
afterAll(async () => await stand?.close(), 60_000);

/** How a paper is drawn now, as an eye sees it. */
const drawn = async (person: Person, name: string) => {
  const box = await person.page.getByRole('img', { name, exact: true }).last().boundingBox();
  return { width: Math.round(box?.width ?? 0), height: Math.round(box?.height ?? 0) };
};

/** A press is drawn with the next frame. */
const becomes = async (person: Person, size: object): Promise<void> =>
  await eventually(async () => expect(await drawn(person, 'Document 1')).toEqual(size));

test('a paper · photographed sideways · is turned, enlarged and read, fetched once', async () => {
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  const reads: string[] = [];
  person.page.on('request', (request) => {
    if (request.url().includes('/kyc/documents/')) reads.push(request.url());
  });
  await person.open(`/operator/tasks/${task}`);
  const tools = person.page.getByRole('toolbar', { name: 'View of Document 1' });
  await tools.waitFor();
  const before = await drawn(person, 'Document 1');
  expect(before.width).toBeGreaterThan(before.height);
  await tools.getByRole('button', { name: 'Rotate right' }).click();
  await eventually(async () => {
    const after = await drawn(person, 'Document 1');
    expect(after.height).toBeGreaterThan(after.width);
  });
  await tools.getByRole('button', { name: 'Rotate left' }).click();
  await becomes(person, before);

  // Over the whole window it is beside what it is held against, and keys work at once.
  await tools.getByRole('button', { name: 'Full screen' }).click();
  const dialog = person.page.getByRole('dialog', { name: 'Document 1' });
  await dialog.getByText('Bob Sheet').waitFor();
  await until('the keys begin at the paper', async () => {
    const focused = person.page.locator(':focus');
    return (await focused.getAttribute('aria-label')) === 'Document 1: scroll or drag to move it';
  });
  await becomes(person, WIDE);
  await person.page.keyboard.press('+');
  await becomes(person, { width: 1125, height: 750 });
  await person.page.keyboard.press(']');
  await becomes(person, { width: 750, height: 1125 });
  await person.page.keyboard.press('1');
  await becomes(person, { width: 600, height: 900 });
  await person.page.keyboard.press('0');
  await eventually(async () =>
    expect((await drawn(person, 'Document 1')).height).toBeLessThan(800),
  );
  expect(await person.dialogBarriers()).toEqual([]);
  await person.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(reads.toSorted()).toEqual([...new Set(reads)].toSorted());
  expect(reads).toHaveLength(3);
}, 90_000);

test('a paper · the keys of its view · are not those that decide', async () => {
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  await person.open(`/operator/tasks/${task}`);
  const stage = person.page.getByRole('region', { name: /^Document 1: scroll/ });
  await stage.focus();
  await person.page.keyboard.press('[');
  await eventually(async () => {
    const after = await drawn(person, 'Document 1');
    expect(after.height).toBeGreaterThan(after.width);
  });
  await person.page.keyboard.press('f');
  await person.page.getByRole('dialog', { name: 'Document 1' }).waitFor();
  await person.page.keyboard.press('Escape');
}, 60_000);

test.each([
  ['en-US', 1280, 'Document 2', 'Page 1 of 3', 'Full screen'],
  ['zh-CN', 360, '文件 2', '第 1 页，共 3 页', '全屏查看'],
] as const)(
  'a document · in %s at %i px · its pages are drawn and can be enlarged',
  async (locale, width, name, first, enlarge) => {
    const person = await stand.newPerson({ as: ['admin', reviewer], locale });
    await person.page.setViewportSize({ width, height: 740 });
    await person.open(`/operator/tasks/${task}`);
    const tools = person.page.getByRole('toolbar').nth(1);
    await tools.scrollIntoViewIfNeeded();
    await tools.getByRole('button', { name: enlarge }).click();
    const dialog = person.page.getByRole('dialog', { name });
    const page = dialog.getByRole('img', { name: first });
    await until(
      'the page is painted',
      async () => (await page.getAttribute('data-drawn')) !== null,
    );
    // The red of its upper half, by the browser's own reading.
    const red = await page.evaluate((canvas) => {
      const { getContext } = canvas as unknown as { getContext: (kind: '2d') => Painted };
      return getContext.call(canvas, '2d').getImageData(20, 20, 1, 1).data[0] ?? 0;
    });
    expect(red).toBe(0xc0);
    expect(await dialog.locator('canvas').count()).toBe(3);
    await person.settled();
    expect(await person.dialogBarriers()).toEqual([]);
    expect(
      await person.page.evaluate<number>('document.documentElement.scrollWidth'),
    ).toBeLessThanOrEqual(width);
  },
  90_000,
);

test('a document · of more pages than anybody reads · shows the first of them, says so, and holds no far page', async () => {
  const person = await stand.newPerson({ as: ['admin', reviewer], locale: 'en-US' });
  await person.open(`/operator/tasks/${task}`);
  await person.page
    .getByText('The first 50 of 1200 pages are shown. Download it to read the rest.')
    .waitFor();
  const tools = person.page.getByRole('toolbar', { name: 'View of Document 3' });
  await tools.getByText('1200 pages', { exact: true }).waitFor();
  const archive = person.page.getByRole('region', { name: /^Document 3: scroll/ });
  const first = archive.getByRole('img', { name: 'Page 1 of 1200' });
  const last = archive.getByRole('img', { name: 'Page 50 of 1200' });
  expect(await archive.locator('canvas').count()).toBe(50);
  const isPainted = async (page: Locator): Promise<boolean> =>
    (await page.getAttribute('data-drawn')) !== null;
  await first.scrollIntoViewIfNeeded();
  await until('the first is painted', async () => await isPainted(first));
  await last.scrollIntoViewIfNeeded();
  await until('the last is painted', async () => await isPainted(last));
  await until(
    'the first is given back',
    async () => (await first.getAttribute('width')) === '0' && !(await isPainted(first)),
  );
}, 90_000);

interface Painted {
  getImageData: (x: number, y: number, width: number, height: number) => { data: number[] };
}
