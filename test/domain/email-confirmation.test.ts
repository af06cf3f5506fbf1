import { standingOf } from '../../domain/email-confirmation.ts';

describe('a link that confirms an e-mail address', () => {
  const expiresAt = new Date('2026-11-24T12:00:00Z');
  const before = new Date(expiresAt.getTime() - 1);

  test.each([
    ['OPEN', before, 'open'],
    ['OPEN', expiresAt, 'expired'],
    ['CONFIRMED', before, 'done'],
    // Whoever opens it late a second time is told what is so.
    ['CONFIRMED', expiresAt, 'done'],
    ['REPLACED', before, 'replaced'],
    ['CANCELLED', before, 'withdrawn'],
    ['UNDONE', before, 'withdrawn'],
  ] as const)('%s · opened at %p · is %s', (status, now, standing) => {
    expect(standingOf({ status, expiresAt }, now)).toBe(standing);
  });
});
