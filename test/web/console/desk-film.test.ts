import { readFileSync } from 'node:fs';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { until } from '../../support/until.ts';
import { inlineOf, NO_AD, wrapperTo } from '../../support/vast-documents.ts';

/** A film that another server has: a reviewer sees it before they decide about it. */
let stand: ConsoleStand;
let reviewer: Account;
let owner: Account;

const XML = 'application/xml';
const at = (path: string): string => `http://shop.example.com${path}`;

beforeAll(async () => {
  stand = await startConsole();
  reviewer = await stand.operator('REVIEWER');
  owner = await stand.newAccount('advertiser', 'Harbour');
  const { pages } = stand.sites;
  pages.set('/tag', { type: XML, body: wrapperTo('http://gazette.example.com/resold') });
  pages.set('/resold', { type: XML, body: inlineOf(at('/film.webm'), { type: 'video/webm' }) });
  pages.set('/film.webm', {
    type: 'video/webm',
    body: readFileSync('test/fixtures/video/tone.webm'),
  });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

/** At the page of the task of a creative that leads to this address. */
async function reviewerAt(address: string, look = { locale: 'en-GB' }): Promise<Person> {
  const { id } = await owner.api.must<{ id: number }>('POST', '/creatives', {
    name: 'Boats in the rain',
    creative_type: 'vast',
    vast_xml: wrapperTo(address),
  });
  const taskId = await until('its task', async () => {
    const query = `status=open&subject_type=creative&subject_id=${id}`;
    const { items } = await reviewer.api.must<{ items: { id: number }[] }>(
      'GET',
      `/tasks?${query}`,
    );
    return items[0]?.id;
  });
  const person = await stand.newPerson({ as: ['admin', reviewer], ...look });
  await person.open(`/operator/tasks/${taskId}`);
  return person;
}

test('the film of a wrapper · fetched · stands there with the way to it, and plays', async () => {
  const person = await reviewerAt(at('/tag'));
  const { page } = person;
  expect(await page.locator('video').count()).toBe(0);
  await person.button('Fetch the film').click();
  await page.getByRole('status').getByText('The film is here, after 2 addresses.').waitFor();
  const hops = page.getByRole('list', { name: 'The way to the film' }).getByRole('listitem');
  expect(await hops.allInnerTexts()).toEqual([
    expect.stringMatching(/shop\.example\.com\/tag[^]*Another wrapper/),
    expect.stringMatching(/gazette\.example\.com\/resold[^]*The film/),
  ]);
  const film = page.getByRole('region', { name: 'What a player would be given now' });
  await film.getByText('00:00:15').waitFor();
  await film.getByText('video/webm · 640 × 360 · 500 kbit/s').waitFor();
  const video = film.locator('video');
  expect(await video.getAttribute('src')).toBe(at('/film.webm'));
  await until(
    'it can be played',
    async () =>
      await video.evaluate((node) => (node as unknown as { duration: number }).duration > 0),
  );
  expect(await person.barriers()).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(widest).toBeLessThanOrEqual(360);
}, 60_000);

test('a wrapper that leads to a private address · fetched · says so, and shows no film', async () => {
  const person = await reviewerAt('http://10.0.0.1/tag');
  await person.button('Fetch the film').click();
  await person.page.getByText('Not asked: the address is private').waitFor();
  await person.page.getByRole('status').getByText('No film was found.').waitFor();
  expect(await person.page.locator('video').count()).toBe(0);
  expect(await person.barriers()).toEqual([]);
}, 60_000);

test('a server without an ad · asked in Chinese, then once more when it has one · says so, then shows it', async () => {
  const { pages } = stand.sites;
  pages.set('/moody', { type: XML, body: NO_AD });
  const person = await reviewerAt(at('/moody'), { locale: 'zh-CN' });
  await person.page.getByRole('heading', { level: 1, name: /^创意 \d+ 审核：/ }).waitFor();
  await person.button('获取视频').click();
  await person.page.getByRole('status').getByText('此刻没有广告').waitFor();
  pages.set('/moody', { type: XML, body: inlineOf(at('/film.webm'), { type: 'video/webm' }) });
  await person.button('获取视频').click();
  await person.page.getByRole('status').getByText('经过 1 个地址，视频在此。').waitFor();
  expect(await person.page.locator('video').count()).toBe(1);
}, 60_000);
