import { findWebhookUrlFault, webhookBody } from '../../domain/webhook.ts';

const EVENT = {
  kind: 'review_decided',
  at: new Date('2026-05-01T10:00:00Z'),
  notificationId: 7,
  subject: { type: 'zone', id: 3 },
  text: 'Review of “Top”: rejected',
} as const;

test('a body · of an event · says what happened; facts that are too long are left out', () => {
  expect(JSON.parse(webhookBody({ ...EVENT, params: { name: 'Top' } }))).toEqual({
    type: 'review_decided',
    timestamp: '2026-05-01T10:00:00.000Z',
    data: {
      notification_id: 7,
      subject: { type: 'zone', id: 3 },
      params: { name: 'Top' },
      text: 'Review of “Top”: rejected',
    },
  });
  const long = webhookBody({ ...EVENT, params: { name: 'é'.repeat(10_000) } });
  expect(JSON.parse(long)).toMatchObject({ data: { notification_id: 7, params: null } });
});

describe('an address', () => {
  const production = { publicHttpsOnly: true };

  test.each([
    ['https://example.com/hooks', null],
    ['http://example.com/hooks', 'not_https'],
    ['https://10.0.0.7/hooks', 'host_not_public'],
    ['https://[::1]/hooks', 'host_not_public'],
    ['https://0x7f000001/hooks', 'host_not_public'],
    ['https://localhost/hooks', 'host_not_public'],
    ['https://printer.local/hooks', 'host_not_public'],
  ])('%s · in production · is %s', (url, fault) => {
    expect(findWebhookUrlFault(url, production)).toBe(fault);
  });

  test('one of the own machine · in development · will do', () => {
    expect(findWebhookUrlFault('http://localhost/hooks', { publicHttpsOnly: false })).toBeNull();
  });
});
