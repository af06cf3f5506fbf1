import { moneyTermLifecycle } from '../../../domain/lifecycle/money-term.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('status of a share or tax', () => {
  test.each([
    ['PENDING', 'approve', 'APPROVED'],
    ['PENDING', 'reject', 'REJECTED'],
    ['APPROVED', 'replace', 'VOID'],
  ] as const)('%s · %s · is %s', (from, action, to) => {
    expect(transition(moneyTermLifecycle, from, action)).toBe(to);
  });

  test('every other pair of status and action · is refused', () => {
    const illegal = illegalMoves(moneyTermLifecycle);
    expect(illegal).toHaveLength(4 * 3 - 3);
    for (const [from, action] of illegal) {
      expect(() => transition(moneyTermLifecycle, from, action)).toThrow(`Cannot ${action} while`);
    }
  });
});
