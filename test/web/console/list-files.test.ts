import { readFileSync } from 'node:fs';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { fundAdvertiser, UNIT } from '../../support/make/money.ts';
import { show } from '../../support/served.ts';

/** A list as a file: all of its pages as the address has them, exact, and nothing that a spreadsheet would run. */
const CAMPAIGNS = 230;
const PRICES = [1_234_560_000n, 10_000n];
const RUN = '=HYPERLINK("http://evil.example","Rope")';

let stand: ConsoleStand;
let owner: Account;
let holder: Account;
let line: Line;

beforeAll(async () => {
  stand = await startConsole();
  owner = await stand.newAccount('advertiser', 'Files');
  holder = await stand.newAccount('publisher', 'Racks');
  const idOf = async ({ api }: Account): Promise<number> =>
    (await api.must<{ id: number }>('GET', '/auth/profile')).id;
  const { db, pool } = stand.platform;
  const [advertiserId, publisherId] = [await idOf(owner), await idOf(holder)];
  line = await makeLine({ db, pool } as Parameters<typeof makeLine>[0], {
    advertiserId,
    publisherId,
  });
  await fundAdvertiser(db, advertiserId, 100n * UNIT);
  await show(
    stand.platform,
    line,
    PRICES.map((priceNanos) => ({ priceNanos })),
  );
  await pool.query(
    `INSERT INTO campaigns (advertiser_id, name, ad_type, bid_nanos, daily_budget_nanos, status, audit_status, created_at)
     SELECT $1, CASE i WHEN 7 THEN $3 ELSE 'Rope ' || lpad(i::text, 3, '0') END, 'TEXT', 1000,
       9007199254741000, CASE WHEN i <= 215 THEN 'PAUSED' ELSE 'ACTIVE' END, 'APPROVED', '2026-01-31T23:30:00Z'
     FROM generate_series(1, $2::int) i`,
    [advertiserId, CAMPAIGNS, RUN],
  );
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

/** What pressing the button brings: its name, and its cells by the names of the first line. */
async function saved({ page }: Person): Promise<{ name: string; rows: Record<string, string>[] }> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const file = await download;
  const text = readFileSync(await file.path(), 'utf8');
  expect(text.startsWith('\ufeff')).toBe(true);
  const [heads = [], ...rows] = cells(text.slice(1));
  const asRow = (row: readonly string[]): [string, string][] =>
    heads.map((head, at) => [head, row[at] ?? '']);
  return {
    name: file.suggestedFilename(),
    rows: rows.map((row) => Object.fromEntries(asRow(row))),
  };
}

/** RFC 4180, by its own rule. */
const cells = (text: string): string[][] =>
  text
    .split('\r\n')
    .filter((each) => each !== '')
    .map((each) =>
      [...each.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
      ),
    );

test('a list · narrowed, in an order, of three pages · is saved whole as the address has it', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open(
    '/advertiser/campaigns?status=PAUSED&sort=-name&page=2&zone_name=Asia%2FShanghai&figures=clicks',
  );
  const { name, rows } = await saved(person);
  await person.page.getByRole('status').getByText('Saved: 215 rows.').waitFor();
  expect(name).toMatch(/^campaigns-\d{4}-\d\d-\d\d\.csv$/);
  expect(rows).toHaveLength(215);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(215);
  expect(rows[0]).toMatchObject({
    name: 'Rope 215',
    status: 'PAUSED',
    bid: '0.000001',
    daily_budget: '9007199.254741',
    total_budget: '',
    created_at: '2026-02-01 07:30:00',
    timezone: 'Asia/Shanghai',
    clicks: '0',
  });
  // Columns that nobody chose, and other people's words that a spreadsheet would run.
  expect(rows[0]).not.toHaveProperty('spend');
  expect(rows.map((row) => row['name'])).toContain(`'${RUN}`);
  expect(await person.barriers()).toEqual([]);
});

test('figures of a list · in its file · are those of the page, to the last digit', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser/campaigns?range=today&zone_name=UTC&sort=-spend');
  const { rows } = await saved(person);
  expect(rows[0]).toMatchObject({
    id: String(line.campaignId),
    spend: '1.23457',
    impressions: '2',
    ctr: '0',
    // The campaign's own, which has none, and those that are counted.
    start_date: '',
    figures_start_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    figures_end_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    timezone: 'UTC',
    is_final: 'false',
  });
  expect(rows[0]?.['as_of']).not.toBe('');
  expect(rows[1]).toMatchObject({ spend: '0', impressions: '0', ctr: '' });
});

test.each([
  ['advertiser', '/advertiser/ad-groups', 'ad-groups', ['campaign_id', 'campaign_name', 'spend']],
  ['advertiser', '/advertiser/ads', 'ads', ['creative_name', 'adgroup_name', 'spend']],
  ['advertiser', '/advertiser/creatives', 'creatives', ['creative_type', 'width', 'spend']],
  ['publisher', '/publisher/sites', 'sites', ['domain', 'verify_status', 'revenue']],
  ['publisher', '/publisher/zones', 'zones', ['zone_key', 'site_name', 'revenue']],
] as const)('a list of %s at %s · on a phone · is saved likewise', async (realm, at, file, has) => {
  const as = realm === 'advertiser' ? owner : holder;
  const person = await stand.newPerson({
    as: [realm, as],
    viewport: { width: 360, height: 800 },
  });
  await person.open(at);
  const { name, rows } = await saved(person);
  expect(name.startsWith(`${file}-`)).toBe(true);
  expect(rows).toHaveLength(1);
  expect(has.filter((head) => (rows[0]?.[head] ?? '') === '')).toEqual([]);
  expect(
    await person.page.evaluate<boolean>(
      'document.documentElement.scrollWidth <= window.innerWidth',
    ),
  ).toBe(true);
  expect(await person.barriers()).toEqual([]);
});

test('a list · refused in the middle, or left · says why and begins anew, and nothing is saved', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const { page } = person;
  const files: string[] = [];
  page.on('download', (file) => files.push(file.suggestedFilename()));
  await person.open('/advertiser/campaigns');
  await page.getByRole('button', { name: 'Save as CSV' }).waitFor();
  const third = /\/api\/advertiser\/campaigns\?.*page=3/;
  person.expects(/status of 429/);
  await page.route(third, async (route) => {
    await route.fulfill({
      status: 429,
      json: { code: 42900, message: 'too many requests', data: { error: 'rate_limited' } },
    });
  });
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  await page.getByRole('alert').waitFor();
  expect(files).toEqual([]);
  await page.unroute(third);
  // Held until the reader gives up, and then nobody waits for it: what was read till then is thrown away.
  let held: (() => void) | undefined;
  await page.route(third, async () => {
    await new Promise<void>((resolve) => (held = resolve));
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('status').getByText('200 of 231').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Save as CSV' }).waitFor();
  held?.();
  await page.unroute(third);
  expect((await saved(person)).rows).toHaveLength(231);
  expect(files).toHaveLength(1);
});

test('a list · longer than a file, or changed while it is read · is said to be', async () => {
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const { page } = person;
  await person.open('/advertiser/campaigns?figures=none');
  // As a list of 5,400 answers, of which a file has the first 5,000.
  await page.route(/\/api\/advertiser\/campaigns\?.*page_size=100/, async (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get('page'));
    const items = Array.from({ length: 100 }, (_, row) => ({ id: at * 100 + row, name: 'Rope' }));
    const data = { items, total: 5_400, page: at, page_size: 100, total_pages: 54 };
    await route.fulfill({ json: { code: 0, message: 'ok', data } });
  });
  const { rows } = await saved(person);
  expect(rows).toHaveLength(5_000);
  await page.getByText('Saved: the first 5000 of 5400 rows.').waitFor();
  await page.unroute(/page_size=100/);
  await page.route(/\/api\/advertiser\/campaigns\?.*page_size=100/, async (route) => {
    const data = { items: [{ id: 1, name: 'Rope' }], total: 2, page: 1, total_pages: 1 };
    await route.fulfill({ json: { code: 0, message: 'ok', data } });
  });
  await saved(person);
  await page.getByText(/The list changed while it was read/).waitFor();
});
