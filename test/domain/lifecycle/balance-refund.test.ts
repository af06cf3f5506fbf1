import {
  balanceRefundLifecycle,
  type BalanceRefundStatus,
} from '../../../domain/lifecycle/balance-refund.ts';
import { refundLifecycle, type RefundState } from '../../../domain/lifecycle/deposit.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('balance_refunds.status', () => {
  const legal: [
    BalanceRefundStatus,
    keyof (typeof balanceRefundLifecycle)['moves'],
    BalanceRefundStatus,
  ][] = [
    ['REQUESTED', 'approve', 'RETURNING'],
    ['REQUESTED', 'keep', 'KEPT'],
    ['RETURNING', 'keep', 'KEPT'],
    ['RETURNING', 'end', 'RETURNED'],
  ];

  it.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(balanceRefundLifecycle, from, action)).toBe(to);
  });

  it('every other move · is refused', () => {
    const illegal = illegalMoves(balanceRefundLifecycle);
    expect(illegal).toHaveLength(4 * 3 - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(balanceRefundLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});

describe('deposit_refunds.state', () => {
  const legal: [RefundState, keyof (typeof refundLifecycle)['moves'], RefundState][] = [
    ['ASKED', 'approve', 'TO_SEND'],
    ['ASKED', 'release', 'RELEASED'],
    ['TO_SEND', 'try', 'SENDING'],
    ['TO_SEND', 'give_up', 'BY_HAND'],
    ['SENDING', 'give_up', 'BY_HAND'],
    ['SENDING', 'end', 'SENT'],
    ['BY_HAND', 'again', 'TO_SEND'],
    ['BY_HAND', 'end', 'SENT'],
    ['BY_HAND', 'release', 'RELEASED'],
  ];

  it.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(refundLifecycle, from, action)).toBe(to);
  });

  it('every other move · is refused: what may still be sent is not given back', () => {
    const illegal = illegalMoves(refundLifecycle);
    expect(illegal).toHaveLength(6 * 6 - legal.length);
    expect(illegal).toContainEqual(['SENDING', 'release']);
    expect(illegal).toContainEqual(['TO_SEND', 'release']);
  });
});
