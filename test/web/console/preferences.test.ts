import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Account,
  type ConsoleStand,
  PASSWORD,
  type Person,
  startConsole,
} from '../../support/console.ts';
import { until } from '../../support/until.ts';

/** How somebody reads is kept of the person, not of the browser (interface 5.10). */
let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const kept = async ({ api }: Account): Promise<Record<string, unknown>> =>
  await api.must('GET', '/preferences');

/** Subjects of all letters, in words. */
function subjects(): string[] {
  const folder = stand.platform.env['MAIL_DIR'] ?? '';
  return readdirSync(folder)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => {
      const letter = readFileSync(path.join(folder, file), 'utf8').replace(/\r?\n[ \t]+/g, '');
      const [, subject = ''] = /^Subject: (.*)$/im.exec(letter) ?? [];
      return subject.replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_whole, text: string) =>
        Buffer.from(text, 'base64').toString('utf8'),
      );
    });
}

async function chooseChinese(person: Person): Promise<void> {
  await person.button('Preferences').click();
  await person.field('Language').selectOption('zh');
  await person.button('偏好设置').waitFor();
  await person.settled();
}

async function logIn(person: Person, { username }: Account): Promise<void> {
  await person.open('/publisher/login');
  await person.field(/^Username/).fill(username);
  await person.field(/^Password/).fill(PASSWORD);
  await person.button('Log in').click();
  await person.page.waitForURL(/\/publisher$/);
  await person.settled();
}

test('Chinese · chosen in one browser · is what another one shows, and the language of the next letter', async () => {
  const account = await stand.newAccount('publisher', 'Fields');
  const person = await stand.newPerson({ as: ['publisher', account] });
  await person.open('/publisher');
  await chooseChinese(person);
  expect(await kept(account)).toMatchObject({ language: 'zh' });
  const other = await stand.newPerson();
  await logIn(other, account);
  await other.heading('首页').waitFor();
  expect(await other.barriers()).toEqual([]);
  await account.api.must('POST', '/auth/forgot-password', { email: account.username });
  await until('the letter is there, in Chinese', () => subjects().includes('设置新密码'));
});

test('preferences · of whoever has never said any · are kept as the browser shows them', async () => {
  const account = await stand.newAccount('advertiser', 'Meadows');
  const person = await stand.newPerson({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
  await person.open('/advertiser');
  await person.page.evaluate(
    `localStorage.setItem('adp-token-advertiser', '${account.api.token}')`,
  );
  await person.open('/advertiser');
  await until('they are kept', async () => (await kept(account))['updated_at'] !== null);
  expect(await kept(account)).toMatchObject({
    language: 'zh',
    time_zone: 'Asia/Shanghai',
    theme: 'auto',
  });
});

test('a change that the API does not take · is told, and what is shown stays', async () => {
  const account = await stand.newAccount('publisher', 'Hedges');
  const person = await stand.newPerson({ as: ['publisher', account] });
  person.expects(/status of 503/);
  await person.open('/publisher');
  await person.page.route('**/preferences', async (route) => {
    await route.fulfill({ status: 503, body: '' });
  });
  await person.button('Preferences').click();
  await person.field('Language').selectOption('zh');
  await person.page.getByRole('alert').first().waitFor();
  expect(await person.field('Language').inputValue()).toBe('en');
  expect(await kept(account)).toMatchObject({ language: 'en' });
});

test('a day above a list · is in the language of the page, not of the browser, until somebody types in it', async () => {
  const account = await stand.newAccount('advertiser', 'Days');
  await account.api.must('PUT', '/preferences', { language: 'zh' });
  const person = await stand.newPerson({ as: ['advertiser', account] });
  await person.open('/advertiser/history?start_date=2026-03-12');
  const from = person.page.getByLabel('从', { exact: true });
  const words = person.page.getByText('2026年3月12日', { exact: true });
  await words.waitFor();
  await person.page.getByText('不限日期', { exact: true }).waitFor();
  expect(await person.barriers()).toEqual([]);
  await from.focus();
  await words.waitFor({ state: 'hidden' });
  await person.page.keyboard.press('Tab');
  await from.fill('2026-03-13');
  await from.blur();
  await person.page.getByText('2026年3月13日', { exact: true }).waitFor();
  await person.page.waitForURL(/start_date=2026-03-13/);
});
