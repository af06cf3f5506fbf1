import type { SentOrder } from '../../../activities/providers/payout-port.ts';
import {
  createPaypalPayouts,
  type PaypalSettings,
} from '../../../activities/providers/payout-paypal.ts';
import { PAYPAL_HONEST, type PaypalBehaviour } from '../../../dev/sandboxes/paypal.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';

/** Whatever PayPal's server does: an order is paid at most once, and nothing is called unpaid that may be paid. */
let sandboxes: TestSandboxes;
let settings: PaypalSettings;
let number = 0;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  const { env } = sandboxes;
  settings = {
    api: env['PAYPAL_API'] ?? '',
    clientId: env['PAYPAL_CLIENT_ID'] ?? '',
    secret: env['PAYPAL_SECRET'] ?? '',
  };
});
beforeEach(() => sandboxes.paypal.behave(PAYPAL_HONEST));
afterAll(async () => await sandboxes?.close());

const DAY_MS = 86_400_000;

function order(email = 'ada@example.com', daysAgo = 0): SentOrder {
  number += 1;
  return {
    key: `WD-${number}`,
    amount: '95.00',
    currency: 'USD',
    destination: { channel: 'PAYPAL', email },
    writtenAt: new Date(Date.now() - daysAgo * DAY_MS),
  };
}

const batchesOf = ({ key }: SentOrder) =>
  sandboxes.paypal.batches.filter((batch) => batch.key === key);

/** The state, or `thrown`, which counts as unknown. */
async function stateOf(asking: Promise<{ state: string }>): Promise<string> {
  try {
    return (await asking).state;
  } catch {
    return 'thrown';
  }
}

test('an honest order · accepted, then settled · paid once, exactly, by its own transaction', async () => {
  const paypal = createPaypalPayouts(settings);
  const sent = order();
  expect((await paypal.send(sent)).state).toBe('ACCEPTED');
  expect((await paypal.find(sent)).state).toBe('PENDING');
  const [batch] = batchesOf(sent);
  expect(await paypal.find(sent)).toEqual({ state: 'SETTLED', reference: `TX-${batch?.id}` });
  expect(batchesOf(sent)).toEqual([
    expect.objectContaining({ receiver: 'ada@example.com', value: '95.00', currency: 'USD' }),
  ]);
});

test.each<[string, string, string]>([
  ['bounce', 'FAILED', 'RECEIVER_ACCOUNT_LOCKED'],
  ['returned', 'FAILED', 'PAYPAL_RETURNED'],
  ['unclaimed', 'PENDING', ''],
  ['blocked', 'PENDING', ''],
])('an item that ends as %s · is %s', async (mark, state, reason) => {
  const paypal = createPaypalPayouts(settings);
  const sent = order(`ada+${mark}@example.com`);
  await paypal.send(sent);
  await paypal.find(sent);
  const found = await paypal.find(sent);
  expect(found.state).toBe(state);
  if (found.state === 'FAILED') expect(found.reason).toBe(reason);
});

test.each<[Partial<PaypalBehaviour>, string, number]>([
  [{ order: 'cut_before' }, 'thrown', 0],
  [{ order: 'cut_after' }, 'thrown', 1],
  [{ order: 'fails_before' }, 'UNKNOWN', 0],
  [{ order: 'fails_after' }, 'UNKNOWN', 1],
])('%j · sent · %s, and asked later paid once', async (behaviour, state, executed) => {
  const paypal = createPaypalPayouts(settings);
  const sent = order();
  sandboxes.paypal.behave(behaviour);
  expect(await stateOf(paypal.send(sent))).toBe(state);
  expect(batchesOf(sent)).toHaveLength(executed);
  expect(await stateOf(paypal.find(sent))).toMatch(/thrown|PENDING/);
  sandboxes.paypal.behave(PAYPAL_HONEST);
  await Promise.all(Array.from({ length: 5 }, async () => await paypal.find(sent)));
  expect((await paypal.find(sent)).state).toBe('SETTLED');
  expect(batchesOf(sent)).toHaveLength(1);
});

test.each<[Partial<PaypalBehaviour>, string]>([
  [{ refuses: 'RECEIVER_UNREGISTERED' }, 'REJECTED'],
  [{ refuses: 'INSUFFICIENT_FUNDS' }, 'NOT_SENT'],
  [{ isDown: true }, 'NOT_SENT'],
])('%j · sent · %s, and nothing is paid', async (behaviour, state) => {
  const sent = order();
  sandboxes.paypal.behave(behaviour);
  expect(await stateOf(createPaypalPayouts(settings).send(sent))).toBe(state);
  expect(batchesOf(sent)).toEqual([]);
});

test('a wrong secret, nobody at the address · sent · NOT_SENT: the next try is the first', async () => {
  const sent = order();
  const wrong = createPaypalPayouts({ ...settings, secret: 'wrong' });
  expect(await wrong.send(sent)).toEqual({ state: 'NOT_SENT', reason: 'NO_TOKEN_HTTP_401' });
  const nobody = createPaypalPayouts({ ...settings, api: 'http://127.0.0.1:9' });
  expect(await nobody.send(sent)).toEqual({ state: 'NOT_SENT', reason: 'NO_TOKEN_NO_ANSWER' });
  expect(batchesOf(sent)).toEqual([]);
});

test('tokens that PayPal ended · the order is sent with a new one the next time', async () => {
  const paypal = createPaypalPayouts(settings);
  await paypal.send(order());
  sandboxes.paypal.endTokens();
  const sent = order();
  expect((await paypal.send(sent)).state).toBe('NOT_SENT');
  expect((await paypal.send(sent)).state).toBe('ACCEPTED');
  expect(batchesOf(sent)).toHaveLength(1);
});

test('one key twice at once, also by a process that knows nothing · paid once', async () => {
  const sent = order();
  await Promise.all(
    Array.from({ length: 6 }, async () => await createPaypalPayouts(settings).send(sent)),
  );
  expect(batchesOf(sent)).toHaveLength(1);
});

test.each(['other_amount', 'other_receiver', 'other_id'] as const)(
  'a batch of this id that shows %s · says nothing of this payout',
  async (shows) => {
    const paypal = createPaypalPayouts(settings);
    const sent = order();
    await paypal.send(sent);
    sandboxes.paypal.behave({ shows });
    expect(await stateOf(paypal.find(sent))).toBe('thrown');
    expect(await stateOf(paypal.send(sent))).toBe('thrown');
  },
);

test.each([
  [28, 'PENDING', 1],
  [29.02, 'thrown', 0],
  [31, 'NOT_FOUND', 0],
])(
  'an order of %d days ago that PayPal forgot · is %s: %i is sent anew',
  async (days, state, count) => {
    const sent = order('ada@example.com', days);
    sandboxes.paypal.behave({ forgets: true });
    expect(await stateOf(createPaypalPayouts(settings).find(sent))).toBe(state);
    expect(batchesOf(sent)).toHaveLength(count);
  },
);
