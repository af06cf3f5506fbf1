import { mailLifecycle, type MailStatus } from '../../../domain/lifecycle/mail.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

const legal: [MailStatus, keyof (typeof mailLifecycle)['moves'], MailStatus][] = [
  ['QUEUED', 'send', 'SENT'],
  ['QUEUED', 'refuse', 'REFUSED'],
  ['QUEUED', 'expire', 'EXPIRED'],
];

describe('mails.status', () => {
  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(mailLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused: a letter ends once', () => {
    const illegal = illegalMoves(mailLifecycle);
    expect(illegal).toHaveLength(4 * 3 - legal.length);
    for (const [from, action] of illegal) {
      expect(from).not.toBe('QUEUED');
      expect(() => transition(mailLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
