import { TASK_KINDS, type TaskKind } from './lifecycle/task.ts';
import { OPERATOR_ROLES, type OperatorRole } from './operator.ts';

/** Who decides each kind of task, beside ADMIN (interface 5.2). */
export const DECIDER_OF: Readonly<Record<TaskKind, OperatorRole>> = {
  campaign_review: 'REVIEWER',
  adgroup_review: 'REVIEWER',
  ad_review: 'REVIEWER',
  creative_review: 'REVIEWER',
  site_review: 'REVIEWER',
  zone_review: 'REVIEWER',
  kyc_review: 'REVIEWER',
  deposit_review: 'FINANCE',
  deposit_second_approval: 'FINANCE',
  withdrawal_review: 'FINANCE',
  withdrawal_second_approval: 'FINANCE',
  payout_unknown: 'FINANCE',
  suspense: 'FINANCE',
  domain_transfer: 'REVIEWER',
  removal_appeal: 'FINANCE',
  money_refused: 'FINANCE',
  review_refused: 'REVIEWER',
  reversal_second_approval: 'FINANCE',
  removal_appeal_second_approval: 'FINANCE',
  deposit_refund: 'FINANCE',
};

/** What tasks are about. */
export const TASK_SUBJECTS = [
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'site',
  'zone',
  'kyc',
  'deposit',
  'withdrawal',
  'removal_appeal',
  'reversal',
] as const;

/** What viewers will see anyway: SUPPORT answers owners who ask about its review. */
const READ_BY_SUPPORT: ReadonlySet<TaskKind> = new Set<TaskKind>([
  'campaign_review',
  'adgroup_review',
  'ad_review',
  'creative_review',
  'site_review',
  'zone_review',
]);

/**
 * Least privilege (interface 5.2): whoever decides a kind reads it, and of money, payees and identities
 * nobody else. A kind that is added is safe by this.
 */
export const mayRead = (role: string, kind: TaskKind): boolean =>
  role === 'ADMIN' ||
  role === DECIDER_OF[kind] ||
  (role === 'SUPPORT' && READ_BY_SUPPORT.has(kind));

export const readableKinds = (role: string): TaskKind[] =>
  TASK_KINDS.filter((kind) => mayRead(role, kind));

/** Who reads a kind, for whoever may not. */
export const readersOf = (kind: TaskKind): OperatorRole[] =>
  OPERATOR_ROLES.filter((role) => mayRead(role, kind));

/** ADMIN decides everything but money: who makes operators and proposes limits has no key to it (5.19). */
export const mayDecide = (role: string, required: OperatorRole): boolean =>
  role === required || (role === 'ADMIN' && required !== 'FINANCE');

/** Who decides what requires this role. */
export const decidersOf = (required: OperatorRole): OperatorRole[] =>
  OPERATOR_ROLES.filter((role) => mayDecide(role, required));

interface TaskTimes {
  openedAt: Date;
  dueAt: Date | null;
  remindedAt: Date | null;
  escalatedAt: Date | null;
}

/**
 * When an undecided task is asked about next: halfway to its time, and then at it. Null: nothing more
 * happens by itself; no kind of task is ever decided or void by time alone.
 */
export function nextReminder({ openedAt, dueAt, remindedAt, escalatedAt }: TaskTimes): Date | null {
  if (dueAt === null || escalatedAt !== null) return null;
  if (remindedAt !== null) return dueAt;
  return new Date((openedAt.getTime() + dueAt.getTime()) / 2);
}

/** An operator works on a task until then; afterwards it is nobody's. */
export interface TaskLease {
  operatorId: number;
  username: string;
  until: Date;
}

interface LeaseColumns {
  leaseOperatorId: number | null;
  leaseUntil: Date | null;
}

/** The holder of a lease that has not run out. */
export const holderOf = (
  { leaseOperatorId, leaseUntil }: LeaseColumns,
  now: Date,
): { operatorId: number; until: Date } | null =>
  leaseOperatorId === null || leaseUntil === null || leaseUntil <= now
    ? null
    : { operatorId: leaseOperatorId, until: leaseUntil };
