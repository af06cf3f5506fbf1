import { type ConsoleStand, startConsole } from '../../support/console.ts';
import { approveAll } from '../../support/desk.ts';
import { image } from '../../support/images.ts';
import { type Listener, startListener } from '../../support/listener.ts';
import { until } from '../../support/until.ts';
import { HTML5_INDEX, html5Zip } from '../../support/zips.ts';

/** What an advertiser works with beside campaigns: files in place, jobs of AI, webhooks, reports that come by mail. */
let stand: ConsoleStand;
/** A model that thinks for ever. */
let model: Listener;

beforeAll(async () => {
  model = await startListener(() => {});
  stand = await startConsole({ AI_BASE_URL: model.url, AI_TEXT_MODEL: 'writer' });
}, 120_000);
afterAll(async () => {
  await stand?.close();
  await model?.close();
}, 60_000);

const unsized = HTML5_INDEX.replace('name="ad.size"', 'name="nothing"');
const zip = async (name: string, index: string) => ({
  name,
  mimeType: 'application/zip',
  buffer: await html5Zip([], index),
});
const picture = async () => ({
  name: 'new-rope.png',
  mimeType: 'image/png',
  buffer: await image('png', { width: 300, height: 250, colour: '#0a5cad' }),
});

test('a new ad · of a picture that is dropped there · makes its creative, takes its name, and is sent', async () => {
  const account = await stand.newAccount('advertiser', 'Inplace');
  const campaign = await account.api.must<{ id: number }>('POST', '/campaigns', {
    name: 'Ropes',
    landing_url: 'https://shop.example.com/rope',
    ad_type: 'BANNER',
    pricing_model: 'CPC',
    bid: 0.4,
  });
  const group = await account.api.must<{ id: number }>('POST', '/adgroups', {
    campaign_id: campaign.id,
    name: 'Everyone',
  });
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open(`/advertiser/ads/new?adgroup_id=${group.id}`);
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose a file').click();
  await (await asked).setFiles(await picture());
  await person.page.getByText('To show another one, drop it here, or').waitFor();
  expect(await person.field(/^Name/).inputValue()).toBe('new rope');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.button('Submit for review').click();
  await person.page.waitForURL(/\/advertiser\/ads\/\d+$/);
  const { items } = await account.api.must<{ items: { id: number; width: number }[] }>(
    'GET',
    '/creatives',
  );
  expect(items).toMatchObject([{ name: 'new rope', width: 300, height: 250 }]);
  const ads = await account.api.must<{ items: object[] }>('GET', '/ads');
  expect(ads.items).toMatchObject([{ name: 'new rope', creative_id: items[0]?.id }]);
});

test('many files at once · a zip that says no size · is asked for it before anything is made', async () => {
  const account = await stand.newAccount('advertiser', 'Zips');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser/creatives');
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose files').click();
  await (
    await asked
  ).setFiles([await zip('says-it.zip', HTML5_INDEX), await zip('silent.zip', unsized)]);
  const size = person.page.getByRole('combobox', { name: 'Size (silent)' });
  await size.waitFor();
  const made = async () =>
    (
      await account.api.must<{ items: { name: string; width: number | null }[] }>(
        'GET',
        '/creatives',
      )
    ).items;
  expect(await made()).toMatchObject([{ name: 'says it', width: 300 }]);
  await size.click();
  await person.page.getByRole('option', { name: '728 × 90' }).click();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.button('Submit for review').click();
  await size.waitFor({ state: 'detached' });
  expect(await made()).toContainEqual(
    expect.objectContaining({ name: 'silent', width: 728, height: 90 }),
  );
});

test('words that are being made · cancelled · asks first, says so, and stays so after a reload', async () => {
  const account = await stand.newAccount('advertiser', 'Stopper');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  const { page } = person;
  await person.open('/advertiser/creatives/generate?kind=copy');
  await person.field(/^Describe it/).fill('Ropes that hold');
  await person.button('Generate').click();
  const stop = person.button('Cancel');
  await stop.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Cancel this job?').waitFor();
  expect(await person.barriers()).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('main').getByText('Cancelled').first().waitFor();
  expect(await stop.count()).toBe(0);
  await page.reload();
  await page.getByRole('main').getByText('Cancelled').first().waitFor();
  const { items } = await account.api.must<{ items: { status: string }[] }>('GET', '/operations');
  expect(items).toMatchObject([{ status: 'cancelled' }]);
});

test('webhooks · one with a long address · is listed in short, copied in full, and led to', async () => {
  const account = await stand.newAccount('advertiser', 'Hooks');
  const url = `https://rope.example.com/hooks/${'a'.repeat(80)}/news?token=last`;
  await account.api.must('POST', '/webhooks', { url, kinds: ['export_ready'] });
  const person = await stand.newPerson({
    as: ['advertiser', account],
    viewport: { width: 360, height: 780 },
  });
  await person.open('/advertiser/webhooks');
  const link = person.page.getByRole('link', { name: /rope\.example\.com/ });
  await link.waitFor();
  expect((await link.textContent())?.length).toBeLessThan(70);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.button(`Copy: ${url}`).click();
  await person.page.getByText('Copied', { exact: true }).waitFor();
  expect(await person.page.evaluate<string>('navigator.clipboard.readText()')).toBe(url);
  await link.click();
  await person.heading('rope.example.com').waitFor();
});

test('a launch that is approved · in the inbox · is one line, which leads to it and is read as one', async () => {
  const account = await stand.newAccount('advertiser', 'Launcher');
  const made = async (path: string, body: object): Promise<number> =>
    (await account.api.must<{ id: number }>('POST', path, { name: 'Ropes', ...body })).id;
  const campaign = await made('/campaigns', {
    landing_url: 'https://shop.example.com/rope',
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 0.4,
  });
  const group = await made('/adgroups', { campaign_id: campaign });
  const creative = await made('/creatives', { creative_type: 'text' });
  for (const title of ['Rope one', 'Rope two']) {
    await made('/ads', { adgroup_id: group, creative_id: creative, title });
  }
  await approveAll((await stand.operator('REVIEWER')).api, account.api);
  await until('all of it is told', async () => {
    const { total } = await account.api.must<{ total: number }>('GET', '/notifications');
    return total === 5 || undefined;
  });
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser/notifications');
  const line = person.page.getByRole('row').filter({
    hasText: 'Approved in campaign “Ropes”: campaign, ad group, 2 ads',
  });
  await line.waitFor();
  await person.page.getByRole('row').filter({ hasText: 'Review of creative “Ropes”' }).waitFor();
  expect(await person.page.getByRole('row').count()).toBe(3);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await line.getByRole('button', { name: 'Mark as read' }).click();
  await person.page.getByText('1 unread').waitFor();
  await line.getByRole('link').click();
  await person.page.waitForURL(new RegExp(`/advertiser/campaigns/${campaign}$`));
});

test('pictures that are made · beside each other · have no empty room below them', async () => {
  const account = await stand.newAccount('advertiser', 'Painter');
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser/creatives/generate?kind=image');
  await person.field(/^Describe it/).fill('Ropes that hold');
  await person.button('Generate').click();
  const use = person.button('Use as a creative');
  await use.nth(1).waitFor();
  await person.settled();
  const picture = person.page.getByRole('main').locator('img').first();
  const room = await picture.locator('..').boundingBox();
  if (room === null) throw new Error('there is no room for it');
  // As high as a picture of 1200 × 628 is in this column, whether it has come already or not.
  expect(Math.abs(room.height - (room.width * 628) / 1200)).toBeLessThan(4);
});

test('a creative of words · opened to be mended · says where its words are; a picture’s change names both by number', async () => {
  const account = await stand.newAccount('advertiser', 'Words');
  const made = await account.api.must<{ id: number }>('POST', '/creatives', {
    name: 'Plain words',
    creative_type: 'text',
  });
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open(`/advertiser/creatives/${made.id}?edit=1`);
  await person.page.getByText(/^Viewers read the words of its ads: change them there/).waitFor();

  const upload = async (colour: string): Promise<number> => {
    const form = new FormData();
    const file = new Uint8Array(await image('png', { width: 300, height: 250, colour }));
    form.set('file', new Blob([file], { type: 'image/png' }), 'rope.png');
    return (await account.api.must<{ id: number }>('POST', '/creatives/upload', form)).id;
  };
  const [first, second] = [await upload('#0a5cad'), await upload('#ad5c0a')];
  const creative = await account.api.must<{ id: number }>('POST', '/creatives', {
    name: 'A picture',
    creative_type: 'image',
    image_media_id: first,
  });
  await account.api.must('PUT', `/creatives/${creative.id}`, { image_media_id: second });
  await person.open('/advertiser/history');
  await person.page.locator('ins').getByText(`No. ${second}`, { exact: true }).first().waitFor();
});
