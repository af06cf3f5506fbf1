import { emailConfirmationLifecycle } from '../../../domain/lifecycle/email-confirmation.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('status of a confirmation of an e-mail address', () => {
  test.each([
    ['OPEN', 'confirm', 'CONFIRMED'],
    ['OPEN', 'replace', 'REPLACED'],
    ['OPEN', 'cancel', 'CANCELLED'],
    ['OPEN', 'undo', 'UNDONE'],
    ['CONFIRMED', 'undo', 'UNDONE'],
  ] as const)('%s · %s · is %s', (from, action, to) => {
    expect(transition(emailConfirmationLifecycle, from, action)).toBe(to);
  });

  test('every other pair of status and action · is refused', () => {
    const illegal = illegalMoves(emailConfirmationLifecycle);
    expect(illegal).toHaveLength(5 * 4 - 5);
    for (const [from, action] of illegal) {
      expect(() => transition(emailConfirmationLifecycle, from, action)).toThrow(
        `Cannot ${action} while`,
      );
    }
  });
});
