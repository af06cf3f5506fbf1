import type { Lifecycle } from './transition.ts';

export const POSTBACK_STATUSES = ['PENDING', 'DELIVERED', 'DEAD'] as const;
export type PostbackStatus = (typeof POSTBACK_STATUSES)[number];

/** `miss` is a try that failed and is not the last; a dead letter may be sent again by its owner. */
export const postbackLifecycle: Lifecycle<
  PostbackStatus,
  'deliver' | 'miss' | 'give_up' | 'send_again'
> = {
  statuses: POSTBACK_STATUSES,
  begins: ['PENDING'],
  moves: {
    deliver: { PENDING: 'DELIVERED' },
    miss: { PENDING: 'PENDING' },
    give_up: { PENDING: 'DEAD' },
    send_again: { DEAD: 'PENDING' },
  },
};
