import { tellOperators } from '../../../activities/accounts/operator-notices.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { NOTICE_KINDS, noticeText } from '../../../domain/operator-notices.ts';
import { dataOf } from '../../support/call.ts';
import { makeOperator } from '../../support/make/account.ts';
import { activityDeps } from '../../support/settlement.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await createStand();
});
afterAll(async () => {
  await stand?.close();
});

const tell = async (id: number, roles: ('REVIEWER' | 'FINANCE' | 'ADMIN')[]) =>
  await inTransaction(stand.database.db, async (tx) => {
    await tellOperators(activityDeps(stand.database), tx, {
      kind: 'task_late',
      roles,
      subject: { type: 'task', id },
      params: { task_kind: 'site_review' },
    });
  });

test('notices · of a role, to each of its operators · are read by each alone, told once, and not before their time', async () => {
  await tell(1, ['REVIEWER']);
  await stand.database.pool.query(
    `UPDATE operator_notices SET created_at = now() - interval '1 hour'`,
  );
  const { db } = stand.database;
  const reviewer = stand.as('admin', (await makeOperator(db, 'REVIEWER')).id);
  const other = stand.as('admin', (await makeOperator(db, 'REVIEWER')).id);
  const finance = stand.as('admin', (await makeOperator(db, 'FINANCE')).id);
  await tell(2, ['REVIEWER', 'ADMIN']);
  await tell(2, ['REVIEWER', 'ADMIN']);
  await tell(3, ['FINANCE']);
  const shown = dataOf(await reviewer.get('/notifications'));
  expect(shown).toMatchObject({ total: 1, unread: 1 });
  expect(shown['items']).toEqual([
    {
      id: expect.any(Number),
      kind: 'task_late',
      subject: { type: 'task', id: 2 },
      params: { task_kind: 'site_review' },
      text: 'Task 2 waits for a decision: half of its time is over',
      created_at: expect.any(String),
      read_at: null,
    },
  ]);
  const [{ id } = { id: 0 }] = shown['items'] as { id: number }[];
  // What is another role's is not there to be read.
  expect(dataOf(await finance.post('/notifications/read', { ids: [id] }))).toEqual({
    read: 0,
    unread: 1,
  });
  expect(dataOf(await reviewer.post('/notifications/read', { until: id }))).toEqual({
    read: 1,
    unread: 0,
  });
  expect(dataOf(await reviewer.post('/notifications/read', { ids: [id] }))).toEqual({
    read: 0,
    unread: 0,
  });
  expect(dataOf(await reviewer.get('/notifications?status=unread'))).toMatchObject({ total: 0 });
  expect(dataOf(await other.get('/notifications'))).toMatchObject({ total: 1, unread: 1 });
});

test('every kind · has a line of its own, in both languages', () => {
  const linesIn = (language: 'en' | 'zh') =>
    NOTICE_KINDS.map((kind) => noticeText(kind, 7, { flow: 'deposit:7' }, language));
  for (const lines of [linesIn('en'), linesIn('zh')]) {
    expect(new Set(lines).size).toBe(NOTICE_KINDS.length);
    expect(lines.filter((line) => /undefined|null/.test(line))).toEqual([]);
  }
  expect(linesIn('zh').filter((line) => !/[一-鿿]/.test(line))).toEqual([]);
});
