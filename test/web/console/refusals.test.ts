import { randomUUID } from 'node:crypto';
import type { Route } from 'playwright-core';
import { ApiClient } from '../../support/call.ts';
import {
  type Account,
  type ConsoleStand,
  menuOf,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';

/** What a person is told when the platform says no, and what they can do about it. */
let stand: ConsoleStand;
let account: Account;

beforeAll(async () => {
  stand = await startConsole();
  account = await stand.newAccount('advertiser', 'Told');
  await account.api.must('POST', '/campaigns', {
    name: 'Winter ropes',
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 0.2,
    landing_url: 'https://shop.example.com/rope',
  });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

interface Refusal {
  status: number;
  error: string;
  message: string;
  retry_after?: number;
  /** What is said about the next step. */
  advice: RegExp;
  /** Nothing was done, for good: what is sent again is another order. */
  isFinal?: boolean;
}

const REFUSALS: readonly Refusal[] = [
  {
    status: 403,
    error: 'forbidden_role',
    message: 'Your role does not allow this.',
    advice: /Somebody whose role it is/,
    isFinal: true,
  },
  {
    status: 409,
    error: 'state_conflict',
    message: 'Not possible in the present state.',
    advice: /look again/,
    isFinal: true,
  },
  {
    status: 429,
    error: 'rate_limited',
    message: 'Too many requests.',
    retry_after: 599,
    advice: /try again in 10 minutes/,
  },
  {
    status: 503,
    error: 'unavailable',
    message: 'Temporarily unavailable. Nothing was changed; please try again.',
    advice: /please try again/,
  },
];

const refuse =
  ({ status, error, message, retry_after: seconds }: Refusal) =>
  async (route: Route): Promise<void> => {
    const hints = seconds === undefined ? {} : { retry_after: seconds };
    const data = { error, ...hints, request_id: randomUUID() };
    const body = JSON.stringify({ code: status * 100, message, data });
    await route.fulfill({ status, contentType: 'application/json', body });
  };

const alertOf = ({ page }: Person) => page.getByRole('alert');
const LIST = '**/api/advertiser/campaigns?*';

describe.each(REFUSALS)('$status', (refusal) => {
  test('a list · refused · says why and what next; “Try again” shows its rows', async () => {
    const person = await stand.newPerson({ as: ['advertiser', account] });
    person.expects(new RegExp(`status of ${refusal.status}`));
    await person.page.route(LIST, refuse(refusal));
    await person.page.goto(`${stand.platform.baseUrl}/console/advertiser/campaigns`);
    await alertOf(person).getByText(refusal.advice).first().waitFor();
    await person.settled();
    expect(await person.barriers()).toEqual([]);
    await person.page.unroute(LIST);
    await person.button('Try again').click();
    await person.link('Winter ropes').waitFor();
    expect(await alertOf(person).count()).toBe(0);
  });

  test('a form · refused · keeps what was written; sent again it is done once', async () => {
    const owner = await stand.newAccount('advertiser', `Form${refusal.status}`);
    const person = await stand.newPerson({ as: ['advertiser', owner] });
    person.expects(new RegExp(`status of ${refusal.status}`));
    const keys: (string | undefined)[] = [];
    const orders = '**/api/advertiser/deposits';
    await person.page.route(orders, async (route) => {
      if (route.request().method() !== 'POST') return await route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      await refuse(refusal)(route);
    });
    await person.open('/advertiser/money');
    await person.field(/^Amount/).fill('250');
    await person.button('Order the top-up').click();
    await alertOf(person).getByText(refusal.advice).first().waitFor();
    expect(await person.field(/^Amount/).inputValue()).toBe('$250');
    await person.page.unroute(orders);
    person.page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/deposits')) return;
      keys.push(request.headers()['idempotency-key']);
    });
    await person.button('Order the top-up').click();
    await person.page.waitForURL(/\/money\/deposits\/\d+$/);
    expect(new Set(keys).size).toBe(refusal.isFinal === true ? 2 : 1);
    expect(keys).toHaveLength(2);
    const { items } = await owner.api.must<{ items: object[] }>('GET', '/deposits');
    expect(items).toEqual([expect.objectContaining({ amount: 250 })]);
  });

  test('a press · refused · says so where it was pressed and changes nothing', async () => {
    const person = await stand.newPerson({ as: ['advertiser', account] });
    person.expects(new RegExp(`status of ${refusal.status}`));
    await person.page.route('**/campaigns/*/toggle', refuse(refusal));
    await person.open('/advertiser/campaigns');
    const row = person.page.getByRole('row', { name: /Winter ropes/ });
    await row.getByRole('button', { name: 'Pause', exact: true }).click();
    const said = person.page.getByRole('dialog');
    await said.getByText(refusal.advice).first().waitFor();
    await person.settled();
    expect(await person.barriers()).toEqual([]);
    await said.getByRole('button', { name: 'Cancel' }).click();
    await row.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    const { items } = await account.api.must<{ items: object[] }>('GET', '/campaigns');
    expect(items).toEqual([expect.objectContaining({ status: 'ACTIVE' })]);
  });
});

test('503 · of a proxy that knows no envelope · is said in words, nothing written is lost', async () => {
  const person = await stand.newPerson({ as: ['advertiser', account] });
  person.expects(/status of 503/);
  await person.page.route('**/api/advertiser/deposits', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback();
    await route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Away</h1>' });
  });
  await person.open('/advertiser/money');
  await person.field(/^Amount/).fill('40');
  await person.button('Order the top-up').click();
  await alertOf(person).getByText('The platform is away for a moment.').waitFor();
  expect(await person.field(/^Amount/).inputValue()).toBe('$40');
});

/** The dialog that a session's end opens, answered by somebody. */
async function logInAgain(person: Person, { username }: Account): Promise<void> {
  const asked = person.page.getByRole('dialog', { name: 'Your session has ended' });
  await asked.getByLabel(/^Username/).fill(username);
  await asked.getByLabel(/^Password/).fill(PASSWORD);
  expect(await person.barriers()).toEqual([]);
  await asked.getByRole('button', { name: 'Log in', exact: true }).click();
}

test('401 · in the middle of a session · asks to log in again in place, and the list goes on', async () => {
  const owner = await stand.newAccount('advertiser', 'Midway');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/status of 401/);
  await person.open('/advertiser/campaigns');
  await owner.api.must('POST', '/auth/logout');
  await person.page.getByRole('combobox', { name: 'Status' }).click();
  await person.page.getByRole('option', { name: 'Paused', exact: true }).click();
  await logInAgain(person, owner);
  await person.page.getByText('No campaign matches.').waitFor();
  await person.page.waitForURL('**/console/advertiser/campaigns?status=PAUSED');
});

const ELSEWHERE = /^You were logged out here: the session was ended elsewhere/;

test('401 · of a session that was ended elsewhere · the login says so, before a page and in front of one', async () => {
  const owner = await stand.newAccount('advertiser', 'Ended');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/status of 401/);
  await person.open('/advertiser/campaigns');
  await owner.api.must('POST', '/auth/logout');
  await person.page.getByRole('combobox', { name: 'Status' }).click();
  await person.page.getByRole('option', { name: 'Paused', exact: true }).click();
  const asked = person.page.getByRole('dialog', { name: 'Your session has ended' });
  await asked.getByText(ELSEWHERE).waitFor();
  const late = await stand.newPerson({ as: ['advertiser', owner] });
  late.expects(/status of 401/);
  await late.open('/advertiser/campaigns?status=PAUSED');
  await late.page.waitForURL(/\/advertiser\/login\?next=.*&ended=elsewhere$/);
  await late.page.getByRole('alert').getByText(ELSEWHERE).waitFor();
  expect(await late.barriers()).toEqual([]);
  await late.field(/^Username/).fill(owner.username);
  await late.field(/^Password/).fill(PASSWORD);
  await late.button('Log in').click();
  await late.page.waitForURL('**/console/advertiser/campaigns?status=PAUSED');
  // Who comes by themselves is told nothing.
  const other = await stand.newPerson();
  await other.open('/advertiser/login');
  expect(await other.page.getByRole('alert').count()).toBe(0);
});

test('401 · of a session that has run out · the login says that it has', async () => {
  const claims = Buffer.from(JSON.stringify({ sub: '1', ver: 1, exp: 1 })).toString('base64url');
  const owner = await stand.newAccount('publisher', 'Late');
  const api = new ApiClient(`${stand.platform.baseUrl}/api/publisher`);
  api.token = `e30.${claims}.x`;
  const person = await stand.newPerson({ as: ['publisher', { ...owner, api }] });
  person.expects(/status of 401/);
  await person.open('/publisher/zones');
  await person.page
    .getByRole('alert')
    .getByText('Your session has run out. Log in again.')
    .waitFor();
});

test('401 · while a form is filled · what was written stays, and what was pressed is done once', async () => {
  const owner = await stand.newAccount('advertiser', 'Typing');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/status of 401/);
  await person.open('/advertiser/money');
  await person.field(/^Amount/).fill('70');
  await owner.api.must('POST', '/auth/logout');
  await person.button('Order the top-up').click();
  await logInAgain(person, owner);
  await person.page.waitForURL(/\/money\/deposits\/\d+$/);
  const again = await new ApiClient(`${stand.platform.baseUrl}/api/advertiser`).login(
    owner.username,
    PASSWORD,
  );
  const { items } = await again.must<{ items: object[] }>('GET', '/deposits');
  expect(items).toEqual([expect.objectContaining({ amount: 70 })]);
});

test('401 · answered by somebody else · nothing that was begun is done for them', async () => {
  const [owner, other] = [
    await stand.newAccount('advertiser', 'Begun'),
    await stand.newAccount('advertiser', 'Other'),
  ];
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/status of 401/);
  await person.open('/advertiser/money');
  await person.field(/^Amount/).fill('70');
  await owner.api.must('POST', '/auth/logout');
  await person.button('Order the top-up').click();
  person.page.on('dialog', (dialog) => void dialog.accept());
  await logInAgain(person, other);
  await person.page.waitForURL('**/console/advertiser');
  for (const { username } of [owner, other]) {
    const api = await new ApiClient(`${stand.platform.baseUrl}/api/advertiser`).login(
      username,
      PASSWORD,
    );
    expect((await api.must<{ items: object[] }>('GET', '/deposits')).items).toEqual([]);
  }
});

test('log in · after somebody else in the same browser · nothing of theirs is shown', async () => {
  const [first, second] = [
    await stand.newAccount('advertiser', 'Before'),
    await stand.newAccount('advertiser', 'After'),
  ];
  await first.api.must('POST', '/trackers', {
    name: 'Theirs alone',
    type: 'POSTBACK',
    event_type: 'PURCHASE',
  });
  const person = await stand.newPerson({ as: ['advertiser', first] });
  await person.open('/advertiser/trackers');
  await person.page.getByText('Theirs alone').first().waitFor();
  await person.button(/^before|^Before/).click();
  await person.page.getByRole('menuitem', { name: 'Log out' }).click();
  await person.field(/^Username/).fill(second.username);
  await person.field(/^Password/).fill(PASSWORD);
  const seen: string[] = [];
  await person.page.exposeBinding('tellSeen', (_source, text: string) => seen.push(text));
  await person.page.evaluate(
    `new MutationObserver(() => tellSeen(document.body.innerText)).observe(document.body, { subtree: true, childList: true })`,
  );
  await person.button('Log in').click();
  await person.page.waitForURL('**/console/advertiser');
  await menuOf(person, 'Trackers').click();
  await person.heading('Trackers').waitFor();
  await person.settled();
  expect(seen.filter((text) => text.includes('Theirs alone'))).toEqual([]);
});

test('an account · suspended while somebody works in it · says whom to ask, not that they lack a role', async () => {
  const owner = await stand.newAccount('publisher', 'Halted');
  const { id } = await owner.api.must<{ id: number }>('GET', '/auth/profile');
  const person = await stand.newPerson({ as: ['publisher', owner] });
  await person.open('/publisher/payouts');
  await person.settled();
  person.expects(/status of 403/);
  const { api } = await stand.operator('ADMIN');
  await api.must('POST', `/publishers/${id}/suspend`, { reason: 'Traffic that nobody explains' });
  await person.link('Transactions').click();
  const alert = person.page.getByRole('alert').first();
  await alert.getByText('This account is suspended. Ask whoever manages it').waitFor();
  expect(await alert.getByText('can let you').count()).toBe(0);
});

test.each([
  ['withdrawals', 'Withdrawals', 'This page is for: Administrator, Finance.'],
  ['withdrawals/1', 'Withdrawals', 'This page is for: Administrator, Finance.'],
  ['settings', 'Settings', 'This page is for: Administrator.'],
])(
  'a colleague’s link · to %s, of another role · says whose page it is, and leads to the desk',
  async (path, title, words) => {
    const person = await stand.newPerson({ as: ['admin', await stand.operator('REVIEWER')] });
    person.expects(/status of 403/);
    await person.open(`/operator/${path}`);
    await person.heading(title).waitFor();
    await person.page.getByText(words, { exact: true }).waitFor();
    await person.page.getByText('Ask one of them to look for you').waitFor();
    expect(await person.page.getByText('This did not work').count()).toBe(0);
    expect(await person.button('Try again').count()).toBe(0);
    expect(await person.barriers()).toEqual([]);
    await person.link('Go to the desk').click();
    await person.heading('Desk').waitFor();
  },
);
