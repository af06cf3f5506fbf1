import { memberLifecycle, type MemberStatus } from '../../../domain/lifecycle/member.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

const legal: [MemberStatus, keyof (typeof memberLifecycle)['moves'], MemberStatus][] = [
  ['INVITED', 'accept', 'ACTIVE'],
  ['INVITED', 'remove', 'REMOVED'],
  ['ACTIVE', 'remove', 'REMOVED'],
];

describe('members.status', () => {
  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(memberLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused: nobody comes back by the old invitation', () => {
    expect(illegalMoves(memberLifecycle)).toEqual([
      ['ACTIVE', 'accept'],
      ['REMOVED', 'accept'],
      ['REMOVED', 'remove'],
    ]);
    expect(() => transition(memberLifecycle, 'REMOVED', 'accept')).toThrow(
      'Cannot accept while REMOVED.',
    );
  });
});
