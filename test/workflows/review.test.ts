import { WorkflowUpdateFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { submitReview, withdrawReview } from '../../activities/review/reviews.ts';
import { inTransaction } from '../../db/postgres.ts';
import { DECIDE_UPDATE, type DecideInput } from '../../workflows/contracts/decision.ts';
import {
  REVIEW_WITHDRAW_SIGNAL,
  type ReviewSubjectType,
  reviewWorkflowId,
} from '../../workflows/contracts/review.ts';
import type { TestDatabase } from '../support/database.ts';
import { captureHistory } from '../support/histories.ts';
import type { TestFlows } from '../support/flows.ts';
import { eventually } from '../support/until.ts';
import { makeOperator } from '../support/make/account.ts';
import { makeReviewRows, type ReviewRows } from '../support/make/review-rows.ts';
import { insertRow } from '../support/make/row.ts';
import { testWorkflowBundle } from '../support/workflow-bundle.ts';
import { createStand, type FlowStand } from '../support/stand.ts';

let stand: FlowStand;
let database: TestDatabase;
let flows: TestFlows;
const operators: Record<'reviewer' | 'second' | 'finance' | 'admin', number> = {
  reviewer: 0,
  second: 0,
  finance: 0,
  admin: 0,
};

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  ({ database, flows } = stand);
  operators.reviewer = (await makeOperator(database.db, 'REVIEWER')).id;
  operators.second = (await makeOperator(database.db, 'REVIEWER')).id;
  operators.finance = (await makeOperator(database.db, 'FINANCE')).id;
  operators.admin = (await makeOperator(database.db, 'ADMIN')).id;
}, 90_000);

afterAll(async () => {
  await stand?.close();
}, 60_000);

function as(operatorId: number) {
  const operator = stand.as('admin', operatorId);
  return {
    get: (path: string) => operator.get(path),
    decide: (taskId: number, body: object) => operator.post(`/tasks/${taskId}/decision`, body),
    assign: (taskId: number, body: object) => operator.post(`/tasks/${taskId}/assign`, body),
  };
}

async function submit(
  rows: ReviewRows,
  type: ReviewSubjectType,
  revision?: number,
): Promise<{ id: number; round: number; workflowId: string }> {
  const id = idOf(rows, type);
  const accountId = type === 'site' ? rows.publisherId : rows.advertiserId;
  const { round, workflowId } = await inTransaction(
    database.db,
    async (tx) =>
      await submitReview(flows.deps, tx, {
        type,
        id,
        accountId,
        ...(revision === undefined ? {} : { revision }),
      }),
  );
  return { id, round, workflowId };
}

function idOf(rows: ReviewRows, type: ReviewSubjectType): number {
  const ids: Record<string, number> = {
    campaign: rows.campaignId,
    adgroup: rows.adGroupId,
    ad: rows.adId,
    creative: rows.creativeId,
    site: rows.siteId,
  };
  return ids[type] ?? 0;
}

async function one<Row extends Record<string, unknown>>(
  sql: string,
  values: unknown[],
): Promise<Row> {
  const { rows } = await database.pool.query<Row>(sql, values);
  const [row] = rows;
  if (row === undefined) throw new Error(`no row: ${sql}`);
  return row;
}

const auditOf = async (table: string, id: number): Promise<string> =>
  (await one<{ audit_status: string }>(`SELECT audit_status FROM ${table} WHERE id = $1`, [id]))
    .audit_status;

async function taskOf(workflowId: string): Promise<number> {
  return await eventually(async () => {
    const row = await one<{ id: string }>('SELECT id FROM tasks WHERE workflow_id = $1', [
      workflowId,
    ]);
    return Number(row.id);
  });
}

const published = async (topic: string, id: number): Promise<number> =>
  Number(
    (
      await one<{ n: string }>(
        `SELECT count(*) AS n FROM outbox WHERE kind = 'publish' AND payload->>'topic' = $1 AND (payload->>'id')::bigint = $2`,
        [topic, id],
      )
    ).n,
  );

describe('a review that needs nobody', () => {
  it('campaign · clean under auto_when_clean · approved without a task', async () => {
    const rows = await makeReviewRows(database);
    const { workflowId } = await submit(rows, 'campaign');
    await expect(flows.resultOf(workflowId)).resolves.toBe('APPROVED');
    expect(await auditOf('campaigns', rows.campaignId)).toBe('APPROVED');
    const review = await one<{ decided_by: string }>(
      'SELECT decided_by FROM reviews WHERE workflow_id = $1',
      [workflowId],
    );
    expect(review.decided_by).toBe('AUTO');
    expect(await published('advertiser', rows.advertiserId)).toBe(1);
  });

  it('submit · without a dispatcher · waits in the outbox and starts when one is back', async () => {
    const rows = await makeReviewRows(database);
    flows.delivery.on = false;
    const { workflowId } = await submit(rows, 'adgroup');
    flows.delivery.on = true;
    expect(await auditOf('ad_groups', rows.adGroupId)).toBe('PENDING');
    await database.pool.query('UPDATE outbox SET next_at = now() WHERE done_at IS NULL');
    await flows.dispatcher.dispatchDue(10);
    await expect(flows.resultOf(workflowId)).resolves.toBe('APPROVED');
  });
});

describe('a review that a person decides', () => {
  it('creative · approved over HTTP · serves that revision; deciding again is 409', async () => {
    const rows = await makeReviewRows(database);
    const { workflowId } = await submit(rows, 'creative', 1);
    const taskId = await taskOf(workflowId);
    const shown = await as(operators.reviewer).get(`/tasks/${taskId}`);
    expect(shown.body.data).toMatchObject({
      kind: 'creative_review',
      status: 'open',
      subject: { type: 'creative', id: rows.creativeId },
      decisions: ['approve', 'reject'],
      workflow_id: workflowId,
      detail: { revision: { revision: 1 }, history: [{ round: 1, status: 'OPEN' }] },
    });
    expect(shown.body.data.detail.revision.image_url).toMatch(
      /\/media\/signed\/[\w-]+\/ab\/[0-9a-f]{32}\.png$/,
    );

    const decided = await as(operators.reviewer).decide(taskId, { decision: 'approve' });
    expect(decided.status).toBe(200);
    expect(decided.body.data).toMatchObject({
      status: 'decided',
      decision: { decision: 'approve', operator_id: operators.reviewer },
    });
    const again = await as(operators.second).decide(taskId, {
      decision: 'reject',
      reasons: [{ code: 'OTHER', note: 'Not as agreed' }],
    });
    expect(again.status).toBe(409);

    const creative = await one<{ audit_status: string; approved_revision: number }>(
      'SELECT audit_status, approved_revision FROM creatives WHERE id = $1',
      [rows.creativeId],
    );
    expect(creative).toEqual({ audit_status: 'APPROVED', approved_revision: 1 });
    await expect(flows.resultOf(workflowId)).resolves.toBe('APPROVED');
    const audit = await one<{ action: string; actor_id: string }>(
      `SELECT action, actor_id FROM audit_log WHERE subject_type = 'task' AND subject_id = $1`,
      [taskId],
    );
    expect(audit).toEqual({ action: 'task.decide', actor_id: String(operators.reviewer) });
  });

  it('creative · later revision rejected · reasons are told and the approved one serves on', async () => {
    const rows = await makeReviewRows(database);
    const first = await submit(rows, 'creative', 1);
    await as(operators.reviewer).decide(await taskOf(first.workflowId), { decision: 'approve' });
    await insertRow(database, 'creative_revisions', {
      creative_id: rows.creativeId,
      revision: 2,
      html_code: '<p>new</p>',
    });
    await database.pool.query('UPDATE creatives SET latest_revision = 2 WHERE id = $1', [
      rows.creativeId,
    ]);
    const second = await submit(rows, 'creative', 2);
    expect(second.round).toBe(2);
    const taskId = await taskOf(second.workflowId);
    const shown = await as(operators.reviewer).get(`/tasks/${taskId}`);
    expect(shown.body.data.detail.changes).toContainEqual({
      field: 'html_code',
      before: null,
      after: '<p>new</p>',
    });
    const unreasoned = await as(operators.reviewer).decide(taskId, { decision: 'reject' });
    expect(unreasoned.status).toBe(422);
    const reasons = [{ code: 'MISLEADING', field: 'html_code', note: 'Says nothing.' }];
    const rejected = await as(operators.reviewer).decide(taskId, { decision: 'reject', reasons });
    expect(rejected.status).toBe(200);
    const creative = await one(
      'SELECT audit_status, approved_revision, audit_reasons FROM creatives WHERE id = $1',
      [rows.creativeId],
    );
    expect(creative).toEqual({
      audit_status: 'REJECTED',
      approved_revision: 1,
      audit_reasons: reasons,
    });
  });

  it('ad · new landing host approved by a person · the host is news no more', async () => {
    const rows = await makeReviewRows(database);
    const first = await submit(rows, 'ad');
    const taskId = await taskOf(first.workflowId);
    const shown = await as(operators.reviewer).get(`/tasks/${taskId}`);
    expect(shown.body.data.findings).toEqual([
      {
        code: 'LANDING_HOST_NEW',
        severity: 'notice',
        field: 'landing_url',
        note: 'shop.example',
      },
      { code: 'COPY_NEW', severity: 'notice', field: 'title' },
    ]);
    expect(shown.body.data.detail.revision.revision).toBe(1);
    expect((await as(operators.reviewer).decide(taskId, { decision: 'approve' })).status).toBe(200);
    await database.pool.query(
      `INSERT INTO ad_revisions (ad_id, revision, creative_id, title, description)
       SELECT ad_id, 2, creative_id, title, description FROM ad_revisions WHERE ad_id = $1`,
      [rows.adId],
    );
    await database.pool.query('UPDATE ads SET latest_revision = 2 WHERE id = $1', [rows.adId]);
    const second = await submit(rows, 'ad');
    await expect(flows.resultOf(second.workflowId)).resolves.toBe('APPROVED');
  });

  it('site · not verified · approving is refused until it is verified', async () => {
    const rows = await makeReviewRows(database);
    const provenAs = async (status: string) =>
      await database.pool.query('UPDATE sites SET verify_status = $2 WHERE id = $1', [
        rows.siteId,
        status,
      ]);
    await provenAs('VERIFIED');
    const { workflowId } = await submit(rows, 'site');
    const taskId = await taskOf(workflowId);
    await provenAs('LAPSED');
    const early = await as(operators.reviewer).decide(taskId, { decision: 'approve' });
    expect(early.status).toBe(409);
    expect(early.body.message).toContain('SITE_NOT_VERIFIED');
    expect(await auditOf('sites', rows.siteId)).toBe('PENDING');
    await provenAs('VERIFIED');
    const later = await as(operators.second).decide(taskId, { decision: 'approve' });
    expect(later.status).toBe(200);
    expect(await auditOf('sites', rows.siteId)).toBe('APPROVED');
    expect(await published('publisher', rows.publisherId)).toBe(1);
  });

  it('decision · by two operators at once · exactly one 200, the other 409', async () => {
    const rows = await makeReviewRows(database);
    const { workflowId } = await submit(rows, 'creative', 1);
    const taskId = await taskOf(workflowId);
    const answers = await Promise.all([
      as(operators.reviewer).decide(taskId, { decision: 'approve' }),
      as(operators.second).decide(taskId, {
        decision: 'reject',
        reasons: [{ code: 'OTHER', note: 'Not as agreed' }],
      }),
    ]);
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 409]);
    const { n } = await one<{ n: string }>(
      `SELECT count(*) AS n FROM task_decisions WHERE task_id = $1 AND status = 'APPLIED'`,
      [taskId],
    );
    expect(n).toBe('1');
  });

  it.each([
    ['a role without this duty', 'finance', { decision: 'approve' }, 403],
    ['a decision the task does not offer', 'reviewer', { decision: 'credit' }, 422],
    ['an unknown field', 'reviewer', { decision: 'approve', force: true }, 422],
    ['a reason without a code', 'reviewer', { decision: 'reject', reasons: [{ note: 'x' }] }, 422],
  ] as const)('decision · %s · refused and nothing stored', async (_name, who, body, status) => {
    const rows = await makeReviewRows(database);
    const { workflowId } = await submit(rows, 'creative', 1);
    const taskId = await taskOf(workflowId);
    const answer = await as(operators[who]).decide(taskId, body);
    expect(answer.status).toBe(status);
    const { n } = await one<{ n: string }>(
      'SELECT count(*) AS n FROM task_decisions WHERE task_id = $1',
      [taskId],
    );
    expect(n).toBe('0');
  });

  it('decision · unknown task · 404', async () => {
    expect((await as(operators.reviewer).decide(999_999, { decision: 'approve' })).status).toBe(
      404,
    );
  });

  it('assign · to a role that may not decide it · 422; to oneself · shown in the list', async () => {
    const rows = await makeReviewRows(database);
    const taskId = await taskOf((await submit(rows, 'creative', 1)).workflowId);
    const wrong = await as(operators.reviewer).assign(taskId, { assignee_id: operators.finance });
    expect(wrong.status).toBe(422);
    expect((await as(operators.reviewer).assign(taskId, {})).status).toBe(200);
    const mine = await as(operators.reviewer).get('/tasks?assignee=me&status=open');
    expect(mine.body.data.items.map((task: { id: number }) => task.id)).toContain(taskId);
  });
});

describe('what does not count', () => {
  it('Update sent by hand · without an authenticated row · refused, the review waits on', async () => {
    const rows = await makeReviewRows(database);
    const { workflowId } = await submit(rows, 'creative', 1);
    const taskId = await taskOf(workflowId);
    const handle = flows.client.workflow.getHandle(workflowId);
    for (const forged of [
      { taskId, decisionId: 999_999 },
      { taskId: taskId + 1_000, decisionId: 1 },
    ]) {
      await expect(
        handle.executeUpdate<string, [DecideInput]>(DECIDE_UPDATE, { args: [forged] }),
      ).rejects.toBeInstanceOf(WorkflowUpdateFailedError);
    }
    expect(await auditOf('creatives', rows.creativeId)).toBe('PENDING');
    expect((await as(operators.reviewer).decide(taskId, { decision: 'approve' })).status).toBe(200);
  });

  it('decision of another task · borrowed by an Update · refused', async () => {
    const mine = await makeReviewRows(database);
    const other = await makeReviewRows(database);
    const first = await submit(mine, 'creative', 1);
    const second = await submit(other, 'creative', 1);
    const taskId = await taskOf(first.workflowId);
    const otherTask = await taskOf(second.workflowId);
    const { id } = await one<{ id: string }>(
      `INSERT INTO task_decisions (task_id, operator_id, decision) VALUES ($1, $2, 'approve') RETURNING id`,
      [otherTask, operators.reviewer],
    );
    await expect(
      flows.client.workflow.getHandle(first.workflowId).executeUpdate(DECIDE_UPDATE, {
        args: [{ taskId, decisionId: Number(id) }],
      }),
    ).rejects.toBeInstanceOf(WorkflowUpdateFailedError);
    expect(await auditOf('creatives', mine.creativeId)).toBe('PENDING');
  });

  it('withdraw signal sent by hand · the row is open · the review waits on', async () => {
    const rows = await makeReviewRows(database);
    const { workflowId } = await submit(rows, 'creative', 1);
    const taskId = await taskOf(workflowId);
    await flows.client.workflow.getHandle(workflowId).signal(REVIEW_WITHDRAW_SIGNAL);
    expect((await as(operators.reviewer).decide(taskId, { decision: 'approve' })).status).toBe(200);
  });
});

describe('withdrawal', () => {
  it('withdrawReview · while a person is asked · void everywhere, a decision is 409', async () => {
    const rows = await makeReviewRows(database);
    const { workflowId } = await submit(rows, 'creative', 1);
    const taskId = await taskOf(workflowId);
    await inTransaction(database.db, async (tx) => {
      await withdrawReview(flows.deps, tx, { type: 'creative', id: rows.creativeId });
    });
    await expect(flows.resultOf(workflowId)).resolves.toBe('VOID');
    expect((await as(operators.reviewer).decide(taskId, { decision: 'approve' })).status).toBe(409);
  });

  it('submit again · while a round is open · the old round is void, the new one asks', async () => {
    const rows = await makeReviewRows(database);
    const first = await submit(rows, 'creative', 1);
    await taskOf(first.workflowId);
    const second = await submit(rows, 'creative', 1);
    await expect(flows.resultOf(first.workflowId)).resolves.toBe('VOID');
    expect(second.round).toBe(first.round + 1);
    const taskId = await taskOf(second.workflowId);
    expect((await as(operators.reviewer).decide(taskId, { decision: 'approve' })).status).toBe(200);
  });

  it('submitReview · a foreign row, or submit while approved · not_found, state_conflict', async () => {
    const rows = await makeReviewRows(database);
    await expect(
      inTransaction(
        database.db,
        async (tx) =>
          await submitReview(flows.deps, tx, {
            type: 'campaign',
            id: rows.campaignId,
            accountId: rows.publisherId,
          }),
      ),
    ).rejects.toMatchObject({ token: 'not_found' });
    await database.pool.query(`UPDATE campaigns SET audit_status = 'APPROVED' WHERE id = $1`, [
      rows.campaignId,
    ]);
    await expect(
      inTransaction(
        database.db,
        async (tx) =>
          await submitReview(flows.deps, tx, {
            type: 'campaign',
            id: rows.campaignId,
            accountId: rows.advertiserId,
            action: 'submit',
          }),
      ),
    ).rejects.toMatchObject({ token: 'state_conflict' });
  });
});

describe('steps', () => {
  it('every step · run twice · one effect', async () => {
    const rows = await makeReviewRows(database);
    flows.delivery.on = false;
    const { id, round } = await submit(rows, 'creative', 1);
    flows.delivery.on = true;
    const input = { subjectType: 'creative', subjectId: id, round } as const;
    const { activities } = flows;
    expect(await activities.runReviewChecks(input)).toEqual({ route: 'human' });
    expect(await activities.runReviewChecks(input)).toEqual({ route: 'human' });
    const task = await activities.openReviewTask(input);
    expect(await activities.openReviewTask(input)).toEqual(task);
    flows.delivery.on = false;
    const { decisionId } = await activities.decideTask({
      taskId: task.taskId ?? 0,
      operator: { id: operators.reviewer, role: 'REVIEWER' },
      decision: 'approve',
      reasons: [],
      note: null,
      evidenceMediaId: null,
      requestId: 'r',
    });
    flows.delivery.on = true;
    const decision = { taskId: task.taskId ?? 0, decisionId };
    const applied = await activities.applyReviewOutcome({ ...input, decision });
    expect(await activities.applyReviewOutcome({ ...input, decision })).toEqual(applied);
    expect(await published('advertiser', rows.advertiserId)).toBe(1);
  });
});

it('histories · when asked for · are kept', async () => {
  const kept: [string, string][] = [
    ['reviewWorkflow.auto', `decided_by = 'AUTO' AND status = 'APPROVED'`],
    [
      'reviewWorkflow.human-approve',
      `subject_type = 'creative' AND decided_by = 'OPERATOR' AND status = 'APPROVED'`,
    ],
    ['reviewWorkflow.human-reject', `status = 'REJECTED'`],
    ['reviewWorkflow.withdrawn', `status = 'VOID'`],
    ['reviewWorkflow.refused-then-approved', `subject_type = 'site' AND status = 'APPROVED'`],
  ];
  for (const [name, where] of kept) {
    const row = await one<{ workflow_id: string }>(
      `SELECT workflow_id FROM reviews WHERE ${where} AND EXISTS (SELECT 1 FROM outbox WHERE done_at IS NOT NULL AND dedupe_key = 'start:' || workflow_id) ORDER BY id LIMIT 1`,
      [],
    );
    await captureHistory(flows.client, { workflowId: row.workflow_id }, name);
  }
});

it('every history of this file · replayed against the code · deterministic', async () => {
  const histories = flows.client.workflow
    .list({ query: `WorkflowType = 'reviewWorkflow'` })
    .intoHistories();
  let replayed = 0;
  for await (const result of Worker.runReplayHistories(
    { workflowBundle: await testWorkflowBundle() },
    histories,
  )) {
    expect(result.error).toBeUndefined();
    replayed += 1;
  }
  expect(replayed).toBeGreaterThan(10);
  expect(reviewWorkflowId({ subjectType: 'ad', subjectId: 1, round: 2 })).toBe('review:ad:1:2');
});
