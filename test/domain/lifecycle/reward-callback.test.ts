import {
  rewardCallbackLifecycle,
  type RewardCallbackStatus,
} from '../../../domain/lifecycle/reward-callback.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('rewards.callback_status', () => {
  const legal: [
    RewardCallbackStatus,
    keyof (typeof rewardCallbackLifecycle)['moves'],
    RewardCallbackStatus,
  ][] = [
    ['NONE', 'queue', 'QUEUED'],
    ['QUEUED', 'deliver', 'DELIVERED'],
    ['FAILED', 'deliver', 'DELIVERED'],
    ['QUEUED', 'miss', 'QUEUED'],
    ['QUEUED', 'give_up', 'FAILED'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(rewardCallbackLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const refused = illegalMoves(rewardCallbackLifecycle);
    expect(refused).toHaveLength(11);
    for (const [from, action] of refused) {
      expect(() => transition(rewardCallbackLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
