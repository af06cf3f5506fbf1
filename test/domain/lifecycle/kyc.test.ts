import fc from 'fast-check';
import {
  isDocumentValid,
  kycApplicationLifecycle,
  type KycApplicationStatus,
  kycExpiry,
  kycLifecycle,
} from '../../../domain/lifecycle/kyc.ts';
import type { KycStatus } from '../../../domain/lifecycle/profile.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

const DAY_MS = 86_400_000;
const NOON = new Date('2026-05-05T12:00:00Z');

describe('kyc_status', () => {
  const legal: [KycStatus, keyof (typeof kycLifecycle)['moves'], KycStatus][] = [
    ['none', 'submit', 'pending'],
    ['rejected', 'submit', 'pending'],
    ['expired', 'submit', 'pending'],
    ['pending', 'approve', 'approved'],
    ['pending', 'reject', 'rejected'],
    ['approved', 'expire', 'expired'],
    ['approved', 'renew', 'approved'],
    ['approved', 'lapse', 'pending'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(kycLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(kycLifecycle);
    expect(illegal).toHaveLength(5 * 6 - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(kycLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});

describe('kyc_applications.status', () => {
  const legal: [
    KycApplicationStatus,
    keyof (typeof kycApplicationLifecycle)['moves'],
    KycApplicationStatus,
  ][] = [
    ['PENDING', 'approve', 'APPROVED'],
    ['PENDING', 'reject', 'REJECTED'],
    ['APPROVED', 'expire', 'EXPIRED'],
    ['APPROVED', 'supersede', 'SUPERSEDED'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(kycApplicationLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(kycApplicationLifecycle);
    expect(illegal).toHaveLength(5 * 4 - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(kycApplicationLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});

describe('validity of a document', () => {
  test.each([
    ['no end', null, true],
    ['the day before', '2026-05-04', false],
    ['that very day', '2026-05-05', true],
    ['the day after', '2026-05-06', true],
  ])('with %s · at noon · is %s %s', (_what, day, valid) => {
    expect(isDocumentValid(day, NOON)).toBe(valid);
  });

  test.each([
    ['no end', null, '2028-05-04T12:00:00.000Z'],
    ['an end before two years', '2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['an end after two years', '2099-12-31', '2028-05-04T12:00:00.000Z'],
  ])('an approval · of papers with %s · holds until', (_what, day, until) => {
    expect(kycExpiry(NOON, day, 730).toISOString()).toBe(until);
  });

  test('an approval · of any valid document · holds from now to at most 730 days', () => {
    const days = fc.integer({ min: 0, max: 20_000 });
    fc.assert(
      fc.property(days, (ahead) => {
        const day = new Date(NOON.getTime() + ahead * DAY_MS).toISOString().slice(0, 10);
        const until = kycExpiry(NOON, day, 730).getTime();
        expect(isDocumentValid(day, NOON)).toBe(true);
        expect(until).toBeGreaterThan(NOON.getTime());
        expect(until).toBeLessThanOrEqual(NOON.getTime() + 730 * DAY_MS);
      }),
    );
  });
});
