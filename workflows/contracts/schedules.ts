import type { TaskQueue } from './queues.ts';

/** Partitions ahead, what has expired behind. */
export const UPKEEP_WORKFLOW = 'upkeepWorkflow';
/** Earnings that are old enough become withdrawable. */
export const MATURITY_WORKFLOW = 'maturityWorkflow';
/** Sites that were verified are looked at again (interface 4.9). */
export const SITE_RECHECK_WORKFLOW = 'siteRecheckWorkflow';
/** Rows and executions of flows are held against each other. */
export const RECONCILE_WORKFLOW = 'reconcileWorkflow';

/** The books are held against the rows that they sum up. */
export const BOOKS_WORKFLOW = 'booksWorkflow';

/** What is due of statements, invoices and receipts is issued. */
export const DOCUMENTS_WORKFLOW = 'documentsWorkflow';

/** Owners are reminded of identities that end, and those whose time is over end (interface 5.1). */
export const IDENTITIES_WORKFLOW = 'identitiesWorkflow';

/** Reports that are due are written and told of (interface 5.24). */
export const REPORT_SCHEDULES_WORKFLOW = 'reportSchedulesWorkflow';

/** Periodic work: a flow per round, started by a schedule of Temporal's. */
export interface ScheduledFlow {
  scheduleId: string;
  type: string;
  taskQueue: TaskQueue;
  everySeconds: number;
  /** How long ago a round may have been missed to be made up for. */
  catchUpSeconds: number;
  /** What becomes of a round that falls due while the one before runs. */
  overlap: 'SKIP' | 'BUFFER_ONE';
  summary: string;
}

/** The steps of those rounds, and others that are one long statement: the worker tells Temporal that they go on. */
export const LONG_STEPS: readonly string[] = [
  'runUpkeep',
  'matureEarnings',
  'recheckSites',
  'reconcileFlows',
  'checkBooks',
  'issueDocuments',
  'keepIdentities',
  'sendDueReports',
  'prepareReversal',
];

/** No round carries anything over: the rows say what is due, so one round makes up for all missed. */
export const SCHEDULED_FLOWS: readonly ScheduledFlow[] = [
  {
    scheduleId: 'reconcile',
    type: RECONCILE_WORKFLOW,
    taskQueue: 'upkeep',
    everySeconds: 300,
    catchUpSeconds: 300,
    overlap: 'SKIP',
    summary: 'Rows and executions of flows held against each other',
  },
  {
    scheduleId: 'upkeep',
    type: UPKEEP_WORKFLOW,
    taskQueue: 'upkeep',
    everySeconds: 3_600,
    catchUpSeconds: 3_600,
    overlap: 'SKIP',
    summary: 'Hourly upkeep',
  },
  {
    scheduleId: 'maturity',
    type: MATURITY_WORKFLOW,
    taskQueue: 'upkeep',
    everySeconds: 900,
    catchUpSeconds: 900,
    overlap: 'BUFFER_ONE',
    summary: 'Maturity of earnings',
  },
  {
    scheduleId: 'books',
    type: BOOKS_WORKFLOW,
    taskQueue: 'upkeep',
    everySeconds: 900,
    catchUpSeconds: 900,
    overlap: 'SKIP',
    summary: 'Invariants of the books',
  },
  {
    scheduleId: 'site-recheck',
    type: SITE_RECHECK_WORKFLOW,
    taskQueue: 'upkeep',
    everySeconds: 900,
    catchUpSeconds: 900,
    overlap: 'SKIP',
    summary: 'Verified sites looked at again',
  },
  {
    scheduleId: 'documents',
    type: DOCUMENTS_WORKFLOW,
    taskQueue: 'upkeep',
    everySeconds: 300,
    catchUpSeconds: 300,
    overlap: 'SKIP',
    summary: 'Statements, invoices and receipts',
  },
  {
    scheduleId: 'identities',
    type: IDENTITIES_WORKFLOW,
    taskQueue: 'upkeep',
    everySeconds: 3_600,
    catchUpSeconds: 3_600,
    overlap: 'SKIP',
    summary: 'Identities that end',
  },
  {
    scheduleId: 'report-schedules',
    type: REPORT_SCHEDULES_WORKFLOW,
    taskQueue: 'upkeep',
    everySeconds: 60,
    catchUpSeconds: 60,
    overlap: 'SKIP',
    summary: 'Reports that are due',
  },
];
