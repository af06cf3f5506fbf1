import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { image } from '../../support/images.ts';
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
