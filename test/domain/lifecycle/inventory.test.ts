import { auditLifecycle, ownerLifecycle } from '../../../domain/lifecycle/review.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('status of a campaign, ad group, ad, creative and tracker', () => {
  test.each([
    ['ACTIVE', 'toggle', 'PAUSED'],
    ['PAUSED', 'toggle', 'ACTIVE'],
    ['ACTIVE', 'archive', 'ARCHIVED'],
    ['PAUSED', 'archive', 'ARCHIVED'],
  ] as const)('%s · %s · is %s', (from, action, to) => {
    expect(transition(ownerLifecycle, from, action)).toBe(to);
  });

  test('every other pair of status and action · is refused', () => {
    const illegal = illegalMoves(ownerLifecycle);
    expect(illegal).toEqual([
      ['ARCHIVED', 'toggle'],
      ['ARCHIVED', 'archive'],
    ]);
    for (const [from, action] of illegal) {
      expect(() => transition(ownerLifecycle, from, action)).toThrow(`Cannot ${action} while`);
    }
  });
});

describe('audit_status of a campaign, ad group, ad, creative and revision', () => {
  test.each([
    ['DRAFT', 'submit', 'PENDING'],
    ['REJECTED', 'submit', 'PENDING'],
    ['PENDING', 'approve', 'APPROVED'],
    ['PENDING', 'reject', 'REJECTED'],
    ['APPROVED', 'reopen', 'PENDING'],
    ['REJECTED', 'reopen', 'PENDING'],
    ['PENDING', 'reopen', 'PENDING'],
    ['DRAFT', 'enter', 'PENDING'],
    ['PENDING', 'supersede', 'DRAFT'],
  ] as const)('%s · %s · is %s', (from, action, to) => {
    expect(transition(auditLifecycle, from, action)).toBe(to);
  });

  test('every other pair of status and action · is refused', () => {
    const illegal = illegalMoves(auditLifecycle);
    expect(illegal).toHaveLength(4 * 6 - 9);
    for (const [from, action] of illegal) {
      expect(() => transition(auditLifecycle, from, action)).toThrow(`Cannot ${action} while`);
    }
  });
});
