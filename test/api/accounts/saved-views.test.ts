import { createTestApp, type TestApp } from '../../support/app.ts';
import { type Caller, callerOf, callerWith, dataOf, faultsOf, idOf } from '../../support/call.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  makeAdvertiser,
  makeMember,
  makeOperator,
  makePublisher,
} from '../../support/make/account.ts';

type Person = Omit<Caller, 'id' | 'token'>;

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

/** A second and a bit with each call, so that no limit of a minute is met. */
const pass = () => app.passTime(1_100);
const owner = async () => await makeAdvertiser(database.db);
const ownerCaller = async (): Promise<Person> =>
  callerOf(app, 'advertiser', (await owner()).id, pass);

/** Somebody of each sort; the member is the least of an account. */
const SORTS: Record<string, () => Promise<Person>> = {
  owner: ownerCaller,
  publisher: async () => callerOf(app, 'publisher', (await makePublisher(database.db)).id, pass),
  member: async () => {
    const account = await owner();
    const { id } = await makeMember(database.db, account, 'VIEWER');
    return callerWith(app, 'advertiser', app.issue('advertiser', account.id, id), pass);
  },
  operator: async () =>
    callerOf(app, 'admin', (await makeOperator(database.db, 'SUPPORT')).id, pass),
};

const VIEW = { page: 'campaigns', name: 'Running', state: { filter: { status: ['ACTIVE'] } } };

interface View {
  id: number;
  page: string;
  name: string;
  is_default: boolean;
  is_own: boolean;
}

const listed = async (who: Person, query = ''): Promise<View[]> =>
  (dataOf(await who.get(`/saved-views${query}`)) as unknown as { items: View[] }).items;

describe('saved views', () => {
  test.each(Object.keys(SORTS))('of a %s · kept, shown, changed and deleted', async (sort) => {
    const who = await (SORTS[sort] ?? ownerCaller)();
    const made = await who.post('/saved-views', VIEW);
    expect(made.status).toBe(201);
    expect(dataOf(made)).toMatchObject({ ...VIEW, is_default: false, version: 1 });
    const id = idOf(made);
    const state = { sort: '-spend', columns: ['名称', 'spend'] };
    const put = await who.put(`/saved-views/${id}`, { name: ' Spending ', state });
    expect(dataOf(put)).toMatchObject({ page: 'campaigns', name: 'Spending', state, version: 2 });
    expect(await listed(who)).toEqual([dataOf(put)]);
    expect((await who.delete(`/saved-views/${id}`)).status).toBe(200);
    expect(await listed(who)).toEqual([]);
    expect((await who.delete(`/saved-views/${id}`)).status).toBe(404);
  });

  test('of others · of the same account too · do not exist', async () => {
    const account = await owner();
    const mine = callerOf(app, 'advertiser', account.id, pass);
    const others: Person[] = [
      await ownerCaller(),
      callerOf(app, 'publisher', (await makePublisher(database.db)).id, pass),
    ];
    for (const role of ['ADMIN', 'EDITOR'] as const) {
      const { id } = await makeMember(database.db, account, role);
      others.push(callerWith(app, 'advertiser', app.issue('advertiser', account.id, id), pass));
    }
    const id = idOf(await mine.post('/saved-views', VIEW));
    for (const other of others) {
      expect(await listed(other)).toEqual([]);
      expect((await other.put(`/saved-views/${id}`, { name: 'Mine' })).status).toBe(404);
      expect((await other.delete(`/saved-views/${id}`)).status).toBe(404);
      expect((await other.post('/saved-views', VIEW)).status).toBe(201);
    }
  });

  test('shared · with the account · read by its people alone, changed by its owner alone, and taken back', async () => {
    const account = await owner();
    const mine = callerOf(app, 'advertiser', account.id, pass);
    const { id: memberId } = await makeMember(database.db, account, 'VIEWER');
    const member = callerWith(
      app,
      'advertiser',
      app.issue('advertiser', account.id, memberId),
      pass,
    );
    const strangers = [await ownerCaller(), await (SORTS['operator'] ?? ownerCaller)()];
    const shared = { ...VIEW, is_shared: true };
    const id = idOf(await mine.post('/saved-views', { ...shared, is_default: true }));
    const theirs = await member.post('/saved-views', { ...shared, name: 'Of the member' });
    const names = async (who: Person) =>
      (await listed(who)).map(({ name, is_own }) => [name, is_own]);
    expect(await names(mine)).toEqual([
      ['Of the member', false],
      ['Running', true],
    ]);
    // What is somebody's default is not everybody's.
    expect((await listed(member)).map(({ is_default }) => is_default)).toEqual([false, false]);
    for (const stranger of strangers) expect(await listed(stranger)).toEqual([]);
    for (const [who, view] of [
      [member, id],
      [mine, idOf(theirs)],
    ] as const) {
      expect((await who.put(`/saved-views/${view}`, { name: 'Taken' })).status).toBe(404);
      expect((await who.delete(`/saved-views/${view}`)).status).toBe(404);
    }
    await mine.put(`/saved-views/${id}`, { is_shared: false });
    expect(await names(member)).toEqual([['Of the member', true]]);
  });

  test('shared · by an operator · read by the others, and by nobody of an account', async () => {
    const [one, other] = [SORTS['operator'], SORTS['operator']];
    if (one === undefined || other === undefined) throw new Error('no operators');
    const name = 'Of the desk';
    await (await one()).post('/saved-views', { ...VIEW, name, is_shared: true });
    expect((await listed(await other())).map((view) => view.name)).toContain(name);
    expect(await listed(await ownerCaller())).toEqual([]);
  });

  test('of an owner and a member with one number · are two people’s', async () => {
    const account = await owner();
    const member = await makeMember(database.db, account, 'VIEWER');
    const twin = await makeAdvertiser(database.db, { id: 5_000_000 + member.id });
    await database.pool.query('UPDATE members SET id = $2 WHERE id = $1', [member.id, twin.id]);
    const asMember = callerWith(app, 'advertiser', app.issue('advertiser', account.id, twin.id));
    expect((await asMember.post('/saved-views', VIEW)).status).toBe(201);
    expect(await listed(callerOf(app, 'advertiser', twin.id))).toEqual([]);
  });

  test('a name · twice on a page · is taken, whatever its case; on another page free', async () => {
    const who = await ownerCaller();
    await who.post('/saved-views', VIEW);
    const again = await who.post('/saved-views', { ...VIEW, name: ' rUNNING' });
    expect([again.status, faultsOf(again)]).toEqual([409, ['name already_claimed']]);
    expect((await who.post('/saved-views', { ...VIEW, page: 'ads' })).status).toBe(201);
    const id = idOf(await who.post('/saved-views', { ...VIEW, name: 'Other' }));
    const renamed = await who.put(`/saved-views/${id}`, { name: 'running' });
    expect([renamed.status, faultsOf(renamed)]).toEqual([409, ['name already_claimed']]);
    expect((await who.put(`/saved-views/${id}`, { name: 'other' })).status).toBe(200);
    expect((await listed(who, '?page=campaigns')).map(({ name }) => name)).toEqual([
      'other',
      'Running',
    ]);
  });

  test('the default · of a page · is one, however many are made so at once', async () => {
    const who = await ownerCaller();
    await who.post('/saved-views', { ...VIEW, page: 'ads', is_default: true });
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(
        async (name) => await who.post('/saved-views', { ...VIEW, name, is_default: true }),
      ),
    );
    const views = await listed(who);
    expect(
      views
        .filter(({ is_default }) => is_default)
        .map(({ page }) => page)
        .toSorted(),
    ).toEqual(['ads', 'campaigns']);
    const rest = views.find(({ page, is_default }) => page === 'campaigns' && !is_default);
    await who.put(`/saved-views/${rest?.id}`, { is_default: true });
    const now = (await listed(who, '?page=campaigns')).filter(({ is_default }) => is_default);
    expect(now.map(({ id }) => id)).toEqual([rest?.id]);
    await who.put(`/saved-views/${rest?.id}`, { is_default: false });
    expect((await listed(who, '?page=campaigns')).some(({ is_default }) => is_default)).toBe(false);
  });

  test('fifty · of a page · are all that are kept, also when they come at once', async () => {
    const who = await ownerCaller();
    const answers = await Promise.all(
      Array.from(
        { length: 53 },
        async (_, i) => await who.post('/saved-views', { ...VIEW, name: `v${i}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) {
      expect([answer.status, dataOf(answer)['error'], dataOf(answer)['max']]).toEqual([
        409,
        'state_conflict',
        50,
      ]);
    }
    expect((await who.post('/saved-views', { ...VIEW, page: 'ads' })).status).toBe(201);
  });

  test('a state · of 4 KB · is kept; of a byte more, or no object · is refused', async () => {
    const who = await ownerCaller();
    const sized = (bytes: number) => ({ s: '客'.repeat(100) + 'x'.repeat(bytes - 300 - 8) });
    expect(Buffer.byteLength(JSON.stringify(sized(4_096)))).toBe(4_096);
    const most = await who.post('/saved-views', { ...VIEW, state: sized(4_096) });
    expect(most.status).toBe(201);
    const tooMuch = await who.post('/saved-views', { ...VIEW, name: 'b', state: sized(4_097) });
    expect([tooMuch.status, faultsOf(tooMuch)]).toEqual([422, ['state max']]);
    for (const state of [[], 'text', 1, true, null]) {
      const answer = await who.post('/saved-views', { ...VIEW, name: 'b', state });
      expect([answer.status, faultsOf(answer)[0]?.split(' ')[0]]).toEqual([422, 'state']);
    }
    for (const page of ['', 'Campaigns', '1st', 'a b', 'x'.repeat(51), '../a']) {
      const answer = await who.post('/saved-views', { ...VIEW, page });
      expect(answer.status).toBe(422);
    }
  });

  test('an update · of an older version · is 412', async () => {
    const who = await ownerCaller();
    const id = idOf(await who.post('/saved-views', VIEW));
    await who.put(`/saved-views/${id}`, { name: 'New' });
    const stale = await who.put(`/saved-views/${id}`, { name: 'Old' }).set('If-Match', '"1"');
    expect(stale.status).toBe(412);
    expect((await who.delete(`/saved-views/${id}`).set('If-Match', '"1"')).status).toBe(412);
    expect((await who.delete(`/saved-views/${id}`).set('If-Match', '"2"')).status).toBe(200);
  });

  test('a member who is removed · leaves no view and no preference behind', async () => {
    const account = await owner();
    const by = callerOf(app, 'advertiser', account.id, pass);
    const { id } = await makeMember(database.db, account, 'VIEWER');
    const member = callerWith(app, 'advertiser', app.issue('advertiser', account.id, id), pass);
    for (const who of [by, member]) {
      await who.post('/saved-views', VIEW);
      await who.put('/preferences', { theme: 'dark' });
    }
    expect((await by.delete(`/members/${id}`)).status).toBe(200);
    const { rows } = await database.pool.query(
      `SELECT 1 FROM saved_views WHERE person_type = 'MEMBER' AND person_id = $1
       UNION ALL SELECT 1 FROM preferences WHERE person_type = 'MEMBER' AND person_id = $1`,
      [id],
    );
    expect(rows).toEqual([]);
    expect(await listed(by)).toHaveLength(1);
    expect(dataOf(await by.get('/preferences'))['theme']).toBe('dark');
  });
});

describe('preferences', () => {
  test.each(Object.keys(SORTS))('of a %s · have defaults, and keep what is said', async (sort) => {
    const who = await (SORTS[sort] ?? ownerCaller)();
    const first = { language: 'en', time_zone: 'UTC', theme: 'auto' };
    expect(dataOf(await who.get('/preferences'))).toEqual({ ...first, updated_at: null });
    const said = dataOf(await who.put('/preferences', {}));
    expect(said).toEqual({ ...first, updated_at: expect.any(String) as string });
    const zone = { ...first, time_zone: 'Asia/Kolkata' };
    expect(dataOf(await who.put('/preferences', { time_zone: 'Asia/Kolkata' }))).toMatchObject(
      zone,
    );
    const all = { language: 'zh', time_zone: 'America/Argentina/Buenos_Aires', theme: 'dark' };
    expect(dataOf(await who.put('/preferences', all))).toMatchObject(all);
    expect(dataOf(await who.get('/preferences'))).toMatchObject(all);
  });

  test('of one person · are nobody else’s', async () => {
    const account = await owner();
    const by = callerOf(app, 'advertiser', account.id, pass);
    const { id } = await makeMember(database.db, account, 'ADMIN');
    const member = callerWith(app, 'advertiser', app.issue('advertiser', account.id, id), pass);
    await by.put('/preferences', { theme: 'dark' });
    expect(dataOf(await member.get('/preferences'))['theme']).toBe('auto');
  });

  test.each([
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ time_zone: '+02:00' }, 'time_zone'],
    [{ language: 'de' }, 'language'],
    [{ theme: 'blue' }, 'theme'],
    [{ theme: null }, 'theme'],
    [{ font: 'big' }, 'font'],
  ])('%j · is refused by its name', async (body, field) => {
    const answer = await (await ownerCaller()).put('/preferences', body);
    expect([answer.status, faultsOf(answer)[0]?.split(' ')[0]]).toEqual([422, field]);
  });
});
