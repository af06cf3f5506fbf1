import path from 'node:path';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import type { TestDatabase } from '../../support/database.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { insertRow } from '../../support/make/row.ts';

/**
 * What waits for an advertiser, as both sides see it, and a domain that two want: wide, and on a
 * phone. With SHOTS_DIR the pages are kept as pictures.
 */
const SHOTS = process.env['SHOTS_DIR'];
const WIDTHS = [1280, 360] as const;
const HOUR_MS = 3_600_000;
const later = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

let stand: ConsoleStand;
let shop: Account;
let gazette: Account;
let line: Line;

const idOf = async (account: Account): Promise<number> => {
  const { rows } = await stand.platform.pool.query<{ id: string }>(
    'SELECT id FROM accounts WHERE email = $1',
    [account.username],
  );
  return Number(rows[0]?.id);
};
const database = (): TestDatabase => stand.platform as unknown as TestDatabase;

async function conversion(txid: string, fields: Record<string, unknown>): Promise<void> {
  await insertRow(database(), 'conversions', {
    advertiser_id: line.advertiserId,
    publisher_id: line.publisherId,
    campaign_id: line.campaignId,
    adgroup_id: line.adGroupId,
    ad_id: line.adId,
    creative_id: line.creativeId,
    zone_id: line.zoneId,
    dedupe_key: `tx:${txid}`,
    event_type: 'PURCHASE',
    value_nanos: 49_900_000_000,
    price_nanos: 3_000_000_000,
    created_at: later(-2),
    held_at: later(-2),
    ...fields,
  });
}

beforeAll(async () => {
  stand = await startConsole();
  shop = await stand.newAccount('advertiser', 'Ropeshop');
  gazette = await stand.newAccount('publisher', 'Gazette');
  const [advertiserId, publisherId] = [await idOf(shop), await idOf(gazette)];
  line = await makeLine(database(), { advertiserId, publisherId, pricingModel: 'CPA' });
  await conversion('order-1', { status: 'PENDING', due_at: later(100) });
  const findings = JSON.stringify(['FOREIGN_BROWSER', 'FOREIGN_ADDRESS', 'HOST_MISSING', 'BURST']);
  await conversion('order-2', { status: 'PENDING', decide_by: later(700), findings });
  await conversion('order-3', {
    status: 'PENDING',
    decide_by: later(20),
    created_at: later(-700),
    held_at: later(-700),
    findings: JSON.stringify(['HOST_FOREIGN']),
  });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function shown(person: Person, name: string): Promise<void> {
  await person.settled();
  expect([name, await person.barriers()]).toEqual([name, []]);
  const wide = await person.page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect([name, wide]).toEqual([name, 0]);
  if (SHOTS === undefined) return;
  await person.page.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: true });
}

describe.each(WIDTHS)('%i pixels wide', (width) => {
  const viewport = { width, height: 800 };

  test('a publisher · sees pending earnings apart, at home and in the report', async () => {
    const person = await stand.newPerson({ as: ['publisher', gazette], viewport });
    await person.open('/publisher');
    await person.page.getByText('Pending', { exact: true }).first().waitFor();
    await shown(person, `home-publisher-${width}`);
    await person.open('/publisher/reports');
    await person.page.getByText('Revenue held').first().waitFor();
    await shown(person, `report-publisher-${width}`);
  });

  test('an advertiser · sees what is held, in the list and in the report', async () => {
    const person = await stand.newPerson({ as: ['advertiser', shop], viewport });
    await person.open('/advertiser/conversions');
    await person.page.getByText('Another browser than clicked').first().waitFor();
    await shown(person, `conversions-advertiser-${width}`);
    await person.open('/advertiser/reports');
    await person.page.getByText('Spend held').first().waitFor();
    await shown(person, `report-advertiser-${width}`);
  });

  test('an administrator · holds the papers of an account by a reason · sees who holds them; finance may not', async () => {
    const admin = await stand.operator('ADMIN');
    const person = await stand.newPerson({ as: ['admin', admin], viewport });
    const page = `/operator/publishers/${line.publisherId}`;
    await person.open(page);
    await person.page.getByText('No; they are erased in their time').waitFor();
    await person.button('Hold identity papers').click();
    const dialog = person.page.getByRole('dialog');
    await dialog.getByLabel(/^Reason/).waitFor();
    await shown(person, `papers-ask-${width}`);
    // Without a reason nothing is held.
    const hold = dialog.getByRole('button', { name: 'Hold identity papers' });
    expect(await hold.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Reason/).fill('Court order 7/26');
    await hold.click();
    const held = person.page.getByText(/· .* · Court order 7\/26/).first();
    await held.waitFor();
    await shown(person, `papers-held-${width}`);

    const finance = await stand.newPerson({
      as: ['admin', await stand.operator('FINANCE')],
      viewport,
    });
    await finance.open(page);
    await finance.page
      .getByText(/· Court order 7\/26/)
      .first()
      .waitFor();
    const refused = finance.button('Release identity papers');
    expect(await refused.getAttribute('aria-disabled')).toBe('true');
    expect(await refused.getAttribute('aria-description')).toBe(
      'Only an administrator may do this.',
    );
    await shown(finance, `papers-finance-${width}`);

    await person.button('Release identity papers').click();
    await dialog.getByLabel(/^Reason/).fill('The case is over');
    await dialog.getByRole('button', { name: 'Release identity papers' }).click();
    await person.page.getByText('No; they are erased in their time').waitFor();
  });

  test('a publisher whose domain somebody else proves · reads what happens, and until when to answer', async () => {
    const { rows } = await stand.platform.pool.query<{ domain: string }>(
      'SELECT domain FROM sites WHERE id = $1',
      [line.siteId],
    );
    const other = await makeLine(database());
    await insertRow(database(), 'domain_transfers', {
      domain: rows[0]?.domain,
      claimant_id: other.publisherId,
      claimant_site_id: other.siteId,
      holder_id: line.publisherId,
      holder_site_id: line.siteId,
      method: 'DNS',
      due_at: later(20),
    });
    const person = await stand.newPerson({ as: ['publisher', gazette], viewport });
    await person.open(`/publisher/sites/${line.siteId}`);
    await person.page.getByRole('alert').first().waitFor();
    await shown(person, `claim-holder-${width}`);
    await stand.platform.pool.query(
      `UPDATE domain_transfers SET status = 'WITHDRAWN', ended_at = now()`,
    );
  });
});

test('an advertiser · rejects one with a reason · its publisher reads of it in the report', async () => {
  const person = await stand.newPerson({ as: ['advertiser', shop] });
  await person.open('/advertiser/conversions');
  // By the name that the page has for it, and its shop's number.
  const chosen = person.page.getByRole('checkbox', {
    name: 'Choose Purchase order-2',
    exact: true,
  });
  await chosen.check();
  await person.button('Reject').click();
  const dialog = person.page.getByRole('dialog');
  await dialog.getByLabel(/^Reason/).fill('Nobody bought this');
  expect(await person.dialogBarriers()).toEqual([]);
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await person.page.getByText('Nobody bought this').first().waitFor();
  await person.page.getByText('Done.', { exact: true }).waitFor();
  // Decided once, it is not chosen again, and its box says why.
  expect([await chosen.getAttribute('title'), await chosen.isChecked()]).toEqual([
    'It was decided.',
    false,
  ]);
  await person.page.getByRole('checkbox', { name: 'All', exact: true }).check();
  expect(await chosen.isChecked()).toBe(false);
  await person.page.getByRole('checkbox', { name: 'All', exact: true }).uncheck();
  // Nor is one that a colleague has decided meanwhile, and nothing says that it was.
  await conversion('order-9', { status: 'PENDING', due_at: later(100) });
  await person.open('/advertiser/conversions');
  await person.page.getByRole('checkbox', { name: 'Choose Purchase order-9', exact: true }).check();
  const { items } = await shop.api.must<{ items: { id: number; txid: string | null }[] }>(
    'GET',
    '/conversions',
  );
  const ids = items.filter(({ txid }) => txid === 'order-9').map(({ id }) => id);
  await shop.api.must('POST', '/conversions/bulk', { action: 'reject', ids, reason: 'Test order' });
  await person.button('Approve').click();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await person.page
    .getByText('1 conversion could not be decided: only a pending one can.')
    .waitFor();
  expect(await person.page.getByText('Done.', { exact: true }).count()).toBe(0);
  const seller = await stand.newPerson({ as: ['publisher', gazette] });
  await seller.open('/publisher/reports');
  await seller.page.getByText('Held, rejected', { exact: true }).first().waitFor();
  await shown(seller, 'report-publisher-rejected');
});

test('a preview · told what to show by the code in another one · shows what the console says', async () => {
  const person = await stand.newPerson();
  const { page } = person;
  await person.open('/advertiser/login');
  await page.evaluate(`(async () => {
    const preview = () => new Promise((loaded) => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.src = '/console/sandbox.html';
      frame.onload = () => loaded(frame);
      document.body.append(frame);
    });
    const [own, hostile] = [await preview(), await preview()];
    const said = new Promise((heard) =>
      addEventListener('message', ({ source }) => source === hostile.contentWindow && heard()));
    const code = "parent.frames[0].postMessage({ html: '<p>planted</p>' }, '*'); parent.postMessage('said', '*');";
    hostile.contentWindow.postMessage({ html: '<script>' + code + '</' + 'script>' }, '*');
    await said;
    own.contentWindow.postMessage({ html: '<p>reviewed</p>' }, '*');
  })()`);
  await page.frameLocator('iframe').first().getByText('reviewed').waitFor();
  expect(await page.frameLocator('iframe').first().getByText('planted').count()).toBe(0);
});
