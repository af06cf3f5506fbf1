import { transition } from '../../../domain/lifecycle/transition.ts';
import {
  isCancellable,
  OPEN_WITHDRAWAL_STATUSES,
  VOID_WITHDRAWAL_STATUSES,
  type WithdrawalAction,
  withdrawalLifecycle,
  type WithdrawalStatus,
} from '../../../domain/lifecycle/withdrawal.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

const STATUSES = withdrawalLifecycle.statuses;

const legal: [WithdrawalStatus, WithdrawalAction, WithdrawalStatus][] = [
  ['PENDING', 'flag_risk', 'RISK_HOLD'],
  ['PENDING', 'approve', 'APPROVED'],
  ['PENDING', 'reject', 'REJECTED'],
  ['PENDING', 'cancel', 'CANCELLED'],
  ['RISK_HOLD', 'approve', 'APPROVED'],
  ['RISK_HOLD', 'reject', 'REJECTED'],
  ['RISK_HOLD', 'cancel', 'CANCELLED'],
  ['APPROVED', 'flag_risk', 'RISK_HOLD'],
  ['APPROVED', 'cancel', 'CANCELLED'],
  ['APPROVED', 'begin', 'PROCESSING'],
  ['PROCESSING', 'lose_track', 'UNKNOWN'],
  ['PROCESSING', 'pay', 'PAID'],
  ['PROCESSING', 'fail', 'FAILED'],
  ['UNKNOWN', 'pay', 'PAID'],
  ['UNKNOWN', 'fail', 'FAILED'],
  ['PAID', 'return', 'RETURNED'],
];

describe('withdrawals.status', () => {
  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(withdrawalLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(withdrawalLifecycle);
    const pairs = STATUSES.length * Object.keys(withdrawalLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(withdrawalLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });

  // The moves that would pay twice, or give back what may have been paid.
  test.each<[WithdrawalStatus, WithdrawalAction]>([
    ['PROCESSING', 'cancel'],
    ['UNKNOWN', 'cancel'],
    ['UNKNOWN', 'begin'],
    ['PAID', 'fail'],
    ['FAILED', 'pay'],
    ['RETURNED', 'return'],
    ['CANCELLED', 'approve'],
  ])('%s · %s · is refused', (from, action) => {
    expect(illegalMoves(withdrawalLifecycle)).toContainEqual([from, action]);
  });

  test('a publisher may cancel · of all statuses · until the payout begins', () => {
    expect(STATUSES.filter(isCancellable)).toEqual(['PENDING', 'RISK_HOLD', 'APPROVED']);
  });

  test('the hold · of all statuses · is held, void, or posted', () => {
    const posted = ['PAID', 'RETURNED'];
    const all = [...OPEN_WITHDRAWAL_STATUSES, ...VOID_WITHDRAWAL_STATUSES, ...posted];
    expect(all.toSorted()).toEqual(STATUSES.toSorted());
  });
});
