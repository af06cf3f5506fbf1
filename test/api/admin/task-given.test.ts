import { makeOperator } from '../../support/make/account.ts';
import { insertRow } from '../../support/make/row.ts';
import { type Caller, dataOf } from '../../support/call.ts';
import { hex } from '../../support/settlement.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.9: whoever is given a task hears of it, alone, and once. */
let stand: Stand;
let giver: Caller;
beforeAll(async () => {
  stand = await createStand();
  giver = stand.as('admin', (await makeOperator(stand.database.db, 'REVIEWER')).id);
});
afterAll(async () => await stand?.close());

async function newTask(role = 'REVIEWER'): Promise<number> {
  return await insertRow(stand.database, 'tasks', {
    kind: 'kyc_review',
    subject_type: 'kyc',
    subject_id: 7,
    summary: 'An identity',
    findings: '[]',
    decisions: JSON.stringify(['approve', 'reject']),
    required_role: role,
    workflow_id: `kyc:${hex(8)}`,
    dedupe_key: hex(8),
  });
}

async function newOperator(isConfirmed = true) {
  const { db, pool } = stand.database;
  const { id } = await makeOperator(db, 'REVIEWER');
  if (isConfirmed) {
    await pool.query('UPDATE operators SET email_confirmed_at = now() WHERE id = $1', [id]);
  }
  // What came before an operator was made is not told to them.
  await pool.query(
    `UPDATE operators SET created_at = created_at - interval '1 minute' WHERE id = $1`,
    [id],
  );
  return stand.as('admin', id);
}

const give = async (by: Caller, task: number, to: number | null) =>
  await by.post(`/tasks/${task}/assign`, { assignee_id: to });
const newsOf = async (who: Caller) =>
  dataOf(await who.get('/notifications')) as { items: { id: number }[]; unread: number };
const lettersTo = async ({ id }: Caller): Promise<number> => {
  const { rows } = await stand.database.pool.query(
    `SELECT 1 FROM mails WHERE operator_id = $1 AND kind = 'task_given'`,
    [id],
  );
  return rows.length;
};

test('a task · given to a colleague · is told to that one alone, by bell and letter', async () => {
  const [reader, other] = [await newOperator(), await newOperator()];
  const task = await newTask();
  expect((await give(giver, task, reader.id)).status).toBe(200);
  const { items, unread } = await newsOf(reader);
  expect(unread).toBe(1);
  expect(items).toEqual([
    {
      id: expect.any(Number),
      kind: 'task_given',
      subject: { type: 'task', id: task },
      params: { task_kind: 'kyc_review' },
      text: `Task ${task} was given to you`,
      created_at: expect.any(String),
      read_at: null,
    },
  ]);
  expect(await lettersTo(reader)).toBe(1);
  for (const each of [other, giver]) expect((await newsOf(each)).items).toEqual([]);
  // Nor can another mark it as read.
  const named = { ids: items.map(({ id }) => id) };
  expect(dataOf(await other.post('/notifications/read', named))).toEqual({ read: 0, unread: 0 });
  expect(dataOf(await reader.post('/notifications/read', named))).toEqual({ read: 1, unread: 0 });
});

test('a task · given again, to and fro, at once ten times · is told once until that was read', async () => {
  const reader = await newOperator();
  const task = await newTask();
  await Promise.all(Array.from({ length: 10 }, async () => await give(giver, task, reader.id)));
  for (const to of [null, reader.id, giver.id, reader.id]) await give(giver, task, to);
  const { items } = await newsOf(reader);
  expect([items.length, await lettersTo(reader)]).toEqual([1, 1]);
  await reader.post('/notifications/read', { until: items[0]?.id ?? 0 });
  // The same call once more changes nothing; another round is news.
  await give(giver, task, reader.id);
  expect((await newsOf(reader)).unread).toBe(0);
  await give(giver, task, null);
  await give(giver, task, reader.id);
  expect((await newsOf(reader)).unread).toBe(1);
  expect(await lettersTo(reader)).toBe(2);
});

test('a task · given to whoever wants no letters · is told by the bell alone; wanted again, by both', async () => {
  const [reader, other] = [await newOperator(), await newOperator()];
  const mine = async () => dataOf(await reader.get('/auth/profile')) as Record<string, unknown>;
  const before = await mine();
  expect(before['task_letters']).toBe(true);
  expect(dataOf(await reader.put('/auth/profile', { task_letters: false }))).toMatchObject({
    task_letters: false,
    nickname: before['nickname'],
    version: Number(before['version']) + 1,
  });
  for (const wrong of [null, 'no', 0]) {
    expect((await reader.put('/auth/profile', { task_letters: wrong })).status).toBe(422);
  }
  // Nor does a change of the name turn them on again.
  expect(dataOf(await reader.put('/auth/profile', { nickname: 'Rita' }))).toMatchObject({
    task_letters: false,
    nickname: 'Rita',
  });
  const task = await newTask();
  await give(giver, task, reader.id);
  await give(giver, await newTask(), other.id);
  expect([(await newsOf(reader)).unread, await lettersTo(reader)]).toEqual([1, 0]);
  expect([(await newsOf(other)).unread, await lettersTo(other)]).toEqual([1, 1]);
  expect((await reader.put('/auth/profile', { task_letters: true })).status).toBe(200);
  await give(giver, await newTask(), reader.id);
  expect([(await newsOf(reader)).unread, await lettersTo(reader)]).toEqual([2, 1]);
});

test('letters of tasks · asked for by an owner, who is given none · unknown field', async () => {
  const owner = await stand.newAdvertiser();
  const answer = await owner.put('/auth/profile', { task_letters: false });
  expect(answer.status).toBe(422);
  expect(dataOf(await owner.get('/auth/profile'))).not.toHaveProperty('task_letters');
});

test('a task · taken by oneself, put back, or refused · tells nobody', async () => {
  const reader = await newOperator();
  const task = await newTask();
  expect((await reader.post(`/tasks/${task}/assign`, {})).status).toBe(200);
  expect((await give(reader, task, null)).status).toBe(200);
  expect((await give(reader, task, reader.id)).status).toBe(200);
  const foreign = await newTask('FINANCE');
  expect((await give(giver, foreign, reader.id)).status).toBe(403);
  const made = await newTask();
  const { pool } = stand.database;
  await pool.query('UPDATE tasks SET maker_id = $2 WHERE id = $1', [made, reader.id]);
  expect((await give(giver, made, reader.id)).status).toBe(422);
  expect((await newsOf(reader)).items).toEqual([]);
  expect(await lettersTo(reader)).toBe(0);
});

test('a letter · to an address that nobody has confirmed · is not written, and the bell has it', async () => {
  const reader = await newOperator(false);
  await give(giver, await newTask(), reader.id);
  expect([(await newsOf(reader)).unread, await lettersTo(reader)]).toEqual([1, 0]);
});
