import {
  type Account,
  type ConsoleStand,
  type Person,
  startConsole,
} from '../../support/console.ts';

/** Whom, when and how often: set in forms, read in words by who pays and by who reviews. */
let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
  const admin = await stand.operator('ADMIN');
  // A machine would approve what a reviewer is to look at here.
  await admin.api.must('PUT', '/settings/review.campaign', { value: 'human' });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

interface Targeted {
  id: number;
  target_browsers: string[] | null;
  weekdays: number[] | null;
  target_hours: number[] | null;
  frequency_cap: unknown;
  bid_adjustments: unknown;
}

const newCampaign = async ({ api }: Account, more: object = {}): Promise<number> =>
  (
    await api.must<Targeted>('POST', '/campaigns', {
      name: 'Winter ropes',
      ad_type: 'TEXT',
      pricing_model: 'CPC',
      bid: 0.2,
      landing_url: 'https://shop.example.com/rope',
      ...more,
    })
  ).id;

const toggle = ({ page }: Person, name: string) =>
  page.getByRole('checkbox', { name, exact: true });

async function choose(person: Person, field: RegExp, option: string): Promise<void> {
  await person.page.getByRole('combobox', { name: field }).last().click();
  await person.page.getByRole('option', { name: option, exact: true }).click();
}

const facts = async ({ page }: Person): Promise<string> =>
  (await page.locator('dl').first().innerText()).replaceAll('\n', ' ');

test('a campaign · its schedule, cap and adjustments · are refused at their fields, then set, and read in words', async () => {
  const owner = await stand.newAccount('advertiser', 'Harbour');
  // A value that no list of the form knows is not lost by it.
  const id = await newCampaign(owner, {
    target_keywords: ['rope'],
    bid_adjustments: { device: { FRIDGE: 10 } },
  });
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const { page } = person;
  await person.open(`/advertiser/campaigns/${id}?edit=1`);
  // Something is set inside: it stands open.
  await page.getByRole('combobox', { name: 'Browsers' }).waitFor();
  await page.getByText(/Hours are of UTC, where it is \d\d:\d\d\./).waitFor();
  await person.button('Days of the week: Monday to Friday').click();
  await toggle(person, 'Fri').focus();
  await page.keyboard.press('Space');
  await person.button('Hours of the day: 20:00 to 08:00').click();
  await toggle(person, '12:00').check();
  await person.field(/^Impressions per viewer/).fill('20000');
  await person.button('Add: Device').click();
  await choose(person, /^Device/, 'Phones');
  await page
    .getByRole('textbox', { name: /^Change of the bid/ })
    .last()
    .fill('600');
  await person.button('Save').click();
  const impressions = person.field(/^Impressions per viewer/);
  const why = async (name: RegExp) =>
    await page.getByRole('textbox', { name }).last().getAttribute('aria-describedby');
  await page.getByText('At most 10000.', { exact: true }).waitFor();
  expect(await impressions.getAttribute('aria-invalid')).toBe('true');
  await page.getByText('Between −90 and 500, and not 0.', { exact: true }).waitFor();
  // The number alone says nothing: its time is asked for.
  await page.getByText('Required.', { exact: true }).waitFor();
  expect(await why(/^Change of the bid/)).toContain('error');
  expect(await person.barriers()).toEqual([]);
  await impressions.fill('3');
  await person.field(/^Within/).fill('2');
  await choose(person, /^Unit/, 'hours');
  await choose(person, /^Counted per/, 'Ad');
  await page
    .getByRole('textbox', { name: /^Change of the bid/ })
    .last()
    .fill('-20.5');
  await choose(person, /^Browsers/, 'Firefox');
  await page.keyboard.press('Escape');
  await person.button('Save').click();
  await person.button('Edit').waitFor();
  expect(await owner.api.must<Targeted>('GET', `/campaigns/${id}`)).toMatchObject({
    target_keywords: ['rope'],
    target_browsers: ['FIREFOX'],
    weekdays: [1, 2, 3, 4],
    target_hours: [0, 1, 2, 3, 4, 5, 6, 7, 12, 20, 21, 22, 23],
    frequency_cap: { impressions: 3, window_seconds: 7_200, per: 'ad' },
    bid_adjustments: { device: { FRIDGE: 10, MOBILE: -20.5 } },
  });
  const inWords = [
    'Mon – Thu',
    '12:00 – 13:00, 20:00 – 08:00 UTC',
    'At most 3 per viewer within 2 hours, counted per ad',
    'FRIDGE +10%, Phones -20.5%',
    'Firefox',
  ];
  for (const words of inWords) expect(await facts(person)).toContain(words);
  expect(await person.barriers()).toEqual([]);
  await person.open(`/advertiser/campaigns/${id}?tab=history`);
  await page.locator('summary').first().click();
  for (const words of inWords) await page.getByText(words, { exact: true }).waitFor();
  const reviewer = await stand.operator('REVIEWER');
  const { items } = await reviewer.api.must<{ items: { id: number }[] }>(
    'GET',
    `/tasks?status=open&subject_type=campaign&subject_id=${id}`,
  );
  const desk = await stand.newPerson({ as: ['admin', reviewer] });
  await desk.open(`/operator/tasks/${items[0]?.id}`);
  for (const words of inWords) await desk.page.getByText(words, { exact: true }).waitFor();
}, 120_000);

test('an ad group · made at 360 px in Chinese · has its own cap and adjustments, and loses them where they are taken out', async () => {
  const owner = await stand.newAccount('advertiser', 'Quay');
  const campaign = await newCampaign(owner);
  const person = await stand.newPerson({
    as: ['advertiser', owner],
    viewport: { width: 360, height: 800 },
    locale: 'zh-CN',
  });
  const { page } = person;
  await person.open(`/advertiser/ad-groups/new?campaign_id=${campaign}`);
  await person.field(/^名称/).fill('夜间');
  await person.button(/^更多定向/).click();
  await person.field(/^每位观看者的展示次数/).fill('5');
  await person.field(/^时间范围/).fill('1');
  await person.button('添加：国家和地区').click();
  await choose(person, /^国家和地区/, '德国');
  await page.getByRole('textbox', { name: /^出价增减/ }).fill('50');
  await person.settled();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await person.barriers()).toEqual([]);
  await person.button('创建').click();
  await page.waitForURL(/ad-groups\/\d+$/);
  const group = async (): Promise<Targeted> => {
    const { items } = await owner.api.must<{ items: Targeted[] }>('GET', '/adgroups');
    return items[0] as Targeted;
  };
  expect(await group()).toMatchObject({
    frequency_cap: { impressions: 5, window_seconds: 86_400, per: 'adgroup' },
    bid_adjustments: { geo: { DE: 50 } },
  });
  await page.getByText('每位观看者在1天内最多 5 次，按广告组计数').waitFor();
  await person.button('编辑').click();
  await person.button('移除：国家和地区 德国').click();
  await person.field(/^每位观看者的展示次数/).fill('');
  await person.field(/^时间范围/).fill('');
  await person.button('保存').click();
  await person.button('编辑').waitFor();
  expect(await group()).toMatchObject({ frequency_cap: null, bid_adjustments: null });
}, 120_000);

test('a new campaign · with more targeting · says it in its summary and is made with it', async () => {
  const owner = await stand.newAccount('advertiser', 'Pier');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const { page } = person;
  await person.open('/advertiser/campaigns/new');
  await choose(person, /^Ad type/, 'Text');
  await person.field(/^Title/).fill('Ropes that hold');
  await person.field(/^Landing page/).fill('https://shop.example.com/rope');
  await person.field(/^Your bid/).fill('0.2');
  await person.field(/^Campaign name/).fill('Weekend ropes');
  await person.button(/^More targeting/).click();
  await person.button('Days of the week: Weekend').click();
  await page.getByText('Sat – Sun').waitFor();
  // Where somebody is, the day may begin at another time.
  await person.button('When').click();
  await page.getByText('From 00:00 UTC.').waitFor();
  await person.field(/^First day/).fill('2027-10-31');
  await page.getByText('From Oct 31, 2027 (UTC), without end').waitFor();
  await person.button('Create and submit for review').click();
  await page.waitForURL(/\/campaigns\/\d+$/);
  await page.getByText('From Oct 31, 2027 (UTC), without end').waitFor();
  const { items } = await owner.api.must<{ items: Targeted[] }>('GET', '/campaigns');
  expect(items[0]).toMatchObject({
    weekdays: [6, 7],
    target_hours: null,
    frequency_cap: null,
    bid_adjustments: null,
  });
});
