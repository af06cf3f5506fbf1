import { createHmac } from 'node:crypto';
import { findWebhookUrlFault, webhookBody, webhookHeaders } from '../../domain/webhook.ts';

/** The example of the Standard Webhooks specification, as its libraries test themselves by. */
const KNOWN = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  unixSeconds: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test('a call · of the known example · is signed as receivers expect', () => {
  const { secret, signature, ...message } = KNOWN;
  expect(webhookHeaders({ ...message, secrets: [secret] })).toEqual({
    'content-type': 'application/json',
    'webhook-id': KNOWN.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  });
});

test('a call · while two secrets hold · is signed by both, the new one first', () => {
  const { secret, signature, ...message } = KNOWN;
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const { 'webhook-signature': both = '' } = webhookHeaders({
    ...message,
    secrets: [other, secret],
  });
  const text = `${KNOWN.id}.${KNOWN.unixSeconds}.${KNOWN.body}`;
  const first = createHmac('sha256', Buffer.alloc(32, 7)).update(text).digest('base64');
  expect(both).toBe(`v1,${first} ${signature}`);
});

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
