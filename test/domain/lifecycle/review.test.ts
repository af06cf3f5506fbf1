import {
  auditLifecycle,
  type AuditStatus,
  type DecideAction,
  NOT_ARCHIVED,
  type OwnerAction,
  ownerLifecycle,
  type OwnerStatus,
  type ReviewedStatus,
  reviewLifecycle,
  type ReviewStatus,
  revisionLifecycle,
  siteAuditLifecycle,
  type SubmitAction,
} from '../../../domain/lifecycle/review.ts';
import { statusesBefore, transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('audit_status', () => {
  const legal: [ReviewedStatus, SubmitAction | DecideAction, ReviewedStatus][] = [
    ['DRAFT', 'enter', 'PENDING'],
    ['DRAFT', 'submit', 'PENDING'],
    ['REJECTED', 'submit', 'PENDING'],
    ['PENDING', 'reopen', 'PENDING'],
    ['APPROVED', 'reopen', 'PENDING'],
    ['REJECTED', 'reopen', 'PENDING'],
    ['PENDING', 'approve', 'APPROVED'],
    ['PENDING', 'reject', 'REJECTED'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(auditLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(auditLifecycle);
    const pairs = auditLifecycle.statuses.length * Object.keys(auditLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(auditLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});

describe('sites.audit_status', () => {
  const legal: [AuditStatus, keyof typeof siteAuditLifecycle.moves, AuditStatus][] = [
    ['DRAFT', 'enter', 'PENDING'],
    ['DRAFT', 'submit', 'PENDING'],
    ['REJECTED', 'submit', 'PENDING'],
    ['PENDING', 'reopen', 'PENDING'],
    ['APPROVED', 'reopen', 'PENDING'],
    ['REJECTED', 'reopen', 'PENDING'],
    ['PENDING', 'approve', 'APPROVED'],
    ['PENDING', 'reject', 'REJECTED'],
    ['APPROVED', 'suspend', 'SUSPENDED'],
    ['SUSPENDED', 'restore', 'APPROVED'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(siteAuditLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(siteAuditLifecycle);
    const pairs = siteAuditLifecycle.statuses.length * Object.keys(siteAuditLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(siteAuditLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});

describe('creative_revisions.audit_status', () => {
  const legal: [ReviewedStatus, keyof typeof revisionLifecycle.moves, ReviewedStatus][] = [
    ['DRAFT', 'submit', 'PENDING'],
    ['REJECTED', 'submit', 'PENDING'],
    ['PENDING', 'approve', 'APPROVED'],
    ['PENDING', 'reject', 'REJECTED'],
    ['PENDING', 'supersede', 'DRAFT'],
    ['APPROVED', 'recall', 'PENDING'],
    ['APPROVED', 'retire', 'DRAFT'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(revisionLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(revisionLifecycle);
    const pairs = revisionLifecycle.statuses.length * Object.keys(revisionLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(revisionLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});

describe('status', () => {
  const legal: [OwnerStatus, OwnerAction, OwnerStatus][] = [
    ['ACTIVE', 'toggle', 'PAUSED'],
    ['PAUSED', 'toggle', 'ACTIVE'],
    ['ACTIVE', 'pause', 'PAUSED'],
    ['PAUSED', 'resume', 'ACTIVE'],
    ['ACTIVE', 'archive', 'ARCHIVED'],
    ['PAUSED', 'archive', 'ARCHIVED'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(ownerLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(ownerLifecycle);
    const pairs = ownerLifecycle.statuses.length * Object.keys(ownerLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(ownerLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });

  test('not archived · of all statuses · is what can be archived', () => {
    expect(statusesBefore(ownerLifecycle, 'archive')).toEqual(NOT_ARCHIVED);
  });
});

describe('reviews.status', () => {
  const legal: [ReviewStatus, DecideAction | 'void', ReviewStatus][] = [
    ['OPEN', 'approve', 'APPROVED'],
    ['OPEN', 'reject', 'REJECTED'],
    ['OPEN', 'void', 'VOID'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(reviewLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(reviewLifecycle);
    const pairs = reviewLifecycle.statuses.length * Object.keys(reviewLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(reviewLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
