import type { Lifecycle } from './transition.ts';

const AUDIT_STATUSES = ['DRAFT', 'PENDING', 'APPROVED', 'REJECTED'] as const;
export const SITE_AUDIT_STATUSES = [...AUDIT_STATUSES, 'SUSPENDED'] as const;
export type AuditStatus = (typeof SITE_AUDIT_STATUSES)[number];
export type ReviewedStatus = (typeof AUDIT_STATUSES)[number];

/** Campaign, ad group, ad, creative, its revisions and zone share this axis (interface 3). */
export const auditLifecycle: Lifecycle<
  ReviewedStatus,
  'submit' | 'approve' | 'reject' | 'reopen' | 'enter' | 'supersede'
> = {
  statuses: AUDIT_STATUSES,
  begins: ['DRAFT', 'PENDING'],
  moves: {
    submit: { DRAFT: 'PENDING', REJECTED: 'PENDING' },
    approve: { PENDING: 'APPROVED' },
    reject: { PENDING: 'REJECTED' },
    // An edit of what was reviewed puts it back in the queue.
    reopen: { APPROVED: 'PENDING', REJECTED: 'PENDING', PENDING: 'PENDING' },
    // What was just written enters its first review.
    enter: { DRAFT: 'PENDING' },
    // A revision that a newer one replaces before anybody decided.
    supersede: { PENDING: 'DRAFT' },
  },
};

/** A site may also be taken out of serving by an operator. */
export const siteAuditLifecycle: Lifecycle<
  AuditStatus,
  'submit' | 'approve' | 'reject' | 'reopen' | 'enter' | 'supersede' | 'suspend' | 'restore'
> = {
  statuses: SITE_AUDIT_STATUSES,
  begins: ['DRAFT', 'PENDING'],
  moves: {
    ...auditLifecycle.moves,
    suspend: { APPROVED: 'SUSPENDED' },
    restore: { SUSPENDED: 'APPROVED' },
  },
};

export const OWNER_STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;
export type OwnerStatus = (typeof OWNER_STATUSES)[number];

/** What an owner may do with a thing of theirs; delete is a soft archive. */
export const ownerLifecycle: Lifecycle<OwnerStatus, 'toggle' | 'archive'> = {
  statuses: OWNER_STATUSES,
  begins: ['ACTIVE'],
  moves: {
    toggle: { ACTIVE: 'PAUSED', PAUSED: 'ACTIVE' },
    archive: { ACTIVE: 'ARCHIVED', PAUSED: 'ARCHIVED' },
  },
};

const REVIEW_STATUSES = ['OPEN', 'APPROVED', 'REJECTED', 'VOID'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** One round of review; it is void when its subject was changed or archived meanwhile. */
export const reviewLifecycle: Lifecycle<ReviewStatus, 'approve' | 'reject' | 'void'> = {
  statuses: REVIEW_STATUSES,
  begins: ['OPEN'],
  moves: {
    approve: { OPEN: 'APPROVED' },
    reject: { OPEN: 'REJECTED' },
    void: { OPEN: 'VOID' },
  },
};
