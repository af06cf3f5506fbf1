import { type ConsoleStand, startConsole } from '../../support/console.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { fundAdvertiser, UNIT } from '../../support/make/money.ts';
import { show } from '../../support/served.ts';

/** A zone leads to the pages that it stands on, as far as they said which they are. */
let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const PAGES = [
  { id: 1, host: 'lamps.example.com' },
  { id: 2, host: 'blog.lamps.example.com' },
  { id: 3, host: 'notlamps.example.com' },
];

/** An impression on each of them, and one on a page that said nothing. */
async function shownOnPages(line: Line): Promise<void> {
  for (const { id, host } of PAGES) {
    await stand.platform.pool.query(
      `INSERT INTO pages (id, host, keywords, categories, tags, seen_on)
       VALUES ($1, $2, '[]', '[]', '[]', (now() AT TIME ZONE 'UTC')::date)`,
      [id, host],
    );
  }
  await show(stand.platform, line, [{}, ...PAGES.map(({ id }) => ({ track: { pageId: id } }))]);
  await stand.platform.pool.query(
    `INSERT INTO rollup_zone_hours (hour, publisher_id, site_id, zone_id, requests)
     SELECT date_trunc('hour', now()), $1, $2, $3, 4
     ON CONFLICT (publisher_id, hour, site_id, zone_id) DO UPDATE SET requests = 4`,
    [line.publisherId, line.siteId, line.zoneId],
  );
}

test('a zone · whose ads were shown on pages · names their hosts, and leads to the site’s own alone', async () => {
  const account = await stand.newAccount('publisher', 'Lamps');
  const { id: publisherId } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  const { db, pool } = stand.platform;
  const line = await makeLine({ db, pool } as Parameters<typeof makeLine>[0], { publisherId });
  await fundAdvertiser(db, line.advertiserId, 10n * UNIT);
  await pool.query(`UPDATE sites SET domain = 'www.lamps.example.com' WHERE id = $1`, [
    line.siteId,
  ]);
  await shownOnPages(line);
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open(`/publisher/zones/${line.zoneId}`);
  const said = person.page.getByText('Ads of the last 7 days were shown on:');
  await said.waitFor();
  const links = said.getByRole('link', { name: /↗/ });
  const led = await links.evaluateAll((all) =>
    all.map((each) => [each.getAttribute('href'), each.getAttribute('rel')].join(' ')),
  );
  expect(led.toSorted()).toEqual([
    'https://blog.lamps.example.com/ noreferrer noopener',
    'https://lamps.example.com/ noreferrer noopener',
  ]);
  expect(await said.innerText()).toContain('notlamps.example.com');
  expect(await said.innerText()).not.toContain('UNKNOWN');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.link('Report by page').click();
  await person.heading('Reports').waitFor();
  await person.page.getByRole('cell', { name: 'notlamps.example.com' }).waitFor();
  expect(person.page.url()).toContain(`zone_id=${line.zoneId}`);
});
