import type { Lifecycle } from './transition.ts';

const REWARD_CALLBACK_STATUSES = ['NONE', 'QUEUED', 'DELIVERED', 'FAILED'] as const;
export type RewardCallbackStatus = (typeof REWARD_CALLBACK_STATUSES)[number];

/** rewards.callback_status: the call that reports a granted reward to the publisher's server. */
export const rewardCallbackLifecycle: Lifecycle<
  RewardCallbackStatus,
  'queue' | 'deliver' | 'miss' | 'give_up'
> = {
  statuses: REWARD_CALLBACK_STATUSES,
  begins: ['NONE'],
  moves: {
    queue: { NONE: 'QUEUED' },
    deliver: { QUEUED: 'DELIVERED', FAILED: 'DELIVERED' },
    miss: { QUEUED: 'QUEUED' },
    give_up: { QUEUED: 'FAILED' },
  },
};
