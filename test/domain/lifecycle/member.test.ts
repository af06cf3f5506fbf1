import { memberLifecycle, type MemberStatus } from '../../../domain/lifecycle/member.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

const legal: [MemberStatus, keyof (typeof memberLifecycle)['moves'], MemberStatus][] = [
  ['INVITED', 'accept', 'ACTIVE'],
  ['INVITED', 'remove', 'REMOVED'],
  ['ACTIVE', 'remove', 'REMOVED'],
  ['ACTIVE', 'suspend', 'SUSPENDED'],
  ['SUSPENDED', 'restore', 'ACTIVE'],
  ['SUSPENDED', 'remove', 'REMOVED'],
];

describe('members.status', () => {
  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(memberLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused: nobody comes back by the old invitation', () => {
    const illegal = illegalMoves(memberLifecycle);
    expect(illegal).toHaveLength(4 * 4 - legal.length);
    expect(illegal).toEqual(
      expect.arrayContaining([
        ['REMOVED', 'accept'],
        ['REMOVED', 'restore'],
        ['SUSPENDED', 'accept'],
        ['INVITED', 'restore'],
      ]),
    );
    expect(() => transition(memberLifecycle, 'REMOVED', 'accept')).toThrow(
      'Cannot accept while REMOVED.',
    );
  });
});
