import { aiJobLifecycle } from '../../../domain/lifecycle/ai-job.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('status of an AI job', () => {
  test.each([
    ['OPEN', 'finish', 'DONE'],
    ['OPEN', 'fail', 'FAILED'],
    ['OPEN', 'cancel', 'CANCELLED'],
  ] as const)('%s · %s · is %s', (from, action, to) => {
    expect(transition(aiJobLifecycle, from, action)).toBe(to);
  });

  test('every other pair of status and action · is refused', () => {
    const illegal = illegalMoves(aiJobLifecycle);
    expect(illegal).toHaveLength(4 * 3 - 3);
    for (const [from, action] of illegal) {
      expect(() => transition(aiJobLifecycle, from, action)).toThrow(`Cannot ${action} while`);
    }
  });
});
