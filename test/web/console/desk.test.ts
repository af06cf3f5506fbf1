import type { Locator } from 'playwright-core';
import { ApiClient } from '../../support/call.ts';
import {
  type Account,
  type ConsoleStand,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { image } from '../../support/images.ts';
import { makeOperator } from '../../support/make/account.ts';
import { pause, until } from '../../support/until.ts';

/** What operators do at their desk, and what happens when two of them do it at once. */
interface Task {
  id: number;
  status: string;
  kind: string;
  lease: { username: string } | null;
  decision: { decision: string; operator: string } | null;
}

const LIMIT = 10_000;

let stand: ConsoleStand;
let owner: Account;
let reviewer: Account;
let picture: number;

beforeAll(async () => {
  stand = await startConsole();
  reviewer = await stand.operator('REVIEWER');
  owner = await stand.newAccount('advertiser', 'Harbour');
  const form = new FormData();
  const bytes = await image('png', { width: 300, height: 250, colour: '#0a5cad' });
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'boat.png');
  picture = (await owner.api.must<{ id: number }>('POST', '/creatives/upload', form)).id;
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

/** One more operator of this role, with a password like the others'. */
async function another(role: 'REVIEWER' | 'FINANCE'): Promise<Account> {
  const { db, baseUrl } = stand.platform;
  const { username: first } = await stand.operator(role);
  const { passwordHash } = await db.models.operators.findOne({
    where: { username: first },
    rejectOnEmpty: true,
  });
  const operator = await makeOperator(db, role);
  await operator.update({ passwordHash });
  const { username } = operator;
  const api = await new ApiClient(`${baseUrl}/api/admin`).login(username, PASSWORD);
  return { api, username, password: PASSWORD };
}

/** The open question about a thing, as soon as its flow has asked it. */
async function taskOf(api: ApiClient, type: string, id: number): Promise<Task> {
  return await until(`a task of ${type} ${id}`, async () => {
    const query = `status=open&subject_type=${type}&subject_id=${id}`;
    const { items } = await api.must<{ items: Task[] }>('GET', `/tasks?${query}`);
    return items[0];
  });
}

/** A picture with nothing wrong about it, that waits for a person. */
async function waitingCreative(name: string): Promise<{ id: number; task: Task }> {
  const body = { name, creative_type: 'image', width: 300, height: 250, image_media_id: picture };
  const { id } = await owner.api.must<{ id: number }>('POST', '/creatives', body);
  return { id, task: await taskOf(reviewer.api, 'creative', id) };
}

const task = async (id: number): Promise<Task> =>
  await reviewer.api.must<Task>('GET', `/tasks/${id}`);

const creative = async (id: number) =>
  await owner.api.must<{ audit_status: string; audit_reasons: { code: string }[] }>(
    'GET',
    `/creatives/${id}`,
  );

const becomes = async (id: number, status: string): Promise<void> => {
  await until(
    `creative ${id} is ${status}`,
    async () => (await creative(id)).audit_status === status,
  );
};

const press = async ({ page }: Person, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

async function tabTo(person: Person, wanted: Locator): Promise<void> {
  await until('the focus is there', async () => {
    if (await hasFocus(wanted)) return true;
    await press(person, 'Tab');
    return false;
  });
}

const hasFocus = async (wanted: Locator): Promise<boolean> =>
  await wanted.evaluate((node) => node === node.ownerDocument.activeElement);

/** `/operator/tasks/7`; ends when the page of another task than this one stands there. */
async function otherTask({ page }: Person, than: number): Promise<number> {
  await page.waitForURL((url) => /\/tasks\/\d+$/.test(url.pathname) && at(url.href) !== than);
  return at(page.url());
}

const at = (url: string): number => Number(/\/tasks\/(\d+)/.exec(url)?.[1]);

/** Why something that is shown cannot be done. */
async function refusalOf(shown: Locator): Promise<string | null> {
  await shown.waitFor();
  expect(await shown.getAttribute('aria-disabled')).toBe('true');
  return await shown.getAttribute('aria-description');
}

test('review · by keyboard alone · a clean creative is approved and the next stands there', async () => {
  const first = await waitingCreative('Boat at dawn');
  const second = await waitingCreative('Boat at noon');
  const person = await stand.newPerson();
  await person.open('/operator/login');
  await tabTo(person, person.field(/^Username/));
  await person.page.keyboard.type(reviewer.username);
  await tabTo(person, person.field(/^Password/));
  await person.page.keyboard.type(PASSWORD);
  await press(person, 'Enter');
  await person.page.waitForURL('**/console/operator');
  const queue = person.page.getByRole('table', { name: 'Queue' });
  await queue.getByRole('link', { name: /Boat at dawn/ }).waitFor();
  await queue.getByRole('link', { name: /Boat at noon/ }).waitFor();
  await person.settled();

  await press(person, 'c');
  await person.page.waitForURL(`**/tasks/${first.task.id}`);
  await person.heading(/Boat at dawn/).waitFor();
  await person.page.getByText('The automatic checks found nothing.').waitFor();
  await person.settled();
  const before = await person.counted();
  await press(person, 'a', 'n');
  expect(await otherTask(person, first.task.id)).toBe(second.task.id);
  await person.heading(/Boat at noon/).waitFor();
  const { clicks, keys } = await person.counted();
  expect(keys - before.keys).toBeLessThanOrEqual(3);
  expect(clicks).toBe(0);
  await becomes(first.id, 'APPROVED');
  expect((await task(first.task.id)).decision).toMatchObject({
    decision: 'approve',
    operator: reviewer.username,
  });

  await press(person, 'u');
  await person.page.waitForURL('**/console/operator');
  await until('it is given back', async () => (await task(second.task.id)).lease === null);
  expect((await person.counted()).clicks).toBe(0);
}, 60_000);

test('reject · taken back, then meant · nothing is sent the first time, the owner reads the reason the second', async () => {
  const { id, task: asked } = await waitingCreative('Blurred boat');
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  const sent: string[] = [];
  person.page.on('request', (request) => {
    if (request.url().endsWith('/decision')) sent.push(request.postData() ?? '');
  });
  await person.open(`/operator/tasks/${asked.id}`);
  const reject = async (...choose: string[]): Promise<void> => {
    await press(person, 'r');
    await person.page.getByRole('checkbox', { name: /^1\. / }).waitFor();
    await press(person, ...choose, 'Control+Enter');
    await person.page.getByText(/^Reject: sent in/).waitFor();
  };
  await reject('1');
  await press(person, 'Escape');
  await person.button(/^Reject/).waitFor();
  // The buttons came back, and the next Tab is at them and not at the page's beginning.
  const bar = person.page.getByRole('region', { name: 'Your decision' });
  await press(person, 'Tab');
  expect(await hasFocus(bar.getByRole('textbox'))).toBe(true);
  await press(person, 'Tab');
  await pause(5_500, 'what was taken back must not be sent when its five seconds are over');
  expect(sent).toEqual([]);
  expect(await task(asked.id)).toMatchObject({ status: 'open', decision: null });

  // The reason is chosen still.
  await reject();
  await press(person, 'n');
  await becomes(id, 'REJECTED');
  expect((await creative(id)).audit_reasons).toEqual([
    expect.objectContaining({ code: 'LOW_QUALITY' }),
  ]);
  expect(sent).toHaveLength(1);
  expect((await person.counted()).clicks).toBe(0);
}, 60_000);

test('two reviewers · at one task · the second sees who has it; of two decisions one holds, the other is told', async () => {
  const { id, task: asked } = await waitingCreative('Boat for two');
  const second = await another('REVIEWER');
  const one = await stand.newPerson({ as: ['admin', reviewer] });
  const two = await stand.newPerson({ as: ['admin', second] });
  await one.open(`/operator/tasks/${asked.id}`);
  await until('the first has it', async () => (await task(asked.id)).lease !== null);
  await two.open(`/operator/tasks/${asked.id}`);
  const why = new RegExp(`^${reviewer.username} works on this until`);
  await two.page.getByText(why).first().waitFor();
  expect(await refusalOf(two.button(/^Approve/))).toMatch(why);
  const early = await second.api.call('POST', `/tasks/${asked.id}/decision`, {
    decision: 'approve',
  });
  expect(early).toMatchObject({ status: 409, message: expect.stringContaining('works on') });

  // On its way for so long that the other one is faster.
  let letGo = (): void => undefined;
  const isFaster = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await one.page.route('**/decision', async (route) => {
    await isFaster;
    await route.continue();
  });
  one.expects(/status of 409/);
  await press(one, 'a', 'n');
  await until('the first has left it', async () => (await task(asked.id)).lease === null);
  await second.api.must('POST', `/tasks/${asked.id}/decision`, {
    decision: 'reject',
    reasons: [{ code: 'LOW_QUALITY' }],
  });
  letGo();
  await one.page.getByText(`${second.username} has decided this task: reject.`).first().waitFor();
  await becomes(id, 'REJECTED');
  expect((await task(asked.id)).decision).toMatchObject({
    decision: 'reject',
    operator: second.username,
  });
}, 60_000);

test('a rejection that is being written · decided by a colleague meanwhile · says so where it is written, and keeps the words', async () => {
  const { id, task: asked } = await waitingCreative('Boat for the faster one');
  const second = await another('REVIEWER');
  const one = await stand.newPerson({ as: ['admin', reviewer] });
  await one.open(`/operator/tasks/${asked.id}`);
  await until('the first has it', async () => (await task(asked.id)).lease !== null);
  await press(one, 'r');
  const form = one.page.getByRole('dialog');
  await form.getByRole('checkbox').first().check();
  await form.getByRole('textbox').last().fill('The picture is not the boat');
  // Its time has run out while it was written.
  await stand.platform.pool.query(
    "UPDATE tasks SET lease_until = now() - interval '1 second' WHERE id = $1",
    [asked.id],
  );
  await second.api.must('POST', `/tasks/${asked.id}/decision`, { decision: 'approve' });
  await becomes(id, 'APPROVED');
  const decided = `Decided by ${second.username}: Approve`;
  await form.getByRole('alert').getByText(decided).waitFor();
  expect(await refusalOf(form.getByRole('button', { name: 'Reject' }))).toBe(decided);
  expect(await form.getByRole('textbox').last().inputValue()).toBe('The picture is not the boat');
  expect(await one.dialogBarriers()).toEqual([]);
}, 60_000);

test('money · above the limit · the one who recorded it is refused in words, a second person credits it once', async () => {
  const [first, second] = [await stand.operator('FINANCE'), await another('FINANCE')];
  const amount = LIMIT * 2;
  const order = await owner.api.must<{ id: number }>('POST', '/deposits', {
    amount,
    payment_method: 'BANK',
  });
  const one = await stand.newPerson({ as: ['admin', first] });
  await one.open(`/operator/deposits/${order.id}`);
  await one.field(/^Amount/).fill(String(amount));
  await one.field(/^Bank’s reference/).fill('STMT-1');
  await one.button('Record money that arrived').click();
  const asked = await taskOf(first.api, 'deposit', order.id);
  expect(asked.kind).toBe('deposit_second_approval');

  await one.open(`/operator/tasks/${asked.id}`);
  const approve = one.button(/^Approve/);
  expect(await refusalOf(approve)).toMatch(/a second person must decide it/);
  await press(one, 'a');
  await one.page.getByText(/a second person must decide it/).waitFor();
  const own = await first.api.call('POST', `/tasks/${asked.id}/decision`, { decision: 'approve' });
  expect(own).toMatchObject({ status: 403, message: expect.stringContaining('second person') });

  const two = await stand.newPerson({ as: ['admin', second] });
  await two.open(`/operator/tasks/${asked.id}`);
  await press(two, 'a', 'n');
  await two.page.getByText(/^Approved\. Second approval/).waitFor();
  const { items } = await owner.api.must<{ items: { type: string; amount: number }[] }>(
    'GET',
    '/deposits/transactions',
  );
  expect(items).toEqual([expect.objectContaining({ type: 'DEPOSIT', amount })]);
  const balance = await owner.api.must<{ available: number }>('GET', '/deposits/balance');
  expect(balance.available).toBe(amount);
}, 60_000);

test('support · what it may not do · is shown disabled, with the reason', async () => {
  const { task: asked } = await waitingCreative('Boat to look at');
  const support = await stand.operator('SUPPORT');
  const person = await stand.newPerson({ as: ['admin', support] });
  await person.open('/operator');
  expect(await refusalOf(person.link(/^Top-ups/))).toBe(
    'This page is for: Administrator, Finance.',
  );
  expect(await refusalOf(person.button(/^Claim next/))).toMatch(/Your role decides nothing/);
  // What is counted is what the list shows, and a kind that it reads may be looked at alone.
  const { total } = await support.api.must<{ total: number }>('GET', '/tasks?status=open');
  await person.button(`All that waits · ${total}`).waitFor();
  await person.button(/^Creative · /).click();
  await person.page.waitForURL(/kind=creative_review/);
  expect(await person.barriers()).toEqual([]);

  await person.open(`/operator/tasks/${asked.id}`);
  for (const name of [/^Approve/, /^Reject/]) {
    expect(await refusalOf(person.button(name))).toBe(
      'This is decided by: Reviewer. Your role can read it.',
    );
  }
  await press(person, 'a', 'r');
  expect(await person.page.getByRole('dialog').count()).toBe(0);
  expect(await person.barriers()).toEqual([]);

  await person.open('/operator/advertisers');
  await person.link('Harbour Ltd').click();
  await person.page.waitForURL('**/advertisers/*');
  expect(await refusalOf(person.button('Suspend'))).toBe('Only an administrator may do this.');
  expect(await task(asked.id)).toMatchObject({ status: 'open', lease: null });
}, 60_000);

test('an account that is stopped · not without the reason, which stays in its history', async () => {
  const admin = await stand.operator('ADMIN');
  const other = await stand.newAccount('advertiser', 'Flotsam');
  const { id } = await other.api.must<{ id: number }>('GET', '/auth/profile');
  const person = await stand.newPerson({ as: ['admin', admin] });
  await person.open(`/operator/advertisers/${id}`);
  await person.button('Suspend').click();
  const dialog = person.page.getByRole('dialog');
  const suspend = dialog.getByRole('button', { name: 'Suspend' });
  expect(await person.dialogBarriers()).toEqual([]);
  expect(await suspend.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Sells what it has not');
  await suspend.click();
  await person.button('Restore').waitFor();
  await person.page
    .getByText(`Suspended by ${admin.username}: Sells what it has not`)
    .first()
    .waitFor();
  const { items } = await admin.api.must<{ items: { action: string; detail: object }[] }>(
    'GET',
    `/advertisers/${id}/history`,
  );
  expect(items[0]).toMatchObject({ detail: { reason: 'Sells what it has not' } });
  expect(await person.barriers()).toEqual([]);
}, 60_000);

test('desk and review · dark and light · can be read by everybody', async () => {
  const { task: asked } = await waitingCreative('Boat in any light');
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  for (const colorScheme of ['dark', 'light'] as const) {
    await person.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await person.open('/operator');
    expect(await person.barriers()).toEqual([]);
    await person.open(`/operator/tasks/${asked.id}`);
    expect(await person.barriers()).toEqual([]);
    await press(person, 'r');
    await person.page.getByRole('checkbox', { name: /^1\. / }).waitFor();
    expect(await person.barriers()).toEqual([]);
    await press(person, 'Escape');
  }
}, 60_000);

test('review · a task names whose the thing is · linked for whoever may open that account, words for a reviewer', async () => {
  const { task: asked } = await waitingCreative('Boat of somebody');
  const support = await stand.operator('SUPPORT');
  const seen: Record<string, number> = {};
  for (const operator of [reviewer, support]) {
    const person = await stand.newPerson({ as: ['admin', operator] });
    await person.open(`/operator/tasks/${asked.id}`);
    const named = person.page.locator('main').getByText('Harbour Ltd', { exact: true });
    await named.hover();
    await person.settled();
    seen[operator.username] = await person.page.getByRole('link', { name: 'Harbour Ltd' }).count();
  }
  expect(seen).toEqual({ [reviewer.username]: 0, [support.username]: 1 });
});

/** Proven, put to reviewers, and then its proof was lost; that it is back is written by hand. */
async function waitingSite(): Promise<{
  id: number;
  task: Task;
  verify: () => Promise<void>;
}> {
  const publisher = await stand.newAccount('publisher', 'Quay');
  const { id } = await publisher.api.must<{ id: number }>('POST', '/sites', {
    name: 'Quay News',
    domain: 'shop.example.com',
  });
  const { methods } = await publisher.api.must<{ methods: { method: string; value: string }[] }>(
    'GET',
    `/sites/${id}/verify-code`,
  );
  const body = methods.find(({ method }) => method === 'FILE')?.value ?? '';
  stand.sites.pages.set('/.well-known/adplatform.txt', { type: 'text/plain', body });
  await publisher.api.must('POST', `/sites/${id}/verify`, { method: 'FILE' });
  const task = await taskOf(reviewer.api, 'site', id);
  const becomes = async (status: string): Promise<void> => {
    await stand.platform.pool.query('UPDATE sites SET verify_status = $2 WHERE id = $1', [
      id,
      status,
    ]);
  };
  await becomes('LAPSED');
  return { id, task, verify: async () => await becomes('VERIFIED') };
}

test('review · over a check that forbids it · Approve is disabled with the check in words, until it is mended', async () => {
  const { id, task: asked, verify } = await waitingSite();
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  const sent: string[] = [];
  person.page.on('request', (request) => {
    if (request.url().endsWith('/decision')) sent.push(request.url());
  });
  await person.open(`/operator/tasks/${asked.id}`);
  const why = 'It cannot be approved before this is fixed: The site’s ownership is not verified.';
  await person.page.getByText(why).first().waitFor();
  expect(await refusalOf(person.button(/^Approve/))).toBe(why);
  expect(await person.button(/^Reject/).getAttribute('aria-disabled')).toBe('false');
  await press(person, 'a');
  expect(await person.page.getByText(/sent in/).count()).toBe(0);
  expect(await person.barriers()).toEqual([]);
  expect(sent).toEqual([]);
  await verify();
  await person.open('/operator');
  await person.open(`/operator/tasks/${asked.id}`);
  await until('it may be approved', async () => {
    return (await person.button(/^Approve/).getAttribute('aria-disabled')) === 'false';
  });
  await press(person, 'a', 'n');
  await until('the site is approved', async () => {
    const { rows } = await stand.platform.pool.query<{ audit_status: string }>(
      'SELECT audit_status FROM sites WHERE id = $1',
      [id],
    );
    return rows[0]?.audit_status === 'APPROVED';
  });
}, 60_000);

test('a decided task · the reasons that were given · are said in words, with what was written', async () => {
  const { task: asked } = await waitingCreative('Said why');
  const reasons = [{ code: 'MISLEADING', note: 'No such boat.' }, { code: 'LOW_QUALITY' }];
  await reviewer.api.must('POST', `/tasks/${asked.id}/decision`, { decision: 'reject', reasons });
  const person = await stand.newPerson({ as: ['admin', reviewer], locale: 'zh-CN' });
  await person.open(`/operator/tasks/${asked.id}`);
  await person.page
    .getByText(/内容误导（No such boat\.）、/)
    .first()
    .waitFor();
  expect(await person.page.getByText(/MISLEADING|LOW_QUALITY/).count()).toBe(0);
  const english = await stand.newPerson({ as: ['admin', reviewer], locale: 'en-GB' });
  await english.open(`/operator/tasks/${asked.id}`);
  await english.page
    .getByText(new RegExp(`^Decided by ${reviewer.username}: Reject`))
    .first()
    .waitFor();
  // Its kind, and what the log has of the decision.
  await person.page.getByRole('main').getByText('图片', { exact: true }).first().waitFor();
  const other = await stand.newPerson({
    as: ['admin', await stand.operator('ADMIN')],
    locale: 'zh-CN',
  });
  await other.open('/operator/audit?action=task.decide');
  await other.page
    .getByText(/决定：拒绝/)
    .first()
    .waitFor();
  // What it did to the thing: in the catalogue's words, with the code for whoever points at them.
  await other.open('/operator/audit?action=creative.reject');
  const said = other.page.getByTitle('MISLEADING');
  await said.first().waitFor();
  expect(await said.first().textContent()).toBe('内容误导（No such boat.）');
  expect(await other.page.getByText(/MISLEADING|LOW_QUALITY/).count()).toBe(0);
  // What an advertiser runs has a page of its own.
  const about = other.page.getByRole('main').getByRole('link', { name: /^创意/ }).first();
  expect(await about.getAttribute('href')).toContain('/operator/inventory/creative/');
  expect(await other.barriers()).toEqual([]);
});

test('the desk · money, which an administrator reads and does not decide · may be looked at alone, and is not in the sum', async () => {
  const admin = await stand.operator('ADMIN');
  const person = await stand.newPerson({ as: ['admin', admin], locale: 'en-GB' });
  await person.open('/operator?kind=money_refused');
  const kind = person.button(/^Money that cannot go on · 0/);
  await kind.waitFor();
  expect(await kind.getAttribute('aria-pressed')).toBe('true');
  // A press takes the choice back: nothing refuses what may be read.
  await kind.click();
  await person.page.waitForURL((url) => !url.search.includes('kind'));
  const { kinds } = await admin.api.must<{ kinds: { open: number; decidable: boolean }[] }>(
    'GET',
    '/tasks/counts',
  );
  const own = kinds.filter(({ decidable }) => decidable).reduce((sum, { open }) => sum + open, 0);
  await person.button(`All I decide · ${own}`).waitFor();
});

test('a decision · that its flow has yet to take, or refuses later · is not called done, and whoever comes back reads why', async () => {
  const { task: asked } = await waitingCreative('Boat in the fog');
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  const path = `**/api/admin/tasks/${asked.id}/decision`;
  await person.page.route(path, async (route) => {
    const data = await reviewer.api.must('GET', `/tasks/${asked.id}`);
    await route.fulfill({ status: 202, json: { code: 0, message: 'ok', data, timestamp: 0 } });
  });
  await person.open(`/operator/tasks/${asked.id}`);
  await press(person, 'a', 'n');
  await person.page.getByText(/^Sent: Approve\. It is not in force yet/).waitFor();
  const { id } = await reviewer.api.must<{ id: number }>('GET', '/auth/profile');
  await stand.platform.pool.query(
    `INSERT INTO task_decisions (task_id, operator_id, decision, status, refusal)
     VALUES ($1, $2, 'approve', 'REFUSED', 'The fog did not lift.')`,
    [asked.id, id],
  );
  await person.open(`/operator/tasks/${asked.id}`);
  await person.page
    .getByText(
      `${reviewer.username} said: Approve. That did not come to pass. The fog did not lift.`,
    )
    .waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('health · what is red · says what to do: the desk, and the page of the runbooks beside', async () => {
  const { task: asked } = await waitingCreative('Boat too late');
  await stand.platform.pool.query(
    `UPDATE tasks SET due_at = now() - interval '1 hour' WHERE id = $1`,
    [asked.id],
  );
  const person = await stand.newPerson({ as: ['admin', reviewer], locale: 'en-GB' });
  await person.open('/operator/health');
  const alert = person.page.getByRole('alert').filter({ hasText: 'This needs looking after' });
  await alert.getByText(/Tasks of the desk are overdue\..* Since \w+ \d+, \d{4}/).waitFor();
  expect(await person.barriers()).toEqual([]);
  await person.page.setViewportSize({ width: 360, height: 800 });
  const [page] = await Promise.all([
    person.page.context().waitForEvent('page'),
    alert.getByRole('link', { name: /^What to do: Tasks of the desk/ }).click(),
  ]);
  await page.getByRole('heading', { name: 'A flow is stuck', level: 1 }).waitFor();
  await page.close();
  await alert.getByRole('link', { name: 'Desk', exact: true }).click();
  await person.page.waitForURL('**/console/operator');
}, 60_000);

test('books that are not right, a list of data centres that failed · lead to their page of the runbooks, which is there', async () => {
  const person = await stand.newPerson({
    as: ['admin', await stand.operator('ADMIN')],
    locale: 'en-GB',
  });
  const altered = async (route: string, change: (data: never) => object) => {
    await person.page.route(route, async (asked) => {
      const response = await asked.fetch();
      const body = (await response.json()) as { data: never };
      await asked.fulfill({ response, json: { ...body, data: change(body.data) } });
    });
  };
  await altered('**/api/admin/books', (data: { checks: { ok: boolean }[] }) => ({
    ...data,
    ok: false,
    checks: data.checks.map((check, index) =>
      index > 0 ? check : { ...check, ok: false, figure: '5000000001', amount: '5.000000001' },
    ),
  }));
  const failed = { source: 'cloud.example', networks: 3, fetched_at: null, fault: '16-AWAY' };
  await altered('**/api/admin/health', (data: { datacenters: object[] }) => ({
    ...data,
    datacenters: [{ ...data.datacenters[0], ...failed, failed_at: new Date().toISOString() }],
  }));
  const follow = async (at: string, page: string): Promise<void> => {
    await person.open(at);
    const link = person.link(/^What to do: /).last();
    await link.waitFor();
    expect(await person.barriers()).toEqual([]);
    const href = (await link.getAttribute('href')) ?? '';
    expect(href).toBe(`/docs/runbooks/${page}`);
    expect((await person.page.request.get(`${stand.platform.baseUrl}${href}`)).status()).toBe(200);
  };
  await follow('/operator/books', 'books-not-clean');
  await person.page.getByText('Does not hold · $5.000000001', { exact: true }).first().waitFor();
  // Among the others of its kind once more; what a figure counts is one press away.
  const balances = person.page.getByRole('region', { name: 'Balances and transfers' });
  await balances.getByText(/^1 of \d+ do not hold$/).waitFor();
  const billing = person.page.getByRole('region', { name: 'Billing of events' });
  await billing.getByText(/^all \d+ hold$/).waitFor();
  const counted = billing.getByText('a_bid_counts_once_per_kind');
  expect(await counted.isVisible()).toBe(false);
  await billing.getByText('A bid counts once per kind of event').click();
  await counted.waitFor();
  await person.page.getByText(/^Approve no payout\. Find the account under Ledger: /).waitFor();
  await person.page.getByText('Holds · $0.00', { exact: true }).first().waitFor();
  await follow('/operator/health', 'datacenter-lists');
}, 60_000);

test('a row that goes while it has the focus · keys go on with the one that took its place', async () => {
  const [gone, stays] = [
    await waitingCreative('Boat that goes'),
    await waitingCreative('Boat to stay'),
  ];
  const person = await stand.newPerson({ as: ['admin', reviewer] });
  await person.open('/operator');
  const queue = person.page.getByRole('table', { name: 'Queue' });
  const links = queue.locator('[data-task]');
  await queue.getByRole('link', { name: /Boat to stay/ }).waitFor();
  const ids = await links.evaluateAll((nodes) => nodes.map((node) => Number(node.dataset['task'])));
  for (const _each of ids.slice(0, ids.indexOf(gone.task.id) + 1)) await press(person, 'j');
  expect(await hasFocus(links.nth(ids.indexOf(gone.task.id)))).toBe(true);
  const after = ids[ids.indexOf(gone.task.id) + 1];
  await reviewer.api.must('POST', `/tasks/${gone.task.id}/decision`, { decision: 'approve' });
  await queue.getByRole('link', { name: /Boat that goes/ }).waitFor({ state: 'detached' });
  await until('the focus is on the next task', async () => {
    return await hasFocus(queue.locator(`[data-task="${after}"]`));
  });
  expect([(await person.counted()).clicks, ids.includes(stays.task.id)]).toEqual([0, true]);

  // In a list, the button of what was done goes with its row: not to the same one of the next, which a key held down
  // would press as well.
  await stand.platform.pool.query(
    `INSERT INTO operator_notices (role, kind, subject_type, subject_id, params, dedupe_key)
     SELECT 'REVIEWER', 'task_late', 'task', n, '{}', 'focus:' || n FROM generate_series(1, 3) n`,
  );
  await person.open('/operator/notifications?status=unread');
  const rows = person.page.getByRole('row').filter({ hasText: /^.*Task [123] waits/ });
  await rows.nth(2).waitFor();
  await rows.nth(1).getByRole('button', { name: 'Mark as read' }).focus();
  await press(person, 'Enter');
  await rows.nth(2).waitFor({ state: 'detached' });
  await until('the focus is in the next row', async () => {
    return await hasFocus(rows.nth(1).getByRole('link'));
  });
}, 90_000);

test('the desk · kinds where nothing waits · are one button, and chosen once it is pressed', async () => {
  const viewport = { width: 360, height: 800 };
  const person = await stand.newPerson({ as: ['admin', await another('FINANCE')], viewport });
  await person.open('/operator');
  const kinds = person.page.getByRole('group', { name: 'Kind' });
  const rest = kinds.getByRole('button', { name: /kinds where nothing waits$/ });
  await rest.waitFor();
  expect(await kinds.getByRole('button', { name: /^(?!All I decide).*· 0$/ }).count()).toBe(0);
  // The focus stays on what was pressed, and what it shows is told.
  await rest.focus();
  await person.page.keyboard.press('Enter');
  const less = kinds.getByRole('button', { name: 'Only where something waits' });
  expect(await less.getAttribute('aria-expanded')).toBe('true');
  expect(await hasFocus(less)).toBe(true);
  const empty = kinds.getByRole('button', { name: 'Payout to be confirmed · 0' });
  await empty.click();
  await person.page.waitForURL(/kind=payout_unknown/);
  await less.click();
  // What is chosen stays, though nothing waits there.
  expect(await empty.getAttribute('aria-pressed')).toBe('true');
  expect(await person.barriers()).toEqual([]);
}, 60_000);

test('letters of tasks that colleagues give · are switched off in one’s own profile, and stay off', async () => {
  const person = await stand.newPerson({ as: ['admin', await another('REVIEWER')] });
  await person.open('/operator/profile');
  const letters = person.page.getByRole('switch', { name: /^A letter when a colleague/ });
  expect(await letters.isChecked()).toBe(true);
  await letters.focus();
  await person.page.keyboard.press('Space');
  await person.button('Save').first().click();
  await person.page.getByText('Saved').first().waitFor();
  await person.open('/operator/profile');
  expect(await letters.isChecked()).toBe(false);
  expect(await person.barriers()).toEqual([]);
}, 60_000);

test('a task · given to a colleague from its row · stands under theirs; put back from its page', async () => {
  const { task: asked } = await waitingCreative('Boat for a colleague');
  const colleague = await another('REVIEWER');
  const person = await stand.newPerson({ as: ['admin', reviewer], locale: 'en-GB' });
  await person.open('/operator');
  const row = person.page.getByRole('row', { name: /Boat for a colleague/ });
  await row.getByRole('button', { name: /^Actions: / }).click();
  expect(await person.barriers()).toEqual([]);
  await person.page.getByRole('menuitem', { name: 'Assign to a colleague…' }).click();
  const dialog = person.page.getByRole('dialog', { name: /Assign to a colleague: .*Boat for/ });
  await dialog.getByRole('combobox', { name: /^Colleague/ }).click();
  // Nobody gives it to themselves.
  const options = person.page.getByRole('option');
  expect(await options.allInnerTexts()).not.toContain(reviewer.username);
  await options.filter({ hasText: colleague.username }).click();
  expect(await person.dialogBarriers()).toEqual([]);
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await row.getByText(`Assigned to ${colleague.username}`).waitFor();

  const theirs = await stand.newPerson({ as: ['admin', colleague], locale: 'en-GB' });
  await theirs.open('/operator?mine=true');
  const queue = theirs.page.getByRole('table', { name: 'Queue' });
  await queue.getByRole('link', { name: /Boat for a colleague/ }).waitFor();
  expect(await queue.getByRole('link').count()).toBe(1);
  await theirs.open(`/operator/tasks/${asked.id}`);
  await theirs.page.getByRole('button', { name: /^Actions: / }).click();
  await theirs.page.getByRole('menuitem', { name: 'Put back in the queue' }).click();
  await until('it is nobody’s', async () => {
    const { assignee } = await reviewer.api.must<{ assignee: object | null }>(
      'GET',
      `/tasks/${asked.id}`,
    );
    return assignee === null;
  });

  // Whoever may not decide it is told who may.
  const support = await stand.newPerson({
    as: ['admin', await stand.operator('SUPPORT')],
    locale: 'en-GB',
  });
  await support.open(`/operator/tasks/${asked.id}`);
  await support.page.getByRole('button', { name: /^Actions: / }).click();
  const give = support.page.getByRole('menuitem', { name: 'Assign to a colleague…' });
  expect(await give.getAttribute('aria-disabled')).toBe('true');
  expect(await give.getAttribute('title')).toBe('Decided by Reviewer, not by your role.');
}, 60_000);
