import type { TestDatabase } from '../../support/database.ts';
import { type Caller, dataOf } from '../../support/call.ts';
import { makeOperator } from '../../support/make/account.ts';
import { insertRow } from '../../support/make/row.ts';
import { hex } from '../../support/settlement.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.2: who works on which task, and in which order they are to be had. */
type Role = 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT';
type Shown = Record<string, unknown> & { id: number };

let stand: Stand;
let database: TestDatabase;
let ada: Operator;
let bob: Operator;
let finance: Operator;
let admin: Operator;
let support: Operator;

interface Operator extends Caller {
  username: string;
}

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  ada = await newOperator('REVIEWER');
  bob = await newOperator('REVIEWER');
  finance = await newOperator('FINANCE');
  admin = await newOperator('ADMIN');
  support = await newOperator('SUPPORT');
});
afterAll(async () => {
  await stand.close();
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM task_decisions');
  await database.pool.query('DELETE FROM tasks');
});

async function newOperator(role: Role): Promise<Operator> {
  const { id, username } = await makeOperator(database.db, role);
  return { ...stand.as('admin', id), username };
}

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string =>
  new Date(stand.deps.clock().getTime() + hours * HOUR_MS).toISOString();

const newTask = async (row: Record<string, unknown> = {}): Promise<number> =>
  await insertRow(database, 'tasks', {
    kind: 'site_review',
    subject_type: 'site',
    subject_id: 1,
    summary: 'A site',
    decisions: JSON.stringify(['approve', 'reject']),
    required_role: 'REVIEWER',
    workflow_id: `review:site:1:${hex(6)}`,
    dedupe_key: hex(8),
    ...row,
  });

const next = async (by: Caller, body: object = {}): Promise<number | null> => {
  const answer = await by.post('/tasks/claim-next', body);
  expect(answer.status).toBe(200);
  return (dataOf(answer) as Shown | null)?.id ?? null;
};
const approve = async (by: Caller, id: number) =>
  await by.post(`/tasks/${id}/decision`, { decision: 'approve' });
const listed = async (by: Caller, query: string): Promise<number[]> => {
  const answer = await by.get(`/tasks?${query}`);
  expect(answer.status).toBe(200);
  return (dataOf(answer)['items'] as Shown[]).map(({ id }) => id);
};

describe('the queue', () => {
  it('without an order · the most urgent first, what has no date last · else as asked', async () => {
    const undated = await newTask({ opened_at: inHours(-90) });
    const later = await newTask({ due_at: inHours(9), opened_at: inHours(-50) });
    const sooner = await newTask({ due_at: inHours(-1), opened_at: inHours(-20) });
    const equal = await newTask({ due_at: inHours(9), opened_at: inHours(-70) });
    expect(await listed(ada, 'status=open')).toEqual([sooner, later, equal, undated]);
    expect(await listed(ada, 'sort=due_at')).toEqual([sooner, later, equal, undated]);
    expect(await listed(ada, 'sort=opened_at')).toEqual([undated, equal, later, sooner]);
    expect(await listed(ada, 'sort=-opened_at')).toEqual([sooner, later, equal, undated]);
    expect(await listed(ada, 'sort=opened_at&page_size=2&page=2')).toEqual([later, sooner]);
  });

  it('by several kinds, by subject, and mine · only those', async () => {
    const site = await newTask({ subject_id: 5 });
    const zone = await newTask({ kind: 'zone_review', subject_type: 'zone', subject_id: 5 });
    const ad = await newTask({ kind: 'ad_review', subject_type: 'ad', subject_id: 7 });
    expect(await listed(ada, 'kinds=site_review,zone_review')).toEqual([site, zone]);
    expect(await listed(ada, 'kinds=site_review,zone_review&kind=zone_review')).toEqual([zone]);
    expect(await listed(ada, 'kinds=site_review&kind=zone_review')).toEqual([]);
    expect(await listed(ada, 'subject_type=zone&subject_id=5')).toEqual([zone]);
    expect(await listed(ada, 'subject_id=5')).toEqual([site, zone]);
    await ada.post(`/tasks/${site}/claim`);
    await admin.post(`/tasks/${zone}/assign`, { assignee_id: ada.id });
    await bob.post(`/tasks/${ad}/claim`);
    expect(await listed(ada, 'mine=true')).toEqual([site, zone]);
    expect(await listed(bob, 'mine=true')).toEqual([ad]);
    stand.passTime(HOUR_MS);
    expect(await listed(ada, 'mine=true')).toEqual([zone]);
    expect(await listed(ada, 'mine=false')).toEqual([site, zone, ad]);
  });

  it.each(['kinds=site_review,,', 'kinds=sites', 'sort=id', 'mine=yes', 'subject_type=x'])(
    '%s · 422',
    async (query) => {
      expect((await ada.get(`/tasks?${query}`)).status).toBe(422);
    },
  );

  it('a task · says its age, and that it is late', async () => {
    const late = await newTask({ opened_at: inHours(-2), due_at: inHours(-1) });
    const timely = await newTask({ opened_at: inHours(-2), due_at: inHours(5) });
    const shown = dataOf(await ada.get(`/tasks/${late}`));
    expect(shown).toMatchObject({ overdue: true, lease: null });
    expect(shown['age_seconds']).toBeGreaterThanOrEqual(7_200);
    expect(shown['age_seconds']).toBeLessThan(7_300);
    expect(dataOf(await ada.get(`/tasks/${timely}`))).toMatchObject({ overdue: false });
    await database.pool.query(
      `UPDATE tasks SET status = 'void', decided_at = opened_at + interval '90 seconds' WHERE id = $1`,
      [late],
    );
    expect(dataOf(await ada.get(`/tasks/${late}`))).toMatchObject({
      overdue: false,
      age_seconds: 90,
    });
  });

  it('counted · by kind: open, overdue, mine, nobody’s, the oldest, and whether my role decides', async () => {
    const first = await newTask({ opened_at: inHours(-30), due_at: inHours(-6) });
    const second = await newTask({ opened_at: inHours(-10), due_at: inHours(6) });
    await newTask({ status: 'void', opened_at: inHours(-99) });
    await newTask({ kind: 'suspense', required_role: 'FINANCE' });
    await ada.post(`/tasks/${first}/claim`);
    await admin.post(`/tasks/${second}/assign`, { assignee_id: bob.id });
    const counts = async (by: Caller) => {
      const { kinds } = dataOf(await by.get('/tasks/counts')) as { kinds: { kind: string }[] };
      return Object.fromEntries(kinds.map(({ kind, ...rest }) => [kind, rest]));
    };
    const sites = { open: 2, overdue: 1, unclaimed: 0, decidable: true };
    expect((await counts(ada))['site_review']).toEqual({
      ...sites,
      mine: 1,
      oldest_opened_at: (await ada.get(`/tasks/${first}`)).body.data.opened_at,
    });
    expect(await counts(bob)).toMatchObject({
      site_review: { ...sites, mine: 1 },
      zone_review: { open: 0, oldest_opened_at: null },
    });
    expect(await counts(admin)).toMatchObject({
      suspense: { open: 1, overdue: 0, mine: 0, unclaimed: 1, decidable: false },
    });
    expect(await counts(support)).toMatchObject({ site_review: { mine: 0, decidable: false } });
    stand.passTime(HOUR_MS);
    expect((await counts(ada))['site_review']).toMatchObject({ mine: 0, unclaimed: 1 });
  });
});

describe('a lease', () => {
  it('claimed · names its holder and its end · claimed again · is renewed · given back · nobody’s', async () => {
    const id = await newTask();
    const lease = async (path = ''): Promise<{ until: string } | null> =>
      dataOf(await (path === '' ? ada.get(`/tasks/${id}`) : ada.post(`/tasks/${id}${path}`)))[
        'lease'
      ] as { until: string } | null;
    const before = stand.deps.clock().getTime();
    const first = await lease('/claim');
    expect(first).toMatchObject({ operator_id: ada.id, username: ada.username });
    const lasts = Date.parse(first?.until ?? '') - before;
    expect(lasts).toBeGreaterThanOrEqual(600_000);
    expect(lasts).toBeLessThan(610_000);
    stand.passTime(60_000);
    const renewed = await lease('/claim');
    expect(Date.parse(renewed?.until ?? '')).toBeGreaterThan(Date.parse(first?.until ?? ''));
    expect(await lease()).toEqual(renewed);
    expect(await lease('/release')).toBeNull();
    expect(await lease('/release')).toBeNull();
    const { rows } = await database.pool.query(
      `SELECT action FROM audit_log WHERE subject_type = 'task' AND subject_id = $1 ORDER BY id`,
      [id],
    );
    expect(rows).toEqual([{ action: 'task.claim' }, { action: 'task.release' }]);
  });

  it('alive · another operator’s claim, release and decision · 409 with the holder', async () => {
    const id = await newTask();
    await ada.post(`/tasks/${id}/claim`);
    for (const answer of [
      await bob.post(`/tasks/${id}/claim`),
      await bob.post(`/tasks/${id}/release`),
      await approve(bob, id),
      await approve(admin, id),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.body.message).toContain(ada.username);
      expect(dataOf(answer)).toMatchObject({
        error: 'state_conflict',
        lease: { operator_id: ada.id, username: ada.username },
      });
    }
    expect((await approve(ada, id)).status).toBe(202);
  });

  it('run out · is nobody’s: another claims, and the first is told so', async () => {
    const id = await newTask();
    await ada.post(`/tasks/${id}/claim`);
    stand.passTime(600_000);
    expect(dataOf(await ada.get(`/tasks/${id}`))['lease']).toBeNull();
    expect((await bob.post(`/tasks/${id}/claim`)).status).toBe(200);
    const late = await approve(ada, id);
    expect([late.status, dataOf(late)['lease']]).toEqual([
      409,
      expect.objectContaining({ username: bob.username }),
    ]);
  });

  it('that nobody has · a decision · is taken as before', async () => {
    const id = await newTask();
    expect((await approve(ada, id)).status).toBe(202);
  });

  it('as long as the setting says', async () => {
    await database.pool.query(
      `INSERT INTO settings (key, value) VALUES ('review.lease_seconds', '30')`,
    );
    const id = await newTask();
    const { lease } = dataOf(await ada.post(`/tasks/${id}/claim`)) as { lease: { until: string } };
    await database.pool.query(`DELETE FROM settings WHERE key = 'review.lease_seconds'`);
    expect(Date.parse(lease.until)).toBeLessThanOrEqual(stand.deps.clock().getTime() + 30_000);
  });

  it('of what one may not decide · 403 · of what is decided · 409 with who, what and when', async () => {
    const money = await newTask({ kind: 'suspense', required_role: 'FINANCE' });
    expect((await ada.post(`/tasks/${money}/claim`)).status).toBe(403);
    const own = await newTask({ maker_id: ada.id });
    expect((await ada.post(`/tasks/${own}/claim`)).status).toBe(403);
    const id = await newTask();
    await approve(bob, id);
    for (const answer of [await ada.post(`/tasks/${id}/claim`), await approve(ada, id)]) {
      expect(answer.status).toBe(409);
      expect(dataOf(answer)).toMatchObject({
        decided_by: bob.username,
        decision: 'approve',
        decided_at: expect.stringMatching(/^\d{4}-.*Z$/),
      });
    }
    const gone = await newTask({ status: 'void' });
    const refused = await ada.post(`/tasks/${gone}/claim`);
    expect([refused.status, dataOf(refused)['status']]).toEqual([409, 'void']);
    expect((await ada.post('/tasks/987654321/claim')).status).toBe(404);
  });
});

describe('the next one', () => {
  it('the most urgent that is mine to decide and nobody’s · then what I hold myself, until none waits', async () => {
    const undated = await newTask();
    const urgent = await newTask({ due_at: inHours(1) });
    const held = await newTask({ due_at: inHours(-9) });
    await bob.post(`/tasks/${held}/claim`);
    await newTask({ due_at: inHours(-9), maker_id: ada.id });
    await newTask({ due_at: inHours(-9), assignee_id: bob.id });
    await newTask({ due_at: inHours(-9), kind: 'suspense', required_role: 'FINANCE' });
    await newTask({ due_at: inHours(-9), status: 'void' });
    await approve(bob, await newTask({ due_at: inHours(-9) }));
    expect(await next(ada)).toBe(urgent);
    expect(await next(ada)).toBe(undated);
    // Taken in a page that was closed, say: it is hers still, and would else be hers in vain.
    expect(await next(ada)).toBe(urgent);
    expect(await next(ada, { except: [urgent] })).toBe(undated);
    expect(await next(ada, { except: [urgent, undated] })).toBeNull();
    expect(await next(support)).toBeNull();
    expect(dataOf(await ada.get(`/tasks/${urgent}`))['lease']).toMatchObject({
      operator_id: ada.id,
    });
    stand.passTime(HOUR_MS);
    expect(await next(ada)).toBe(held);
  });

  it('of some kinds, and not what was just put aside', async () => {
    const site = await newTask({ due_at: inHours(1) });
    const zone = await newTask({ kind: 'zone_review', due_at: inHours(2) });
    const other = await newTask({ kind: 'zone_review', due_at: inHours(3) });
    expect(await next(ada, { kinds: ['zone_review'] })).toBe(zone);
    await ada.post(`/tasks/${zone}/release`);
    expect(await next(ada, { kinds: ['zone_review'], except: [zone] })).toBe(other);
    expect(await next(ada, { except: [zone, site] })).toBe(other);
    expect(await next(ada, { except: [zone, site, other] })).toBeNull();
    expect((await ada.post('/tasks/claim-next', { kinds: ['zones'] })).status).toBe(422);
  });

  it('a withdrawal’s second approval · never to whoever gave the first', async () => {
    const id = await newTask({
      kind: 'withdrawal_second_approval',
      required_role: 'FINANCE',
      maker_id: finance.id,
    });
    expect(await next(finance)).toBeNull();
    // ADMIN decides everything but money.
    expect(await next(admin)).toBeNull();
    expect(await next(await newOperator('FINANCE'))).toBe(id);
  });

  it('ten operators at once · each gets another one', async () => {
    const waiting = await Promise.all(Array.from({ length: 10 }, async () => await newTask()));
    const team = await Promise.all(waiting.map(async () => await newOperator('REVIEWER')));
    const taken = await Promise.all(team.map(async (operator) => await next(operator)));
    expect(new Set(taken)).toEqual(new Set(waiting));
  });

  it('two who claim one task at once · one has it, the other is told who', async () => {
    const id = await newTask();
    const answers = await Promise.all([
      ada.post(`/tasks/${id}/claim`),
      bob.post(`/tasks/${id}/claim`),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const { lease } = dataOf(await ada.get(`/tasks/${id}`)) as { lease: object };
    const loser = answers.find(({ status }) => status === 409);
    expect(loser?.body.data.lease).toEqual(lease);
  });
});
