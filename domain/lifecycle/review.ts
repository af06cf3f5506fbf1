import type { TransitionTable } from './transition.ts';

export const AUDIT_STATUSES = ['DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;
export type AuditStatus = (typeof AUDIT_STATUSES)[number];

/** Campaign, ad group, ad, creative, site and zone share this axis (interface 3). */
export const auditTransitions: TransitionTable<
  AuditStatus,
  'submit' | 'approve' | 'reject' | 'reopen' | 'suspend' | 'restore'
> = {
  submit: { DRAFT: 'PENDING', REJECTED: 'PENDING' },
  approve: { PENDING: 'APPROVED' },
  reject: { PENDING: 'REJECTED' },
  // An edit of what was reviewed puts it back in the queue.
  reopen: { APPROVED: 'PENDING', REJECTED: 'PENDING', PENDING: 'PENDING' },
  suspend: { APPROVED: 'SUSPENDED' },
  restore: { SUSPENDED: 'APPROVED' },
};

export const OWNER_STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;
export type OwnerStatus = (typeof OWNER_STATUSES)[number];

/** What an owner may do with a thing of theirs; delete is a soft archive. */
export const ownerTransitions: TransitionTable<OwnerStatus, 'toggle' | 'archive'> = {
  toggle: { ACTIVE: 'PAUSED', PAUSED: 'ACTIVE' },
  archive: { ACTIVE: 'ARCHIVED', PAUSED: 'ARCHIVED' },
};
