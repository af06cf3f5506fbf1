import { RECONCILE_EVERY_MS } from './flow-findings.ts';

/** What an operator should look after now, by name. */
export const HEALTH_PROBLEMS = [
  'TEMPORAL_AWAY',
  'REDIS_AWAY',
  'QUEUE_WITHOUT_WORKER',
  'OUTBOX_LATE',
  'EVENTS_LATE',
  'MAIL_LATE',
  'TASKS_OVERDUE',
  'DEAD_LETTERS',
  'FLOWS_ASTRAY',
  'RECONCILER_LATE',
  'DATABASE_UNPROTECTED',
] as const;
export type HealthProblem = (typeof HEALTH_PROBLEMS)[number];

export interface HealthFacts {
  now: Date;
  /** Null: Temporal is away. */
  queues: readonly { workflows: number; activities: number }[] | null;
  redisAnswers: boolean;
  outboxOldestAt: Date | null;
  eventsOldestAt: Date | null;
  mailsOldestAt: Date | null;
  tasksOverdue: number;
  dead: number;
  /** Findings of the reconciler that a person must look at. */
  raised: number;
  /** When it last came round; null: never. */
  reconciledAt: Date | null;
  /** What the application's role in the database may do and should not. */
  freedoms: readonly string[];
}

/** What has waited for longer was not taken by anybody. */
const LATE_MS = {
  outbox: 60_000,
  events: 60_000,
  mail: 600_000,
  reconciler: 3 * RECONCILE_EVERY_MS,
};

export function healthProblems(facts: HealthFacts): HealthProblem[] {
  const { now, queues } = facts;
  const isLate = (oldest: Date | null, allowedMs: number): boolean =>
    oldest !== null && now.getTime() - oldest.getTime() > allowedMs;
  const found: Record<HealthProblem, boolean> = {
    TEMPORAL_AWAY: queues === null,
    REDIS_AWAY: !facts.redisAnswers,
    QUEUE_WITHOUT_WORKER:
      queues?.some(({ workflows, activities }) => workflows === 0 || activities === 0) ?? false,
    OUTBOX_LATE: isLate(facts.outboxOldestAt, LATE_MS.outbox),
    EVENTS_LATE: isLate(facts.eventsOldestAt, LATE_MS.events),
    MAIL_LATE: isLate(facts.mailsOldestAt, LATE_MS.mail),
    TASKS_OVERDUE: facts.tasksOverdue > 0,
    DEAD_LETTERS: facts.dead > 0,
    FLOWS_ASTRAY: facts.raised > 0,
    // Without Temporal it cannot come round, which is said already.
    RECONCILER_LATE:
      queues !== null &&
      (facts.reconciledAt === null || isLate(facts.reconciledAt, LATE_MS.reconciler)),
    DATABASE_UNPROTECTED: facts.freedoms.length > 0,
  };
  return HEALTH_PROBLEMS.filter((problem) => found[problem]);
}
