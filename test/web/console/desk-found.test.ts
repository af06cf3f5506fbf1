import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../../support/call.ts';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { until } from '../../support/until.ts';

/** What support, reviewers and ad-ops look for at the desk, and what they have written there. */
let stand: ConsoleStand;
let support: Account;
let reviewer: Account;
let owner: Account;
let seller: Account;
let ownerId: number;
let sellerId: number;

const idOf = async ({ api }: Account): Promise<number> =>
  (await api.must<{ id: number }>('GET', '/auth/profile')).id;

beforeAll(async () => {
  stand = await startConsole();
  support = await stand.operator('SUPPORT');
  reviewer = await stand.operator('REVIEWER');
  owner = await stand.newAccount('advertiser', 'Harbour');
  seller = await stand.newAccount('publisher', 'Gazette');
  [ownerId, sellerId] = [await idOf(owner), await idOf(seller)];
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const option = ({ page }: Person, name: string | RegExp) => page.getByRole('option', { name });

test('palette · support asks for a contact, then for a withdrawal · the account and its flow stand there', async () => {
  const { platform } = stand;
  await platform.db.models.accounts.update(
    { contactName: 'Wilhelmina Ost' },
    { where: { id: ownerId } },
  );
  const made = async (sql: string, ...values: unknown[]): Promise<number> => {
    const { rows } = await platform.pool.query<{ id: string }>(`${sql} RETURNING id`, values);
    return Number(rows[0]?.id);
  };
  const withdrawalId = await made(
    `INSERT INTO withdrawals (publisher_id, amount_nanos, arrival_nanos, channel, status)
     VALUES ($1, 1000000000, 1000000000, 'BANK', 'CANCELLED')`,
    sellerId,
  );
  const flowId = await made(
    `INSERT INTO operations (account_id, kind, subject_type, subject_id, workflow_id, status)
     VALUES ($1, 'withdrawal', 'withdrawal', $2, 'sought', 'cancelled')`,
    sellerId,
    withdrawalId,
  );
  const person = await stand.newPerson({ as: ['admin', support] });
  await person.open('/operator/advertisers');
  const find = async (words: string): Promise<void> => {
    await person.page.keyboard.press('Control+k');
    await person.page.getByRole('combobox', { name: /^Go to/ }).fill(words);
  };
  await find('helmina');
  await option(person, /Harbour Ltd.*Advertiser \d+ · Wilhelmina Ost/).click();
  await person.page.waitForURL(`**/operator/advertisers/${ownerId}`);
  await find(`WD-${withdrawalId}`);
  await option(person, /Withdrawal under way/).click();
  await person.page.waitForURL(`**/operator/operations/${flowId}`);
}, 60_000);

test('an operation that has ended · says how in words, amounts and times, in both languages', async () => {
  const { pool } = stand.platform;
  // A person's language is kept: of nobody who reads English after this.
  const admin = await stand.operator('ADMIN');
  const ended = async (kind: string, status: string, said: object): Promise<number> => {
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO operations (account_id, kind, subject_type, subject_id, workflow_id, status, result, error)
       VALUES ($1, $2, 'export', 1, $2, $3, $4, $5) RETURNING id`,
      [ownerId, kind, status, ...(status === 'failed' ? [null, said] : [said, null])],
    );
    return Number(rows[0]?.id);
  };
  const written = await ended('report_export', 'succeeded', {
    url: '/api/advertiser/statistics/exports/1/file',
    expires_at: '2026-03-04T05:06:00.000Z',
    format: 'csv',
    bytes: 12_345,
    rows: 1_234,
  });
  const found = await ended('site_verification', 'succeeded', {
    verify_status: 'VERIFIED',
    method: 'FILE',
  });
  const refused = await ended('kyc', 'failed', {
    error: 'kyc_rejected',
    reasons: [{ code: 'EXPIRED_DOCUMENT', note: 'ended in May' }],
  });
  const person = await stand.newPerson({ as: ['admin', support], locale: 'en-GB' });
  const outcome = async (id: number, title: string): Promise<string> => {
    await person.open(`/operator/operations/${id}`);
    const region = person.page.getByRole('region', { name: title });
    await region.locator('dd').first().waitFor();
    return (await region.locator('dl').innerText()).replaceAll(/\s+/g, ' ');
  };
  expect(await outcome(written, 'Result')).toMatch(
    /^Rows 1,234 Size 12,345 bytes Format CSV Kept until .*2026/,
  );
  expect(await outcome(found, 'Result')).toBe('Verification Verified Found by File on the server');
  expect(await outcome(refused, 'What went wrong')).toMatch(
    /^Why The proof was rejected Reasons .*\(ended in May\)$/,
  );
  const chinese = await stand.newPerson({ as: ['admin', admin], locale: 'zh-CN' });
  await chinese.open(`/operator/operations/${found}`);
  const region = chinese.page.getByRole('region', { name: '结果' });
  await region.getByText('服务器文件').waitFor();
  expect(await region.innerText()).not.toMatch(/FILE|VERIFIED|method/);
}, 60_000);

test('filters · chosen by a name · narrow the list by its number, and say both after a reload', async () => {
  const person = await stand.newPerson({ as: ['admin', support] });
  await person.open('/operator/operations');
  const field = person.page.getByRole('combobox', { name: 'Account' });
  await field.fill('ga');
  await person.page.getByText('Three letters at least, or a number.').waitFor();
  await field.fill('gazet');
  await option(person, `Gazette Ltd · Publisher ${sellerId}`).waitFor();
  expect(await person.barriers()).toEqual([]);
  await field.press('Enter');
  await person.page.waitForURL(`**/operations?account_id=${sellerId}`);
  expect(await field.inputValue()).toBe(`Gazette Ltd · Publisher ${sellerId}`);
  await person.page.reload();
  await until('the name is there', async () =>
    (await field.inputValue()).startsWith('Gazette Ltd · '),
  );
  await field.fill('nobody is called so');
  await person.page.getByText('Nothing with that name.').waitFor();
  await field.press('Escape');
  expect(await field.inputValue()).toBe(`Gazette Ltd · Publisher ${sellerId}`);
  await person.button('Clear').first().click();
  await person.page.waitForURL((url) => url.search === '');

  // A reviewer reads no accounts, and has the number.
  const other = await stand.newPerson({ as: ['admin', reviewer] });
  await other.open('/operator/operations');
  const plain = other.page.getByRole('combobox', { name: 'Account' });
  await plain.fill(String(sellerId));
  await option(other, `#${sellerId}`).click();
  await other.page.waitForURL(`**/operations?account_id=${sellerId}`);
}, 60_000);

test('trace · of an ad that was shown · names whose it is and where, with links', async () => {
  const { db, pool } = stand.platform;
  const { campaign, adGroup, ad, creative } = await makeCampaignTree(db, ownerId, {
    campaign: { name: 'Autumn tides' },
    adGroup: { name: 'Autumn phones' },
    ad: { name: 'Autumn headline' },
    creative: { name: 'Autumn picture' },
  });
  const site = await makeSite(db, sellerId, { name: 'Morning paper' });
  const zone = await makeZone(db, site, { name: 'Front page' });
  await pool.query(
    `INSERT INTO events (day, id, shard, kind, received_at, request_id, bid_id, advertiser_id, campaign_id, adgroup_id,
       ad_id, creative_id, publisher_id, site_id, zone_id, billable, status, reasons, price_nanos, publisher_nanos)
     VALUES (current_date, $1, 0, 'impression', now(), 'sought', 'won', $2, $3, $4, $5, $6, $7, $8, $9, false, 'invalid', '["BOT_UA"]', 0, 0)`,
    [
      randomUUID(),
      ownerId,
      campaign.id,
      adGroup.id,
      ad.id,
      creative.id,
      sellerId,
      site.id,
      zone.id,
    ],
  );
  const person = await stand.newPerson({ as: ['admin', support] });
  await person.open('/operator/events?request_id=sought');
  for (const name of [
    'Harbour Ltd',
    'Autumn tides',
    'Autumn phones',
    'Autumn headline',
    'Autumn picture',
    'Gazette Ltd',
    'Morning paper',
    'Front page',
  ]) {
    await person.link(name).waitFor();
  }
  await person.page.getByText('A bot', { exact: false }).first().waitFor();
  expect(await person.page.getByText('BOT_UA').count()).toBe(0);
  expect(await person.barriers()).toEqual([]);
  await person.link('Autumn picture').click();
  await person.page.waitForURL(`**/operator/inventory/creative/${creative.id}`);
  await person.link('Its tasks on the desk').click();
  await person.page.getByText(`Every task of creative ${creative.id}`).waitFor();
}, 60_000);

interface Task {
  id: number;
  status: string;
}

async function taskOf(api: ApiClient, type: string, id: number): Promise<Task> {
  return await until(`a task of ${type} ${id}`, async () => {
    const query = `status=open&subject_type=${type}&subject_id=${id}`;
    return (await api.must<{ items: Task[] }>('GET', `/tasks?${query}`)).items[0];
  });
}

/** Of words alone; its campaign, ad group and creative wait for a reviewer as well. */
async function waitingTextAd(): Promise<{ creativeId: number; adId: number }> {
  const post = async (path: string, body: object): Promise<number> =>
    (await owner.api.must<{ id: number }>('POST', path, body)).id;
  const campaignId = await post('/campaigns', {
    name: 'Words alone',
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 1,
    landing_url: 'https://shop.example.com/',
  });
  const adGroupId = await post('/adgroups', { campaign_id: campaignId, name: 'Words alone' });
  const creativeId = await post('/creatives', { name: 'Plain words', creative_type: 'text' });
  const adId = await post('/ads', {
    adgroup_id: adGroupId,
    creative_id: creativeId,
    name: 'Plain words',
    title: 'Boats for every tide',
    description: 'Built by hand, since 1911.',
    button_text: 'See them',
  });
  return { creativeId, adId };
}

test('a text ad · looked at by a reviewer · stands there as viewers see it', async () => {
  const { adId } = await waitingTextAd();
  const { id } = await taskOf(reviewer.api, 'ad', adId);
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  await person.open(`/operator/tasks/${id}`);
  const shown = person.page.frameLocator('iframe[title="Boats for every tide"]');
  await shown.getByText('Boats for every tide').waitFor();
  await shown.getByText('See them').waitFor();
  await shown.getByText('AD', { exact: true }).waitFor();
}, 60_000);

test('a wrapper of a film · looked at by a reviewer · says that another server has it, and where', async () => {
  const tag = 'https://films.example.com/tag?pos=1';
  const { id } = await owner.api.must<{ id: number }>('POST', '/creatives', {
    name: 'Wrapped film',
    creative_type: 'vast',
    vast_xml: `<VAST version="4.2"><Ad><Wrapper><AdSystem>x</AdSystem><Impression/>
      <VASTAdTagURI><![CDATA[${tag}]]></VASTAdTagURI></Wrapper></Ad></VAST>`,
  });
  const { id: taskId } = await taskOf(reviewer.api, 'creative', id);
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  await person.open(`/operator/tasks/${taskId}`);
  await person.page.getByText('The film is on another server').waitFor();
  expect(await person.page.locator(`a[href="${tag}"]`).count()).toBe(1);
  expect(await person.barriers()).toEqual([]);
}, 60_000);

test('a refusal · given up with Escape, then sent · has its words again, and is forgotten when it was decided', async () => {
  const { creativeId } = await waitingTextAd();
  const { id } = await taskOf(reviewer.api, 'creative', creativeId);
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  const { page } = person;
  await person.open(`/operator/tasks/${id}`);
  const reason = page.getByRole('checkbox', { name: /^1\. / });
  const note = page.getByRole('dialog').getByLabel('Note for operators, kept with the decision');
  await person.button(/^Reject/).click();
  await reason.check();
  expect(await person.dialogBarriers()).toEqual([]);
  await note.fill('Third time this week');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.reload();
  await person.button(/^Reject/).click();
  await reason.waitFor();
  expect(await reason.isChecked()).toBe(true);
  expect(await note.inputValue()).toBe('Third time this week');
  const drafts = async (): Promise<string[]> =>
    await page.evaluate(`Object.keys(sessionStorage).filter((key) => /^reject /.test(key))`);
  expect(await drafts()).toHaveLength(1);
  await page.keyboard.press('Control+Enter');
  await page.getByText(/^Reject: sent in/).waitFor();
  await page.keyboard.press('n');
  await until('it is decided', async () => {
    return (await reviewer.api.must<Task>('GET', `/tasks/${id}`)).status === 'decided';
  });
  await until('nothing of it is kept', async () => (await drafts()).length === 0);
}, 60_000);

test.each([1280, 360])(
  'rows · the first is chosen, at %i pixels · none of them moves, and what can be done is in sight',
  async (width) => {
    const person = await stand.newPerson({
      as: ['advertiser', owner],
      viewport: { width, height: 740 },
    });
    await person.open('/advertiser/campaigns');
    const row = person.page.locator('tr[data-id]').first();
    const placeOf = async (): Promise<number | undefined> =>
      await row.evaluate(
        (node) => node.getBoundingClientRect().top + (node.ownerDocument.defaultView?.scrollY ?? 0),
      );
    const before = await placeOf();
    await row.getByRole('checkbox').check();
    const bar = person.page.getByRole('toolbar');
    await bar.waitFor();
    expect(await placeOf()).toBe(before);
    const { y = -1, height = 0 } = (await bar.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(740);
    expect(
      await person.page.evaluate<number>('document.documentElement.scrollWidth'),
    ).toBeLessThanOrEqual(width);
    expect(await person.barriers()).toEqual([]);
  },
  60_000,
);

test('a paper · a PDF that is damaged · says what to do, in the reader’s language', async () => {
  const person = await stand.newPerson({ as: ['publisher', seller], locale: 'zh-CN' });
  person.expects(/status of 415 .*\/kyc\/documents/);
  await person.open('/publisher/kyc');
  await person.page.locator('input[type=file]').setInputFiles({
    name: 'passport.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n1 0 obj <<'),
  });
  await person.page
    .getByRole('alert')
    .getByText(/passport\.pdf：.*重新保存或打印为 PDF/)
    .waitFor();
}, 60_000);
