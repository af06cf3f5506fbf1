import fc from 'fast-check';
import {
  DEPOSIT_STATUSES,
  depositLifecycle,
  depositReference,
  type DepositStatus,
  isDepositReference,
  OPEN_DEPOSIT_STATUSES,
  receiptLifecycle,
  type ReceiptState,
} from '../../../domain/lifecycle/deposit.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

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

describe('deposits.status', () => {
  const legal: [DepositStatus, keyof (typeof depositLifecycle)['moves'], DepositStatus][] = [
    ['PENDING', 'receive', 'CONFIRMING'],
    ['PENDING', 'cancel', 'CANCELLED'],
    ['PENDING', 'expire', 'EXPIRED'],
    ['PENDING', 'fail', 'FAILED'],
    ['CONFIRMING', 'credit', 'PAID'],
    ['CONFIRMING', 'review', 'REVIEW'],
    ['REVIEW', 'credit', 'PAID'],
    ['REVIEW', 'refund', 'REFUNDED'],
    ['CONFIRMING', 'reopen', 'PENDING'],
    ['REVIEW', 'reopen', 'PENDING'],
    ['PAID', 'reopen', 'PENDING'],
  ];

  it.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(depositLifecycle, from, action)).toBe(to);
  });

  it('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(depositLifecycle);
    const pairs = DEPOSIT_STATUSES.length * Object.keys(depositLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(depositLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });

  it('closed order · every action but taking the receipt back that paid it · is refused', () => {
    const closed = DEPOSIT_STATUSES.filter((status) => !OPEN_DEPOSIT_STATUSES.includes(status));
    expect(closed).toEqual(['PAID', 'CANCELLED', 'EXPIRED', 'REFUNDED', 'FAILED']);
    expect(legal.filter(([from]) => closed.includes(from))).toEqual([
      ['PAID', 'reopen', 'PENDING'],
    ]);
  });

  it.each<[DepositStatus, keyof (typeof depositLifecycle)['moves']]>([
    ['CONFIRMING', 'cancel'],
    ['CONFIRMING', 'expire'],
    ['CONFIRMING', 'fail'],
    ['REVIEW', 'cancel'],
    ['REVIEW', 'expire'],
    ['PENDING', 'credit'],
    ['CONFIRMING', 'refund'],
  ])('%s · %s · is refused: money is there, or none is', (from, action) => {
    expect(illegalMoves(depositLifecycle)).toContainEqual([from, action]);
  });
});

describe('deposit_receipts.state', () => {
  it.each<[ReceiptState, keyof (typeof receiptLifecycle)['moves'], ReceiptState]>([
    ['SUSPENSE', 'credit', 'CREDITED'],
    ['SUSPENSE', 'send_back', 'REFUNDING'],
    ['REFUNDING', 'refund', 'REFUNDED'],
    ['CREDITED', 'ask_back', 'TAKING_BACK'],
    ['TAKING_BACK', 'keep', 'CREDITED'],
    ['TAKING_BACK', 'take_back', 'TAKEN_BACK'],
    ['SUSPENSE', 'take_back', 'TAKEN_BACK'],
    ['REFUNDING', 'take_back', 'TAKEN_BACK'],
  ])('%s · %s · is %s', (from, action, to) => {
    expect(transition(receiptLifecycle, from, action)).toBe(to);
  });

  it('money that has left suspense · any other action · is refused', () => {
    const illegal = illegalMoves(receiptLifecycle);
    expect(illegal).toHaveLength(28);
    // What was never decided to go back is not back; and what can be spent is not gone before it is held.
    expect(illegal).toContainEqual(['SUSPENSE', 'refund']);
    expect(illegal).toContainEqual(['CREDITED', 'take_back']);
    expect(illegal.filter(([from]) => from === 'TAKEN_BACK' || from === 'REFUNDED')).toHaveLength(
      12,
    );
    for (const [from, action] of illegal) {
      expect(() => transition(receiptLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
