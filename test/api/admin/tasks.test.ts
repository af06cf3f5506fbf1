import type { TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { insertRow } from '../../support/make/row.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Without flows: what the API itself answers while Temporal is away, and whom it lets in. */
let stand: Stand;
let database: TestDatabase;
const operators: Record<'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT', number> = {
  ADMIN: 0,
  REVIEWER: 0,
  FINANCE: 0,
  SUPPORT: 0,
};

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  for (const role of ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'] as const) {
    operators[role] = (await makeOperator(database.db, role)).id;
  }
});

afterAll(async () => {
  await stand.close();
});

const as = (role: keyof typeof operators) => stand.as('admin', operators[role]);

let tasks = 0;
const makeTask = async (row: Record<string, unknown> = {}): Promise<number> => {
  tasks += 1;
  return await insertRow(database, 'tasks', {
    kind: 'site_review',
    subject_type: 'site',
    subject_id: 1,
    summary: 'A site',
    decisions: JSON.stringify(['approve', 'reject']),
    required_role: 'REVIEWER',
    workflow_id: `review:site:1:${tasks}`,
    dedupe_key: `task:${tasks}`,
    ...row,
  });
};

it('decision · while Temporal is away · 202, kept in the outbox; a second one · 409', async () => {
  const taskId = await makeTask();
  const answer = await as('REVIEWER').post(`/tasks/${taskId}/decision`, { decision: 'approve' });
  expect(answer.status).toBe(202);
  expect(answer.headers['location']).toBe(`/api/admin/tasks/${taskId}`);
  expect(answer.body.data).toMatchObject({ id: taskId, status: 'open', decision: null });
  const { rows } = await database.pool.query(
    `SELECT payload FROM outbox WHERE kind = 'workflow_update' AND (payload->'input'->>'taskId')::bigint = $1`,
    [taskId],
  );
  expect(rows).toHaveLength(1);
  const again = await as('ADMIN').post(`/tasks/${taskId}/decision`, { decision: 'approve' });
  expect(again.status).toBe(409);
});

it('decision · refused by its flow · may be made again; an applied one is never undone', async () => {
  const taskId = await makeTask();
  const { activities } = stand;
  const command = {
    taskId,
    operator: { id: operators.REVIEWER, role: 'REVIEWER' },
    decision: 'approve',
    reasons: [],
    note: null,
    evidenceMediaId: null,
    requestId: 'r',
  };
  const first = await activities.decideTask(command);
  const input = { taskId, decisionId: first.decisionId };
  // Whoever opens it again reads what came of the decision, though it was answered with 202.
  const lastTry = async () =>
    (await as('REVIEWER').get(`/tasks/${taskId}`)).body.data.last_try as unknown;
  const made = { decision: 'approve', operator: expect.any(String) as string };
  expect(await lastTry()).toMatchObject({ ...made, refusal: null });
  await activities.refuseDecision(input, 'not verified');
  expect(await lastTry()).toMatchObject({ ...made, refusal: 'not verified' });
  await activities.refuseDecision(input, 'again');
  const second = await activities.decideTask(command);
  await database.pool.query(`UPDATE task_decisions SET status = 'APPLIED' WHERE id = $1`, [
    second.decisionId,
  ]);
  expect(await lastTry()).toBeNull();
  await activities.refuseDecision({ taskId, decisionId: second.decisionId }, 'late');
  const { rows } = await database.pool.query(
    'SELECT status, refusal FROM task_decisions WHERE task_id = $1 ORDER BY id',
    [taskId],
  );
  expect(rows).toEqual([
    { status: 'REFUSED', refusal: 'not verified' },
    { status: 'APPLIED', refusal: null },
  ]);
});

it('four eyes · the maker, even as ADMIN · 403', async () => {
  const taskId = await makeTask({ maker_id: operators.ADMIN });
  const answer = await as('ADMIN').post(`/tasks/${taskId}/decision`, { decision: 'approve' });
  expect(answer.status).toBe(403);
  expect(answer.body.data.error).toBe('forbidden_role');
});

it('list · by kind, status, assignee and page · only those, oldest first', async () => {
  const mine = await makeTask({ kind: 'suspense', assignee_id: operators.FINANCE });
  const other = await makeTask({ kind: 'suspense' });
  const list = async (query: string): Promise<number[]> => {
    const answer = await as('FINANCE').get(`/tasks?${query}`);
    expect(answer.status).toBe(200);
    return (answer.body.data.items as { id: number }[]).map((task) => task.id);
  };
  expect(await list('kind=suspense')).toEqual([mine, other]);
  expect(await list('kind=suspense&assignee=me')).toEqual([mine]);
  expect(await list('kind=suspense&assignee=none')).toEqual([other]);
  expect(await list('kind=suspense&page=2&page_size=1')).toEqual([other]);
  expect(await list('kind=suspense&status=void')).toEqual([]);
});

it.each(['status=closed', 'assignee=you', 'page=0', 'page_size=x', 'colour=red'])(
  'list · %s · 422',
  async (query) => {
    expect((await as('SUPPORT').get(`/tasks?${query}`)).status).toBe(422);
  },
);

it.each(['0', '-1', 'abc', '999999999', '1e3'])('task · id %s · 404', async (id) => {
  expect((await as('SUPPORT').get(`/tasks/${id}`)).status).toBe(404);
});

it.each([
  ['REVIEWER', 403],
  ['SUPPORT', 403],
  ['FINANCE', 200],
  ['ADMIN', 200],
] as const)('money · read by %s · %i', async (role, status) => {
  expect((await as(role).get('/ledger/accounts')).status).toBe(status);
  expect((await as(role).get('/ledger/transfers')).status).toBe(status);
  expect((await as(role).get('/deposits')).status).toBe(status);
});

it('ledger · after a receipt · shows accounts and transfers to the nano', async () => {
  const advertiserId = (await makeAdvertiser(database.db)).id;
  const deposit = await stand.activities.openDeposit({
    advertiserId,
    amountNanos: 12_340_000_000n,
    paymentMethod: 'BANK',
  });
  const answer = await as('FINANCE').post(`/deposits/${deposit.id}/receipts`, {
    amount: 12.345678,
    reference: 'LEDGER-1',
    received_at: '2026-01-01T00:00:00+02:00',
  });
  expect(answer.status).toBe(201);
  expect(answer.body.data).toMatchObject({
    amount: 12.345678,
    state: 'SUSPENSE',
    received_at: '2025-12-31T22:00:00.000Z',
  });
  const transfers = await as('FINANCE').get('/ledger/transfers?type=DEPOSIT_RECEIVED');
  expect(transfers.body.data.items[0]).toMatchObject({
    debit: 'w:bank',
    credit: 'suspense:bank',
    amount_nanos: '12345678000',
    subject: { type: 'deposit', id: deposit.id },
  });
  const accounts = await as('FINANCE').get('/ledger/accounts?keyword=suspense:');
  expect(accounts.body.data.items).toEqual([
    expect.objectContaining({ code: 'suspense:bank', balance: 12.345678, floor_nanos: '0' }),
  ]);
});
