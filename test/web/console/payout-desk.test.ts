import { statusReport } from '../../support/bank-files.ts';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { bankPayouts } from '../../support/console-payouts.ts';
import { until } from '../../support/until.ts';

/** What the bank says of the payouts that were carried to it, and what finance does then. */
let stand: ConsoleStand;
let clerk: Account;

beforeAll(async () => {
  stand = await startConsole();
  clerk = await stand.operator('FINANCE');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

interface Shown {
  status: string;
  stage: string | null;
  version: number;
}

const withdrawalOf = async (id: number): Promise<Shown> =>
  await clerk.api.must<Shown>('GET', `/withdrawals/${id}`);

/** One file of all of them, taken to the bank. */
async function carried(ids: readonly number[]): Promise<void> {
  const payouts = await Promise.all(
    ids.map(async (id) => ({ id, version: (await withdrawalOf(id)).version })),
  );
  await clerk.api.must('POST', '/withdrawals/payout-files', { payouts });
  const taken = await fetch(`${clerk.api.prefix}/withdrawals/${ids[0]}/payout-file`, {
    headers: { authorization: `Bearer ${clerk.api.token}` },
  });
  expect(taken.status).toBe(200);
}

async function told(person: Person, report: string): Promise<void> {
  await person.open('/operator/statements/new');
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose a file').click();
  const buffer = Buffer.from(report);
  await (await asked).setFiles({ name: 'bank.xml', mimeType: 'text/xml', buffer });
}

const BAR = `document.querySelector('section[aria-label="Your decision"]').getBoundingClientRect().height`;

test('an order that the bank refused · on a phone · is not carried there again, and its money goes back', async () => {
  const { seller, ids } = await bankPayouts(stand, { clerk, name: 'Mole', amounts: [200, 300] });
  const [paid = 0, refused = 0] = ids;
  await carried(ids);
  const before = await seller.api.must<{ withdrawable: number }>('GET', '/withdrawals/balance');
  // Asked for a while ago: when it was answered is another time.
  await stand.platform.pool.query(
    `UPDATE tasks SET opened_at = '2026-01-02T03:04:05Z' WHERE subject_type = 'withdrawal' AND subject_id = $1`,
    [refused],
  );
  const person = await stand.newPerson({
    as: ['admin', clerk],
    viewport: { width: 360, height: 780 },
  });
  await told(
    person,
    statusReport([
      { reference: `WD-${paid}`, code: 'ACSC' },
      {
        reference: `WD-${refused}`,
        code: 'RJCT',
        amount: '295.00',
        more: '<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>',
      },
    ]),
  );
  // From what the bank said to what is to be decided.
  await person.link('An operator is asked what becomes of it.').click();
  await person.link(/^Bank transfer that the bank refused, AC04/).click();
  const main = person.page.getByRole('main');
  await main.getByText(/^The bank refused this order: do not carry it there again/).waitFor();
  await main.getByRole('link', { name: `Withdrawal ${refused}`, exact: true }).waitFor();
  expect(await person.button('Download the bank file').count()).toBe(0);
  // One line: what is decided about is above it. The rest is a press away.
  expect(await person.page.evaluate<number>(BAR)).toBeLessThan(70);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  const bar = person.page.getByRole('region', { name: 'Your decision' });
  await bar.getByRole('button', { name: 'Keep waiting' }).waitFor();
  await bar.getByRole('button', { name: 'More' }).click();
  expect(await person.barriers()).toEqual([]);
  await person.page.getByRole('menuitem', { name: 'Next task' }).waitFor();
  await person.page.getByRole('menuitem', { name: 'Bank’s reference, or a note' }).click();
  await person.page.keyboard.type('Their branch has said so');
  await bar.getByRole('button', { name: 'It was not paid' }).click();
  const no = person.page.getByRole('dialog');
  await no.getByRole('checkbox', { name: /Account is closed/ }).check();
  await no.getByRole('button', { name: 'It was not paid' }).click();
  await bar.getByText(/^It was not paid: sent in/).waitFor();
  expect(await person.page.evaluate<number>(BAR)).toBeLessThan(70);
  await bar.getByRole('button', { name: 'Send now' }).click();
  await until('it has failed', async () => (await withdrawalOf(refused)).status === 'FAILED');

  // Its page says why in words, when it was said, and gives its file out no more.
  await person.open(`/operator/withdrawals/${refused}`);
  await person.heading('Why it was not paid').waitFor();
  await main.getByText('Account is closed').first().waitFor();
  expect(await main.getByText('ACCOUNT_CLOSED').count()).toBe(0);
  const past = main.getByRole('list', { name: 'Where it stands' });
  const said = past.getByRole('listitem').filter({ hasText: 'An operator said what became' });
  await said.getByText('It was not paid').waitFor();
  expect(await said.getByText(/2 Jan 2026|Jan 2, 2026/).count()).toBe(0);
  const file = person.button('Download the bank file');
  expect(await file.getAttribute('aria-disabled')).toBe('true');
  const after = await seller.api.must<{ withdrawable: number }>('GET', '/withdrawals/balance');
  expect(after.withdrawable).toBe(before.withdrawable + 300);

  // The other one is at the bank: who opens it is told to wait for the statement.
  await person.open(`/operator?subject_type=withdrawal&subject_id=${paid}`);
  await person.link(/^Bank transfer/).click();
  await main.getByText(/^The bank has this order: do not carry it there again/).waitFor();
  expect(await person.button('Download the bank file').count()).toBe(0);
}, 120_000);
