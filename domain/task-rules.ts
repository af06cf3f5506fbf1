import type { TaskKind } from './lifecycle/task.ts';
import type { OperatorRole } from './operator.ts';

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
] as const;

export const mayDecide = (role: string, required: OperatorRole): boolean =>
  role === 'ADMIN' || role === required;

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
