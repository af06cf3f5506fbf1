import {
  conversionLifecycle,
  type ConversionStatus,
} from '../../../domain/lifecycle/conversion.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('conversions.status', () => {
  const legal: [ConversionStatus, keyof (typeof conversionLifecycle)['moves'], ConversionStatus][] =
    [
      ['RECEIVED', 'disown', 'UNATTRIBUTED'],
      ['RECEIVED', 'expire', 'EXPIRED'],
      ['RECEIVED', 'hold', 'PENDING'],
      ['RECEIVED', 'accept', 'ACCEPTED'],
      ['PENDING', 'accept', 'ACCEPTED'],
      ['RECEIVED', 'drop', 'UNBILLED'],
      ['PENDING', 'drop', 'UNBILLED'],
      ['PENDING', 'reject', 'REJECTED'],
      ['ACCEPTED', 'bill', 'BILLED'],
      ['ACCEPTED', 'refuse', 'UNBILLED'],
    ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(conversionLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const refused = illegalMoves(conversionLifecycle);
    expect(refused).toHaveLength(54);
    for (const [from, action] of refused) {
      expect(() => transition(conversionLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
