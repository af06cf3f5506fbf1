import type { TransitionTable } from './transition.ts';

export type AuditStatus = 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED';

/** Campaign, ad group, ad, creative, site and zone share this axis (decisions 1). */
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

export type OwnerStatus = 'ACTIVE' | 'PAUSED' | 'ARCHIVED';

/** What an owner may do with a thing of theirs; delete is a soft archive. */
export const ownerTransitions: TransitionTable<OwnerStatus, 'toggle' | 'archive'> = {
  toggle: { ACTIVE: 'PAUSED', PAUSED: 'ACTIVE' },
  archive: { ACTIVE: 'ARCHIVED', PAUSED: 'ARCHIVED' },
};
