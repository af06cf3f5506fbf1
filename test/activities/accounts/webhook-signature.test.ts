import { createHmac } from 'node:crypto';
import { webhookHeaders } from '../../../activities/accounts/webhook-signature.ts';

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
