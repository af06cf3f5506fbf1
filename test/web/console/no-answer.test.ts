import type { Page, Route } from 'playwright-core';
import {
  type Account,
  type ConsoleStand,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { until } from '../../support/until.ts';

/** Nothing comes back, or what comes is nobody's: what is said, and that trying again does nothing twice. */
let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

async function person(name: string): Promise<{ owner: Account; at: Person }> {
  const owner = await stand.newAccount('advertiser', name);
  const at = await stand.newPerson({ as: ['advertiser', owner] });
  at.expects(/Failed to load resource|status of 504|dynamically imported module/);
  return { owner, at };
}

const depositsOf = async ({ api }: Account): Promise<{ amount: number }[]> =>
  (await api.must<{ items: { amount: number }[] }>('GET', '/deposits')).items;

const alertOf = ({ page }: Person) => page.getByRole('alert');
const NO_ANSWER = 'No answer came, so this may be done already or not.';
const ONCE = 1;
const SAVE = /^Save$/;

/** It was done; the answer is lost on its way, and so is that of no other. */
async function loseAnswer(
  page: Page,
  [method, pattern]: [method: string, pattern: string],
  lose: (route: Route) => Promise<void>,
): Promise<void> {
  let lost = 0;
  await page.route(pattern, async (route) => {
    if (route.request().method() !== method || lost === ONCE) return await route.fallback();
    lost += 1;
    await route.fetch();
    await lose(route);
  });
}

test.each([
  ['the line drops', async (route: Route) => await route.abort('connectionreset')],
  [
    'half of it comes',
    async (route: Route) =>
      await route.fulfill({
        status: 201,
        contentType: 'application/json',
        body: '{"code":201,"da',
      }),
  ],
  [
    'a proxy gives up',
    async (route: Route) =>
      await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Timeout</h1>' }),
  ],
])('an order · done, and %s · says that it may be done; again is once', async (name, lose) => {
  const { owner, at } = await person(name.replaceAll(' ', '-'));
  await loseAnswer(at.page, ['POST', '**/api/advertiser/deposits'], lose);
  await at.open('/advertiser/money');
  await at.field(/^Amount/).fill('70');
  await at.button('Order the top-up').click();
  await alertOf(at).getByText(NO_ANSWER).waitFor();
  expect(await at.barriers()).toEqual([]);
  await at.button('Order the top-up').click();
  await at.page.waitForURL(/\/money\/deposits\/\d+$/);
  expect(await depositsOf(owner)).toEqual([expect.objectContaining({ amount: 70 })]);
});

test('a form · saved, and its answer lost · saved again is no change of somebody else’s', async () => {
  const { owner, at } = await person('Resaved');
  const { id } = await owner.api.must<{ id: number }>('POST', '/campaigns', {
    name: 'Ropes',
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 0.2,
    landing_url: 'https://shop.example.com/rope',
  });
  at.expects(/status of 412/);
  await loseAnswer(
    at.page,
    ['PUT', `**/api/advertiser/campaigns/${id}`],
    async (route) => await route.abort('connectionreset'),
  );
  await at.open(`/advertiser/campaigns/${id}?edit=1`);
  await at.field(/^Name/).fill('Ropes of mine');
  await at.button(SAVE).click();
  await alertOf(at).getByText(NO_ANSWER).waitFor();
  await at.button(SAVE).click();
  await at.heading('Ropes of mine').waitFor();
  expect(await at.page.getByText('Somebody changed this meanwhile').count()).toBe(0);
});

test('a list · answered with somebody’s page · is said in words, and read again', async () => {
  const { at } = await person('Portal');
  const list = '**/api/advertiser/campaigns?*';
  await at.page.route(list, async (route) => {
    await route.fulfill({ contentType: 'text/html', body: '<h1>Log in to this network</h1>' });
  });
  await at.page.goto(`${stand.platform.baseUrl}/console/advertiser/campaigns`);
  await alertOf(at).getByText('The platform cannot be reached.').waitFor();
  await at.page.unroute(list);
  await at.button('Try again').click();
  await at.page.getByText('No campaign yet').waitFor();
});

test('offline · a page and an order · are said to be out of reach; back again, both go on', async () => {
  const { owner, at } = await person('Tunnel');
  await at.open('/advertiser/money');
  await at.page.context().setOffline(true);
  await at.field(/^Amount/).fill('70');
  await at.button('Order the top-up').click();
  await alertOf(at).getByText(NO_ANSWER).waitFor();
  at.page.on('dialog', (dialog) => void dialog.accept());
  await at.link('Trackers').click();
  await alertOf(at).getByText('The platform cannot be reached.').waitFor();
  await at.page.context().setOffline(false);
  await at.page.getByText('No tracker yet').waitFor();
  expect(await depositsOf(owner)).toEqual([]);
});

/** Requests that are never answered, until they are let go; the page's clock can be moved. */
async function hang({ page }: Person, [method, pattern]: [method: string, pattern: string]) {
  const held: Route[] = [];
  let isOver = false;
  await page.clock.install();
  await page.route(pattern, async (route) => {
    if (isOver || route.request().method() !== method) return await route.fallback();
    held.push(route);
  });
  const isAsked = async (): Promise<void> => {
    await until(`${pattern} is asked`, () => held.length > 0);
  };
  const end = (): void => {
    isOver = true;
  };
  return { held, isAsked, end };
}

const SLOW = 9_000;
const A_MINUTE = 61_000;

describe('a platform that takes its time', () => {
  test('a list · not answered for some seconds · says so; asked again it is read', async () => {
    const { at } = await person('Slow');
    const hung = await hang(at, ['GET', '**/api/advertiser/campaigns?*']);
    await at.page.goto(`${stand.platform.baseUrl}/console/advertiser/campaigns`);
    await hung.isAsked();
    await at.page.clock.fastForward(SLOW);
    await at.page.getByText('takes longer than usual').waitFor();
    expect(await at.barriers()).toEqual([]);
    hung.end();
    await at.button('Ask again').click();
    await at.page.getByText('No campaign yet').waitFor();
    await at.page.getByText('takes longer than usual').waitFor({ state: 'detached' });
    expect(hung.held).toHaveLength(1);
  });

  test('a list · not answered for a minute · says so once, without asking on by itself', async () => {
    const { at } = await person('Late');
    const hung = await hang(at, ['GET', '**/api/advertiser/campaigns?*']);
    await at.page.goto(`${stand.platform.baseUrl}/console/advertiser/campaigns`);
    await hung.isAsked();
    // By the page that shows it, not only by the way there.
    await at.field(/^Name/).waitFor();
    await at.page.clock.fastForward(A_MINUTE);
    await alertOf(at).getByText('No answer came within a minute.').waitFor();
    hung.end();
    await at.button('Try again').click();
    await at.page.getByText('No campaign yet').waitFor();
    expect(hung.held).toHaveLength(1);
  });

  test('an order · not answered · says so, asks before the page is left, and after a minute may be sent again, once', async () => {
    const { owner, at } = await person('Sending');
    await at.open('/advertiser/money');
    const hung = await hang(at, ['POST', '**/api/advertiser/deposits']);
    await at.field(/^Amount/).fill('70');
    await at.button('Order the top-up').click();
    await hung.isAsked();
    await hung.held[0]?.fetch();
    const asked: string[] = [];
    at.page.on('dialog', (dialog) => {
      asked.push(`${dialog.type()}: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await at.page.close({ runBeforeUnload: true });
    await until('the browser asks', () => asked.length === 1);
    await at.page.clock.fastForward(SLOW);
    await at.page.getByText('Still sending.').waitFor();
    expect(await at.barriers()).toEqual([]);
    await at.link('Trackers').click();
    await until('the page asks', () => asked.length === 2);
    expect(asked).toEqual([
      expect.stringMatching(/^beforeunload/),
      expect.stringMatching(/^confirm: What you sent has no answer yet/),
    ]);
    await at.page.clock.fastForward(A_MINUTE);
    await alertOf(at).getByText(NO_ANSWER).waitFor();
    hung.end();
    await at.button('Order the top-up').click();
    await at.page.waitForURL(/\/money\/deposits\/\d+$/);
    expect(await depositsOf(owner)).toEqual([expect.objectContaining({ amount: 70 })]);
  });
});

test('an order · refused, and sent again · has another key: under its old one the refusal would come again', async () => {
  const { owner, at } = await person('Refused');
  at.expects(/status of 409/);
  await at.open('/advertiser/money');
  const keys: (string | null)[] = [];
  await at.page.route('**/api/advertiser/deposits', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback();
    keys.push(await route.request().headerValue('idempotency-key'));
    if (keys.length > ONCE) return await route.continue();
    const data = { error: 'state_conflict' };
    await route.fulfill({ status: 409, json: { code: 40900, message: 'Not now.', data } });
  });
  await at.field(/^Amount/).fill('70');
  await at.button('Order the top-up').click();
  await alertOf(at).getByText('Not now.').waitFor();
  await at.button('Order the top-up').click();
  await at.page.waitForURL(/\/money\/deposits\/\d+$/);
  expect(new Set(keys).size).toBe(2);
  expect(await depositsOf(owner)).toHaveLength(ONCE);
});

describe('an order whose page is loaded anew before there is an answer', () => {
  /** It arrived, or not; what came of it was not heard, and the page is loaded again. */
  async function reloaded(name: string, isHeard: boolean) {
    const { owner, at } = await person(name);
    await at.open('/advertiser/money');
    const hung = await hang(at, ['POST', '**/api/advertiser/deposits']);
    await order(at);
    await hung.isAsked();
    if (isHeard) await hung.held[0]?.fetch();
    hung.end();
    at.page.on('dialog', (dialog) => void dialog.accept());
    await at.page.reload();
    await at.settled();
    return { owner, at };
  }
  async function order(at: Person): Promise<void> {
    await at.field(/^Amount/).fill('70');
    await at.button('Order the top-up').click();
  }
  const SENT_BEFORE = 'It was not done a second time';

  test('it had arrived · ordered again · is that order, and the page says so; once more is another', async () => {
    const { owner, at } = await reloaded('Reloads', true);
    await order(at);
    await at.page.waitForURL(/\/money\/deposits\/\d+$/);
    await at.page.getByText(SENT_BEFORE).waitFor();
    expect(await depositsOf(owner)).toHaveLength(ONCE);
    await at.open('/advertiser/money');
    await order(at);
    await at.page.waitForURL(/\/money\/deposits\/\d+$/);
    await until('there are two', async () => (await depositsOf(owner)).length === 2);
  });

  test('it had not arrived · ordered again · is the first, without a word', async () => {
    const { owner, at } = await reloaded('Reordered', false);
    await order(at);
    await at.page.waitForURL(/\/money\/deposits\/\d+$/);
    await at.settled();
    expect(await at.page.getByText(SENT_BEFORE).count()).toBe(0);
    expect(await depositsOf(owner)).toHaveLength(ONCE);
  });
});

test('offline, then online again · what could not be read is read without a word', async () => {
  const { at } = await person('Bridge');
  await at.open('/advertiser');
  await at.page.context().setOffline(true);
  await at.link('Creatives').click();
  await alertOf(at).getByText('The platform cannot be reached.').first().waitFor();
  await at.page.context().setOffline(false);
  await at.page.getByText('No creative yet').waitFor();
});

describe('another tab of the same browser', () => {
  /** Two tabs of one browser; in the second somebody else logs in while the first stands at a form. */
  async function overtaken(name: string) {
    const { owner, at } = await person(name);
    const other = await stand.newAccount('advertiser', `${name}2`);
    await at.open('/advertiser/money');
    await at.field(/^Amount/).fill('70');
    const tab = await at.page.context().newPage();
    await tab.goto(`${stand.platform.baseUrl}/console/advertiser/login`);
    await tab.getByLabel(/^Username/).fill(other.username);
    await tab.getByLabel(/^Password/).fill(PASSWORD);
    await tab.getByRole('button', { name: 'Log in' }).click();
    await tab.waitForURL('**/console/advertiser');
    const asked = at.page.getByRole('dialog', { name: 'Somebody else has logged in' });
    await asked.waitFor();
    return { owner, other, at, asked, tab };
  }

  test('somebody else logs in there · nothing of this page is sent for them; back again it is done for its own', async () => {
    const { owner, other, at, asked } = await overtaken('Shared');
    expect(await at.barriers()).toEqual([]);
    await asked.getByLabel(/^Username/).fill(owner.username);
    await asked.getByLabel(/^Password/).fill(PASSWORD);
    await asked.getByRole('button', { name: 'Log in', exact: true }).click();
    await asked.waitFor({ state: 'detached' });
    expect(await at.field(/^Amount/).inputValue()).toBe('$70');
    await at.button('Order the top-up').click();
    await at.page.waitForURL(/\/money\/deposits\/\d+$/);
    expect(await depositsOf(owner)).toEqual([expect.objectContaining({ amount: 70 })]);
    expect(await depositsOf(other)).toEqual([]);
  });

  test('the page is left to them · opens their console, where they stay logged in', async () => {
    const { other, at, asked } = await overtaken('Given');
    at.page.on('dialog', (dialog) => void dialog.accept());
    await asked.getByRole('button', { name: /open the other account/ }).click();
    await at.page.waitForURL('**/console/advertiser');
    await at.button(/^Given2|^given2/).waitFor();
    expect(await depositsOf(other)).toEqual([]);
  });

  test('logging out there · asks here to log in again, and what was written stays', async () => {
    const { owner, at } = await person('Outside');
    await at.open('/advertiser/money');
    await at.field(/^Amount/).fill('70');
    const tab = await at.page.context().newPage();
    await tab.goto(`${stand.platform.baseUrl}/console/advertiser`);
    await tab.getByRole('button', { name: /^outside/i }).click();
    await tab.getByRole('menuitem', { name: 'Log out' }).click();
    const asked = at.page.getByRole('dialog', { name: 'Your session has ended' });
    await asked.getByLabel(/^Username/).fill(owner.username);
    await asked.getByLabel(/^Password/).fill(PASSWORD);
    await asked.getByRole('button', { name: 'Log in', exact: true }).click();
    await asked.waitFor({ state: 'detached' });
    await at.button('Order the top-up').click();
    await at.page.waitForURL(/\/money\/deposits\/\d+$/);
  });
});

test.each(['/advertiser/campaigns', '/advertiser/creatives', '/advertiser/media', '/advertiser'])(
  '%s · while it is read · the room of what comes says so to those who do not see it',
  async (path) => {
    const { at } = await person(`reads${path.replaceAll('/', '-')}`);
    const held: Route[] = [];
    const lists = /\/api\/advertiser\/(campaigns|creatives|media|stats|balance)\b/;
    await at.page.route(lists, (route) => void held.push(route));
    await at.page.goto(`${stand.platform.baseUrl}/console${path}`);
    await at.page.getByRole('progressbar', { name: 'Loading…' }).first().waitFor();
    expect(await at.barriers()).toEqual([]);
    await Promise.all(held.map(async (route) => await route.abort()));
  },
);
