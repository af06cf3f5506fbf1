import { randomUUID } from 'node:crypto';
import { removalAppealWorkflowId } from '../../workflows/contracts/removal-appeal.ts';
import { type Caller, dataOf, faultsOf, idOf } from '../support/call.ts';
import { captureHistory } from '../support/histories.ts';
import { makeOperator, makePublisher } from '../support/make/account.ts';
import { makePlace } from '../support/make/place.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;
/** interface 4.11: a publisher's word against removed events, and a person's decision. */
let stand: FlowStand;
let owner: Caller;
let stranger: Caller;
let finance: Caller;
let zone: number;
let yesterday: string;

const dayBefore = (days: number): string =>
  new Date(stand.deps.clock().getTime() - days * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  const { db } = stand.database;
  const publisher = await makePublisher(db);
  owner = stand.as('publisher', publisher.id);
  stranger = stand.as('publisher', (await makePublisher(db)).id);
  finance = stand.as('admin', (await makeOperator(db, 'FINANCE')).id);
  ({ id: zone } = (await makePlace(db, { publisher })).zone);
  yesterday = dayBefore(1);
  await removed({ day: yesterday, kind: 'impression', reason: 'BOT_UA' });
  await removed({ day: yesterday, kind: 'impression', reason: 'BOT_UA' });
  await removed({ day: yesterday, kind: 'click_verify', reason: 'TOO_FAST' });
  await removed({ day: yesterday, kind: 'impression', reason: null });
}, 90_000);
afterAll(async () => {
  await stand?.close();
}, 60_000);

async function removed(row: { day: string; kind: string; reason: string | null }): Promise<void> {
  const { day, kind, reason } = row;
  await stand.database.pool.query(
    `INSERT INTO events (day, id, shard, kind, received_at, request_id, advertiser_id, publisher_id,
       ad_id, zone_id, billable, status, reason, reasons, batch_id, publisher_nanos, price_nanos)
     VALUES ($1, $2, 0, $3, $1::date + interval '1 hour', 'request-9', 77, $4, 5, $5, $6, $7, $8, $9, $10, $11, $11)`,
    [
      day,
      randomUUID(),
      kind,
      owner.id,
      zone,
      reason === null,
      reason === null ? 'valid' : 'invalid',
      reason,
      JSON.stringify(reason === null ? [] : [reason]),
      reason === null ? 9 : null,
      reason === null ? 2_000_000 : 0,
    ],
  );
}

const asked = (reason: string, more: object = {}) => ({
  zone_id: zone,
  date: yesterday,
  reason,
  text: 'A school visited us that day.',
  ...more,
});

async function taskOf(appealId: number): Promise<number> {
  const workflowId = removalAppealWorkflowId({ appealId });
  return await until('the appeal is asked about', async () => {
    const { rows } = await stand.database.pool.query<{ id: string }>(
      'SELECT id FROM tasks WHERE workflow_id = $1',
      [workflowId],
    );
    return rows[0] === undefined ? undefined : Number(rows[0].id);
  });
}

const appeals = async (who: Caller): Promise<Record<string, unknown>[]> =>
  (dataOf(await who.get('/removal-appeals')) as { items: Record<string, unknown>[] }).items;

test('an appeal · upheld by finance · is seen with its facts, answered, and moves no money', async () => {
  const opened = await owner.post('/removal-appeals', asked('BOT_UA'));
  expect(opened.status).toBe(201);
  expect(dataOf(opened)).toMatchObject({ status: 'OPEN', impressions: 2, clicks: 0, reasons: [] });
  const appealId = idOf(opened);
  const taskId = await taskOf(appealId);
  const task = dataOf(await finance.get(`/tasks/${taskId}`)) as Record<string, unknown>;
  expect(task).toMatchObject({
    kind: 'removal_appeal',
    required_role: 'FINANCE',
    decisions: ['uphold', 'reject'],
    detail: {
      removal_appeal: {
        text: 'A school visited us that day.',
        billed: { impressions: 1, clicks: 0, conversions: 0, earned: 0.002 },
        samples: [{ request_id: 'request-9' }, { request_id: 'request-9' }],
      },
    },
  });
  // What is listed at the desk names nobody and quotes nobody.
  expect(JSON.stringify(dataOf(await finance.get('/tasks?kind=removal_appeal')))).not.toContain(
    'school',
  );
  const before = await transfers();
  const decided = await finance.post(`/tasks/${taskId}/decision`, { decision: 'uphold' });
  expect(decided.status).toBe(200);
  const workflowId = removalAppealWorkflowId({ appealId });
  await expect(stand.flows.resultOf(workflowId)).resolves.toBe('UPHELD');
  expect((await appeals(owner))[0]).toMatchObject({ id: appealId, status: 'UPHELD', reasons: [] });
  expect(await transfers()).toBe(before);
  const news = dataOf(await owner.get('/notifications')) as { items: { kind: string }[] };
  expect(news.items.map(({ kind }) => kind)).toContain('appeal_decided');
  const again = await finance.post(`/tasks/${taskId}/decision`, { decision: 'reject' });
  expect(again.status).toBe(409);
  await captureHistory(stand.flows.client, { workflowId }, 'removalAppealWorkflow.upheld');
});

const transfers = async (): Promise<number> =>
  (await stand.database.pool.query('SELECT FROM ledger_transfers')).rowCount ?? 0;

test('an appeal · rejected · needs a reason of its catalogue, which its publisher reads', async () => {
  const appealId = idOf(await owner.post('/removal-appeals', asked('TOO_FAST')));
  const taskId = await taskOf(appealId);
  const decide = async (body: object) => await finance.post(`/tasks/${taskId}/decision`, body);
  expect((await decide({ decision: 'reject' })).status).toBe(422);
  expect((await decide({ decision: 'reject', reasons: [{ code: 'MALWARE' }] })).status).toBe(422);
  const reasons = [{ code: 'REMOVAL_CONFIRMED', note: 'Ten clicks within a second.' }];
  expect((await decide({ decision: 'reject', reasons })).status).toBe(200);
  expect((await appeals(owner))[0]).toMatchObject({ status: 'REJECTED', reasons });
  const known = dataOf(await owner.get('/review-reasons')) as { items: { code: string }[] };
  expect(known.items.map(({ code }) => code)).toContain('REMOVAL_CONFIRMED');
  const workflowId = removalAppealWorkflowId({ appealId });
  await stand.flows.resultOf(workflowId);
  await captureHistory(stand.flows.client, { workflowId }, 'removalAppealWorkflow.rejected');
});

test('the same once more · of one zone, day and reason · is refused, ten at once make one', async () => {
  await removed({ day: yesterday, kind: 'impression', reason: 'REPLAY' });
  const sent = await Promise.all(
    Array.from({ length: 10 }, async () => await owner.post('/removal-appeals', asked('REPLAY'))),
  );
  expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array.from({ length: 9 }, () => 409),
  ]);
  expect((await owner.post('/removal-appeals', asked('REPLAY'))).body.code).toBe(40901);
});

test.each([
  ['a day that is not over', () => ({ date: dayBefore(0) }), 'date'],
  ['a day too long ago', () => ({ date: dayBefore(31) }), 'date'],
  ['a budget that was spent', () => ({ reason: 'BUDGET_EXCEEDED' }), 'reason'],
  [
    'a conversion that its advertiser rejected',
    () => ({ reason: 'CONVERSION_REJECTED' }),
    'reason',
  ],
  ['nothing said', () => ({ text: ' ' }), 'text'],
  ['a field of ours', () => ({ status: 'UPHELD' }), 'status'],
])('an appeal · of %s · is refused', async (_what, more, field) => {
  const answer = await owner.post('/removal-appeals', asked('BOT_UA', more()));
  expect(answer.status).toBe(422);
  expect(faultsOf(answer).map((fault) => fault.split(' ')[0])).toEqual([field]);
});

test("another's zone · appealed and looked for · is nobody's", async () => {
  const answer = await stranger.post('/removal-appeals', asked('BOT_UA'));
  expect(faultsOf(answer)).toEqual(['zone_id unknown']);
  expect(await appeals(stranger)).toEqual([]);
});

test('an appeal · where nothing was removed · is refused', async () => {
  const answer = await owner.post('/removal-appeals', asked('PREFETCH'));
  expect(answer.status).toBe(409);
});
