import { createTaskReminderActivities } from '../../../activities/review/task-reminders.ts';
import { nextReminder } from '../../../domain/task-rules.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeOperator } from '../../support/make/account.ts';
import { insertRow } from '../../support/make/row.ts';
import { activityDeps } from '../../support/settlement.ts';

const HOUR_MS = 3_600_000;
const OPENED = new Date('2026-03-01T00:00:00Z');
const after = (hours: number): Date => new Date(OPENED.getTime() + hours * HOUR_MS);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});

const never = { remindedAt: null, escalatedAt: null };

test.each([
  ['new', { dueAt: after(24), ...never }, after(12)],
  ['reminded of', { dueAt: after(24), ...never, remindedAt: after(12) }, after(24)],
  ['escalated', { dueAt: after(24), remindedAt: after(12), escalatedAt: after(24) }, null],
  ['without a time', { dueAt: null, ...never }, null],
])('a task that is %s · is next asked about', (_name, task, at) => {
  expect(nextReminder({ openedAt: OPENED, ...task })).toEqual(at);
});

test('nobody decides · reminded of halfway, escalated at its time: out of every hand; each once', async () => {
  const { id: operatorId } = await makeOperator(database.db, 'REVIEWER');
  const taskId = await insertRow(database, 'tasks', {
    kind: 'site_review',
    subject_type: 'site',
    subject_id: 1,
    summary: 'A site',
    decisions: '["approve"]',
    required_role: 'REVIEWER',
    workflow_id: 'review:site:1:1',
    dedupe_key: 'reminders',
    opened_at: OPENED.toISOString(),
    due_at: after(24).toISOString(),
    assignee_id: operatorId,
    lease_operator_id: operatorId,
    lease_until: after(99).toISOString(),
  });
  const at = async (hours: number) =>
    await createTaskReminderActivities({
      ...activityDeps(database),
      clock: () => after(hours),
    }).remindOfTask({ taskId });
  const row = async () => (await database.db.models.tasks.findByPk(taskId))?.toJSON();
  expect(await at(11)).toEqual({ nextAt: after(12).toISOString() });
  expect(await row()).toMatchObject({ remindedAt: null, assigneeId: operatorId });
  expect(await at(12)).toEqual({ nextAt: after(24).toISOString() });
  expect(await at(13)).toEqual({ nextAt: after(24).toISOString() });
  expect(await row()).toMatchObject({ remindedAt: after(12), leaseOperatorId: operatorId });
  expect(await at(24)).toEqual({ nextAt: null });
  expect(await at(25)).toEqual({ nextAt: null });
  expect(await row()).toMatchObject({
    escalatedAt: after(24),
    assigneeId: null,
    leaseOperatorId: null,
    leaseUntil: null,
  });
  const { rows } = await database.pool.query(
    `SELECT action FROM audit_log WHERE subject_type = 'task' AND subject_id = $1 ORDER BY id`,
    [taskId],
  );
  expect(rows).toEqual([{ action: 'task.remind' }, { action: 'task.escalate' }]);
  const { rows: told } = await database.pool.query(
    'SELECT role, kind, subject_id::int AS task, params FROM operator_notices ORDER BY id',
  );
  const params = { task_kind: 'site_review' };
  expect(told).toEqual([
    { role: 'REVIEWER', kind: 'task_late', task: taskId, params },
    { role: 'REVIEWER', kind: 'task_escalated', task: taskId, params },
    { role: 'ADMIN', kind: 'task_escalated', task: taskId, params },
  ]);
  await database.pool.query(`UPDATE tasks SET status = 'void', escalated_at = NULL WHERE id = $1`, [
    taskId,
  ]);
  expect(await at(30)).toEqual({ nextAt: null });
});
