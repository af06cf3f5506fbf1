import { type HealthFacts, healthProblems } from '../../domain/platform-health.ts';

const now = new Date('2026-01-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
const WELL: HealthFacts = {
  now,
  queues: [{ workflows: 1, activities: 1 }],
  redisAnswers: true,
  outboxOldestAt: ago(60),
  eventsOldestAt: ago(60),
  mailsOldestAt: ago(600),
  tasksOverdue: 0,
  dead: 0,
  raised: 0,
  reconciledAt: ago(900),
  freedoms: [],
};

test('nothing late, nobody missing · no problem', () => {
  expect(healthProblems(WELL)).toEqual([]);
  const idle = { outboxOldestAt: null, eventsOldestAt: null, mailsOldestAt: null, queues: [] };
  expect(healthProblems({ ...WELL, ...idle })).toEqual([]);
});

test.each<[string, Partial<HealthFacts>]>([
  ['TEMPORAL_AWAY', { queues: null }],
  ['QUEUE_WITHOUT_WORKER', { queues: [...(WELL.queues ?? []), { workflows: 0, activities: 1 }] }],
  ['QUEUE_WITHOUT_WORKER', { queues: [{ workflows: 1, activities: 0 }] }],
  ['REDIS_AWAY', { redisAnswers: false }],
  ['OUTBOX_LATE', { outboxOldestAt: ago(61) }],
  ['EVENTS_LATE', { eventsOldestAt: ago(61) }],
  ['MAIL_LATE', { mailsOldestAt: ago(601) }],
  ['TASKS_OVERDUE', { tasksOverdue: 1 }],
  ['DEAD_LETTERS', { dead: 1 }],
  ['FLOWS_ASTRAY', { raised: 1 }],
  ['RECONCILER_LATE', { reconciledAt: ago(901) }],
  ['RECONCILER_LATE', { reconciledAt: null }],
  ['DATABASE_UNPROTECTED', { freedoms: ['is a superuser'] }],
  // It cannot come round then, which is said once.
  ['TEMPORAL_AWAY', { queues: null, reconciledAt: null }],
])('%s · %j · is named, and nothing else', (problem, facts) => {
  expect(healthProblems({ ...WELL, ...facts })).toEqual([problem]);
});
