import { webhookBody } from '../../domain/webhook.ts';

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
