import { accountLifecycle, type AccountStatus } from '../../../domain/lifecycle/account.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

const legal: [AccountStatus, keyof (typeof accountLifecycle)['moves'], AccountStatus][] = [
  ['ACTIVE', 'suspend', 'SUSPENDED'],
  ['SUSPENDED', 'restore', 'ACTIVE'],
];

describe('accounts.status', () => {
  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(accountLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    expect(illegalMoves(accountLifecycle)).toEqual([
      ['ACTIVE', 'restore'],
      ['SUSPENDED', 'suspend'],
    ]);
    for (const [from, action] of illegalMoves(accountLifecycle)) {
      expect(() => transition(accountLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
