import { bankCardLifecycle } from '../../../domain/lifecycle/bank-card.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('bank_cards.status', () => {
  test('ACTIVE · archive · is ARCHIVED', () => {
    expect(transition(bankCardLifecycle, 'ACTIVE', 'archive')).toBe('ARCHIVED');
  });

  test('every other move · of all pairs · is refused', () => {
    expect(illegalMoves(bankCardLifecycle)).toEqual([['ARCHIVED', 'archive']]);
    expect(() => transition(bankCardLifecycle, 'ARCHIVED', 'archive')).toThrow(
      'Cannot archive while ARCHIVED.',
    );
  });
});
