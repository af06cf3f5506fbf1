import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { submitReview } from '../../activities/review/reviews.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import { depositWorkflowId, suspenseWorkflowId } from '../../workflows/contracts/deposit.ts';
import { kycWorkflowId } from '../../workflows/contracts/kyc.ts';
import { mailWorkflowId } from '../../workflows/contracts/mail.ts';
import { RECONCILE_WORKFLOW } from '../../workflows/contracts/schedules.ts';
import { siteVerificationWorkflowId } from '../../workflows/contracts/site-verification.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import { dataOf } from '../support/call.ts';
import { flowDesk } from '../support/flow-desk.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { image } from '../support/images.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../support/make/account.ts';
import { fundPublisher, UNIT } from '../support/make/money.ts';
import { makeSite } from '../support/make/place.ts';
import { makeReviewRows } from '../support/make/review-rows.ts';
import { insertRow } from '../support/make/row.ts';
import { passKyc } from '../support/payouts.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually, until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const settings = { PAYOUT_SANDBOX_DIR: mkdtempSync(path.join(tmpdir(), 'payouts-')) };

let stand: FlowStand;
let flows: TestFlows;
let reviewer: number;
let finance: number;
let checker: number;

beforeAll(async () => {
  stand = await createStand({ flows: settings, realTime: true });
  ({ flows } = stand);
  const { db } = stand.database;
  reviewer = (await makeOperator(db, 'REVIEWER')).id;
  finance = (await makeOperator(db, 'FINANCE')).id;
  checker = (await makeOperator(db, 'FINANCE')).id;
  await put('review.campaign', 'human');
}, 90_000);

afterAll(async () => {
  await stand?.close();
}, 60_000);

const { query, put, stateOf, openTask, reconcile, askWallet } = flowDesk(() => stand);

/** Decides as an operator does, and delivers it to these flows. */
async function decide(on: TestFlows, workflowId: string, decision: string, role = 'FINANCE') {
  const { outboxId } = await on.activities.decideTask({
    taskId: await openTask(workflowId),
    operator: { id: role === 'FINANCE' ? checker : reviewer, role },
    decision,
    reasons: decision === 'reject' ? [{ code: 'OTHER', note: 'test' }] : [],
    note: 'by hand',
    evidenceMediaId: null,
    requestId: 'test',
  });
  return await on.dispatcher.dispatch(outboxId);
}

const openDeposit = async (): Promise<number> => {
  const { id: advertiserId } = await makeAdvertiser(stand.database.db);
  const amountNanos = 100n * UNIT;
  return (await flows.activities.openDeposit({ advertiserId, amountNanos, paymentMethod: 'BANK' }))
    .id;
};

const receive = async (on: TestFlows, depositId: number, units: bigint): Promise<number> =>
  (
    await on.activities.recordReceipt({
      depositId,
      amountNanos: units * UNIT,
      reference: `REF-${depositId}-${units}`,
      receivedAt: null,
      evidence: null,
      operatorId: finance,
      requestId: 'test',
    })
  ).receiptId;

async function requestWithdrawal(): Promise<number> {
  const { id: publisherId } = await makePublisher(stand.database.db);
  await passKyc(stand.database, publisherId);
  await fundPublisher(stand.database.db, publisherId, 500n * UNIT);
  return await askWallet(publisherId);
}

async function submitKyc(): Promise<string> {
  const owner = stand.as('publisher', (await makePublisher(stand.database.db)).id);
  const picture = await image('png', { width: 50, height: 20 });
  const document = await owner.upload('/kyc/documents', picture);
  const sent = await owner.post('/kyc', {
    entity_type: 'BUSINESS',
    legal_name: 'Ada Byron King',
    country: 'DE',
    document_number: 'SECRET-1',
    document_ids: [document.body.data.id],
  });
  return kycWorkflowId({ applicationId: sent.body.data.operation.subject.id });
}

async function submitCampaign(): Promise<string> {
  const { campaignId: id, advertiserId: accountId } = await makeReviewRows(stand.database);
  return await inTransaction(
    stand.database.db,
    async (tx) =>
      (await submitReview(flows.deps, tx, { type: 'campaign', id, accountId })).workflowId,
  );
}

test('all flows run · a lap · nothing is found, nothing is done', async () => {
  await openTask(await submitCampaign());
  await openDeposit();
  await eventually(async () => {
    expect(await reconcile()).toMatchObject({ healed: 0, raised: 0 });
  });
  expect(await query('SELECT 1 FROM flow_findings WHERE ended_at IS NULL')).toEqual([]);
});

test('as its schedule starts it · one round, written down; its history is kept', async () => {
  const handle = await flows.client.workflow.start(RECONCILE_WORKFLOW, {
    workflowId: 'reconcile',
    taskQueue: 'upkeep',
  });
  await handle.result();
  const runs = await query('SELECT 1 FROM reconciler_runs');
  expect(runs.length).toBeGreaterThan(0);
  await captureHistory(flows.client, { workflowId: 'reconcile' }, `${RECONCILE_WORKFLOW}.round`);
});

test('an operator terminates flows in Temporal · a lap · they begin again, their tasks decide as before', async () => {
  const review = await submitCampaign();
  const kyc = await submitKyc();
  for (const workflowId of [review, kyc]) {
    await openTask(workflowId);
    await flows.client.workflow.getHandle(workflowId).terminate('by mistake');
  }
  await eventually(async () => {
    expect(await reconcile()).toMatchObject({ raised: 0 });
    expect(await stateOf(review)).toBe('RUNNING');
    expect(await stateOf(kyc)).toBe('RUNNING');
  });
  // Lists find them as they found them before.
  const found = async (query: string) => (await flows.client.workflow.count(query)).count;
  await eventually(async () => {
    const running = "ExecutionStatus = 'Running' AND AccountId > 0 AND WorkflowId";
    expect([await found(`${running} = '${review}'`), await found(`${running} = '${kyc}'`)]).toEqual(
      [1, 1],
    );
  });
  expect(await decide(flows, review, 'approve', 'REVIEWER')).toMatchObject({ state: 'done' });
  expect(await decide(flows, kyc, 'approve', 'REVIEWER')).toMatchObject({ state: 'done' });
});

test('a flow that somebody ends again and again · the fourth time · is raised, shown and alarmed', async () => {
  const adminOfTest = await makeOperator(stand.database.db, 'ADMIN');
  const id = await openDeposit();
  const workflowId = depositWorkflowId(id);
  const shown = async () => {
    const { id: support } = await makeOperator(stand.database.db, 'SUPPORT');
    return dataOf(await stand.as('admin', support).get('/health')) as {
      problems: string[];
      flows: { raised: number; findings: { subject: string; kind: string; detail: string }[] };
    };
  };
  await eventually(async () => {
    expect(await stateOf(workflowId)).toBe('RUNNING');
  });
  for (let time = 1; time <= 3; time += 1) {
    await flows.client.workflow.getHandle(workflowId).terminate('again');
    await eventually(async () => {
      await reconcile();
      expect(await stateOf(workflowId)).toBe('RUNNING');
    });
  }
  const { typedSearchAttributes } = await flows.client.workflow.getHandle(workflowId).describe();
  const attributes = typedSearchAttributes
    .getAll()
    .map(({ key: { name }, value }) => [name, value]);
  expect(Object.fromEntries(attributes)).toMatchObject({
    AccountId: expect.any(Number),
    AmountBand: 'FROM_100',
  });
  await eventually(async () => {
    expect((await shown()).flows.raised).toBe(0);
  });
  await flows.client.workflow.getHandle(workflowId).terminate('again');
  await eventually(async () => {
    expect(await reconcile()).toMatchObject({ raised: 1 });
  });
  expect(await stateOf(workflowId)).toBe('TERMINATED');
  const health = await shown();
  expect(health.problems).toContain('FLOWS_ASTRAY');
  expect(health.flows.findings).toEqual([
    expect.objectContaining({ subject: workflowId, kind: 'NO_EXECUTION', detail: 'TERMINATED' }),
  ]);
  // Whoever knows what a flow of money should have done is told, once. Laps come here one upon the other, so
  // that a letter's flow on its way to its end may be told of as well.
  const toldOf = async (role: 'ADMIN' | 'FINANCE' | 'REVIEWER', operator: number) => {
    const notices = dataOf(await stand.as('admin', operator).get('/notifications')) as {
      items: { kind: string; params: { flow: string } }[];
    };
    const ofIt = notices.items.filter(({ params }) => params.flow === workflowId);
    return { role, notices: ofIt.map(({ kind, params }) => ({ kind, params })) };
  };
  await reconcile();
  const notice = { kind: 'flow_astray', params: { flow: workflowId, finding: 'NO_EXECUTION' } };
  const { id: admin } = adminOfTest;
  expect([
    await toldOf('FINANCE', finance),
    await toldOf('ADMIN', admin),
    await toldOf('REVIEWER', reviewer),
  ]).toEqual([
    { role: 'FINANCE', notices: [notice] },
    { role: 'ADMIN', notices: [notice] },
    { role: 'REVIEWER', notices: [] },
  ]);
  // What a person has put right is no longer shown.
  await query(`UPDATE deposits SET status = 'CANCELLED' WHERE id = $1`, [id]);
  await reconcile();
  expect((await shown()).flows.findings).toEqual([]);
});

test('a flow without an open row · watched, then woken; a closed row ends it', async () => {
  const id = await openDeposit();
  const workflowId = depositWorkflowId(id);
  await eventually(async () => {
    expect(await stateOf(workflowId)).toBe('RUNNING');
  });
  // As a database that was restored to a moment at which the order had ended.
  await query(`UPDATE deposits SET status = 'EXPIRED' WHERE id = $1`, [id]);
  await eventually(async () => {
    await reconcile();
    expect(await stateOf(workflowId)).toBe('COMPLETED');
  });
});

test('a decision that its flow never heard of · a lap · takes effect', async () => {
  const workflowId = await submitCampaign();
  const taskId = await openTask(workflowId);
  await insertRow(stand.database, 'task_decisions', {
    task_id: taskId,
    operator_id: reviewer,
    decision: 'reject',
    reasons: '[{"code":"OTHER"}]',
    created_at: new Date(Date.now() - HOUR_MS).toISOString(),
  });
  await reconcile();
  await flows.dispatcher.dispatchDue(100);
  await eventually(async () => {
    const [row] = await query<{ status: string }>('SELECT status FROM tasks WHERE id = $1', [
      taskId,
    ]);
    expect(row?.status).toBe('decided');
  });
});

test('messages to a flow that Temporal no longer keeps · its row closed · are put away, a decision refused', async () => {
  const [decision] = await query<{ id: string }>(
    `SELECT id FROM task_decisions WHERE status = 'APPLIED' LIMIT 1`,
  );
  const payload = (workflowId: string, input: object) =>
    JSON.stringify({ workflowId, signal: 'cancel', update: 'decide', updateId: 'x', input });
  for (const [kind, input] of [
    ['workflow_signal', {}],
    ['workflow_update', { taskId: 1, decisionId: Number(decision?.id) }],
  ] as const) {
    await insertRow(stand.database, 'outbox', {
      kind,
      dedupe_key: `old:${kind}`,
      payload: payload('deposit:99999999', input),
      attempts: 40,
      next_at: new Date(Date.now() + HOUR_MS).toISOString(),
      created_at: new Date(Date.now() - 72 * HOUR_MS).toISOString(),
    });
  }
  await reconcile();
  const left = await query(
    `SELECT 1 FROM outbox WHERE dedupe_key LIKE 'old:%' AND done_at IS NULL`,
  );
  expect(left).toEqual([]);
});

test('messages to flows · Temporal away for thirty hours · none is given up; a notice to serving is', async () => {
  const kinds = ['workflow_start', 'workflow_signal', 'workflow_update', 'publish'];
  for (const kind of kinds) {
    await insertRow(stand.database, 'outbox', {
      kind,
      dedupe_key: `away:${kind}`,
      payload: JSON.stringify({ workflowId: `away:${kind}`, signal: 'x', update: 'x', input: {} }),
      created_at: new Date(Date.now() - 30 * HOUR_MS).toISOString(),
    });
  }
  const rows = async () =>
    await query<{ kind: string; dead: boolean; soon: boolean }>(
      `SELECT kind, dead_at IS NOT NULL AS dead, next_at < now() + interval '301 seconds' AS soon
       FROM outbox WHERE dedupe_key LIKE 'away:%' AND kind <> 'publish' ORDER BY id`,
    );
  const { createDispatcher } = await import('../../activities/core/dispatch.ts');
  const { createRedis } = await import('../../db/redis.ts');
  const { Client, Connection } = await import('@temporalio/client');
  const away = createDispatcher({
    db: stand.database.db,
    redis: createRedis(flows.redisUrl),
    temporal: new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) }),
    log: flows.deps.log,
    onUpdateRefused: () => Promise.resolve(),
  });
  await query(`UPDATE outbox SET attempts = 500 WHERE dedupe_key LIKE 'away:%'`);
  await away.dispatchDue(100);
  expect(await rows()).toEqual(
    kinds.slice(0, 3).map((kind) => ({ kind, dead: false, soon: true })),
  );
  await expect(
    query(`UPDATE outbox SET dead_at = now() WHERE dedupe_key = 'away:workflow_start'`),
  ).rejects.toThrow('flows_never_die');
  await query(`DELETE FROM outbox WHERE dedupe_key LIKE 'away:%'`);
}, 60_000);

test('Temporal lost with all it knew, and made anew · one lap · every open flow goes on from its row', async () => {
  const review = await submitCampaign();
  const kyc = await submitKyc();
  const waiting = await openDeposit();
  const differing = await openDeposit();
  await receive(flows, differing, 90n);
  const paidTwice = await openDeposit();
  await receive(flows, paidTwice, 100n);
  const late = await receive(flows, paidTwice, 55n);
  const withdrawal = await requestWithdrawal();
  const approved = await requestWithdrawal();
  await put('payout.cooling_off_seconds', 600);
  await decide(flows, withdrawalWorkflowId(approved), 'approve');
  const { id: publisherId } = await makePublisher(stand.database.db);
  const site = await makeSite(stand.database.db, publisherId, { verifyStatus: 'UNVERIFIED' });
  await flows.activities.requestSiteVerification({
    siteId: site.id,
    publisherId,
    method: 'FILE',
    retryAfterSeconds: [3_600, 3_600],
  });
  const verification = siteVerificationWorkflowId({ siteId: site.id, round: 1 });
  for (const id of [
    review,
    kyc,
    depositWorkflowId(differing),
    suspenseWorkflowId(late),
    withdrawalWorkflowId(withdrawal),
  ]) {
    await openTask(id);
  }
  await until('the first look at the site', async () => {
    const [row] = await query<{ attempts: number }>(
      'SELECT attempts FROM site_verifications WHERE site_id = $1',
      [site.id],
    );
    return row?.attempts === 1;
  });
  // Messages that come while nobody is there wait in the outbox.
  flows.delivery.on = false;
  const begun = await openDeposit();
  const [letter] = await query<{ id: string }>(
    `INSERT INTO mails (account_id, kind, expires_at, created_at)
     VALUES ($1, 'kyc_approved', now() + interval '1 day', now() - interval '1 hour') RETURNING id`,
    [publisherId],
  );

  const anew = await createTestFlows(stand.database, settings);
  try {
    const lap = await reconcile(anew);
    expect(lap.raised).toBe(0);
    const ids = [
      review,
      kyc,
      depositWorkflowId(waiting),
      depositWorkflowId(differing),
      depositWorkflowId(begun),
      suspenseWorkflowId(late),
      withdrawalWorkflowId(withdrawal),
      withdrawalWorkflowId(approved),
      verification,
    ];
    for (const id of ids) expect([id, await stateOf(id, anew)]).toEqual([id, 'RUNNING']);
    await expect(anew.resultOf(mailWorkflowId({ mailId: Number(letter?.id) }))).resolves.toBe(
      'SENT',
    );
    // Each goes on where its row stands.
    await decide(anew, review, 'approve', 'REVIEWER');
    await expect(anew.resultOf(review)).resolves.toBe('APPROVED');
    await decide(anew, kyc, 'reject', 'REVIEWER');
    await expect(anew.resultOf(kyc)).resolves.toMatch(/rejected/i);
    await decide(anew, depositWorkflowId(differing), 'approve');
    await expect(anew.resultOf(depositWorkflowId(differing))).resolves.toBe('PAID');
    await decide(anew, suspenseWorkflowId(late), 'refund');
    await decide(anew, suspenseWorkflowId(late), 'sent_back');
    await expect(anew.resultOf(suspenseWorkflowId(late))).resolves.toBe('REFUNDED');
    await receive(anew, waiting, 100n);
    await expect(anew.resultOf(depositWorkflowId(waiting))).resolves.toBe('PAID');
    await decide(anew, withdrawalWorkflowId(withdrawal), 'reject');
    await expect(anew.resultOf(withdrawalWorkflowId(withdrawal))).resolves.toBe('REJECTED');
    const books = await runBooks(runner(stand.database.db));
    expect(books.filter(({ ok }) => !ok)).toEqual([]);
    // A second lap finds nothing left to do.
    expect(await reconcile(anew)).toMatchObject({ healed: 0, raised: 0 });
  } finally {
    flows.delivery.on = true;
    await anew.close();
  }
}, 120_000);
