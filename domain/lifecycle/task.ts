import type { Lifecycle } from './transition.ts';

export const TASK_STATUSES = ['open', 'decided', 'void'] as const;
export const TASK_KINDS = [
  'campaign_review',
  'adgroup_review',
  'ad_review',
  'creative_review',
  'site_review',
  'zone_review',
  'kyc_review',
  'deposit_review',
  'deposit_second_approval',
  'withdrawal_review',
  'withdrawal_second_approval',
  'payout_unknown',
  'suspense',
  'domain_transfer',
  'removal_appeal',
  'money_refused',
  'review_refused',
  'reversal_second_approval',
  'removal_appeal_second_approval',
  'deposit_refund',
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A question to the operators; void when its flow has ended otherwise. */
export const taskLifecycle: Lifecycle<TaskStatus, 'decide' | 'void'> = {
  statuses: TASK_STATUSES,
  begins: ['open'],
  moves: { decide: { open: 'decided' }, void: { open: 'void' } },
};

const DECISION_STATUSES = ['PENDING', 'APPLIED', 'REFUSED'] as const;
export type DecisionStatus = (typeof DECISION_STATUSES)[number];

/** An operator's answer, until its flow has taken or refused it. */
export const decisionLifecycle: Lifecycle<DecisionStatus, 'apply' | 'refuse'> = {
  statuses: DECISION_STATUSES,
  begins: ['PENDING'],
  moves: { apply: { PENDING: 'APPLIED' }, refuse: { PENDING: 'REFUSED' } },
};
