import { Router } from 'express';
import supertest from 'supertest';
import { expireKyc } from '../../activities/accounts/kyc-status.ts';
import { requireKyc } from '../../api/accounts/profile-gates.ts';
import { DECIDE_UPDATE } from '../../workflows/contracts/decision.ts';
import { kycWorkflowId } from '../../workflows/contracts/kyc.ts';
import type { TestDatabase } from '../support/database.ts';
import type { TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { image } from '../support/images.ts';
import { eventually } from '../support/until.ts';
import { makeOperator, makePublisher } from '../support/make/account.ts';
import { testApp } from '../support/mounts.ts';
import type { Caller } from '../support/call.ts';
import { createStand, type FlowStand } from '../support/stand.ts';

const NUMBER = 'SECRET-991';
const NAME = 'Ada Byron King';

let stand: FlowStand;
let database: TestDatabase;
let flows: TestFlows;
let reviewer: number;
let finance: number;

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  ({ database, flows } = stand);
  reviewer = (await makeOperator(database.db, 'REVIEWER')).id;
  finance = (await makeOperator(database.db, 'FINANCE')).id;
}, 90_000);

afterAll(async () => {
  await stand?.close();
}, 60_000);

/** What stands before a withdrawal. */
async function gate({ token }: Caller) {
  const { deps } = stand;
  const router = Router().get('/', async (req, res) => {
    await requireKyc(deps)(req);
    res.json({});
  });
  const app = testApp({ '/gate': Router().use(deps.auth.require('publisher'), router) });
  return await supertest(app).get('/gate').set('Authorization', `Bearer ${token}`);
}

const as: FlowStand['as'] = (realm, id) => stand.as(realm, id);

interface Submitted {
  accountId: number;
  applicationId: number;
  operationId: number;
  workflowId: string;
  taskId: number;
}

async function submit(accountId: number, extra: object = {}): Promise<Submitted> {
  const owner = as('publisher', accountId);
  const uploaded = await owner.upload(
    '/kyc/documents',
    await image('png', { width: 50, height: 20 }),
  );
  const sent = await owner.post('/kyc', {
    entity_type: 'BUSINESS',
    legal_name: NAME,
    country: 'DE',
    document_number: NUMBER,
    document_ids: [uploaded.body.data.id],
    ...extra,
  });
  expect(sent.status).toBe(202);
  const { operation } = sent.body.data;
  const workflowId = kycWorkflowId({ applicationId: operation.subject.id });
  const taskId = await eventually(async () => {
    const { rows } = await database.pool.query('SELECT id FROM tasks WHERE workflow_id = $1', [
      workflowId,
    ]);
    expect(rows).toHaveLength(1);
    return Number(rows[0].id);
  });
  return {
    accountId,
    applicationId: operation.subject.id,
    operationId: operation.id,
    workflowId,
    taskId,
  };
}

const decide = (taskId: number, body: object, operatorId = reviewer) =>
  as('admin', operatorId).post(`/tasks/${taskId}/decision`, body);
const kycOf = async (accountId: number) => (await as('publisher', accountId).get('/kyc')).body.data;
const publisher = async () => (await makePublisher(database.db)).id;

describe('a proof of identity', () => {
  it('approved · by a reviewer · opens the gate, ends the operation and writes a letter', async () => {
    const accountId = await publisher();
    const owner = as('publisher', accountId);
    const refused = await gate(owner);
    expect(refused.status).toBe(412);
    expect(refused.body.data).toMatchObject({ requires_kyc: true, kyc_status: 'none' });

    const sent = await submit(accountId, { document_expires_on: '2099-12-31' });
    const task = await as('admin', reviewer).get(`/tasks/${sent.taskId}`);
    expect(task.body.data).toMatchObject({
      kind: 'kyc_review',
      status: 'open',
      account_id: accountId,
      required_role: 'REVIEWER',
      decisions: ['approve', 'reject'],
      summary: `Proof of identity ${sent.applicationId}, round 1`,
      detail: {
        kyc: {
          legal_name: NAME,
          country: 'DE',
          document_number: '••••991',
          documents: [{ mime: 'image/png' }],
          history: [],
        },
      },
    });
    const listed = await as('admin', reviewer).get('/tasks?kind=kyc_review');
    expect(JSON.stringify(listed.body)).not.toContain(NAME);
    expect((await owner.get(`/operations/${sent.operationId}`)).body.data.status).toBe(
      'waiting_human',
    );

    expect((await decide(sent.taskId, { decision: 'approve' })).status).toBe(200);
    await expect(flows.resultOf(sent.workflowId)).resolves.toBe('approved');
    expect(await kycOf(accountId)).toMatchObject({ kyc_status: 'approved', reasons: [] });
    const days = (Date.parse((await kycOf(accountId)).expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(730);
    expect((await owner.get(`/operations/${sent.operationId}`)).body.data).toMatchObject({
      status: 'succeeded',
      result: { kyc_status: 'approved' },
    });
    // Which account is paid is for each request to find out.
    expect((await gate(owner)).status).toBe(200);
    await eventually(async () => {
      const { rows } = await database.pool.query(
        'SELECT kind, status, attempts FROM mails WHERE account_id = $1',
        [accountId],
      );
      expect(rows).toEqual([{ kind: 'kyc_approved', status: 'SENT', attempts: 1 }]);
    });
    await captureHistory(flows.client, sent, 'kycWorkflow.approved');
  });

  it('rejected · with reasons · tells them, and a second round may follow', async () => {
    const accountId = await publisher();
    const first = await submit(accountId);
    expect((await decide(first.taskId, { decision: 'reject' })).status).toBe(422);
    const reasons = [{ code: 'UNREADABLE', field: 'document_ids', note: 'Too dark.' }];
    expect((await decide(first.taskId, { decision: 'reject', reasons })).status).toBe(200);
    await expect(flows.resultOf(first.workflowId)).resolves.toBe('rejected');
    expect(await kycOf(accountId)).toMatchObject({ kyc_status: 'rejected', round: 1, reasons });
    const ended = await as('publisher', accountId).get(`/operations/${first.operationId}`);
    expect(ended.body.data).toMatchObject({
      status: 'failed',
      error: { error: 'kyc_rejected', reasons },
    });

    const second = await submit(accountId);
    expect(second.workflowId).not.toBe(first.workflowId);
    expect(await kycOf(accountId)).toMatchObject({ kyc_status: 'pending', round: 2, reasons: [] });
    const task = await as('admin', reviewer).get(`/tasks/${second.taskId}`);
    expect(task.body.data.detail.kyc.history).toMatchObject([
      { round: 1, status: 'REJECTED', reasons },
    ]);
    expect((await decide(second.taskId, { decision: 'approve' })).status).toBe(200);
    expect((await kycOf(accountId)).kyc_status).toBe('approved');
    await captureHistory(flows.client, first, 'kycWorkflow.rejected');
  });

  it('decided · twice, by the wrong role, or by an Update sent by hand · one decision counts', async () => {
    const accountId = await publisher();
    const sent = await submit(accountId);
    expect((await decide(sent.taskId, { decision: 'approve' }, finance)).status).toBe(403);
    const forged = flows.client.workflow
      .getHandle(sent.workflowId)
      .executeUpdate(DECIDE_UPDATE, { args: [{ taskId: sent.taskId, decisionId: 987_654_321 }] });
    await expect(forged).rejects.toThrow('Workflow Update failed');
    expect((await kycOf(accountId)).kyc_status).toBe('pending');
    const answers = await Promise.all(
      [1, 2, 3].map(async () => await decide(sent.taskId, { decision: 'approve' })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
    const applied = { applicationId: sent.applicationId, decision: await decisionOf(sent.taskId) };
    await expect(flows.activities.applyKycDecision(applied)).resolves.toEqual({
      outcome: 'approved',
    });
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS n FROM mails WHERE account_id = $1',
      [accountId],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('approved · after the document ran out meanwhile · is refused, rejecting is possible', async () => {
    const accountId = await publisher();
    const sent = await submit(accountId);
    await database.pool.query(
      `UPDATE kyc_applications SET document_expires_on = current_date - 1 WHERE id = $1`,
      [sent.applicationId],
    );
    const refused = await decide(sent.taskId, { decision: 'approve' });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The document is no longer valid; reject it.',
    ]);
    const reasons = [{ code: 'EXPIRED' }];
    expect((await decide(sent.taskId, { decision: 'reject', reasons })).status).toBe(200);
    await captureHistory(flows.client, sent, 'kycWorkflow.refused-then-rejected');
  });

  it('waiting · in its history · has ids only', async () => {
    const sent = await submit(await publisher());
    const handle = flows.client.workflow.getHandle(sent.workflowId);
    const text = JSON.stringify(await handle.fetchHistory(), (_name, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
    );
    const { searchAttributes } = await handle.describe();
    expect(text).toContain(String(sent.applicationId));
    for (const personal of [NUMBER, NAME, '@test.example', 'DE"']) {
      expect([personal, text.includes(personal)]).toEqual([personal, false]);
    }
    expect(Object.keys(searchAttributes).filter((name) => name.startsWith('Kyc'))).toEqual([]);
    await captureHistory(flows.client, sent, 'kycWorkflow.waiting');
  });
});

describe('an approval', () => {
  it('expired · when its time is over · closes the gate, once, and papers may be sent again', async () => {
    const accountId = await publisher();
    const sent = await submit(accountId);
    await decide(sent.taskId, { decision: 'approve' });
    const still = await publisher();
    const other = await submit(still);
    await decide(other.taskId, { decision: 'approve' });
    await database.pool.query(
      `UPDATE kyc_applications SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [sent.applicationId],
    );
    const [once, twice] = await Promise.all([expireKyc(flows.deps), expireKyc(flows.deps)]);
    expect(once + twice).toBe(1);
    expect(await expireKyc(flows.deps)).toBe(0);
    expect((await kycOf(accountId)).kyc_status).toBe('expired');
    expect((await kycOf(still)).kyc_status).toBe('approved');
    expect((await gate(as('publisher', accountId))).body.data.kyc_status).toBe('expired');
    await submit(accountId);
    expect(await kycOf(accountId)).toMatchObject({ kyc_status: 'pending', round: 2 });
  });

  it('upkeep · each hour · ends what is due and forgets used letters', async () => {
    const accountId = await publisher();
    const sent = await submit(accountId);
    await decide(sent.taskId, { decision: 'approve' });
    await database.pool.query('UPDATE kyc_applications SET expires_at = now() WHERE id = $1', [
      sent.applicationId,
    ]);
    await database.pool.query(
      `INSERT INTO password_resets (account_id, token_hash, expires_at)
       VALUES ($1, 'old', now() - interval '2 days'), ($1, 'young', now())`,
      [accountId],
    );
    const report = await flows.activities.runUpkeep();
    expect(report).toMatchObject({ kycExpired: 1, passwordResets: 1 });
    expect((await kycOf(accountId)).kyc_status).toBe('expired');
  });
});

async function decisionOf(taskId: number) {
  const { rows } = await database.pool.query(
    `SELECT id FROM task_decisions WHERE task_id = $1 AND status = 'APPLIED'`,
    [taskId],
  );
  return { taskId, decisionId: Number(rows[0].id) };
}
