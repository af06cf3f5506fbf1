import { createTestApp, type TestApp } from '../../support/app.ts';
import { type Caller, callerOf, callerWith, dataOf, faultsOf, idOf } from '../../support/call.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  makeAdvertiser,
  makeMember,
  makeOperator,
  makePublisher,
} from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';

type Person = Omit<Caller, 'id' | 'token'>;

/** interface 5.24: schedules of reports over HTTP; what becomes of them is in test/activities/reports. */
let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await createTestApp(database);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

/** So that no limit of a minute is met. */
const pass = () => app.passTime(7_000);
const owner = async (): Promise<Person> =>
  callerOf(app, 'advertiser', (await makeAdvertiser(database.db)).id, pass);

/** Somebody of each sort; the member is the least of an account. */
const SORTS: Record<string, () => Promise<Person>> = {
  owner,
  publisher: async () => callerOf(app, 'publisher', (await makePublisher(database.db)).id, pass),
  member: async () => {
    const account = await makeAdvertiser(database.db);
    const { id } = await makeMember(database.db, account, 'VIEWER');
    return callerWith(app, 'advertiser', app.issue('advertiser', account.id, id), pass);
  },
  operator: async () =>
    callerOf(app, 'admin', (await makeOperator(database.db, 'SUPPORT')).id, pass),
};

const SCHEDULE = {
  name: 'Every morning',
  group_by: 'date',
  period: 'YESTERDAY',
  timezone: 'Europe/Berlin',
  frequency: 'DAILY',
  hour: 8,
};
const at = '/report-schedules';
const listed = async (who: Person): Promise<{ id: number }[]> =>
  (dataOf(await who.get(at)) as unknown as { items: { id: number }[] }).items;

test.each(Object.keys(SORTS))(
  'of a %s · kept, shown, changed, paused and deleted',
  async (sort) => {
    const who = await (SORTS[sort] ?? owner)();
    const made = await who.post(at, { ...SCHEDULE, name: ' Every morning ' });
    expect(made.status).toBe(201);
    expect(dataOf(made)).toMatchObject({
      ...SCHEDULE,
      filter: {},
      figures: null,
      format: 'csv',
      weekday: null,
      month_day: null,
      is_paused: false,
      last_run: null,
      version: 1,
    });
    expect(Date.parse(String(dataOf(made)['next_run_at']))).toBeGreaterThan(0);
    const id = idOf(made);
    const weekly = { frequency: 'WEEKLY', weekday: 7, hour: 23, timezone: 'utc' };
    const put = dataOf(await who.put(`${at}/${id}`, weekly));
    expect(put).toMatchObject({ ...weekly, timezone: 'UTC', name: 'Every morning', version: 2 });
    const next = new Date(String(put['next_run_at']));
    expect([next.getUTCDay(), next.getUTCHours(), next.getUTCMinutes()]).toEqual([0, 23, 0]);
    expect(await listed(who)).toEqual([put]);
    const paused = dataOf(await who.put(`${at}/${id}`, { ...put, is_paused: true }));
    expect(paused).toMatchObject({ is_paused: true, next_run_at: null, version: 3 });
    expect((await who.delete(`${at}/${id}`)).status).toBe(200);
    expect(await listed(who)).toEqual([]);
    expect((await who.delete(`${at}/${id}`)).status).toBe(404);
  },
);

test('of others · whatever is asked · is not there', async () => {
  const account = await makeAdvertiser(database.db);
  const mine = callerOf(app, 'advertiser', account.id, pass);
  const id = idOf(await mine.post(at, SCHEDULE));
  const { id: memberId } = await makeMember(database.db, account, 'ADMIN');
  const colleague = callerWith(
    app,
    'advertiser',
    app.issue('advertiser', account.id, memberId),
    pass,
  );
  const others = await Promise.all(Object.values(SORTS).map(async (make) => await make()));
  for (const other of [...others, colleague]) {
    expect((await other.put(`${at}/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await other.delete(`${at}/${id}`)).status).toBe(404);
    expect((await other.post(`${at}/${id}/run`, {})).status).toBe(404);
    expect(await listed(other)).toEqual([]);
  }
  expect(await listed(mine)).toHaveLength(1);
});

test('an operator who reads no report · asks · may not', async () => {
  const { id } = await makeOperator(database.db, 'REVIEWER');
  const reviewer = callerOf(app, 'admin', id, pass);
  expect((await reviewer.get(at)).status).toBe(403);
  expect((await reviewer.post(at, SCHEDULE)).status).toBe(403);
});

test('one that is not there · changed to what no report answers · the fault is named first', async () => {
  const who = callerOf(app, 'admin', (await makeOperator(database.db, 'SUPPORT')).id, pass);
  for (const [field, value] of [
    ['group_by', 'mood'],
    ['timezone', 'Mars/North'],
  ] as const) {
    const answer = await who.put(`${at}/999999`, { [field]: value });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual([field]);
  }
  expect((await who.put(`${at}/999999`, { hour: 9 })).status).toBe(404);
});

test('a filter · of one’s own things · is kept; of somebody else’s it is not there', async () => {
  const account = await makeAdvertiser(database.db);
  const mine = callerOf(app, 'advertiser', account.id, pass);
  const { campaign } = await makeCampaignTree(database.db, account.id);
  const foreign = await makeCampaignTree(database.db, (await makeAdvertiser(database.db)).id);
  const made = await mine.post(at, { ...SCHEDULE, filter: { campaign_id: campaign.id } });
  expect(dataOf(made)).toMatchObject({ filter: { campaign_id: campaign.id } });
  const theirs = { filter: { campaign_id: foreign.campaign.id } };
  expect((await mine.post(at, { ...SCHEDULE, ...theirs })).status).toBe(404);
  expect((await mine.put(`${at}/${idOf(made)}`, theirs)).status).toBe(404);
  expect(await listed(mine)).toMatchObject([{ filter: { campaign_id: campaign.id } }]);
});

const fieldsOf = (answer: Parameters<typeof faultsOf>[0]): string[] =>
  faultsOf(answer)
    .map((fault) => fault.split(' ')[0] ?? '')
    .toSorted();

test.each<[string, object, string[]]>([
  ['nothing', {}, ['frequency', 'group_by', 'hour', 'name', 'period', 'timezone']],
  [
    'words of nobody',
    { ...SCHEDULE, period: 'EVER', frequency: 'HOURLY', format: 'pdf', figures: 'a b' },
    ['figures', 'format', 'frequency', 'period'],
  ],
  [
    'numbers beyond',
    { ...SCHEDULE, hour: 24, weekday: 0, month_day: 32 },
    ['hour', 'month_day', 'weekday'],
  ],
  ['no weekday', { ...SCHEDULE, frequency: 'WEEKLY' }, ['weekday']],
  ['no day of a month', { ...SCHEDULE, frequency: 'MONTHLY', weekday: 1 }, ['month_day']],
  [
    'no day and no zone',
    { ...SCHEDULE, frequency: 'MONTHLY', timezone: 'Mars/North' },
    ['month_day', 'timezone'],
  ],
  ['a dimension of nobody', { ...SCHEDULE, group_by: 'date,mood' }, ['group_by']],
  ['a filter of the other side', { ...SCHEDULE, filter: { site_id: 1 } }, ['filter.site_id']],
  ['a field of nobody', { ...SCHEDULE, person_id: 1, account_id: 2 }, ['account_id', 'person_id']],
])('sent · %s · refused, every fault named', async (_what, body, faults) => {
  const answer = await (await owner()).post(at, body);
  expect(answer.status).toBe(422);
  expect(fieldsOf(answer)).toEqual(faults);
});

test('eleven · the last · is one too many, also of those at once', async () => {
  const who = await owner();
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => await who.post(at, SCHEDULE)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
});

test('If-Match · of an older version · is refused', async () => {
  const who = await owner();
  const id = idOf(await who.post(at, SCHEDULE));
  await who.put(`${at}/${id}`, { hour: 9 });
  const stale = await who.put(`${at}/${id}`, { hour: 10 }).set('If-Match', '"1"');
  expect(stale.status).toBe(412);
  expect((await who.delete(`${at}/${id}`).set('If-Match', '"1"')).status).toBe(412);
  expect((await who.delete(`${at}/${id}`).set('If-Match', '"2"')).status).toBe(200);
});

test('sent now · under way · shown as such, not begun twice, and beside its rhythm', async () => {
  const who = await owner();
  const made = await who.post(at, SCHEDULE);
  const run = await who.post(`${at}/${idOf(made)}/run`, {});
  expect(run.status).toBe(202);
  expect(dataOf(run)).toMatchObject({
    next_run_at: dataOf(made)['next_run_at'],
    last_run: { state: 'WRITING', failure: null, sent_at: null, file_id: null, file_until: null },
  });
  expect((await who.post(`${at}/${idOf(made)}/run`, {})).status).toBe(409);
});
