import { Router } from 'express';
import supertest from 'supertest';
import { expireKyc, remindOfExpiry } from '../../activities/accounts/identities.ts';
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
import { setByOwner } from '../support/by-owner.ts';
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
      const letter = { kind: 'notice', status: 'SENT', attempts: 1 };
      expect(rows).toEqual([letter, letter]);
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
    const news = await as('publisher', accountId).get('/notifications');
    expect(news.body.data.items).toMatchObject([
      { kind: 'kyc_received', subject: { type: 'kyc', id: second.applicationId } },
      {
        kind: 'kyc_decided',
        subject: { type: 'kyc', id: first.applicationId },
        text: 'Your proof of identity needs more',
        params: { decision: 'rejected', mendable: true, reasons },
      },
      { kind: 'kyc_received' },
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
    // Received and decided.
    expect(rows).toEqual([{ n: 2 }]);
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

  it('upkeep · each hour · forgets used letters', async () => {
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
    expect(report).toMatchObject({ passwordResets: 1 });
    expect(await expireKyc(flows.deps)).toBe(1);
    expect((await kycOf(accountId)).kyc_status).toBe('expired');
  });
});

/** The flows' steps, so many days later. */
const later = (days: number) => ({
  ...flows.deps,
  clock: () => new Date(Date.now() + days * 86_400_000),
});
const toldOf = async (accountId: number) => {
  const { rows } = await database.pool.query<{ kind: string; days: number | null; mails: number }>(
    `SELECT kind, (params ->> 'days')::int AS days,
       (SELECT count(*)::int FROM mails m WHERE m.account_id = n.account_id) AS mails
     FROM notifications n WHERE account_id = $1 ORDER BY id`,
    [accountId],
  );
  expect(rows.at(-1)?.mails).toBe(rows.length);
  return rows.map(({ kind, days }) => (days === null ? kind : `${kind} ${days}`));
};
const approved = async (extra: object = {}) => {
  const sent = await submit(await publisher(), extra);
  expect((await decide(sent.taskId, { decision: 'approve' })).status).toBe(200);
  return sent;
};

describe('a renewal', () => {
  it('reminded · 30, 7 and 1 day before, by rounds at once · each once, and none to whoever was away', async () => {
    const { accountId } = await approved();
    const away = await approved();
    const seen: string[][] = [];
    for (const days of [690, 701, 702, 723.5, 724, 729.5]) {
      await Promise.all([remindOfExpiry(later(days)), remindOfExpiry(later(days))]);
      seen.push((await toldOf(accountId)).slice(2));
      // Nobody else's rounds are in the way of this test.
      await database.pool.query(
        'UPDATE kyc_applications SET reminded_days = NULL WHERE account_id = $1 AND $2',
        [away.accountId, days < 729],
      );
    }
    expect(seen).toEqual([
      [],
      ['kyc_expiring 29'],
      ['kyc_expiring 29'],
      ['kyc_expiring 29', 'kyc_expiring 7'],
      ['kyc_expiring 29', 'kyc_expiring 7'],
      ['kyc_expiring 29', 'kyc_expiring 7', 'kyc_expiring 1'],
    ]);
  });

  it('asked for · long before the end, and twice near it · refused by name; what stands, stands', async () => {
    const { accountId, applicationId } = await approved();
    const owner = as('publisher', accountId);
    const uploaded = await owner.upload(
      '/kyc/documents',
      await image('png', { width: 31, height: 20 }),
    );
    const body = {
      entity_type: 'PERSONAL',
      legal_name: NAME,
      country: 'DE',
      document_number: NUMBER,
      document_ids: [uploaded.body.data.id],
    };
    const early = await owner.post('/kyc', body);
    expect([early.status, early.body.message]).toEqual([
      409,
      expect.stringMatching(/it can be renewed from \d{4}-\d\d-\d\d on/),
    ]);
    await endsIn(applicationId, '20 days');
    const renewal = await submit(accountId);
    expect(await kycOf(accountId)).toMatchObject({
      kyc_status: 'approved',
      round: 2,
      round_status: 'PENDING',
      valid_until: expect.any(String),
    });
    expect((await gate(owner)).status).toBe(200);
    const twice = await owner.post('/kyc', body);
    expect([twice.status, twice.body.message]).toEqual([409, 'The renewal is being looked at.']);
    // Whoever has sent papers is not reminded.
    await remindOfExpiry(flows.deps);
    expect(await toldOf(accountId)).toEqual(['kyc_received', 'kyc_decided', 'kyc_received']);

    const reasons = [{ code: 'UNREADABLE' }];
    expect((await decide(renewal.taskId, { decision: 'reject', reasons })).status).toBe(200);
    expect(await kycOf(accountId)).toMatchObject({
      kyc_status: 'approved',
      round_status: 'REJECTED',
      reasons,
    });
    expect((await gate(owner)).status).toBe(200);

    const third = await submit(accountId);
    expect((await decide(third.taskId, { decision: 'approve' })).status).toBe(200);
    expect(await kycOf(accountId)).toMatchObject({ kyc_status: 'approved', round: 3 });
    expect(await statusesOf(accountId)).toEqual(['SUPERSEDED', 'REJECTED', 'APPROVED']);
  });

  it('looked at · when what stands ends · pending, nothing is withdrawn, and its approval opens again', async () => {
    const { accountId, applicationId } = await approved();
    const owner = as('publisher', accountId);
    await endsIn(applicationId, '20 days');
    const renewal = await submit(accountId);
    await endsIn(applicationId, '-1 second');
    await Promise.all([expireKyc(flows.deps), expireKyc(flows.deps)]);
    expect(await statusesOf(accountId)).toEqual(['EXPIRED', 'PENDING']);
    const refused = await gate(owner);
    expect([refused.status, refused.body.message, refused.body.data.kyc_status]).toEqual([
      412,
      'Your proof of identity is being looked at.',
      'pending',
    ]);
    expect((await decide(renewal.taskId, { decision: 'approve' })).status).toBe(200);
    expect((await gate(owner)).status).toBe(200);
    expect(await toldOf(accountId)).toEqual([
      'kyc_received',
      'kyc_decided',
      'kyc_received',
      'kyc_decided',
      'kyc_decided',
    ]);
  });

  it('approved · while the round ends what stood · either first, the account is approved', async () => {
    const { accountId, applicationId } = await approved();
    await endsIn(applicationId, '20 days');
    const renewal = await submit(accountId);
    await endsIn(applicationId, '0 seconds');
    await Promise.all([
      decide(renewal.taskId, { decision: 'approve' }),
      expireKyc(flows.deps),
      expireKyc(flows.deps),
    ]);
    expect((await kycOf(accountId)).kyc_status).toBe('approved');
    const [first, second] = await statusesOf(accountId);
    expect(['SUPERSEDED', 'EXPIRED']).toContain(first);
    expect(second).toBe('APPROVED');
  });

  it('kyc.valid_days · set · an approval holds so long, or as long as its paper', async () => {
    await setByOwner(database, 'kyc.valid_days', 90);
    const { accountId } = await approved();
    await setByOwner(database, 'kyc.valid_days', 730);
    const days = (Date.parse((await kycOf(accountId)).valid_until) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });
});

const endsIn = async (applicationId: number, interval: string): Promise<void> => {
  await database.pool.query(
    'UPDATE kyc_applications SET expires_at = now() + $2::interval WHERE id = $1',
    [applicationId, interval],
  );
};
const statusesOf = async (accountId: number): Promise<string[]> => {
  const { rows } = await database.pool.query<{ status: string }>(
    'SELECT status FROM kyc_applications WHERE account_id = $1 ORDER BY round',
    [accountId],
  );
  return rows.map(({ status }) => status);
};

async function decisionOf(taskId: number) {
  const { rows } = await database.pool.query(
    `SELECT id FROM task_decisions WHERE task_id = $1 AND status = 'APPLIED'`,
    [taskId],
  );
  return { taskId, decisionId: Number(rows[0].id) };
}
