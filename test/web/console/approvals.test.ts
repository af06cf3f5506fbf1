import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { joinPlatform } from '../../support/newcomer.ts';
import { until } from '../../support/until.ts';

/** interface 5.19 as persons meet it: one asks, who asked cannot agree, another does. */
let stand: ConsoleStand;
let maker: Account;
let checker: Account;

beforeAll(async () => {
  stand = await startConsole();
  maker = await stand.operator('ADMIN');
  checker = await stand.operator('FINANCE');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const KEY = 'payout.second_approval_above';
const NAME = 'Withdrawals above this within 24 hours need a second person';

async function limit(): Promise<unknown> {
  const { items } = await maker.api.must<{ items: { key: string; value: unknown }[] }>(
    'GET',
    '/settings',
  );
  return items.find(({ key }) => key === KEY)?.value;
}

test.each([
  ['a wide screen', 1_280, 7_000],
  ['a telephone', 360, 6_000],
])(
  'a limit of money · on %s · is asked for by one, and holds when another has agreed',
  async (_screen, width, value) => {
    const before = await limit();
    const viewport = { width, height: 800 };
    const asking = await stand.newPerson({ as: ['admin', maker], viewport });
    await asking.open('/operator/settings');
    await asking.button(`Change: ${NAME}`).click();
    await asking.field(/^New value|^Value/).fill(String(value));
    // A bare number is money: what was typed, what it was, and on the page of who agrees.
    const said = `$${value.toLocaleString('en-US')}.00`;
    await asking.page.getByRole('dialog').getByText(said).waitFor();
    expect(await asking.dialogBarriers()).toEqual([]);
    await asking.button('See what changes').click();
    await asking.page.locator('ins', { hasText: said }).waitFor();
    await asking.page.getByText('nothing changes before a second person').waitFor();
    await asking.button('Save').click();
    const waiting = asking.link(new RegExp(`Setting ${NAME}`));
    await asking.page.getByText(`New value: ${said}`).waitFor();
    await waiting.click();
    await asking.heading(/^Approval \d+$/).waitFor();
    await asking.settled();
    expect(await asking.barriers()).toEqual([]);
    // Whoever asked is told why not, here and on the desk.
    expect(await asking.button('Approve').getAttribute('aria-disabled')).toBe('true');
    expect(await limit()).toBe(before);
    await asking.open('/operator');
    const beside = ({ page }: Person) =>
      page.getByRole('table', { name: 'Approvals and lost factors' }).getByRole('row');
    await beside(asking).getByText('You asked for this: another person decides.').waitFor();
    expect(await asking.barriers()).toEqual([]);

    const agreeing = await stand.newPerson({ as: ['admin', checker], viewport });
    await agreeing.open('/operator/approvals');
    await agreeing.settled();
    expect(await agreeing.barriers()).toEqual([]);
    await agreeing.page.getByRole('row', { name: /Waits for a second person/ }).waitFor();
    await agreeing.open('/operator');
    const asked = beside(agreeing).filter({ hasText: `Asked by ${maker.username}` });
    await asked.getByRole('link', { name: `Setting: ${NAME}` }).click();
    await agreeing.heading(/^Approval \d+$/).waitFor();
    const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await agreeing.page.evaluate<boolean>(wide)).toBe(false);
    await agreeing.page.getByText(said).waitFor();
    // A setting goes by what it says, in the facts as well.
    const facts = agreeing.page.getByRole('main');
    await facts.getByText(NAME, { exact: true }).waitFor();
    expect(await facts.getByText(KEY).count()).toBe(0);
    await agreeing.button('Refuse').click();
    expect(await agreeing.dialogBarriers()).toEqual([]);
    await agreeing.page.keyboard.press('Escape');
    await agreeing.page.getByRole('dialog').waitFor({ state: 'detached' });
    await agreeing.button('Approve').click();
    expect(await agreeing.dialogBarriers()).toEqual([]);
    await agreeing.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await until('it holds', async () => (await limit()) === value);
    await agreeing.page.getByText('Done').first().waitFor();
    // The log names the setting as the page does, and leads to what was agreed.
    await asking.open('/operator/audit?action=approval.approve');
    const entry = asking.page.getByRole('row').filter({ hasText: NAME }).first();
    await entry.getByRole('link', { name: /^Approval.\d+$/ }).click();
    await asking.heading(/^Approval \d+$/).waitFor();
    expect(await asking.barriers()).toEqual([]);
    await asking.open('/operator/audit?action=setting.ask');
    const change = asking.page.getByRole('row').filter({ hasText: NAME }).first();
    await change.getByText(`After: ${said}`).waitFor();
  },
  180_000,
);

test('the desk · what waits and is no task · stands there by age, its number is the menu’s; keys reach it', async () => {
  const lost = await stand.newAccount('publisher', 'Lost');
  const { id } = await lost.api.must<{ id: number }>('GET', '/auth/profile');
  await stand.platform.pool.query(
    `INSERT INTO factor_recoveries (kind, person_type, person_id, account_id, not_before)
     VALUES ('PUBLISHER', 'ACCOUNT', $1, $1, now() + interval '3 days')`,
    [id],
  );
  const keys = ['deposit.minimum.BANK', 'payout.fee_cents.PAXUM', 'deposit.minimum.USDT', KEY];
  for (const [index, value] of [20, 250, 30, 8_000].entries()) {
    await maker.api.must('PUT', `/settings/${keys[index]}`, { value });
  }
  const admin = await stand.newPerson({ as: ['admin', maker] });
  await admin.open('/operator');
  const table = admin.page.getByRole('table', { name: 'Approvals and lost factors' });
  const first = table.getByRole('link').first();
  expect(await first.textContent()).toMatch(/lost/i);
  await admin.page.getByText('5 approvals and lost factors wait').waitFor();
  await admin.page.getByRole('link', { name: /^Desk.*5 waiting$/ }).waitFor();
  await admin.page.keyboard.press('j');
  expect(await first.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  expect(await admin.barriers()).toEqual([]);
  await first.click();
  await admin.heading('Lost second factors').waitFor();
  await admin.button(/^Refuse/).click();
  expect(await admin.dialogBarriers()).toEqual([]);
  // A choice of the queue leaves what is of no kind.
  await admin.open('/operator?mine=true');
  expect(await table.count()).toBe(0);

  // Each role has what its own pages would show it.
  const support = await stand.newPerson({ as: ['admin', await stand.operator('SUPPORT')] });
  await support.open('/operator');
  await support.page.getByText('1 approval or lost factor waits').waitFor();
  const reviewer = await stand.newPerson({ as: ['admin', await stand.operator('REVIEWER')] });
  await reviewer.open('/operator');
  expect(await reviewer.page.getByText(/lost factors? waits?/).count()).toBe(0);
}, 120_000);

test('a new operator · waits for a second person · is named with the role; who looks on sees that a colleague agreed', async () => {
  await joinPlatform(stand.platform, maker, { username: 'wren', role: 'SUPPORT' });
  const looking = await stand.newPerson({ as: ['admin', checker] });
  await looking.open('/operator');
  await looking.link('New operator wren (Support)').click();
  await looking.heading(/^Approval \d+$/).waitFor();
  await looking.page.getByRole('main').getByText('Support', { exact: true }).waitFor();
  expect(await looking.page.getByText('SUPPORT', { exact: true }).count()).toBe(0);
  await looking.button('Approve').click();
  const id = looking.page.url().split('/').at(-1);
  const colleague = await stand.colleague('FINANCE');
  await colleague.api.must('POST', `/approvals/${id}/approve`);
  // Too late by a moment: refused, and the page behind it is of now.
  looking.expects(/status of 409/);
  await looking.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await looking.page.getByRole('main').getByText(colleague.username).waitFor();
});
