import { ApiClient } from '../../support/call.ts';
import {
  type Account,
  type ConsoleStand,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { makeOperator } from '../../support/make/account.ts';
import { fundPublisher, UNIT } from '../../support/make/money.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../../support/payouts.ts';
import { until } from '../../support/until.ts';

/** Money is shown as moved when it has moved, and it moves once, however often somebody presses. */
let stand: ConsoleStand;
let first: Account;
let second: Account;
let cards = 0;

beforeAll(async () => {
  stand = await startConsole();
  first = await stand.operator('FINANCE');
  const { db, baseUrl } = stand.platform;
  const { passwordHash } = await db.models.operators.findOne({
    where: { username: first.username },
    rejectOnEmpty: true,
  });
  const another = await makeOperator(db, 'FINANCE');
  await another.update({ passwordHash });
  const { username } = another;
  const api = await new ApiClient(`${baseUrl}/api/admin`).login(username, PASSWORD);
  second = { api, username, password: PASSWORD };
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

/** Answers of this address wait until they are let go; counts how often it was asked. */
async function holdBack({ page }: Person, address: string) {
  let letGo = (): void => undefined;
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let asked = 0;
  await page.route(address, async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback();
    asked += 1;
    await isLetGo;
    await route.continue();
  });
  const isAsked = async (): Promise<void> => {
    await until(`${address} is asked`, () => asked > 0);
  };
  return { letGo: () => letGo(), asked: () => asked, isAsked };
}

/** Of somebody whom we know, with money and an account that is old enough. */
async function richPublisher(name: string): Promise<Account> {
  const account = await stand.newAccount('publisher', name);
  const { id } = await account.api.must<{ id: number }>('GET', '/auth/profile');
  const database = { pool: stand.platform.pool } as Parameters<typeof passKyc>[0];
  await passKyc(database, id);
  await fundPublisher(stand.platform.db, id, 500n * UNIT);
  cards += 1;
  await account.api.must('POST', '/withdrawals/bank-cards', { ...CARD, iban: ibanOf(cards) });
  await ripenCards(database, id);
  return account;
}

interface Task {
  id: number;
  status: string;
  lease: { username: string } | null;
  decision: { decision: string; operator: string } | null;
}

async function taskOf(type: string, id: number): Promise<number> {
  return await until(`a task of ${type} ${id}`, async () => {
    const query = `status=open&subject_type=${type}&subject_id=${id}`;
    return (await first.api.must<{ items: Task[] }>('GET', `/tasks?${query}`)).items[0]?.id;
  });
}

const task = async (id: number): Promise<Task> => await first.api.must('GET', `/tasks/${id}`);

test('top-up · pressed twice while its answer is late · nothing is shown before, one is ordered', async () => {
  const owner = await stand.newAccount('advertiser', 'Twice');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser/money');
  const late = await holdBack(person, '**/api/advertiser/deposits');
  await person.field(/^Amount/).fill('250');
  await person.button('Order the top-up').dblclick();
  await late.isAsked();
  expect(new URL(person.page.url()).pathname).toBe('/console/advertiser/money');
  expect(await person.page.getByText('Waits for your money.').count()).toBe(0);
  late.letGo();
  await person.page.waitForURL(/\/money\/deposits\/\d+$/);
  await person.settled();
  expect(late.asked()).toBe(1);
  const { total } = await owner.api.must<{ total: number }>('GET', '/deposits');
  expect(total).toBe(1);
});

test('withdrawal · pressed twice while its answer is late · the balance stays, one is asked for', async () => {
  const seller = await richPublisher('Leaves');
  const person = await stand.newPerson({ as: ['publisher', seller] });
  await person.open('/publisher/payouts/new');
  const late = await holdBack(person, '**/api/publisher/withdrawals');
  await person.button('All of it').click();
  await person.button('Request withdrawal').dblclick();
  await late.isAsked();
  expect(new URL(person.page.url()).pathname).toBe('/console/publisher/payouts/new');
  await person.page.getByText('You can withdraw $500.00').waitFor();
  late.letGo();
  await person.page.waitForURL(/\/publisher\/payouts\/\d+$/);
  await person.settled();
  expect(late.asked()).toBe(1);
  const { items } = await seller.api.must<{ items: object[] }>('GET', '/withdrawals');
  expect(items).toEqual([expect.objectContaining({ amount: 500 })]);
  await person.open('/publisher/payouts');
  const stages = await person.page.getByRole('list', { name: 'Your earnings' }).innerText();
  expect(stages).toMatch(/On its way\s+\$500\.00/);
});

test('approval of a withdrawal · sent twice while its answer is late · is said when it holds, once', async () => {
  const seller = await richPublisher('Approved');
  const body = { amount: 200, payment_method: 'BANK' };
  const { id } = await seller.api.must<{ id: number }>('POST', '/withdrawals', body);
  const asked = await taskOf('withdrawal', id);
  const person = await stand.newPerson({ as: ['admin', first] });
  await person.open(`/operator/tasks/${asked}`);
  const late = await holdBack(person, '**/decision');
  await person.button(/^Approve/).click();
  await person.button(/^Send now/).dblclick();
  await late.isAsked();
  expect(new URL(person.page.url()).pathname).toBe(`/console/operator/tasks/${asked}`);
  expect(await person.page.getByText(/^Approved\./).count()).toBe(0);
  expect(await task(asked)).toMatchObject({ status: 'open', decision: null });
  late.letGo();
  await person.page.getByText(/^Approved\./).waitFor();
  expect(late.asked()).toBe(1);
  expect((await task(asked)).decision).toMatchObject({ operator: first.username });
});

/** The first has sent a decision that is on its way for so long that the second is faster. */
async function race(asked: number, says: { first: RegExp; second: string }): Promise<void> {
  const one = await stand.newPerson({ as: ['admin', first] });
  const two = await stand.newPerson({ as: ['admin', second] });
  one.expects(/status of 409/);
  await one.open(`/operator/tasks/${asked}`);
  await until('the first has it', async () => (await task(asked)).lease !== null);
  await two.open(`/operator/tasks/${asked}`);
  await two.page
    .getByText(new RegExp(`^${first.username} works on this until`))
    .first()
    .waitFor();
  const late = await holdBack(one, '**/decision');
  await one.button(says.first).click();
  await one.button(/^Send now/).click();
  await late.isAsked();
  await first.api.must('POST', `/tasks/${asked}/release`);
  await second.api.must('POST', `/tasks/${asked}/decision`, { decision: says.second });
  late.letGo();
  await one.page
    .getByText(`${second.username} has decided this task: ${says.second}.`)
    .first()
    .waitFor();
  expect((await task(asked)).decision).toMatchObject({ operator: second.username });
}

test('withdrawal · two people of finance at once · one decision holds, the other is told whose', async () => {
  const seller = await richPublisher('Raced');
  const body = { amount: 200, payment_method: 'BANK' };
  const { id } = await seller.api.must<{ id: number }>('POST', '/withdrawals', body);
  await race(await taskOf('withdrawal', id), { first: /^Approve/, second: 'approve' });
  const balance = await seller.api.must<object>('GET', '/withdrawals/balance');
  expect(balance).toMatchObject({ withdrawable: 300, held: 200 });
});

test('deposit · two people of finance at once · it is credited once, the other is told whose', async () => {
  const owner = await stand.newAccount('advertiser', 'Racer');
  const order = await owner.api.must<{ id: number }>('POST', '/deposits', {
    amount: 300,
    payment_method: 'BANK',
  });
  // Another amount than the order's asks a person.
  const receipt = { amount: 280, reference: 'RACE-1' };
  await first.api.must('POST', `/deposits/${order.id}/receipts`, receipt);
  await race(await taskOf('deposit', order.id), { first: /^Approve/, second: 'approve' });
  await until('it is credited', async () => {
    const { available } = await owner.api.must<{ available: number }>('GET', '/deposits/balance');
    return available === 280;
  });
  const { items } = await owner.api.must<{ items: object[] }>('GET', '/deposits/transactions');
  expect(items).toHaveLength(1);
});
