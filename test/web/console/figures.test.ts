import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { insertRow } from '../../support/make/row.ts';
import type { TestDatabase } from '../../support/database.ts';
import { fundAdvertiser, UNIT } from '../../support/make/money.ts';
import { show } from '../../support/served.ts';

/** One sum of money is one sum: on the screen, in the answer, in every file and in the ledger. */
const PRICES = [1_234_560_000n, 333_330_000n, 2_000_000_000n, 10_000n];
const TODAY = 'range=today&zone_name=UTC&by=date';

let stand: ConsoleStand;
let owner: Account;
let seller: Account;
let line: Line;
let ids: { advertiser: number; publisher: number };

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Sums');
  seller = await stand.newAccount('publisher', 'Earns');
  const idOf = async ({ api }: Account): Promise<number> =>
    (await api.must<{ id: number }>('GET', '/auth/profile')).id;
  ids = { advertiser: await idOf(owner), publisher: await idOf(seller) };
  const { db, pool } = stand.platform;
  const database = { db, pool } as Parameters<typeof makeLine>[0];
  const [advertiserId, publisherId] = [ids.advertiser, ids.publisher];
  line = await makeLine(database, { advertiserId, publisherId });
  await fundAdvertiser(db, advertiserId, 100n * UNIT);
  await show(
    stand.platform,
    line,
    PRICES.map((priceNanos) => ({ priceNanos })),
  );
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

/** What the ledger has moved, in units as the API writes them. */
async function moved(type: string, side: 'debit' | 'credit', code: string): Promise<number> {
  const { rows } = await stand.platform.pool.query<{ sum: string }>(
    `SELECT sum(amount_nanos) / 1000 AS sum FROM ledger_transfers t
     JOIN ledger_accounts a ON a.id = t.${side}_id WHERE t.type = $1 AND a.code LIKE $2`,
    [type, code],
  );
  return Number(rows[0]?.sum) / 1e6;
}

const amountOf = (text: string): number => Number(text.replace(/[^\d.]/g, ''));

const sumOf = async (cells: Locator): Promise<number> => {
  const texts = await cells.allInnerTexts();
  return Number(texts.reduce((sum, text) => sum + amountOf(text), 0).toFixed(6));
};

/** The file that this entry of the menu of exports saves. */
async function exported(person: Person, name: string): Promise<string> {
  const { page } = person;
  await person.button('Export').click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name }).click();
  return await (await saved).path();
}

async function inFiles(person: Person, column: string): Promise<number[]> {
  const csv = readFileSync(await exported(person, 'Export as CSV'), 'utf8').trimEnd();
  const [head = '', line = '', ...more] = csv.replace('\uFEFF', '').split('\r\n');
  expect(more).toEqual([]);
  const [names = [], cells = []] = await readSheet(
    readFileSync(await exported(person, 'Export as Excel')),
  );
  return [line.split(',')[head.split(',').indexOf(column)], cells[names.indexOf(column)]].map(
    Number,
  );
}

interface Report {
  totals: Record<string, number>;
  items: Record<string, number>[];
  as_of: string;
  is_final: boolean;
  timezone: string;
}

/** The answer that the page itself has read. */
async function openReport(person: Person, realm: 'advertiser' | 'publisher'): Promise<Report> {
  const answered = person.page.waitForResponse(/\/statistics\/report\?/);
  await person.open(`/${realm}/reports?${TODAY}`);
  return ((await (await answered).json()) as { data: Report }).data;
}

/** The sums of a report's screen, and what it says about how far they may be believed. */
async function onScreen(person: Person, metric: string): Promise<number[]> {
  const figures = person.page.getByRole('region', { name: 'Figures' });
  await figures.waitFor();
  const heads = await figures.getByRole('columnheader').allInnerTexts();
  const at = heads.findIndex((head) => head.startsWith(metric));
  const rows = figures.getByRole('row');
  const cellOf = async (row: number): Promise<string> =>
    await rows.nth(row).locator('th, td').nth(at).innerText();
  return [amountOf(await cellOf(1)), amountOf(await cellOf(2))];
}

async function saysHowFinal({ page }: Person, { as_of: until, is_final }: Report): Promise<void> {
  const said = page.getByText(/UTC · /).first();
  expect(await said.innerText()).toContain(is_final ? 'Final:' : 'Not final:');
  expect(await said.locator('time').getAttribute('datetime')).toBe(until);
}

test('spend · on the screen, in the answer, in files and in the ledger · is the same', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'UTC' });
  const report = await openReport(person, 'advertiser');
  const spent = await moved('SPEND', 'debit', `adv:${ids.advertiser}:%`);
  expect(spent).toBe(3.5679);
  expect(report.totals['spend']).toBe(spent);
  expect(report.items.map(({ spend }) => spend)).toEqual([spent]);
  expect(await onScreen(person, 'Spend')).toEqual([spent, spent]);
  expect(await inFiles(person, 'spend')).toEqual([spent, spent]);
  await saysHowFinal(person, report);
  await person.open('/advertiser/money?tab=transactions&type=SPEND');
  const list = person.page.getByRole('table', { name: 'Transactions' });
  expect(await sumOf(list.locator('tbody tr td[data-label=Amount]'))).toBe(spent);
});

test('earnings · on the screen, in the answer, in files and in the ledger · are the same', async () => {
  const person = await stand.newPerson({ as: ['publisher', seller], timezoneId: 'UTC' });
  const report = await openReport(person, 'publisher');
  const earned = await moved('EARNING', 'credit', `pub:${ids.publisher}:%`);
  expect(earned).toBe(2.49753);
  expect(report.totals['revenue']).toBe(earned);
  expect(await onScreen(person, 'Revenue')).toEqual([earned, earned]);
  expect(await inFiles(person, 'revenue')).toEqual([earned, earned]);
  await saysHowFinal(person, report);
  await person.open('/publisher/payouts/transactions');
  const list = person.page.getByRole('table', { name: 'Transactions' });
  expect(await sumOf(list.locator('tbody tr td[data-label=Amount]'))).toBe(earned);
  await person.open('/publisher');
  const { maturing } = await seller.api.must<{ maturing: number }>('GET', '/withdrawals/balance');
  expect(maturing).toBe(earned);
  const stages = await person.page.getByRole('list', { name: 'Your earnings' }).innerText();
  expect(stages).toContain(`$${earned}`);
});

/** What a report says of its only line, and its sums: the card above, and both rows of the table. */
async function expectShown(person: Person, metric: string, value: number): Promise<void> {
  expect([metric, ...(await onScreen(person, metric))]).toEqual([metric, value, value]);
}

test('the platform · on the operators’ screen, in its file and in the ledger · spends, pays out and keeps the same', async () => {
  const [spent, earned] = [
    await moved('SPEND', 'debit', `adv:${ids.advertiser}:%`),
    await moved('EARNING', 'credit', `pub:${ids.publisher}:%`),
  ];
  const kept = await moved('PLATFORM_FEE', 'credit', 'platform:revenue:%');
  expect(kept).toBe(1.07037);
  const person = await stand.newPerson({
    as: ['admin', await stand.operator('FINANCE')],
    timezoneId: 'UTC',
  });
  const { page } = person;
  await person.open('/operator/reports?range=today');
  await expectShown(person, 'Spend', spent);
  await expectShown(person, 'Publisher revenue', earned);
  await expectShown(person, 'Margin', kept);
  const saving = page.waitForEvent('download');
  await person.button('Export as CSV').click();
  const csv = readFileSync(await (await saving).path(), 'utf8')
    .replace('\uFEFF', '')
    .trimEnd();
  const [head = [], only = [], ...more] = csv.split('\r\n').map((each) => each.split(','));
  expect(more).toEqual([]);
  expect(
    ['spend', 'publisher_revenue', 'margin', 'timezone'].map((each) => only[head.indexOf(each)]),
  ).toEqual([spent, earned, kept, 'UTC'].map(String));

  await person.open('/operator/reports?range=today&by=advertiser');
  await expectShown(person, 'Spend', spent);
  await page.getByText('Not counted at this breakdown: Publisher revenue · Margin').waitFor();
  await page
    .getByRole('region', { name: 'Figures' })
    .getByRole('link', { name: 'Sums Ltd' })
    .click();
  await person.heading('Sums Ltd').waitFor();
});

test('viewers · asked by somebody of another zone · are counted by days of UTC, and the page says so', async () => {
  const person = await stand.newPerson({
    as: ['admin', await stand.operator('SUPPORT')],
    timezoneId: 'Asia/Shanghai',
  });
  await person.open('/operator/reports?by=country');
  await person.page.getByText('Viewers are counted by days of UTC.').waitFor();
  const choice = (name: string) => person.page.getByRole('combobox', { name, exact: true });
  expect(await choice('Time zone').isDisabled()).toBe(true);
  // Each filter asks for one side; the other one gives way.
  for (const [field, name] of [
    ['Advertiser', 'Sums Ltd'],
    ['Publisher', 'Earns Ltd'],
  ] as const) {
    await choice(field).fill(name);
    await person.page.getByRole('option', { name }).first().click();
    await person.settled();
  }
  const asked = new URL(person.page.url()).searchParams;
  expect([asked.get('advertiser_id'), asked.get('publisher_id')]).toEqual([
    null,
    String(ids.publisher),
  ]);
  expect(await person.page.getByRole('alert').count()).toBe(0);
});

/** What the cells of such a column say, row by row. */
const column = async ({ page }: Person, table: string, name: string): Promise<string[]> =>
  await page
    .getByRole('table', { name: table, exact: true })
    .locator(`td[data-label="${name}"]`)
    .allInnerTexts();

/** The reports that pages have read so far. */
function reportsOf({ page }: Person): URL[] {
  const read: URL[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/statistics/report?')) read.push(new URL(request.url()));
  });
  return read;
}

test('lists of what is bought · of chosen days and columns · say what the ledger has moved, at the same address elsewhere too', async () => {
  const spent = `$${await moved('SPEND', 'debit', `adv:${ids.advertiser}:%`)}`;
  const person = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'UTC' });
  const { page } = person;
  const reports = reportsOf(person);
  await person.open('/advertiser/campaigns');
  expect(await column(person, 'Campaigns', 'Spend')).toEqual([spent]);
  const { items } = await owner.api.must<{ items: { id: number }[] }>('GET', '/campaigns');
  expect(
    reports.map(({ searchParams: asked }) => [asked.get('group_by'), asked.get('ids')]),
  ).toEqual([['campaign', items.map(({ id }) => id).join(',')]]);
  await person.field('Figures for').click();
  await page.getByRole('option', { name: 'Yesterday' }).click();
  await person.settled();
  expect(await column(person, 'Campaigns', 'Spend')).toEqual(['$0.00']);
  expect(await column(person, 'Campaigns', 'CTR')).toEqual(['—']);
  await person.field('Figures for').click();
  await page.getByRole('option', { name: 'Today' }).click();
  await person.button('Columns').click();
  await page.getByRole('checkbox', { name: 'Clicks' }).check();
  await page.getByRole('checkbox', { name: 'Impressions' }).uncheck();
  expect(await person.barriers()).toEqual([]);
  await page.keyboard.press('Escape');
  await person.settled();
  const heads = ['Spend', 'Clicks', 'CTR'];
  const shown = async (who: Person): Promise<string[]> => {
    const all = await who.page.getByRole('columnheader').allInnerTexts();
    return all.filter((head) => [...heads, 'Impressions'].includes(head));
  };
  expect(await shown(person)).toEqual(heads);
  // Somebody for whom it is another day already.
  const colleague = await stand.newPerson({
    as: ['advertiser', owner],
    timezoneId: 'Pacific/Kiritimati',
  });
  const address = new URL(page.url());
  await colleague.open(`${address.pathname.replace('/console', '')}${address.search}`);
  expect(await shown(colleague)).toEqual(heads);
  expect(await column(colleague, 'Campaigns', 'Spend')).toEqual([spent]);
  const others = reportsOf(colleague);
  await colleague.open('/advertiser/campaigns?figures=none');
  expect(await shown(colleague)).toEqual([]);
  expect(others).toEqual([]);
});

test.each([
  ['advertiser', '/advertiser/ad-groups', 'Ad groups', 'Spend'],
  ['advertiser', '/advertiser/ads', 'Ads', 'Spend'],
  ['publisher', '/publisher/sites', 'Sites', 'Revenue'],
  ['publisher', '/publisher/zones', 'Zones', 'Revenue'],
] as const)(
  '%s · %s · its rows say what the ledger has moved',
  async (realm, path, table, name) => {
    const as = realm === 'advertiser' ? owner : seller;
    const sum =
      realm === 'advertiser'
        ? await moved('SPEND', 'debit', `adv:${ids.advertiser}:%`)
        : await moved('EARNING', 'credit', `pub:${ids.publisher}:%`);
    const person = await stand.newPerson({ as: [realm, as], timezoneId: 'UTC' });
    await person.open(path);
    expect((await column(person, table, name)).map(amountOf)).toEqual([sum]);
  },
);

test('a list · by a press on a figure’s head · is in its order, at the same address elsewhere too', async () => {
  const idle = { name: 'Idle', ad_type: 'BANNER', bid: 1, save_as_draft: true };
  await owner.api.must('POST', '/campaigns', idle);
  const spent = await moved('SPEND', 'debit', `adv:${ids.advertiser}:%`);
  const person = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'UTC' });
  const spends = async (who: Person): Promise<number[]> =>
    (await column(who, 'Campaigns', 'Spend')).map(amountOf);
  await person.open('/advertiser/campaigns');
  expect(await spends(person)).toEqual([0, spent]);
  const head = person.page.getByRole('columnheader', { name: /^Spend/ });
  for (const [sort, rows, order] of [
    ['-spend', [spent, 0], 'descending'],
    ['spend', [0, spent], 'ascending'],
    ['-spend', [spent, 0], 'descending'],
  ] as const) {
    await person.button(/^Spend/).click();
    await person.page.waitForURL((url) => url.searchParams.get('sort') === sort);
    await person.settled();
    expect([await spends(person), await head.getAttribute('aria-sort')]).toEqual([rows, order]);
  }
  const colleague = await stand.newPerson({
    as: ['advertiser', owner],
    timezoneId: 'Pacific/Kiritimati',
  });
  const { pathname, search, searchParams } = new URL(person.page.url());
  expect(searchParams.get('zone_name')).toBe('UTC');
  await colleague.open(`${pathname.replace('/console', '')}${search}`);
  expect(await spends(colleague)).toEqual([spent, 0]);
});

test('a report · columns chosen · stand in its address, and the rest is not drawn', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'UTC' });
  await person.open(`/advertiser/reports?${TODAY}`);
  const heads = async (who: Person): Promise<string[]> =>
    await who.page
      .getByRole('region', { name: 'Figures' })
      .getByRole('columnheader')
      .allInnerTexts();
  const all = await heads(person);
  expect(all).toContain('Viewable');
  await person.button('Columns').click();
  await person.page.getByRole('checkbox', { name: 'Viewable' }).uncheck();
  await person.page.getByRole('checkbox', { name: 'Clicks' }).uncheck();
  await person.page.keyboard.press('Escape');
  await person.settled();
  const left = all.filter((head) => head !== 'Viewable' && head !== 'Clicks');
  expect(await heads(person)).toEqual(left);
  const colleague = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'UTC' });
  const { pathname, search } = new URL(person.page.url());
  await colleague.open(`${pathname.replace('/console', '')}${search}`);
  expect(await heads(colleague)).toEqual(left);
});

/** What the cards of a section of figures say. */
async function cardsOf(person: Person): Promise<Record<string, string>> {
  const texts = await person.page
    .getByRole('region', { name: 'Performance' })
    .locator('.mantine-Card-root')
    .allInnerTexts();
  return Object.fromEntries(texts.map((text) => text.split(/\n+/) as [string, string]));
}

test.each([
  ['a campaign', 'campaigns', () => line.campaignId, 'campaign_id'],
  ['an ad group', 'ad-groups', () => line.adGroupId, 'adgroup_id'],
  ['an ad', 'ads', () => line.adId, 'ad_id'],
] as const)(
  'the page of %s · says what the ledger has moved, and leads to its report',
  async (_called, path, id, filter) => {
    const spent = await moved('SPEND', 'debit', `adv:${ids.advertiser}:%`);
    const person = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'UTC' });
    const { page } = person;
    await person.open(`/advertiser/${path}/${id()}?days=14`);
    const cards = await cardsOf(person);
    expect([amountOf(cards['Spend'] ?? ''), cards['Impressions']]).toEqual([
      spent,
      String(PRICES.length),
    ]);
    // Nobody sells views here.
    expect(cards['Video views']).toBeUndefined();
    expect(await person.barriers()).toEqual([]);
    const answered = page.waitForResponse(/\/statistics\/report\?/);
    await page.getByRole('region', { name: 'Performance' }).getByRole('link').click();
    const report = await answered;
    const asked = new URL(report.url()).searchParams;
    expect(asked.get(filter)).toBe(String(id()));
    expect(
      Date.parse(asked.get('end_date') ?? '') - Date.parse(asked.get('start_date') ?? ''),
    ).toBe(13 * 86_400_000);
    expect(await onScreen(person, 'Spend')).toEqual([spent, spent]);
    expect(person.faults()).toEqual([]);
  },
);

test('the page of a tracker · says what became of its conversions, and how long after their clicks', async () => {
  const { id: trackerId } = await owner.api.must<{ id: number }>('POST', '/trackers', {
    name: 'Checkout',
  });
  const database = stand.platform as unknown as TestDatabase;
  const rows = [
    { status: 'BILLED', latency_seconds: 60, value_nanos: '12500000000' },
    { status: 'PENDING', latency_seconds: 90 },
    { status: 'REJECTED', latency_seconds: 7_500 },
    { status: 'UNATTRIBUTED' },
    { status: 'BILLED', latency_seconds: 61, value_nanos: '1', currency: 'EUR' },
  ];
  for (const [at, row] of rows.entries()) {
    await insertRow(database, 'conversions', {
      advertiser_id: ids.advertiser,
      tracker_id: trackerId,
      dedupe_key: `tx:stats-${at}`,
      event_type: 'PURCHASE',
      ...row,
    });
  }
  const person = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'UTC' });
  await person.open(`/advertiser/trackers/${trackerId}?tab=conversions&metric=billed`);
  expect(await cardsOf(person)).toEqual({
    Conversions: '5',
    Attributed: '4',
    Pending: '1',
    Billed: '2',
    Rejected: '1',
    'Not attributed': '1',
    'After the window': '0',
    'Click not judged yet': '0',
    Value: '$12.50',
  });
  const said = person.page.getByRole('region', { name: 'Performance' });
  await said.getByText('half came within 1.1 minutes of their click, nine of ten').waitFor();
  await said.getByText('in another currency, so in no sum of values: 1.').waitFor();
  expect(await said.getByRole('combobox', { name: 'Metric' }).inputValue()).toBe('Billed');
  expect(await person.barriers()).toEqual([]);
});

const daysAgo = (count: number): string =>
  new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);

test('a campaign’s last days · of budgets, pauses and flight · say what is known of each, and no more', async () => {
  const { pool } = stand.platform;
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO campaigns (advertiser_id, name, ad_type, bid_nanos, status, audit_status, start_date, created_at)
     VALUES ($1, 'Two weeks', 'TEXT', 1000000, 'ACTIVE', 'APPROVED', $2, now() - interval '20 days') RETURNING id`,
    [ids.advertiser, daysAgo(9)],
  );
  const id = Number(rows[0]?.id);
  const brought = async (day: string, cap: string | null): Promise<void> => {
    await pool.query(
      `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions, spend_nanos)
       VALUES ($1, $2, $3, $4, $5, $6, 40, 2500000000)`,
      [`${day}T09:00:00Z`, ids.advertiser, id, line.adGroupId, line.adId, line.creativeId],
    );
    await pool.query(
      `INSERT INTO budget_days (scope, scope_id, day, cap_nanos, spent_nanos) VALUES ('campaign', $1, $2, $3, 2500000000)`,
      [id, day, cap],
    );
  };
  await brought(daysAgo(8), '2500000000');
  await brought(daysAgo(7), '10000000000');
  await brought(daysAgo(6), null);
  await pool.query(
    `INSERT INTO notifications (account_id, kind, subject_type, subject_id, params, shown, dedupe_key, created_at)
     VALUES ($1, 'budget_spent', 'campaign', $2, '{"name":"Two weeks","budget":"daily"}', true, $3, $4)`,
    [ids.advertiser, id, `budget:${id}:${daysAgo(8)}`, `${daysAgo(8)}T14:32:10Z`],
  );
  // Paused from the fifth day before today to the third.
  for (const [day, before, after] of [
    [5, 'ACTIVE', 'PAUSED'],
    [3, 'PAUSED', 'ACTIVE'],
  ] as const) {
    const detail = { changes: [{ field: 'status', before, after }] };
    await pool.query(
      `INSERT INTO audit_log (actor_type, actor_id, account_id, action, subject_type, subject_id, detail, created_at)
       VALUES ('ACCOUNT', $1, $1, 'campaign.pause', 'campaign', $2, $3, $4)`,
      [ids.advertiser, id, detail, `${daysAgo(day)}T12:00:00Z`],
    );
  }
  const person = await stand.newPerson({ as: ['advertiser', owner], timezoneId: 'UTC' });
  await person.open(`/advertiser/campaigns/${id}`);
  const days = person.page.getByRole('list', { name: 'Day by day' });
  await days.waitFor();
  const said = async (ago: number): Promise<string[]> =>
    (await days.locator(`[data-day="${daysAgo(ago)}"]`).innerText()).split(/\n+/).slice(1);
  expect(await days.getByRole('listitem').count()).toBe(14);
  expect(await said(10)).toEqual(['$0.00', 'Before its first day', 'No impressions counted']);
  expect(await said(9)).toEqual(['$0.00', 'No impressions counted']);
  expect(await said(8)).toEqual(['$2.50 of $2.50', 'Budget spent by 2:32 PM UTC']);
  expect(await said(7)).toEqual(['$2.50 of $10.00']);
  expect(await said(6)).toEqual(['$2.50']);
  // Half of it was served: no reason held all day.
  expect(await said(5)).toEqual(['$0.00', 'No impressions counted']);
  expect(await said(4)).toEqual(['$0.00', 'Paused all day', 'No impressions counted']);
  expect(await said(3)).toEqual(['$0.00', 'No impressions counted']);
  expect(await person.barriers()).toEqual([]);
});
