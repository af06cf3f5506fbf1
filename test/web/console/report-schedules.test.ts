import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { until } from '../../support/until.ts';

/** interface 5.24: a report that comes by mail, from its page to the list of those that do. */
let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const choose = async (person: Person, field: string, option: string): Promise<void> => {
  await person.page.getByRole('combobox', { name: field, exact: true }).click();
  await person.page.getByRole('option', { name: option, exact: true }).click();
};
const rowOf = (person: Person, name: string) =>
  person.page
    .getByRole('row')
    .filter({ has: person.page.getByRole('link', { name, exact: true }) });
const act = async (person: Person, name: string, label: string): Promise<void> => {
  await person.button(`Actions: ${name}`).click();
  await person.page.getByRole('menuitem', { name: label }).click();
};

test('a report · scheduled as it is shown · says when it comes, is sent now, paused and deleted', async () => {
  const account = await stand.newAccount('advertiser', 'Kettles');
  await stand.platform.pool.query(
    'UPDATE accounts SET email_confirmed_at = now() WHERE username = $1 OR email = $1',
    [account.username],
  );
  const person = await stand.newPerson({
    as: ['advertiser', account],
    timezoneId: 'Europe/Berlin',
  });
  await person.open('/advertiser/reports?range=lastMonth&by=date,campaign&figures=spend,clicks');
  await person.button('Schedule…').click();
  const dialog = person.page.getByRole('dialog', { name: 'E-mail this report' });
  await dialog.getByText(/First e-mail: .* at 8:00.AM · Europe\/Berlin/).waitFor();
  await choose(person, 'Frequency', 'Monthly');
  await choose(person, 'Day of the month', '3');
  await choose(person, 'Time', '09:00');
  await dialog.getByText(/First e-mail: .* 3, .* at 9:00.AM/).waitFor();
  expect(await dialog.getByText(/are not complete by then/).count()).toBe(0);
  expect(await person.dialogBarriers()).toEqual([]);
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await person.page.getByText('The report is scheduled.').waitFor();

  await person.link('Scheduled reports').click();
  await person.heading('Scheduled reports').waitFor();
  const name = 'Reports: Day, Campaign';
  const row = rowOf(person, name);
  await row.getByText('Day 3 of each month, 09:00 · Europe/Berlin').waitFor();
  await row.getByText('Last month').waitFor();
  await row.getByText('None yet').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  const kept = await account.api.must<{ items: object[] }>('GET', '/report-schedules');
  expect(kept.items).toMatchObject([
    {
      group_by: 'date,campaign',
      figures: 'spend,clicks',
      period: 'LAST_MONTH',
      timezone: 'Europe/Berlin',
      frequency: 'MONTHLY',
      month_day: 3,
      hour: 9,
    },
  ]);

  await act(person, name, 'Send now');
  await row.getByText(/^Sent/).waitFor();
  await row.getByRole('button', { name: `Download “${name}”` }).waitFor();
  const letters = async () => {
    const { rows } = await stand.platform.pool.query<{ status: string }>(
      `SELECT status FROM mails WHERE kind = 'report_ready'`,
    );
    return rows.map(({ status }) => status);
  };
  await until('the letter was sent', async () => (await letters())[0] === 'SENT');
  expect(await letters()).toEqual(['SENT']);

  await act(person, name, 'Pause');
  await row.getByText('Paused').waitFor();
  await act(person, name, 'Change…');
  const change = person.page.getByRole('dialog', { name: `Change “${name}”` });
  await change.getByLabel('Name').fill('Month end');
  await change.getByRole('button', { name: 'Save' }).click();
  await rowOf(person, 'Month end').getByText('Paused').waitFor();
  await act(person, 'Month end', 'Resume');
  await rowOf(person, 'Month end').getByText('Paused').waitFor({ state: 'detached' });
  await act(person, 'Month end', 'Delete');
  await person.page
    .getByRole('alertdialog')
    .or(person.page.getByRole('dialog'))
    .getByRole('button', { name: 'Delete' })
    .click();
  await person.page.getByText('No report is scheduled yet.').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('an operator on a phone, in Chinese · schedules the platform’s report · and finds it', async () => {
  const finance = await stand.operator('FINANCE');
  const person = await stand.newPerson({
    as: ['admin', finance],
    locale: 'zh-CN',
    viewport: { width: 360, height: 740 },
  });
  await person.open('/operator/reports?range=week&by=advertiser');
  await person.button('定时发送…').click();
  const dialog = person.page.getByRole('dialog', { name: '邮件发送此报表' });
  await dialog.getByText(/首次发送：/).waitFor();
  await dialog.getByText('包含发送当天，届时当天的数据尚不完整。').waitFor();
  expect(await dialog.getByLabel('文件格式').count()).toBe(0);
  await dialog.getByRole('button', { name: '创建', exact: true }).click();
  await person.page.getByText('定时报表已创建。').waitFor();
  await person.link('定时报表').click();
  await person.heading('定时报表').waitFor();
  await person.page.getByText(/每天 08:00/).waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('a publisher · by keys alone · schedules it, and goes on where they were', async () => {
  const account: Account = await stand.newAccount('publisher', 'Lampposts');
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher/reports?by=site');
  await person.button('Schedule…').focus();
  await person.page.keyboard.press('Enter');
  const dialog = person.page.getByRole('dialog', { name: 'E-mail this report' });
  await dialog.getByText(/First e-mail:/).waitFor();
  // Nobody has confirmed the address yet: no letter would come.
  const unconfirmed = dialog.getByRole('note').filter({ hasText: 'is not confirmed' });
  await unconfirmed.getByRole('button', { name: 'Send again' }).waitFor();
  await person.page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const { items } = await account.api.must<{ items: object[] }>('GET', '/report-schedules');
  expect(items).toMatchObject([{ name: 'Reports: Site', group_by: 'site', frequency: 'DAILY' }]);
  await person.settled();
  expect(await person.page.locator(':focus').textContent()).toBe('Schedule…');
  // Views are of a report: its page has them, the list of schedules has none.
  await person.button('Views').waitFor();
  await person.link('Scheduled reports').click();
  await person.heading('Scheduled reports').waitFor();
  await person.link('Reports: Site').waitFor();
  expect(await person.button('Views').count()).toBe(0);
});
