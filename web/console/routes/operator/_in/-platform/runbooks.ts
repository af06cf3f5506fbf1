import type { HealthProblem } from '../../../../../../domain/platform-health.ts';

/** Which page of docs/runbooks says what to do. */
export const RUNBOOK_OF: Readonly<Record<HealthProblem, string>> = {
  TEMPORAL_AWAY: 'losing-temporal',
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
