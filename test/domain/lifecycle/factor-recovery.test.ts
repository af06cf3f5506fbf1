import { factorRecoveryLifecycle } from '../../../domain/lifecycle/factor-recovery.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('status of a recovery of a lost second factor', () => {
  test.each([
    ['WAITING', 'grant', 'GRANTED'],
    ['WAITING', 'refuse', 'REFUSED'],
    ['WAITING', 'void', 'VOID'],
    ['WAITING', 'lapse', 'LAPSED'],
  ] as const)('%s · %s · is %s', (from, action, to) => {
    expect(transition(factorRecoveryLifecycle, from, action)).toBe(to);
  });

  test('every other pair of status and action · is refused', () => {
    const illegal = illegalMoves(factorRecoveryLifecycle);
    expect(illegal).toHaveLength(5 * 4 - 4);
    for (const [from, action] of illegal) {
      expect(() => transition(factorRecoveryLifecycle, from, action)).toThrow(
        `Cannot ${action} while`,
      );
    }
  });
});
