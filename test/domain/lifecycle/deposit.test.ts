import fc from 'fast-check';
import {
  DEPOSIT_STATUSES,
  depositReference,
  depositLifecycle,
  isDepositReference,
  OPEN_DEPOSIT_STATUSES,
} from '../../../domain/lifecycle/deposit.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';

const anyId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe('depositReference', () => {
  it('known value · of ISO 11649 · fits its check digits', () => {
    expect(isDepositReference(depositReference(1))).toBe(true);
    expect(depositReference(1)).toMatch(/^RF\d{2}000000001$/);
  });

  it('any order · its own reference · is accepted, however it is typed', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const reference = depositReference(id);
        const spaced = reference.toLowerCase().replace(/(.{4})/g, '$1 ');
        return isDepositReference(reference) && isDepositReference(spaced);
      }),
    );
  });

  it('any order · one digit wrong or two neighbours swapped · is found out', () => {
    fc.assert(
      fc.property(anyId, fc.nat(30), fc.integer({ min: 1, max: 9 }), (id, at, by) => {
        const digits = depositReference(id).slice(2).split('');
        const i = at % digits.length;
        const digit = Number(digits[i]);
        const wrong = [...digits];
        wrong[i] = String((digit + by) % 10);
        const next = digits[i + 1];
        const swapped = [...digits];
        if (next !== undefined) [swapped[i], swapped[i + 1]] = [next, String(digit)];
        const isSame = swapped.join('') === digits.join('');
        return (
          !isDepositReference(`RF${wrong.join('')}`) &&
          (isSame || !isDepositReference(`RF${swapped.join('')}`))
        );
      }),
    );
  });

  it.each(['', 'RF', 'RF00', 'XX18000000001', 'RF18-0000001', '1'.repeat(40)])(
    'text · "%s" · is no reference',
    (text) => {
      expect(isDepositReference(text)).toBe(false);
    },
  );
});

describe('depositLifecycle', () => {
  it('closed order · every action · is refused', () => {
    const closed = DEPOSIT_STATUSES.filter((status) => !OPEN_DEPOSIT_STATUSES.includes(status));
    expect(closed).toEqual(['PAID', 'CANCELLED', 'EXPIRED', 'REFUNDED', 'FAILED']);
    for (const status of closed) {
      for (const action of Object.keys(depositLifecycle.moves)) {
        expect(() =>
          transition(depositLifecycle, status, action as keyof (typeof depositLifecycle)['moves']),
        ).toThrow(/Cannot/);
      }
    }
  });

  it('order with money · cancel or expiry · is refused', () => {
    for (const status of ['CONFIRMING', 'REVIEW'] as const) {
      for (const action of ['cancel', 'expire'] as const) {
        expect(() => transition(depositLifecycle, status, action)).toThrow(/Cannot/);
      }
    }
  });
});
