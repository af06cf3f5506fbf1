import type { Lifecycle } from './transition.ts';

export const WEBHOOK_STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** The platform disables an address that takes nothing; its owner resumes it. */
export const webhookLifecycle: Lifecycle<WebhookStatus, 'pause' | 'resume' | 'disable'> = {
  statuses: WEBHOOK_STATUSES,
  begins: ['ACTIVE'],
  moves: {
    pause: { ACTIVE: 'PAUSED', DISABLED: 'PAUSED' },
    resume: { PAUSED: 'ACTIVE', DISABLED: 'ACTIVE' },
    disable: { ACTIVE: 'DISABLED' },
  },
};

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'DEAD'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** As a postback's, but that one that was taken may be sent again too: its receiver may have lost it. */
export const webhookDeliveryLifecycle: Lifecycle<
  DeliveryStatus,
  'deliver' | 'miss' | 'give_up' | 'send_again'
> = {
  statuses: DELIVERY_STATUSES,
  begins: ['PENDING'],
  moves: {
    deliver: { PENDING: 'DELIVERED' },
    miss: { PENDING: 'PENDING' },
    give_up: { PENDING: 'DEAD' },
    send_again: { DEAD: 'PENDING', DELIVERED: 'PENDING' },
  },
};
