import type { HealthProblem } from '../../../../../../domain/platform-health.ts';

/** Pages of docs/runbooks that the consoles lead to. */
export const RUNBOOK_PAGES = [
  'losing-temporal',
  'losing-redis',
  'outbox-lag',
  'backlog',
  'letters',
  'stuck-flow',
  'dead-letters',
  'database-roles',
  'datacenter-lists',
  'books-not-clean',
  'unknown-payout',
  'unsent-payout',
] as const;
export type RunbookPage = (typeof RUNBOOK_PAGES)[number];

/** Which of them says what to do. */
export const RUNBOOK_OF: Readonly<Record<HealthProblem, RunbookPage>> = {
  TEMPORAL_AWAY: 'losing-temporal',
  REDIS_AWAY: 'losing-redis',
  QUEUE_WITHOUT_WORKER: 'losing-temporal',
  OUTBOX_LATE: 'outbox-lag',
  EVENTS_LATE: 'backlog',
  MAIL_LATE: 'letters',
  TASKS_OVERDUE: 'stuck-flow',
  DEAD_LETTERS: 'dead-letters',
  FLOWS_ASTRAY: 'stuck-flow',
  RECONCILER_LATE: 'stuck-flow',
  DATABASE_UNPROTECTED: 'database-roles',
};
