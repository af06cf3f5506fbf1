import {
  type DeliveryStatus,
  webhookDeliveryLifecycle,
  webhookLifecycle,
  type WebhookStatus,
} from '../../../domain/lifecycle/webhook.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('webhook_endpoints.status', () => {
  const legal: [WebhookStatus, keyof (typeof webhookLifecycle)['moves'], WebhookStatus][] = [
    ['ACTIVE', 'pause', 'PAUSED'],
    ['DISABLED', 'pause', 'PAUSED'],
    ['PAUSED', 'resume', 'ACTIVE'],
    ['DISABLED', 'resume', 'ACTIVE'],
    ['ACTIVE', 'disable', 'DISABLED'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(webhookLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    expect(illegalMoves(webhookLifecycle)).toHaveLength(4);
  });
});

describe('webhook_deliveries.status', () => {
  const legal: [
    DeliveryStatus,
    keyof (typeof webhookDeliveryLifecycle)['moves'],
    DeliveryStatus,
  ][] = [
    ['PENDING', 'deliver', 'DELIVERED'],
    ['PENDING', 'miss', 'PENDING'],
    ['PENDING', 'give_up', 'DEAD'],
    ['DEAD', 'send_again', 'PENDING'],
    ['DELIVERED', 'send_again', 'PENDING'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(webhookDeliveryLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    expect(illegalMoves(webhookDeliveryLifecycle)).toHaveLength(7);
  });
});
