import { createSettlementActivities } from '../../activities/tracking/settlement.ts';
import { runBooks } from '../../db/queries/books.ts';
import { reversalWorkflowId } from '../../workflows/contracts/reversal.ts';
import { type Caller, dataOf, faultsOf, idOf } from '../support/call.ts';
import { captureHistory } from '../support/histories.ts';
import { makeOperator } from '../support/make/account.ts';
import { type Line, makeLine } from '../support/make/line.ts';
import { append, activityDeps, eventOf, hex } from '../support/settlement.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { until } from '../support/until.ts';

/** interface 5.20: from a rule that changed to money on both sides, by two persons. */
let stand: FlowStand;
let maker: Caller;
let checker: Caller;
let line: Line;
const at = new Date(Date.now() - 3_600_000);
const later = (ms: number): Date => new Date(at.getTime() + ms);
const stretch = () => ({
  from: later(-60_000).toISOString(),
  to: later(600_000).toISOString(),
});

beforeAll(async () => {
  stand = await createStand({ flows: {}, realTime: true });
  const { database } = stand;
  maker = stand.as('admin', (await makeOperator(database.db, 'FINANCE')).id);
  checker = stand.as('admin', (await makeOperator(database.db, 'FINANCE')).id);
  line = await makeLine(database);
  const viewerKey = hex(16);
  await append(
    database,
    eventOf(line, { at, facts: { viewerKey } }),
    eventOf(line, { at: later(70_000), facts: { viewerKey } }),
    eventOf(line, { at: later(80_000) }),
    eventOf(line, { at: later(90_000), facts: { userAgent: 'bot' } }),
  );
  await createSettlementActivities(activityDeps(database)).settleBatch({ shard: 0 });
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

interface Page {
  id: number;
  status: string;
  task_id: number | null;
  found: { events: number; spend: number; earnings: number; fee: number };
  reversed: { events: number; spend: number };
  advertisers: { id: number; amount: number }[];
  publishers: { id: number; amount: number }[];
  reasons: { reason: string; events: number }[];
  timeline: { phase: string }[];
}

const ask = async (body: object) =>
  await maker.post('/reversals', { reason: 'INVALID_TRAFFIC', note: 'A farm', ...body });

const page = async (id: number): Promise<Page> =>
  dataOf(await maker.get(`/reversals/${id}`)) as never;

const reached = async (id: number, status: string): Promise<Page> =>
  await until(`reversal ${id} is ${status}`, async () => {
    const shown = await page(id);
    return shown.status === status && (status !== 'PREVIEW' || shown.task_id !== null)
      ? shown
      : undefined;
  });

async function spent(): Promise<unknown> {
  const advertiser = stand.as('advertiser', line.advertiserId);
  const day = at.toISOString().slice(0, 10);
  const report = await advertiser.get(`/statistics/report?start_date=${day}`);
  return (dataOf(report) as { totals: unknown }).totals;
}

const decide = async (who: Caller, taskId: number | null, decision: string) =>
  await who.post(`/tasks/${taskId}/decision`, { decision });

test('traffic that a newer rule finds invalid · previewed, approved by another, taken back · reports, ledger and both sides agree', async () => {
  const { pool } = stand.database;
  expect(await spent()).toMatchObject({ impressions: 3, removed: 1, spend: 0.003 });
  await pool.query(
    `INSERT INTO settings (key, value) VALUES ('ad.impression_dedup_seconds', '120')`,
  );
  const asked = await ask({ source: 'REJUDGE', ...stretch() });
  expect(asked.status).toBe(202);
  const id = idOf(asked);
  const preview = await reached(id, 'PREVIEW');
  expect(preview).toMatchObject({
    found: { events: 1, spend: 0.001, earnings: 0.0007, fee: 0.0003 },
    reversed: { events: 0, spend: 0 },
    advertisers: [{ id: line.advertiserId, amount: 0.001 }],
    publishers: [{ id: line.publisherId, amount: 0.0007 }],
    reasons: [{ reason: 'DUPLICATE_IMPRESSION', events: 1 }],
  });
  // Whoever asked is not the second person.
  expect((await decide(maker, preview.task_id, 'approve')).status).toBe(403);
  expect((await page(id)).status).toBe('PREVIEW');
  expect((await decide(checker, preview.task_id, 'approve')).status).toBe(200);
  const workflowId = reversalWorkflowId({ reversalId: id });
  await expect(stand.flows.resultOf(workflowId)).resolves.toBe('APPLIED');
  const done = await page(id);
  expect(done.reversed).toMatchObject({ events: 1, spend: 0.001 });
  expect(done.timeline.map(({ phase }) => phase)).toEqual([
    'queued',
    'preview',
    'applying',
    'applied',
  ]);
  expect(await spent()).toMatchObject({ impressions: 2, removed: 2, spend: 0.002 });
  const publisher = stand.as('publisher', line.publisherId);
  expect(dataOf(await publisher.get('/withdrawals/balance'))).toMatchObject({
    balance: 0.0014,
    debt: 0,
  });
  expect((await runBooks(pool)).filter(({ ok }) => !ok)).toEqual([]);
  for (const [who, kind] of [
    [stand.as('advertiser', line.advertiserId), 'spend_credited'],
    [publisher, 'earnings_reversed'],
  ] as const) {
    const news = dataOf(await who.get('/notifications')) as { items: { kind: string }[] };
    expect(news.items.map((each) => each.kind)).toContain(kind);
  }
  await captureHistory(stand.flows.client, { workflowId }, 'reversalWorkflow.applied');
  // The same once more finds nothing: an event goes back once.
  const again = idOf(await ask({ source: 'REJUDGE', ...stretch() }));
  expect((await reached(again, 'EMPTY')).found.events).toBe(0);
});

test('a second person who is not convinced, and a maker who thinks again · nothing is taken back', async () => {
  const traffic = { source: 'TRAFFIC', ...stretch(), zone_id: line.zoneId };
  const rejected = idOf(await ask(traffic));
  const { task_id: taskId, found } = await reached(rejected, 'PREVIEW');
  expect(found.events).toBe(2);
  expect((await decide(checker, taskId, 'reject')).status).toBe(200);
  await reached(rejected, 'REJECTED');
  const cancelled = idOf(await ask(traffic));
  const { task_id: open } = await reached(cancelled, 'PREVIEW');
  expect((await maker.post(`/reversals/${cancelled}/cancel`)).status).toBe(200);
  expect((await decide(checker, open, 'approve')).status).toBe(409);
  const workflowId = reversalWorkflowId({ reversalId: cancelled });
  await expect(stand.flows.resultOf(workflowId)).resolves.toBe('CANCELLED');
  expect((await maker.post(`/reversals/${cancelled}/cancel`)).status).toBe(409);
  expect(await spent()).toMatchObject({ impressions: 2, spend: 0.002 });
  await captureHistory(stand.flows.client, { workflowId }, 'reversalWorkflow.cancelled');
});

test.each([
  ['no stretch', { source: 'REJUDGE' }, ['from required', 'to required']],
  ['a stretch and nobody', { source: 'TRAFFIC', ...stretch() }, ['publisher_id required']],
  [
    'fields of another source',
    { source: 'BATCH', batch_id: 1, day: '2026-01-01' },
    ['day unknown'],
  ],
  [
    'a stretch that ends before it begins',
    { source: 'REJUDGE', from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    ['to min'],
  ],
  [
    'more than a month',
    { source: 'REJUDGE', from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' },
    ['from range'],
  ],
])('asked with %s · is refused, naming each', async (_what, body, faults) => {
  const answer = await ask(body);
  expect(answer.status).toBe(422);
  expect(faultsOf(answer)).toEqual(faults);
});
