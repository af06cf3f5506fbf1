import { reversalLifecycle } from '../../../domain/lifecycle/reversal.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('status of a reversal', () => {
  test.each([
    ['PREPARING', 'preview', 'PREVIEW'],
    ['PREPARING', 'end_empty', 'EMPTY'],
    ['PREPARING', 'fail', 'FAILED'],
    ['PREPARING', 'cancel', 'CANCELLED'],
    ['PREVIEW', 'approve', 'APPLYING'],
    ['PREVIEW', 'reject', 'REJECTED'],
    ['PREVIEW', 'cancel', 'CANCELLED'],
    ['APPLYING', 'finish', 'APPLIED'],
  ] as const)('%s · %s · is %s', (from, action, to) => {
    expect(transition(reversalLifecycle, from, action)).toBe(to);
  });

  test('every other pair of status and action · is refused', () => {
    const illegal = illegalMoves(reversalLifecycle);
    expect(illegal).toHaveLength(8 * 7 - 8);
    for (const [from, action] of illegal) {
      expect(() => transition(reversalLifecycle, from, action)).toThrow(`Cannot ${action} while`);
    }
  });
});
