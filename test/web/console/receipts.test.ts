import path from 'node:path';
import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { image } from '../../support/images.ts';
import { until } from '../../support/until.ts';

/** Where pictures of the pages are kept, when somebody wants to look at them. */
const SHOTS = process.env['SHOTS_DIR'];
/** A clerk who mistypes: asked before it is written, and with a way back after it was. */
let stand: ConsoleStand;
let clerk: Account;
let payer: Account;

beforeAll(async () => {
  stand = await startConsole();
  clerk = await stand.operator('FINANCE');
  payer = await stand.newAccount('advertiser', 'Payer');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const order = async (amount: number): Promise<number> =>
  (
    await payer.api.must<{ id: number }>('POST', '/deposits', {
      amount,
      payment_method: 'BANK',
    })
  ).id;
const becomes = async (id: number, status: string): Promise<void> => {
  await until(`order ${id} is ${status}`, async () => {
    const now = await payer.api.must<{ status: string }>('GET', `/deposits/${id}`);
    return now.status === status;
  });
};
const receiptsOf = async (id: number) =>
  (await clerk.api.must<{ receipts: { id: number }[] }>('GET', `/deposits/${id}`)).receipts;

/** The page as it is, wide and narrow: everybody can read it, and nothing stands out sideways. */
async function readable(person: Person, name: string): Promise<void> {
  const { page } = person;
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await person.settled();
    expect(await person.barriers()).toEqual([]);
    await until(
      `${name} fits ${width} px`,
      async () =>
        await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth'),
    );
    if (SHOTS !== undefined) {
      await page.screenshot({ path: path.join(SHOTS, `${name}-${width}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('another sum than ordered · is shown with what it would do, and not written before somebody agrees', async () => {
  const id = await order(100);
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open(`/operator/deposits/${id}`);
  await person.field(/^Amount/).fill('60');
  await person.field(/^Bank’s reference/).fill('LESS-60');
  await person.page.getByText('$40.00 less than ordered', { exact: true }).waitFor();
  await person.page.getByText('Asks a person what becomes of it').waitFor();
  const record = person.button('Record money that arrived');
  await record.click();
  await person.page
    .getByText(/^Compare it with the bank’s statement/)
    .first()
    .waitFor();
  expect(await receiptsOf(id)).toEqual([]);
  await readable(person, 'receipt-differs');
  await person.page.getByRole('checkbox', { name: /\$40\.00 less than ordered/ }).check();
  // Another amount is another question.
  await person.field(/^Amount/).fill('70');
  await person.page.getByText('$30.00 less than ordered', { exact: true }).waitFor();
  expect(await person.page.getByRole('checkbox', { name: /\$30\.00/ }).isChecked()).toBe(false);
  await person.field(/^Amount/).fill('60');
  await person.page.getByRole('checkbox', { name: /\$40\.00 less than ordered/ }).check();
  await record.click();
  await person.page.getByText('LESS-60').waitFor();
  await becomes(id, 'REVIEW');
  await person.page.getByText('Another sum than ordered: waits for finance').waitFor();
  expect(await person.page.getByText('Not matched').count()).toBe(0);
  // What was ordered is asked nothing more.
  const exact = await order(25);
  await person.open(`/operator/deposits/${exact}`);
  await person.field(/^Amount/).fill('25');
  await person.field(/^Bank’s reference/).fill('JUST-25');
  await person.page.getByText('Credits the order at once').waitFor();
  expect(await person.page.getByRole('checkbox').count()).toBe(0);
  await record.click();
  await becomes(exact, 'PAID');

  // Refused, it is for a person to send: how much, to whom and why stand on its task.
  const second = await stand.colleague('FINANCE');
  const { items } = await clerk.api.must<{ items: { id: number; kind: string }[] }>(
    'GET',
    '/tasks',
  );
  const asked = items.find(({ kind }) => kind === 'deposit_review')?.id;
  await second.api.must('POST', `/tasks/${asked}/decision`, {
    decision: 'reject',
    reasons: [{ code: 'WRONG_AMOUNT' }],
    note: 'They ask for all of it back',
  });
  const sender = await stand.newPerson({ as: ['admin', second] });
  await sender.open('/operator');
  await sender.link(/^Money to send back/).click();
  const facts = sender.page.locator('dl').first();
  await facts.getByText('$60.00').waitFor();
  await facts.getByText('Another amount arrived · They ask for all of it back').waitFor();
  await facts.getByText('Payer Ltd').waitFor();
  await facts.getByText('LESS-60').waitFor();
  await facts.getByText(/^Not on any imported statement/).waitFor();
  await readable(sender, 'money-to-send-back');
}, 240_000);

test('money by agreement · without evidence · is not recorded, and the field says so', async () => {
  const { id } = await payer.api.must<{ id: number }>('POST', '/deposits', {
    amount: 44,
    payment_method: 'OFFLINE',
  });
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open(`/operator/deposits/${id}`);
  await person.page.getByText('Nobody but you says that this money came').waitFor();
  await person.page.getByText(/^Needed, at most 5 MB/).waitFor();
  await person.field(/^Amount/).fill('44');
  await person.page.getByText('Credits the order at once').waitFor();
  await person.field(/^Reference of this payment/).fill('CASH-44');
  await person.field(/^Why it is credited/).fill('Paid in cash at the office');
  await person.button('Record money that arrived').click();
  await person.page.getByText('Required.', { exact: true }).waitFor();
  expect(await receiptsOf(id)).toEqual([]);
  await readable(person, 'receipt-by-agreement');
  const asked = person.page.waitForEvent('filechooser');
  await person.button('Choose a file').click();
  const slip = await image('png', { width: 310, height: 210 });
  await (await asked).setFiles({ name: 'cash.png', mimeType: 'image/png', buffer: slip });
  await person.page.getByText('Evidence: cash.png').waitFor();
  await person.button('Record money that arrived').click();
  await becomes(id, 'PAID');
}, 120_000);

test('written by mistake · asked back with a reason, agreed to by another · its owner is told, its order waits', async () => {
  const id = await order(80);
  const body = { amount: 80, reference: 'WRONG-80' };
  await clerk.api.must('POST', `/deposits/${id}/receipts`, body);
  await becomes(id, 'PAID');
  const person = await stand.newPerson({ as: ['admin', clerk] });
  await person.open(`/operator/deposits/${id}`);
  await readable(person, 'receipt-credited');
  await person.button('Take this receipt back…').click();
  const dialog = person.page.getByRole('dialog');
  const ask = dialog.getByRole('button', { name: /^Take this receipt back/ });
  await ask.waitFor();
  expect(await ask.isEnabled()).toBe(false);
  await dialog.getByLabel(/^Why it is taken back/).fill('It is of deposit 12');
  await readable(person, 'receipt-take-back');
  await ask.click();
  await person.page.getByText('Being taken back').waitFor();
  await person.link(/^Its taking back: approval \d+$/).waitFor();
  await readable(person, 'receipt-being-taken-back');

  const checker = await stand.newPerson({ as: ['admin', await stand.colleague('FINANCE')] });
  await checker.open('/operator/approvals');
  await checker.page
    .getByRole('row', { name: /Receipt to be taken back/ })
    .getByRole('link')
    .first()
    .click();
  await checker.page.getByText('It is of deposit 12').waitFor();
  await readable(checker, 'receipt-approval');
  await checker.button('Approve').click();
  await checker.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await checker.page.getByText('Done').first().waitFor();
  await becomes(id, 'PENDING');
  await person.open(`/operator/deposits/${id}`);
  await person.page.getByText('Taken back', { exact: true }).waitFor();
  await readable(person, 'receipt-taken-back');
  const owner = await stand.newPerson({ as: ['advertiser', payer] });
  await owner.open('/advertiser/notifications');
  await owner.page.getByText(/was entered for your top-up by mistake/).waitFor();
  await readable(owner, 'receipt-owner');
}, 240_000);

test.each([
  ['approve', 'a', { status: 'PAID', available: 60 }],
  ['reject', 'r', { status: 'REVIEW', available: 0 }],
] as const)(
  'another sum than ordered · %s · says beforehand how much is credited and how much goes back',
  async (decision, key, after) => {
    const buyer = await stand.newAccount('advertiser', `Differs-${decision}`);
    const { id } = await buyer.api.must<{ id: number }>('POST', '/deposits', {
      amount: 100,
      payment_method: 'BANK',
    });
    const reference = `CHOICE-${decision}`;
    await clerk.api.must('POST', `/deposits/${id}/receipts`, { amount: 60, reference });
    const asked = await until('its task', async () => {
      const tasks = await clerk.api.must<{
        items: { id: number; subject: { type: string; id: number } }[];
      }>('GET', '/tasks?status=open&kind=deposit_review');
      return tasks.items.find(({ subject }) => subject.id === id);
    });
    const person = await stand.newPerson({ as: ['admin', clerk] });
    await person.open(`/operator/tasks/${asked.id}`);
    await person.heading('What each choice does').waitFor();
    const main = person.page.getByRole('main');
    await main
      .getByText(/^\$60\.00 is credited, what came: \$40\.00 less than ordered\./)
      .waitFor();
    await main
      .getByText(/^Nothing is credited: all \$60\.00 goes back to whoever paid it/)
      .waitFor();
    if (decision === 'approve') await readable(person, 'deposit-choices');
    await person.page.keyboard.press(key);
    if (decision === 'reject') {
      const dialog = person.page.getByRole('dialog');
      await dialog.getByRole('checkbox').first().check();
      await dialog.getByRole('button', { name: /^Reject/ }).click();
    }
    await person.page.keyboard.press('n');
    await until(`order ${id} is as was said`, async () => {
      const { status } = await buyer.api.must<{ status: string }>('GET', `/deposits/${id}`);
      const { available } = await buyer.api.must<{ available: number }>('GET', '/deposits/balance');
      return status === after.status && available === after.available;
    });
  },
  60_000,
);
