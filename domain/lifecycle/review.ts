import type { Lifecycle } from './transition.ts';

const AUDIT_STATUSES = ['DRAFT', 'PENDING', 'APPROVED', 'REJECTED'] as const;
export const SITE_AUDIT_STATUSES = [...AUDIT_STATUSES, 'SUSPENDED'] as const;
export type AuditStatus = (typeof SITE_AUDIT_STATUSES)[number];
export type ReviewedStatus = (typeof AUDIT_STATUSES)[number];

/** What begins a round of review, and what ends it. */
export type SubmitAction = 'enter' | 'submit' | 'reopen';
export type DecideAction = 'approve' | 'reject';

/** Campaign, ad group, ad, creative and zone share this axis (interface 3). */
export const auditLifecycle: Lifecycle<ReviewedStatus, SubmitAction | DecideAction> = {
  statuses: AUDIT_STATUSES,
  begins: ['DRAFT', 'PENDING'],
  moves: {
    // What was just written enters its first review.
    enter: { DRAFT: 'PENDING' },
    // Its owner asks for a review.
    submit: { DRAFT: 'PENDING', REJECTED: 'PENDING' },
    // An edit of what was reviewed, or waits for it, puts it back in the queue; an operator what was approved.
    reopen: { APPROVED: 'PENDING', REJECTED: 'PENDING', PENDING: 'PENDING' },
    approve: { PENDING: 'APPROVED' },
    reject: { PENDING: 'REJECTED' },
  },
};

/** A site may also be taken out of serving by an operator. */
export const siteAuditLifecycle: Lifecycle<
  AuditStatus,
  SubmitAction | DecideAction | 'suspend' | 'restore'
> = {
  statuses: SITE_AUDIT_STATUSES,
  begins: ['DRAFT', 'PENDING'],
  moves: {
    ...auditLifecycle.moves,
    suspend: { APPROVED: 'SUSPENDED' },
    restore: { SUSPENDED: 'APPROVED' },
  },
};

/** creative_revisions.audit_status. A revision has no rounds: an edit makes a new revision (interface 2.5). */
export const revisionLifecycle: Lifecycle<
  ReviewedStatus,
  'submit' | DecideAction | 'supersede' | 'recall' | 'retire'
> = {
  statuses: AUDIT_STATUSES,
  begins: ['DRAFT', 'PENDING'],
  moves: {
    submit: auditLifecycle.moves.submit,
    approve: auditLifecycle.moves.approve,
    reject: auditLifecycle.moves.reject,
    // A newer revision replaces it before anybody decided.
    supersede: { PENDING: 'DRAFT' },
    // An operator has it decided anew; or ends it, where a newer one waits or was refused.
    recall: { APPROVED: 'PENDING' },
    retire: { APPROVED: 'DRAFT' },
  },
};

export const OWNER_STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;
export type OwnerStatus = (typeof OWNER_STATUSES)[number];
export type OwnerAction = 'toggle' | 'pause' | 'resume' | 'archive';

/** What an owner may do with a thing of theirs; delete is a soft archive. */
export const ownerLifecycle: Lifecycle<OwnerStatus, OwnerAction> = {
  statuses: OWNER_STATUSES,
  begins: ['ACTIVE'],
  moves: {
    toggle: { ACTIVE: 'PAUSED', PAUSED: 'ACTIVE' },
    // Of many at once, where a toggle would wake what sleeps.
    pause: { ACTIVE: 'PAUSED' },
    resume: { PAUSED: 'ACTIVE' },
    archive: { ACTIVE: 'ARCHIVED', PAUSED: 'ARCHIVED' },
  },
};

/** Its owner sees it; an archived thing is gone for everybody but the books. */
export const NOT_ARCHIVED: readonly OwnerStatus[] = ['ACTIVE', 'PAUSED'];

const REVIEW_STATUSES = ['OPEN', 'APPROVED', 'REJECTED', 'VOID'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** One round of review; it is void when its subject was changed or archived meanwhile. */
export const reviewLifecycle: Lifecycle<ReviewStatus, DecideAction | 'void'> = {
  statuses: REVIEW_STATUSES,
  begins: ['OPEN'],
  moves: {
    approve: { OPEN: 'APPROVED' },
    reject: { OPEN: 'REJECTED' },
    void: { OPEN: 'VOID' },
  },
};
