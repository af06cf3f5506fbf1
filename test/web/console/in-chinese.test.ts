import { type Account, type ConsoleStand, PASSWORD, startConsole } from '../../support/console.ts';

/** What the API says, in a console that is read in Chinese. */
let stand: ConsoleStand;
let buyer: Account;
let seller: Account;

beforeAll(async () => {
  stand = await startConsole();
  buyer = await stand.newAccount('advertiser', 'Reads');
  seller = await stand.newAccount('publisher', 'Shows');
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

const LOCALE = { locale: 'zh-CN' };

test('a refusal · of a list · names what and which field, and a sentence that is new as it was sent', async () => {
  const person = await stand.newPerson({ as: ['advertiser', buyer], ...LOCALE });
  person.expects(/status of 409/);
  const errors = [
    { field: 'landing_url', code: 'url', message: 'must be an http or https address' },
    { field: 'moon', code: 'new', message: 'A sentence of a later platform.' },
  ];
  await person.page.route('**/api/advertiser/campaigns?*', async (route) => {
    const data = { error: 'state_conflict', errors, request_id: 'r' };
    const body = { code: 40_900, message: 'Cannot pause while ARCHIVED.', data };
    await route.fulfill({ status: 409, json: body });
  });
  await person.page.goto(`${stand.platform.baseUrl}/console/advertiser/campaigns`);
  const alert = person.page.getByRole('alert');
  await alert.getByText('当前状态为“已归档”，无法执行“暂停”。').waitFor();
  expect(await alert.textContent()).toMatch(
    /落地页：须为 http 或 https 网址。moon：A sentence of a later platform\./,
  );
}, 60_000);

test('a field · that the API refuses · says so in Chinese', async () => {
  const person = await stand.newPerson({ as: ['publisher', seller], ...LOCALE });
  person.expects(/status of 422/);
  await person.open('/publisher/sites/new');
  await person.page.locator('input[name=name]').fill('晚报');
  await person.page.locator('input[name=domain]').fill('co.uk');
  await person.page.locator('form button[type=submit]').click();
  await person.page.getByText('须为可注册的域名，例如 news.example.com。').first().waitFor();
}, 60_000);

test('an instruction · how a site is proved · is in Chinese', async () => {
  const { id } = await seller.api.must<{ id: number }>('POST', '/sites', {
    name: 'Abendblatt',
    media_type: 'WEB',
    domain: 'abendblatt.example.com',
  });
  const person = await stand.newPerson({ as: ['publisher', seller], ...LOCALE });
  await person.open(`/publisher/sites/${id}`);
  await person.page.getByText('将此标签放入首页的 head 中。').waitFor();
  // Whoever reads it is the account whose turn it is.
  await person.page.getByText('轮到您', { exact: true }).waitFor();
}, 60_000);

test('a report · by device · names it as its reader does', async () => {
  const person = await stand.newPerson({ as: ['advertiser', buyer], ...LOCALE });
  await person.page.route('**/api/advertiser/statistics/report?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { items: object[]; totals: object } };
    body.data.items = [{ ...body.data.totals, device: 'MOBILE' }];
    await route.fulfill({ response, json: body });
  });
  await person.open('/advertiser/reports?range=today&zone_name=UTC&by=device');
  await person.page.getByRole('cell', { name: '手机', exact: true }).waitFor();
}, 60_000);

test('who signs up · in a console in Chinese · says so with the registration, as its letter goes out at once', async () => {
  const person = await stand.newPerson({ ...LOCALE, timezoneId: 'Asia/Shanghai' });
  await person.open('/publisher/register');
  const fill = async (name: string, value: string): Promise<void> =>
    await person.page.locator(`input[name=${name}]`).fill(value);
  await fill('contact_name', '林');
  await fill('company_name', '晚报');
  await fill('email', 'lin@wanbao.example.com');
  await fill('password', PASSWORD);
  const sent = person.page.waitForRequest('**/auth/register');
  await person.page.locator('form button[type=submit]').click();
  expect((await sent).postDataJSON()).toMatchObject({
    preferences: { language: 'zh', time_zone: 'Asia/Shanghai', theme: 'auto' },
  });
  await person.page.waitForURL('**/console/publisher');
  await person.settled();
}, 60_000);

test('states · of a call that waits, and in the history · are in words of their own', async () => {
  const { id } = await seller.api.must<{ id: number }>('POST', '/webhooks', {
    url: 'http://shop.example.com/nothing',
    kinds: ['review_decided'],
  });
  const person = await stand.newPerson({ as: ['publisher', seller], ...LOCALE });
  await person.page.route(`**/api/publisher/webhooks/${id}/deliveries?*`, async (route) => {
    const row = { id: 1, kind: 'review_decided', status: 'PENDING', attempts: 1, body: '{}' };
    const rest = { event_id: 'msg_1', last_outcome: 'DNS_NXDOMAIN', took_ms: 7, answer: null };
    const at = { created_at: '2026-01-05T10:00:00Z', next_attempt_at: null };
    const items = [{ ...row, ...rest, ...at }];
    const data = { items, total: 1, page: 1, page_size: 20, total_pages: 1 };
    await route.fulfill({ json: { code: 0, message: 'ok', data } });
  });
  await person.open(`/publisher/webhooks/${id}`);
  await person.page.getByRole('cell', { name: '排队中', exact: true }).waitFor();
  await person.page.getByRole('cell', { name: '没有使用此名称的服务器', exact: true }).waitFor();
  await seller.api.must('PUT', `/webhooks/${id}`, { status: 'PAUSED' });
  await person.open('/publisher/history');
  await person.page.locator('td ins').first().getByText('已暂停', { exact: true }).waitFor();
}, 60_000);

test('values · of a tracker, in the history · are in words', async () => {
  const made = { name: '结账', type: 'POSTBACK', event_type: 'SIGNUP' };
  const { id } = await buyer.api.must<{ id: number }>('POST', '/trackers', made);
  const changed = { type: 'PIXEL', event_type: 'LEAD', count_mode: 'EVERY' };
  await buyer.api.must('PUT', `/trackers/${id}`, changed);
  const person = await stand.newPerson({ as: ['advertiser', buyer], ...LOCALE });
  await person.open('/advertiser/history');
  await person.page.locator('details summary').first().click();
  const values = person.page.locator('details ins');
  for (const value of ['像素', '线索', '每个编号（txid）一次']) {
    await values.getByText(value, { exact: true }).waitFor();
  }
}, 60_000);

test('a conversion that waits · is for its advertiser to decide, and for no reviewer', async () => {
  const person = await stand.newPerson({ as: ['advertiser', buyer], ...LOCALE });
  await person.page.route('**/api/advertiser/conversions?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { items: object[]; total: number } };
    const names = { tracker_id: 1, tracker_name: '结账', campaign_id: null, campaign_name: null };
    const money = { value: 1, currency: 'USD', cost: 1, txid: null };
    const when = { created_at: '2026-01-05T10:00:00Z', due_at: null, decide_by: null };
    const state = { status: 'PENDING', reason: null, note: null, findings: [] };
    body.data.items = [{ id: 1, ...names, ...money, ...when, ...state }];
    body.data.total = 1;
    await route.fulfill({ response, json: body });
  });
  await person.open('/advertiser/conversions');
  await person.page.locator('[data-state]').getByText('待确认', { exact: true }).waitFor();
}, 60_000);

test('a day · chosen in a browser of another language · stands below in the reader’s words', async () => {
  await buyer.api.must('PUT', '/preferences', { language: 'zh' });
  const person = await stand.newPerson({ as: ['advertiser', buyer] });
  await person.open('/advertiser/ad-groups/new');
  const day = person.page.locator('input[name=start_date]');
  await day.fill('2027-03-12');
  await person.page.getByText('2027年3月12日星期五', { exact: true }).waitFor();
  expect(await person.barriers()).toEqual([]);
  await day.fill('');
  await person.page.getByText('2027年3月12日星期五').waitFor({ state: 'detached' });
}, 60_000);

test('what stands between Chinese words · is Chinese as well', async () => {
  const seen = await stand.newPerson({ as: ['publisher', seller], ...LOCALE });
  const bought = await stand.newPerson({ as: ['advertiser', buyer], ...LOCALE });
  const operator = await stand.operator('ADMIN');
  const run = await stand.newPerson({ as: ['admin', operator], ...LOCALE });
  // A wish that waits: in the list, on its own page, and in the log with what it changes.
  await operator.api.must('PUT', '/settings/payout.cooling_off_seconds', { value: 120 });
  const waiting = await operator.api.must<{ items: { id: number }[] }>('GET', '/approvals');
  const asked = waiting.items[0]?.id ?? 0;
  const pages: [typeof seen, string][] = [
    ...['team', 'profile', 'zones', 'payouts/new'].map((page): [typeof seen, string] => [
      seen,
      `/publisher/${page}`,
    ]),
    [bought, '/advertiser/campaigns/new'],
    [run, '/operator/health'],
    [run, '/operator/terms'],
    [run, '/operator/settings'],
    [run, '/operator/audit'],
    [run, '/operator/approvals'],
    [run, `/operator/approvals/${asked}`],
  ];
  for (const [person, page] of pages) {
    await person.open(page);
    const text = await person.page.getByRole('main').innerText();
    expect([
      page,
      text.match(/.{0,9}\p{Script=Han}\s*[:,;.](?=\s|$).{0,9}|\p{Script=Han} \(|\d %/gmu),
    ]).toEqual([page, null]);
  }
}, 120_000);

test('when a queue was last seen · on a phone · is in one line', async () => {
  const operator = await stand.operator('ADMIN');
  const narrow = { viewport: { width: 360, height: 800 } };
  const person = await stand.newPerson({ as: ['admin', operator], ...LOCALE, ...narrow });
  await person.open('/operator/health');
  const seen = person.page.getByRole('row').filter({ has: person.page.locator('code') });
  await seen.first().waitFor();
  const lines = await person.page.evaluate<number[]>(`
    [...document.querySelectorAll('tr:has(code)')].map((row) => {
      const range = document.createRange();
      range.selectNodeContents(row.lastElementChild);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4))).size;
    })`);
  expect(lines.length).toBeGreaterThan(3);
  expect(new Set(lines)).toEqual(new Set([1]));
}, 60_000);
