import { MockActivityEnvironment } from '@temporalio/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { createRefusalActivities, isAskedAbout } from '../../../activities/flows/refusals.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { makeReviewRows } from '../../support/make/review-rows.ts';
import { insertRow } from '../../support/make/row.ts';
import { activityDeps } from '../../support/settlement.ts';

/** A step of a flow was refused: who is asked, about what, and what they may say. */
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});

const asks = async (workflowId: string) => {
  const steps = createRefusalActivities(activityDeps(database));
  const flow = new MockActivityEnvironment({ workflowExecution: { workflowId, runId: 'run' } });
  return await flow.run(
    async () => await steps.askAboutRefusal({ step: 'someStep', refusal: 'No such thing.' }),
  );
};

const tasksOf = async (workflowId: string) => {
  const { rows } = await database.pool.query(
    `SELECT kind, required_role AS role, subject_type AS type, subject_id::int AS id, account_id::int AS account,
       decisions, findings->0->>'note' AS note FROM tasks WHERE workflow_id = $1 ORDER BY id`,
    [workflowId],
  );
  return rows as Record<string, unknown>[];
};

test('flows of money · a refused step · finance is asked once, and may end it', async () => {
  const advertiser = (await makeAdvertiser(database.db)).id;
  const id = await insertRow(database, 'deposits', {
    advertiser_id: advertiser,
    amount_nanos: '100000000000',
    payment_method: 'OFFLINE',
    reference: 'REF-1',
    expires_at: new Date(Date.now() + 3_600_000),
  });
  const workflowId = `deposit:${id}`;
  const question = await asks(workflowId);
  expect(question).toMatchObject({ kind: 'money_refused', role: 'FINANCE' });
  expect(await asks(workflowId)).toEqual(question);
  expect(await tasksOf(workflowId)).toEqual([
    {
      kind: 'money_refused',
      role: 'FINANCE',
      type: 'deposit',
      id,
      account: advertiser,
      decisions: ['retry', 'end'],
      note: 'someStep: No such thing.',
    },
  ]);
});

test('a review, a proof of identity · a refused step · a reviewer is asked, a decision ends it and nothing else', async () => {
  const { creativeId, advertiserId } = await makeReviewRows(database);
  await insertRow(database, 'reviews', {
    subject_type: 'creative',
    subject_id: creativeId,
    round: 1,
    account_id: advertiserId,
    workflow_id: 'review-of-the-test',
  });
  const publisher = (await makePublisher(database.db)).id;
  const kyc = await insertRow(database, 'kyc_applications', {
    account_id: publisher,
    round: 1,
    entity_type: 'BUSINESS',
    legal_name: 'sealed',
    country: 'DE',
    document_number_sealed: 'sealed',
    document_number_tail: '1',
    document_ids: [],
    workflow_id: 'kyc-of-the-test',
  });
  const review = `review:creative:${creativeId}:1`;
  await asks(review);
  await asks(`kyc:${kyc}`);
  expect([...(await tasksOf(review)), ...(await tasksOf(`kyc:${kyc}`))]).toMatchObject([
    {
      kind: 'review_refused',
      role: 'REVIEWER',
      type: 'creative',
      id: creativeId,
      decisions: ['retry'],
    },
    { kind: 'review_refused', role: 'REVIEWER', type: 'kyc', id: kyc, decisions: ['retry'] },
  ]);
});

test('taking money back · a refused step · finance is asked to try again', async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO reversals (source, scope, reason, note, maker_id)
     VALUES ('EVENTS', '{}', 'BILLING_ERROR', 'x', $1) RETURNING id`,
    [(await makeOperator(database.db, 'FINANCE')).id],
  );
  const id = Number(rows[0]?.id);
  await asks(`reversal:${id}`);
  expect(await tasksOf(`reversal:${id}`)).toMatchObject([
    {
      kind: 'money_refused',
      role: 'FINANCE',
      type: 'reversal',
      id,
      account: null,
      decisions: ['retry'],
    },
  ]);
});

test('every flow that waits for persons · its steps refused · has somebody who is asked', () => {
  const words = readdirSync('workflows')
    .filter((file) => !['armour.ts', 'one-decision.ts'].includes(file))
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      /\b(?:uncancellable|oneDecision)\(/.test(readFileSync(`workflows/${file}`, 'utf8')),
    )
    .map((file) => file.replace('.ts', ''));
  expect(words.length).toBeGreaterThan(6);
  expect(words.filter((word) => !isAskedAbout(word))).toEqual([]);
});

test.each([
  'withdrawal:999999',
  'reversal:999999',
  'suspense:999999',
  'domain-transfer:999999',
  'removal-appeal:999999',
  'settlement:0',
])('%s · a flow whose row is gone, or that has none · nobody is asked', async (workflowId) => {
  expect(await asks(workflowId)).toBeNull();
  expect(await tasksOf(workflowId)).toEqual([]);
});
