import { archivableLifecycle } from '../../../domain/lifecycle/archivable.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('status of an asset', () => {
  test.each([
    ['ACTIVE', 'archive', 'ARCHIVED'],
    // The same bytes are uploaded once more.
    ['ARCHIVED', 'restore', 'ACTIVE'],
  ] as const)('%s · %s · is %s', (from, action, to) => {
    expect(transition(archivableLifecycle, from, action)).toBe(to);
  });

  test('every other pair of status and action · is refused', () => {
    const illegal = illegalMoves(archivableLifecycle);
    expect(illegal).toEqual([
      ['ACTIVE', 'restore'],
      ['ARCHIVED', 'archive'],
    ]);
    for (const [from, action] of illegal) {
      expect(() => transition(archivableLifecycle, from, action)).toThrow(`Cannot ${action} while`);
    }
  });
});
