import { postbackLifecycle, type PostbackStatus } from '../../../domain/lifecycle/postback.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('postbacks.status', () => {
  const legal: [PostbackStatus, keyof (typeof postbackLifecycle)['moves'], PostbackStatus][] = [
    ['PENDING', 'deliver', 'DELIVERED'],
    ['PENDING', 'miss', 'PENDING'],
    ['PENDING', 'give_up', 'DEAD'],
    ['DEAD', 'send_again', 'PENDING'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(postbackLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const refused = illegalMoves(postbackLifecycle);
    expect(refused).toHaveLength(8);
    for (const [from, action] of refused) {
      expect(() => transition(postbackLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
