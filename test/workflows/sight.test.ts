import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import proto from '@temporalio/proto';
import { SAVED_QUERIES } from '../../workflows/contracts/search-attributes.ts';
import { sentenceOf } from '../../workflows/contracts/stages.ts';
import { depositWorkflowId, suspenseWorkflowId } from '../../workflows/contracts/deposit.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import { idOf } from '../support/call.ts';
import type { TestDatabase } from '../support/database.ts';
import type { TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { makeOperator, makePublisher } from '../support/make/account.ts';
import { fundPublisher, UNIT } from '../support/make/money.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../support/payouts.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually } from '../support/until.ts';

const sandboxDir = mkdtempSync(path.join(tmpdir(), 'payouts-'));

let stand: FlowStand;
let database: TestDatabase;
let flows: TestFlows;
let operatorId: number;
let publisherId: number;

beforeAll(async () => {
  stand = await createStand({ flows: { PAYOUT_SANDBOX_DIR: sandboxDir } });
  ({ database, flows } = stand);
  operatorId = (await makeOperator(database.db, 'FINANCE')).id;
  publisherId = (await makePublisher(database.db)).id;
  await passKyc(database, publisherId);
  await fundPublisher(database.db, publisherId, 50_000n * UNIT);
  const card = { ...CARD, iban: ibanOf(1) };
  await stand.as('publisher', publisherId).post('/withdrawals/bank-cards', card);
  await ripenCards(database, publisherId);
}, 90_000);

afterAll(async () => {
  await stand?.close();
}, 60_000);

const listed = async (query: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const { workflowId } of flows.client.workflow.list({ query })) found.push(workflowId);
  return found;
};

const requestWithdrawal = async (): Promise<number> => {
  const ask = { amount: 13_377.31, payment_method: 'BANK' };
  const answer = await stand.as('publisher', publisherId).post('/withdrawals', ask);
  expect(answer.status).toBe(201);
  return (answer.body.data as { id: number }).id;
};

it('a withdrawal that waits for finance · is found by every question operators have', async () => {
  const id = await requestWithdrawal();
  const workflowId = withdrawalWorkflowId(id);
  await eventually(async () => {
    expect(await listed(SAVED_QUERIES.waits_for_us)).toContain(workflowId);
  });
  await eventually(async () => {
    expect(await listed(`AccountId = ${publisherId}`)).toContain(workflowId);
    expect(await listed(`SubjectId = 'withdrawal:${id}'`)).toEqual([workflowId]);
    expect(await listed("FlowState = 'decision'")).toContain(workflowId);
    expect(await listed(SAVED_QUERIES.large_money)).toContain(workflowId);
  });
  const overdueAt = (days: number) =>
    SAVED_QUERIES.overdue.replace('{now}', new Date(Date.now() + days * 86_400_000).toISOString());
  expect(await listed(overdueAt(0))).not.toContain(workflowId);
  await eventually(async () => {
    expect(await listed(overdueAt(2))).toContain(workflowId);
  });
});

it('a withdrawal · tells in one sentence what it waits for, and no sum anywhere', async () => {
  const id = await requestWithdrawal();
  const workflowId = withdrawalWorkflowId(id);
  const { rows } = await eventually(async () => {
    const found = await database.pool.query<{ id: string; due_at: Date }>(
      `SELECT id, due_at FROM tasks WHERE workflow_id = $1 AND status = 'open'`,
      [workflowId],
    );
    expect(found.rows).toHaveLength(1);
    return found;
  });
  const handle = flows.client.workflow.getHandle(workflowId);
  const sentence = sentenceOf({
    stage: 'decision',
    question: {
      taskId: Number(rows[0]?.id),
      role: 'FINANCE',
      dueAt: rows[0]?.due_at.toISOString() ?? null,
    },
  });
  expect(sentence).toMatch(
    /^Waits for an operator's decision \(task \d+\): the turn of finance, by /,
  );
  await eventually(async () => {
    expect(await detailsOf(workflowId)).toBe(sentence);
  });
  const answer = await stand.as('admin', operatorId).post(`/tasks/${rows[0]?.id}/decision`, {
    decision: 'reject',
    reasons: [{ code: 'NAME_DIFFERS' }],
  });
  expect(answer.status).toBe(200);
  expect(await flows.resultOf(workflowId)).toBe('REJECTED');
  await eventually(async () => {
    expect(await listed(SAVED_QUERIES.waits_for_us)).not.toContain(workflowId);
  });
  const history = await handle.fetchHistory();
  await captureHistory(flows.client, { workflowId }, 'withdrawalWorkflow.with-attributes');
  const described = await handle.describe();
  const text = `${decoded(history)} ${decoded(described.raw)}`;
  for (const sum of ['13377', '13,377', '13 377']) expect(text).not.toContain(sum);
  const silent = (history.events ?? []).filter(
    ({ eventType, userMetadata }) =>
      (eventType === proto.temporal.api.enums.v1.EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED ||
        eventType === proto.temporal.api.enums.v1.EventType.EVENT_TYPE_TIMER_STARTED) &&
      (userMetadata?.summary ?? null) === null,
  );
  expect(silent).toEqual([]);
});

it('a top-up order · says whose turn it is and by when, and is named without its sum', async () => {
  const advertiser = await stand.newAdvertiser();
  const order = await advertiser.post('/deposits', { amount: 13_377.31, payment_method: 'BANK' });
  expect(order.status).toBe(201);
  const { id, expires_at: expires } = order.body.data as { id: number; expires_at: string };
  const workflowId = depositWorkflowId(id);
  await eventually(async () => {
    expect(await detailsOf(workflowId)).toBe(sentenceOf({ stage: 'money', dueAt: expires }));
  });
  const { raw } = await flows.client.workflow.getHandle(workflowId).describe();
  expect(decoded(raw)).toContain(`Deposit ${id}`);
  expect(decoded(raw)).not.toContain('13377');
  // Lists follow a moment behind the flow's own page.
  await eventually(async () => {
    expect(await listed(`FlowState = 'money' AND DueAt = '${expires}'`)).toEqual([workflowId]);
  });
});

it('money in suspense · is found by whose it is, and by its band', async () => {
  const advertiser = await stand.newAdvertiser();
  const order = idOf(await advertiser.post('/deposits', { amount: 100, payment_method: 'BANK' }));
  await advertiser.post(`/deposits/${order}/cancel`);
  const receipt = await stand
    .as('admin', operatorId)
    .post(`/deposits/${order}/receipts`, { amount: 100, reference: `LATE-${order}` });
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT advertiser_id AS id FROM deposits WHERE id = $1',
    [order],
  );
  const workflowId = suspenseWorkflowId(idOf(receipt));
  await eventually(async () => {
    const query = `AccountId = ${rows[0]?.id} AND AmountBand = 'FROM_100'`;
    expect(await listed(query)).toContain(workflowId);
  });
});

it('every wait of every flow · has a summary', () => {
  const folder = path.resolve('workflows');
  const silent = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = readFileSync(path.join(folder, file), 'utf8');
      const waits = [
        ...source.matchAll(/\bsleep\((?:[^()]|\([^()]*\))*\)/g),
        ...source.matchAll(/\bcondition\(\s*\(\) =>[^,()]*,(?:[^()]|\([^()]*\))*\)/g),
      ];
      const bare = waits.filter(([call]) => !/\bsummary\b/.test(call));
      const steps =
        file === 'steps.ts'
          ? []
          : [...source.matchAll(/\bproxyActivities<[^;]*;/g)].filter(
              ([call]) => !call.includes('summary:'),
            );
      return [...bare, ...steps].map(([text]) => `${file}: ${text}`);
    });
  expect(silent).toEqual([]);
});

interface Metadata {
  currentDetails?: string;
}

async function detailsOf(workflowId: string): Promise<string | undefined> {
  const handle = flows.client.workflow.getHandle(workflowId);
  const metadata: Metadata = await handle.query('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

/** Payloads are bytes: what they say is looked at as text. */
function decoded(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value === null || typeof value !== 'object') return '';
  return Object.values(value).map(decoded).join(' ');
}
