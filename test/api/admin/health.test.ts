import { dataOf } from '../../support/call.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { insertRow } from '../../support/make/row.ts';
import { hex } from '../../support/settlement.ts';
import { queryUrls } from '../../../api/present/workflow-url.ts';
import { SAVED_QUERIES } from '../../../workflows/contracts/search-attributes.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.2: what waits and what was given up, while Temporal is away. */
let stand: Stand;
beforeAll(async () => {
  stand = await createStand();
});
afterAll(async () => {
  await stand.close();
});

const secondsAgo = (seconds: number): string =>
  new Date(stand.deps.clock().getTime() - seconds * 1_000).toISOString();

const health = async () => {
  const { id } = await makeOperator(stand.database.db, 'SUPPORT');
  const answer = await stand.as('admin', id).get('/health');
  expect(answer.status).toBe(200);
  return dataOf(answer);
};

it('an idle platform without Temporal · says so, and nothing else', async () => {
  const none = { waiting: 0, oldest_at: null };
  expect(await health()).toEqual({
    as_of: expect.any(String),
    problems: ['TEMPORAL_AWAY'],
    outbox: none,
    events: { ...none, more: false },
    mail: none,
    tasks: { open: 0, overdue: 0, oldest_due_at: null },
    temporal: { state: 'AWAY', lists: expect.any(Array), queues: [] },
    flows: { checked_at: null, healed_today: 0, raised: 0, findings: [] },
    database: { freedoms: [] },
    datacenters: [],
    dead_letters: { outbox: 0, postbacks: 0, reward_callbacks: 0, mails: 0 },
  });
});

it('what waits · is counted, with its oldest; what is done is not', async () => {
  const { database } = stand;
  const message = (row: object) => ({
    kind: 'publish',
    dedupe_key: hex(8),
    payload: '{}',
    created_at: secondsAgo(10),
    ...row,
  });
  await insertRow(database, 'outbox', message({}));
  const oldest = secondsAgo(300);
  await insertRow(database, 'outbox', message({ created_at: oldest }));
  await insertRow(database, 'outbox', message({ done_at: secondsAgo(1) }));
  await insertRow(database, 'outbox', message({ dead_at: secondsAgo(1) }));
  await insertRow(database, 'outbox', message({ dead_at: secondsAgo(90_000) }));
  const due = secondsAgo(60);
  for (const [status, dueAt] of [
    ['open', due],
    ['open', secondsAgo(-60)],
    ['void', secondsAgo(90)],
  ] as const) {
    await insertRow(database, 'tasks', {
      kind: 'site_review',
      status,
      subject_type: 'site',
      subject_id: 1,
      summary: 'A site',
      decisions: '["approve"]',
      required_role: 'REVIEWER',
      workflow_id: hex(8),
      dedupe_key: hex(8),
      due_at: dueAt,
    });
  }
  const account_id = (await makeAdvertiser(database.db)).id;
  const mail = { account_id, kind: 'kyc_approved', expires_at: secondsAgo(-900) };
  await insertRow(database, 'mails', { ...mail, created_at: secondsAgo(601) });
  for (const [status, seconds] of [
    ['REFUSED', 60],
    ['REFUSED', 90_000],
    ['SENT', 60],
  ] as const) {
    await insertRow(database, 'mails', { ...mail, status, ended_at: secondsAgo(seconds) });
  }
  await database.pool.query(
    `INSERT INTO event_inbox (day, id, shard, kind, received_at, facts)
     VALUES (current_date, gen_random_uuid(), 0, 'impression', $1, '{}')`,
    [secondsAgo(120)],
  );
  expect(await health()).toMatchObject({
    problems: [
      'TEMPORAL_AWAY',
      'OUTBOX_LATE',
      'EVENTS_LATE',
      'MAIL_LATE',
      'TASKS_OVERDUE',
      'DEAD_LETTERS',
    ],
    outbox: { waiting: 2, oldest_at: oldest },
    events: { waiting: 1, more: false },
    mail: { waiting: 1 },
    tasks: { open: 2, overdue: 1, oldest_due_at: due },
    dead_letters: { outbox: 1, postbacks: 0, reward_callbacks: 0, mails: 1 },
  });
  // What settlement has judged waits no more.
  await database.pool.query(
    `INSERT INTO settlement_cursors (shard, xid, seq) SELECT 0, xid, seq FROM event_inbox`,
  );
  expect((await health())['events']).toEqual({ waiting: 0, more: false, oldest_at: null });
});

it('lists of data centres · none is named · none is listed; one is, and its address is away · says so', async () => {
  expect((await health())['datacenters']).toEqual([]);
  const other = await createStand({ env: { DATACENTER_URL: 'http://127.0.0.1:9/ranges?key=1' } });
  try {
    const { id } = await makeOperator(other.database.db, 'SUPPORT');
    const answer = dataOf(await other.as('admin', id).get('/health'));
    expect(answer['datacenters']).toEqual([
      {
        source: 'http://127.0.0.1:9/ranges',
        networks: 0,
        fetched_at: null,
        failed_at: expect.any(String),
        fault: 'AWAY',
      },
    ]);
  } finally {
    await other.close();
  }
});

it('without a token of an operator · refused', async () => {
  expect((await stand.bearing('admin').get('/health')).status).toBe(401);
  const { id } = await makeAdvertiser(stand.database.db);
  expect((await stand.bearing('admin', stand.issue('advertiser', id)).get('/health')).status).toBe(
    403,
  );
});

test('lists of flows · where Temporal has pages · are links with their query; elsewhere there are none', () => {
  const now = new Date('2026-03-01T10:00:00Z');
  const links = queryUrls({ uiUrl: 'http://flows.example', namespace: 'ads' }, now);
  const queries = links.map(({ name, url }) => [name, new URL(url).searchParams.get('query')]);
  expect(queries).toEqual(
    Object.entries(SAVED_QUERIES).map(([name, query]) => [
      name,
      query.replace('{now}', now.toISOString()),
    ]),
  );
  expect(links[0]?.url).toMatch(/^http:\/\/flows\.example\/namespaces\/ads\/workflows\?query=/);
  expect(queryUrls({ uiUrl: null, namespace: 'ads' }, now)).toEqual([]);
});

it('Redis that does not answer · is named, and the page is answered all the same', async () => {
  stand.deps.redis.destroy();
  const { problems } = await health();
  await stand.deps.redis.connect();
  expect(problems).toContain('REDIS_AWAY');
});
