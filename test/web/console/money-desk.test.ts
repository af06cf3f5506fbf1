import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { image } from '../../support/images.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { until } from '../../support/until.ts';

/** What finance does with money that arrived: a statement, a slip, and who was not billed. */
let stand: ConsoleStand;
let clerk: Account;
let payer: Account;

beforeAll(async () => {
  stand = await startConsole();
  clerk = await stand.operator('FINANCE');
  payer = await stand.newAccount('advertiser', 'Payer');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

interface Order {
  id: number;
  reference: string;
  status: string;
}

const order = async (amount: number): Promise<Order> =>
  await payer.api.must<Order>('POST', '/deposits', { amount, payment_method: 'BANK' });

async function choose(person: Person, file: { name: string; mimeType: string; buffer: Buffer }) {
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose a file').click();
  await (await asked).setFiles(file);
}

async function upload(person: Person, lines: readonly string[]): Promise<void> {
  await person.open('/operator/statements/new');
  const text = ['Date,Amount,Currency,Reference,Text', ...lines].join('\n');
  await choose(person, { name: 'may.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await person.field(/^Account/).fill('Harbour Bank');
  await person.button('Upload').click();
}

test('a statement · uploaded, its match tried and recorded · pays the order, the rest is named', async () => {
  const exact = await order(50);
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await upload(person, [
    `2026-01-05,50.00,USD,BK-1,Top-up ${exact.reference}`,
    '2026-01-05,20.00,USD,BK-2,thank you',
  ]);
  await person.page.waitForURL(/\/operator\/statements\/\d+$/);
  await person.page.getByText('Names no order').waitFor();
  await person.page.getByText('Credits the order at once').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.page.getByRole('row', { name: /BK-1/ }).getByRole('checkbox').check();
  await person.page.getByRole('toolbar').getByRole('button', { name: 'Record' }).click();
  await person.button('See what will happen').click();
  await person.button('Do it').click();
  await until('the order is paid', async () => {
    const { status } = await payer.api.must<Order>('GET', `/deposits/${exact.id}`);
    return status === 'PAID';
  });
  await person.page.getByText('Recorded').first().waitFor();
});

test('a statement · of another currency · names row and column, and keeps nothing', async () => {
  const person = await stand.newPerson({ as: ['admin', clerk] });
  person.expects(/status of 422/);
  await upload(person, ['2026-01-05,50.00,EUR,BK-9,x']);
  await person.page.getByText('Row 2, column "Currency": EUR is not USD.').waitFor();
  expect(await person.barriers()).toEqual([]);
});

test('a slip · attached to a receipt · is shown on the order when somebody asks for it', async () => {
  const { id } = await order(80);
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open(`/operator/deposits/${id}`);
  await person.field(/^Amount/).fill('80');
  await person.field(/^Bank’s reference/).fill('SLIP-80');
  const buffer = await image('png', { width: 300, height: 200 });
  await choose(person, { name: 'slip.png', mimeType: 'image/png', buffer });
  await person.page.getByText('Evidence: slip.png').waitFor();
  await person.button('Record money that arrived').click();
  await person.button('Show the evidence: slip.png').click();
  await person.page.getByRole('img', { name: 'slip.png' }).waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('what was not billed · with nothing to show · says so to operators and publishers', async () => {
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open('/operator/unbilled');
  await person.page.getByText('Everything of these days was billed.').first().waitFor();
  expect(await person.barriers()).toEqual([]);
  const seller = await stand.newAccount('publisher', 'Seller');
  const owner = await stand.newPerson({ as: ['publisher', seller] });
  await owner.open('/publisher/reports');
  await owner.link('Why events were removed').click();
  await owner.heading('Removed events').waitFor();
  await owner.page.getByText('Everything of these days was billed.').waitFor();
  expect(await owner.barriers()).toEqual([]);
});

/** Two impressions of a zone that were removed yesterday, and one an advertiser's budget ended. */
async function removedEvents(publisherId: number): Promise<void> {
  const { db, pool } = stand.platform;
  const site = await makeSite(db, publisherId);
  const zone = await makeZone(db, site, { name: 'Beside the tides' });
  for (const reason of ['BOT_UA', 'BOT_UA', 'BUDGET_EXCEEDED']) {
    await pool.query(
      `INSERT INTO events (day, id, shard, kind, received_at, request_id, publisher_id, site_id, ad_id,
         zone_id, billable, status, reason, reasons)
       SELECT (now() AT TIME ZONE 'UTC')::date - 1, gen_random_uuid(), 0, 'impression',
         now() - interval '1 day', 'request-of-it', $1, $2, 1, $3, false, 'invalid', $4::text, to_jsonb(ARRAY[$4::text])`,
      [publisherId, site.id, zone.id, reason],
    );
  }
}

test('removed events · appealed by their publisher · are looked at and answered by finance', async () => {
  const seller = await stand.newAccount('publisher', 'Tides');
  const me = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  await removedEvents(me.id);
  const owner = await stand.newPerson({ as: ['publisher', seller] });
  await owner.open('/publisher/removed');
  const lines = owner.page.getByRole('table', { name: 'Not billed' }).getByRole('row');
  const spent = lines
    .filter({ hasText: 'Budget had no room' })
    .getByRole('button', { name: 'Appeal' });
  expect(await spent.getAttribute('aria-disabled')).toBe('true');
  await lines.filter({ hasText: 'A bot' }).getByRole('button', { name: 'Appeal' }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: /^Zone/ }).click();
  await owner.page.getByRole('option', { name: 'Beside the tides' }).click();
  await owner.field(/^Why is the removal wrong/).fill('A school visited us that day.');
  expect(await owner.barriers()).toEqual([]);
  await owner.button('Send the appeal').click();
  const appeals = owner.page.getByRole('table', { name: 'Your appeals' });
  await appeals.getByText('Being looked at').waitFor();
  await owner.settled();
  expect(await owner.barriers()).toEqual([]);

  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open('/operator');
  await person.link(/^Appeal: BOT_UA of zone/).click();
  await person.page.getByText('A school visited us that day.').waitFor();
  await person.page.getByText('2 impressions, 0 clicks, 0 conversions').waitFor();
  const samples = person.page.getByRole('table', { name: 'The latest of the removed events' });
  expect(await samples.getByRole('link', { name: 'Trace' }).count()).toBe(2);
  expect(await person.barriers()).toEqual([]);
  await person.button(/^Uphold the appeal/).click();
  await person.button(/^Send now/).click();
  await until('it is upheld', async () => {
    const { items } = await seller.api.must<{ items: { status: string }[] }>(
      'GET',
      '/removal-appeals',
    );
    return items[0]?.status === 'UPHELD';
  });
  await owner.open('/publisher/removed');
  await appeals.getByText('You were right').waitFor();
  await owner.open('/publisher/notifications');
  await owner.page.getByText('An appeal against removed events was decided').waitFor();
});
