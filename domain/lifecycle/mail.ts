import type { Lifecycle } from './transition.ts';

const MAIL_STATUSES = ['QUEUED', 'SENT', 'REFUSED', 'EXPIRED'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A letter that is too late to be of use is not sent any more. */
export const mailLifecycle: Lifecycle<MailStatus, 'send' | 'refuse' | 'expire'> = {
  statuses: MAIL_STATUSES,
  begins: ['QUEUED'],
  moves: {
    send: { QUEUED: 'SENT' },
    refuse: { QUEUED: 'REFUSED' },
    expire: { QUEUED: 'EXPIRED' },
  },
};
