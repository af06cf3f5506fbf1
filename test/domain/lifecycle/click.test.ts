import { clickLifecycle, type ClickStatus } from '../../../domain/lifecycle/click.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('clicks.status', () => {
  const legal: [ClickStatus, keyof (typeof clickLifecycle)['moves'], ClickStatus][] = [
    ['verify_pending', 'verify', 'verified'],
    ['verify_pending', 'expire', 'expired'],
    ['verified', 'accept', 'valid'],
    ['verified', 'refuse', 'invalid'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(clickLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const refused = illegalMoves(clickLifecycle);
    expect(refused).toHaveLength(16);
    for (const [from, action] of refused) {
      expect(() => transition(clickLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
