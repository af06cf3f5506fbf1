import { ApiClient } from '../../support/call.ts';
import { invitationToken } from '../../support/console-letters.ts';
import {
  type Account,
  type ConsoleStand,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { until } from '../../support/until.ts';

/** What a member who may only look sees of each console (interface 5.6). */
let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

type Side = 'advertiser' | 'publisher';

/** The token of a letter to somebody whom the account invites. */
async function invite(
  side: Side,
  owner: Account,
  role: string,
): Promise<{ email: string; token: string }> {
  const email = `${role.toLowerCase()}-${owner.username}`;
  const before = invitationToken(stand.platform, side);
  await owner.api.must('POST', '/members', { email, role });
  let token: string | undefined;
  await until('the letter is there', async () => {
    token = invitationToken(stand.platform, side);
    return token !== undefined && token !== before;
  });
  return { email, token: token ?? '' };
}

/** Somebody of the account who came in by a letter. */
async function newMember(side: Side, owner: Account, role: string): Promise<Account> {
  const { email, token } = await invite(side, owner, role);
  const api = new ApiClient(`${stand.platform.baseUrl}/api/${side}`);
  const body = { token, name: 'Vera Look', password: PASSWORD };
  const session = await api.must<{ token: string }>('POST', '/auth/accept-invitation', body);
  api.token = session.token;
  return { api, username: email, password: PASSWORD };
}

/** Answers of the API that say no to the role. */
function refusalsOf(person: Person): string[] {
  const refused: string[] = [];
  person.page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  return refused;
}

const LOOKS = /^Your role here is Viewer: you can look\. Changes are made by: /;

async function expectDisabled(person: Person, name: string | RegExp): Promise<void> {
  const button = person.button(name).first();
  await button.waitFor();
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  expect(await button.getAttribute('aria-description')).toMatch(LOOKS);
}

async function expectNoTeam(person: Person): Promise<void> {
  const team = person.link(/^Team/);
  expect(await team.getAttribute('aria-disabled')).toBe('true');
  expect(await team.getAttribute('aria-description')).toContain('This is for: Admin.');
}

/** Opens each; what can be changed there says on top who does. */
async function walk(person: Person, pages: Readonly<Record<string, boolean>>): Promise<void> {
  for (const [address, isChanged] of Object.entries(pages)) {
    await person.open(address);
    const told = await person.page.getByRole('note').getByText(LOOKS).count();
    expect([address, told]).toEqual([address, isChanged ? 1 : 0]);
  }
}

test('advertiser · a member who may only look · reads every page and meets no refusal of the API', async () => {
  const owner = await stand.newAccount('advertiser', 'Lookers');
  const { id } = await owner.api.must<{ id: number }>('POST', '/campaigns', {
    name: 'Autumn ropes',
    ad_type: 'TEXT',
    pricing_model: 'CPC',
    bid: 0.2,
    landing_url: 'https://shop.example.com/rope',
  });
  const viewer = await newMember('advertiser', owner, 'VIEWER');
  const person = await stand.newPerson({ as: ['advertiser', viewer] });
  const refused = refusalsOf(person);
  await walk(person, {
    '/advertiser': false,
    '/advertiser/campaigns': true,
    [`/advertiser/campaigns/${id}`]: true,
    [`/advertiser/campaigns/${id}?edit=1`]: true,
    '/advertiser/campaigns/new': true,
    '/advertiser/ad-groups': true,
    '/advertiser/ads': true,
    '/advertiser/creatives': true,
    '/advertiser/creatives/new': true,
    '/advertiser/reports': false,
    '/advertiser/trackers': true,
    '/advertiser/money': true,
    '/advertiser/history': false,
    '/advertiser/team': true,
    '/advertiser/notifications': true,
    '/advertiser/profile': false,
    '/advertiser/security': false,
    '/advertiser/webhooks': true,
  });
  await expectNoTeam(person);
  await person.open('/advertiser');
  await expectDisabled(person, 'New campaign');
  // Whoever may not top up is told who may, also where it is a thing to do.
  const topUps = person.button('Top up');
  await topUps.first().waitFor();
  for (const button of await topUps.all()) {
    expect(await button.getAttribute('aria-description')).toMatch(LOOKS);
  }
  expect(await person.link('Top up').count()).toBe(0);
  await person.open('/advertiser/campaigns');
  await expectDisabled(person, /^Daily budget of Autumn ropes/);
  await person.open(`/advertiser/campaigns/${id}`);
  await expectDisabled(person, 'Edit');
  expect(await person.barriers()).toEqual([]);
  await owner.api.must('PUT', `/campaigns/${id}`, { daily_budget: 30 });
  await person.open('/advertiser/history');
  await expectDisabled(person, 'Undo');
  await person.open('/advertiser/money');
  await expectDisabled(person, /order/i);
  expect(refused).toEqual([]);
  await person.open('/advertiser/profile');
  expect(await person.field(/^Company/).count()).toBe(0);
  await person.page.getByText('What is said of the account is for its Admin to change.').waitFor();
  await person.field(/^Display name/).fill('Vera');
  await person.button('Save').click();
  await person.page.getByText('Saved.').first().waitFor();
  expect(await viewer.api.must('GET', '/auth/profile')).toMatchObject({ nickname: 'Vera' });
  expect(refused).toEqual([]);
});

test('publisher · a member who may only look · reads every page and meets no refusal of the API', async () => {
  const owner = await stand.newAccount('publisher', 'Readers');
  const { id } = await owner.api.must<{ id: number }>('POST', '/sites', {
    name: 'Gazette',
    domain: 'gazette.example.com',
  });
  const viewer = await newMember('publisher', owner, 'VIEWER');
  const person = await stand.newPerson({ as: ['publisher', viewer] });
  const refused = refusalsOf(person);
  await walk(person, {
    '/publisher': false,
    '/publisher/sites': true,
    '/publisher/sites/new': true,
    [`/publisher/sites/${id}`]: true,
    [`/publisher/sites/${id}/edit`]: true,
    '/publisher/zones': true,
    '/publisher/zones/new': true,
    '/publisher/reports': false,
    '/publisher/payouts': true,
    '/publisher/payouts/accounts': true,
    '/publisher/payouts/transactions': true,
    '/publisher/kyc': true,
    '/publisher/history': false,
    '/publisher/team': true,
    '/publisher/notifications': true,
    '/publisher/profile': false,
    '/publisher/security': false,
    '/publisher/webhooks': true,
  });
  await expectNoTeam(person);
  await person.open('/publisher');
  for (const name of ['Withdraw', 'Verify', 'Prove identity']) await expectDisabled(person, name);
  await person.open('/publisher/sites');
  await expectDisabled(person, /add/i);
  await person.open(`/publisher/sites/${id}`);
  await expectDisabled(person, /archive/i);
  expect(await person.barriers()).toEqual([]);
  expect(refused).toEqual([]);
});

test('advertiser · a member for money · tops up from Home, and builds nothing', async () => {
  const owner = await stand.newAccount('advertiser', 'Treasury');
  const member = await newMember('advertiser', owner, 'FINANCE');
  const person = await stand.newPerson({ as: ['advertiser', member] });
  await person.open('/advertiser');
  const topUps = person.link('Top up');
  await topUps.first().waitFor();
  expect(await person.button('New campaign').first().getAttribute('aria-disabled')).toBe('true');
  expect(await person.button('Top up').count()).toBe(0);
});

test('publisher · a member for money · withdraws, and may not change a site', async () => {
  const owner = await stand.newAccount('publisher', 'Purse');
  const member = await newMember('publisher', owner, 'FINANCE');
  const person = await stand.newPerson({ as: ['publisher', member] });
  await person.open('/publisher/payouts/accounts');
  expect(await person.page.getByRole('note').count()).toBe(0);
  expect(await person.link(/add/i).first().getAttribute('href')).toContain('/accounts/new');
  await person.open('/publisher/sites');
  await person.page
    .getByRole('note')
    .getByText(/Finance: you can look/)
    .waitFor();
});

test('advertiser · a member who may only look · secures the own login, and names the own views', async () => {
  const owner = await stand.newAccount('advertiser', 'Guards');
  const viewer = await newMember('advertiser', owner, 'VIEWER');
  const person = await stand.newPerson({ as: ['advertiser', viewer] });
  await viewer.api.must('POST', '/auth/login', {
    username: viewer.username,
    password: viewer.password,
  });
  await person.open('/advertiser/security');
  await person.button('Add an authenticator app').click();
  await person.field(/^Your password/).fill(PASSWORD);
  await person.button('Go on').click();
  await person.page.getByRole('img', { name: 'Code to scan with an authenticator app' }).waitFor();
  await person.page.keyboard.press('Escape');
  await person.button('End all others').click();
  await person.page.getByRole('dialog').getByRole('button').last().click();
  await person.page.getByText('Ended.').waitFor();
  await person.open('/advertiser/campaigns?status=PAUSED');
  await person.button('Views').click();
  await person.page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await person.field(/^Name \*/).fill('Idle');
  await person.button('Save').click();
  await person.button('View: Idle').click();
  await person.page.getByRole('menuitem', { name: 'Manage views…' }).click();
  await person.button('Actions: Idle').click();
  await person.page.getByRole('menuitem', { name: 'Delete' }).click();
  await person.button('Delete').click();
  await person.page.getByText('No view is kept of this page yet.').waitFor();
});

test('advertiser · a member who builds · is told that a server is for ADMIN, and reads what it was told', async () => {
  const owner = await stand.newAccount('advertiser', 'Builders');
  const { id } = await owner.api.must<{ id: number }>('POST', '/webhooks', {
    url: 'https://shop.example.com/told',
    kinds: ['balance_low'],
  });
  const editor = await newMember('advertiser', owner, 'EDITOR');
  const person = await stand.newPerson({ as: ['advertiser', editor] });
  const refused = refusalsOf(person);
  await person.open(`/advertiser/webhooks/${id}`);
  for (const name of ['Send a test', 'Pause', 'Save']) {
    const button = person.button(name).first();
    expect([name, await button.getAttribute('aria-disabled')]).toEqual([name, 'true']);
    expect(await button.getAttribute('aria-description')).toContain('Changes are made by: Admin.');
  }
  expect(refused).toEqual([]);
});

test('a role · chosen in the list of the team · is asked about before it is given', async () => {
  const owner = await stand.newAccount('advertiser', 'Promoters');
  await newMember('advertiser', owner, 'VIEWER');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const roles = async (): Promise<string[]> =>
    (await owner.api.must<{ items: { role: string }[] }>('GET', '/members')).items.map(
      ({ role }) => role,
    );
  await person.open('/advertiser/team');
  const select = person.field(/^May do: viewer-/);
  await select.selectOption('ADMIN');
  const dialog = person.page.getByRole('dialog');
  await dialog.getByText('Everything, also this page').waitFor();
  expect(await person.barriers()).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await person.settled();
  expect(await roles()).toEqual(['VIEWER']);
  expect(await select.inputValue()).toBe('VIEWER');
  await select.selectOption('FINANCE');
  await dialog.getByRole('button', { name: 'Make Finance' }).click();
  await person.page.getByText('Changed.').waitFor();
  expect(await roles()).toEqual(['FINANCE']);
});

/** What has the focus: its own name. */
const focused = async ({ page }: Person): Promise<string> =>
  await page.evaluate<string>(`(() => {
    const { activeElement: node } = document;
    if (node === document.body) return 'nothing';
    return node.getAttribute('aria-label') ?? (node.labels?.[0] ?? node).textContent;
  })()`);

test('team · invited, suspended and removed by keys · each is asked first, and the focus stays in the list', async () => {
  const owner = await stand.newAccount('publisher', 'Ferries');
  const member = await newMember('publisher', owner, 'EDITOR');
  const person = await stand.newPerson({ as: ['publisher', owner] });
  const { keyboard } = person.page;
  const choose = async (item: string): Promise<void> => {
    await person.button(`Actions: ${member.username}`).press('Enter');
    await person.page.getByRole('menuitem', { name: item }).press('Enter');
  };
  const asked = async (button: string): Promise<void> => {
    const dialog = person.page.getByRole('dialog');
    await dialog.getByText(member.username).waitFor();
    expect(await person.dialogBarriers()).toEqual([]);
    await dialog.getByRole('button', { name: button }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await person.settled();
  };
  await person.open('/publisher/team');
  await person.field(/^E-mail/).fill('second@ferries.example.com');
  await keyboard.press('Enter');
  await person.button('Actions: second@ferries.example.com').waitFor();
  await until('the next one can be written', async () =>
    (await focused(person)).startsWith('E-mail'),
  );
  await choose('Suspend');
  await asked('Suspend');
  await person.page.getByRole('cell', { name: 'Suspended' }).waitFor();
  expect(await focused(person)).toBe(`Actions: ${member.username}`);
  await choose('Remove');
  await asked('Remove');
  await person.page.getByText(member.username).waitFor({ state: 'detached' });
  const left = person.page.getByRole('row').filter({ hasText: 'second@ferries.example.com' });
  await until(
    'the focus is on who is left',
    async () => (await left.locator(':focus').count()) === 1,
  );
});

test('what was pressed · busy, or gone when it is done · gives the focus to what stands there', async () => {
  const owner = await stand.newAccount('publisher', 'Locks');
  await new ApiClient(`${stand.platform.baseUrl}/api/publisher`).login(owner.username, PASSWORD);
  const person = await stand.newPerson({ as: ['publisher', owner] });
  await person.open('/publisher/notifications/settings');
  await person.button('Save').press('Enter');
  await person.page.getByText('Saved.', { exact: true }).waitFor();
  await until('it can be pressed again', async () => (await focused(person)) === 'Save');
  await person.open('/publisher/security');
  const end = person.page.getByRole('list').getByRole('button', { name: /^End/ });
  expect(await end.count()).toBeGreaterThan(1);
  await end.last().press('Enter');
  await until('another session has the focus', async () =>
    (await focused(person)).startsWith('End '),
  );
});

test('an invitation · opened · names the account, the role and the address, and joins', async () => {
  const owner = await stand.newAccount('advertiser', 'Harbour');
  const { email, token } = await invite('advertiser', owner, 'FINANCE');
  const person = await stand.newPerson();
  await person.page.goto(`${stand.platform.baseUrl}/console/#invitation=advertiser.${token}`);
  await person.heading('Join Harbour Ltd').waitFor();
  await person.page
    .getByText(
      `You are invited as Finance. Say your name and choose a password; you log in with ${email}.`,
    )
    .waitFor();
  expect(await person.barriers()).toEqual([]);
  await person.field(/^Your name/).fill('Fay Ledger');
  await person.field(/^Password/).fill(PASSWORD);
  await person.button('Join').click();
  await person.page.waitForURL('**/console/advertiser');
});

test('an invitation · that was used · says so, and leads who has joined to the login', async () => {
  const owner = await stand.newAccount('publisher', 'Twice');
  const member = await newMember('publisher', owner, 'EDITOR');
  const token = invitationToken(stand.platform, 'publisher');
  const person = await stand.newPerson();
  person.expects(/status of 422/);
  await person.page.goto(`${stand.platform.baseUrl}/console/#invitation=publisher.${token}`);
  // Before anything is typed.
  await person.page.getByRole('alert').getByText('This invitation was used').waitFor();
  expect(await person.barriers()).toEqual([]);
  await person.link('Log in').click();
  await person.field(/^Username/).fill(member.username);
  await person.field(/^Password/).fill(PASSWORD);
  await person.button('Log in').click();
  await person.page.waitForURL('**/console/publisher');
});

test.each(['advertiser', 'publisher'] as const)(
  'a letter of an invitation · opened at the %s’s · its token leaves the address, and the page stands a reload',
  async (side) => {
    const owner = await stand.newAccount(side, `Letter${side}`);
    const { id: accountId } = await owner.api.must<{ id: number }>('GET', '/auth/profile');
    const tell = async (name: string): Promise<void> => {
      await stand.platform.db.models.notifications.create({
        accountId,
        kind: 'review_decided',
        subjectType: side === 'advertiser' ? 'campaign' : 'site',
        subjectId: 1,
        params: { name },
        shown: true,
      });
    };
    await tell('spring before');
    const { token } = await invite(side, owner, 'VIEWER');
    const person = await stand.newPerson();
    await person.open(`/${side}/accept?token=${token}`);
    await person.page.waitForURL((url) => !url.href.includes('token'));
    await person.page.reload();
    expect(person.page.url()).not.toContain('token');
    await person.field(/^Your name/).fill('Vera Look');
    await person.field(/^Password/).fill(PASSWORD);
    await person.button(/^(Accept|Join)/).click();
    await person.page.waitForURL(`**/console/${side}`);
    const kept = "Object.keys(sessionStorage).filter((key) => key.startsWith('letter'))";
    expect(await person.page.evaluate(kept)).toEqual([]);
    // What was told before they came is there, and no news to them.
    await person.open(`/${side}/notifications`);
    await person.heading('Notifications').waitFor();
    await person.page.getByText('spring before').waitFor();
    expect(await person.page.locator('main').innerText()).toContain('No news');
    await tell('autumn after');
    await person.page.reload();
    await person.page.getByText('autumn after').waitFor();
    expect(await person.page.locator('main').innerText()).toContain('1 unread');
    expect(await owner.api.must('GET', '/notifications')).toMatchObject({ unread: 2 });
    const unread = await owner.api.must('GET', '/notifications?status=unread');
    expect(unread).toMatchObject({ total: 2 });
  },
);
