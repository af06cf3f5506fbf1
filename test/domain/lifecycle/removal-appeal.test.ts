import { removalAppealLifecycle } from '../../../domain/lifecycle/removal-appeal.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('status of an appeal against removed events', () => {
  test.each([
    ['OPEN', 'uphold', 'UPHELD'],
    ['OPEN', 'reject', 'REJECTED'],
  ] as const)('%s · %s · is %s', (from, action, to) => {
    expect(transition(removalAppealLifecycle, from, action)).toBe(to);
  });

  test('every other pair of status and action · is refused', () => {
    const illegal = illegalMoves(removalAppealLifecycle);
    expect(illegal).toHaveLength(3 * 2 - 2);
    for (const [from, action] of illegal) {
      expect(() => transition(removalAppealLifecycle, from, action)).toThrow(
        `Cannot ${action} while`,
      );
    }
  });
});
