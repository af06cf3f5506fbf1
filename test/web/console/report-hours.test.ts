import { type ConsoleStand, type Person, startConsole } from '../../support/console.ts';
import { makeLine } from '../../support/make/line.ts';

/** interface 4.5: an hour is that of the clocks of a zone, which leave one out and show one twice a year. */
let stand: ConsoleStand;
let person: Person;

beforeAll(async () => {
  stand = await startConsole();
  const account = await stand.newAccount('publisher', 'Clocks');
  const { id } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  const { db, pool } = stand.platform;
  const line = await makeLine({ db, pool } as Parameters<typeof makeLine>[0], { publisherId: id });
  await pool.query(
    `INSERT INTO rollup_zone_hours (hour, publisher_id, site_id, zone_id, impressions)
     SELECT hour, $1, $2, $3, 7 FROM unnest($4::timestamptz[]) AS hour`,
    [
      id,
      line.siteId,
      line.zoneId,
      [
        // Before the clocks of Berlin go forward, and after.
        '2025-03-30T00:00:00Z',
        '2025-03-30T01:00:00Z',
        // Two o'clock in summer time, and once more.
        '2025-10-26T00:00:00Z',
        '2025-10-26T01:00:00Z',
        '2025-10-26T02:00:00Z',
      ],
    ],
  );
  person = await stand.newPerson({ as: ['publisher', account], timezoneId: 'Europe/Berlin' });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const open = async (by: string, from: string, to: string, zone = 'Europe/Berlin'): Promise<void> =>
  await person.open(
    `/publisher/reports?range=own&from=${from}&to=${to}&by=${by}&zone_name=${zone}`,
  );
/** The words before the figures, of so many columns. */
const lines = async (columns: number): Promise<string[]> => {
  const figures = person.page.getByRole('region', { name: 'Figures' });
  await figures.getByRole('row').nth(1).waitFor();
  const rows = await figures.locator('tbody tr:not([data-total])').allInnerTexts();
  return rows.map((row) => row.split('\t').slice(0, columns).join(' ').trim());
};
const note = () => person.page.getByRole('note').filter({ hasText: 'the clocks of' });

test('a report by hours · of the day on which clocks go back · says which line holds two hours', async () => {
  await open('hour', '2025-10-26', '2025-10-26');
  await note().waitFor();
  expect(await note().innerText()).toBe(
    'On Oct 26, 2025 the clocks of Europe/Berlin go back: 02:00 comes twice, and its line counts both hours.',
  );
  expect(await lines(1)).toEqual(['02:00 (comes twice)', '03:00']);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('a report by hours · of the day on which clocks go forward · says which hour there is not', async () => {
  await open('date,hour', '2025-03-29', '2025-03-31');
  await note().waitFor();
  expect(await note().innerText()).toBe(
    'On Mar 30, 2025 the clocks of Europe/Berlin go forward: there is no 02:00.',
  );
  expect(await lines(2)).toEqual(['Mar 30, 2025 01:00', 'Mar 30, 2025 03:00']);
});

test('a report by days and hours · over both kinds of days · marks the one line alone', async () => {
  await open('date,hour', '2025-10-25', '2025-10-27');
  await note().waitFor();
  expect(await lines(2)).toEqual(['Oct 26, 2025 02:00 (comes twice)', 'Oct 26, 2025 03:00']);
  // Of many days an hour's line is of all of them: the note says what it holds.
  await open('hour', '2025-10-25', '2025-10-27');
  await note().waitFor();
  expect(await lines(1)).toEqual(['02:00', '03:00']);
});

test('a report by hours · compared with days in which clocks were changed · says so of those too', async () => {
  await person.open(
    '/publisher/reports?range=own&from=2025-10-27&to=2025-10-27&by=hour&zone_name=Europe/Berlin&compare=yes',
  );
  await note().getByText('On Oct 26, 2025').waitFor();
});

test('a report · in UTC, or not by hours · says nothing of clocks', async () => {
  await open('hour', '2025-10-26', '2025-10-26', 'UTC');
  expect(await lines(1)).toEqual(['00:00', '01:00', '02:00']);
  expect(await note().count()).toBe(0);
  await open('date', '2025-10-26', '2025-10-26');
  expect(await lines(1)).toEqual(['Oct 26, 2025']);
  expect(await note().count()).toBe(0);
});
