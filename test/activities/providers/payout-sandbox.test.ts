import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPayoutSandbox } from '../../../activities/providers/payout-sandbox.ts';
import { composePayouts } from '../../../activities/providers/payout.ts';
import { PAYOUT_CHANNELS } from '../../../domain/lifecycle/withdrawal.ts';

const folder = (): string => mkdtempSync(path.join(tmpdir(), 'payout-sandbox-'));

const order = (email: string, key = 'wd-1') => ({
  key,
  amount: '10.00',
  currency: 'USD',
  destination: { channel: 'PAYPAL' as const, email },
});

const sentTo = (email: string) => ({ ...order(email), writtenAt: new Date() });

const paidIn = (dir: string): number =>
  readdirSync(dir).filter((file) => file.endsWith('.json')).length;

test.each([
  ['ada@example.com', 'SETTLED', 'SETTLED', 1],
  ['ada+pending@example.com', 'ACCEPTED', 'PENDING', 1],
  ['ada+bounce@example.com', 'ACCEPTED', 'FAILED', 1],
  ['ada+reject@example.com', 'REJECTED', 'NOT_FOUND', 0],
  ['ada+unsent@example.com', 'NOT_SENT', 'NOT_FOUND', 0],
  ['ada+timeout@example.com', 'thrown', 'SETTLED', 1],
  ['ada+lost@example.com', 'thrown', 'NOT_FOUND', 0],
  ['ada+hidden@example.com', 'thrown', 'NOT_FOUND', 1],
])('%s · sent · %s, later %s', async (email, sent, found, kept) => {
  const dir = folder();
  const sandbox = createPayoutSandbox(dir);
  let state = 'thrown';
  try {
    ({ state } = await sandbox.send(order(email)));
  } catch (error) {
    expect(String(error)).toMatch(/timed out|reset/);
  }
  expect(state).toBe(sent);
  expect((await sandbox.find(sentTo('ada@example.com'))).state).toBe(found);
  expect(paidIn(dir)).toBe(kept);
});

test('one key · sent twice, also by a process that knows nothing · paid once, answered alike', async () => {
  const dir = folder();
  const first = await createPayoutSandbox(dir).send(order('ada@example.com'));
  const again = await createPayoutSandbox(dir).send(order('ada@example.com'));
  expect(again).toEqual(first);
  expect(paidIn(dir)).toBe(1);
});

test('pending · asked twice · settled the second time', async () => {
  const sandbox = createPayoutSandbox(folder());
  await sandbox.send(order('ada+pending@example.com'));
  expect((await sandbox.find(sentTo('ada@example.com'))).state).toBe('PENDING');
  expect((await sandbox.find(sentTo('ada@example.com'))).state).toBe('SETTLED');
});

test('availability · without origin and sandbox · no channel, by name; with them · each its own', () => {
  const none = composePayouts({ origin: null, sandboxDir: null });
  expect(none.availability('BANK')).toEqual({ available: false, reason: 'NO_DEBTOR_ACCOUNT' });
  expect(none.availability('PAYPAL')).toEqual({ available: false, reason: 'NO_PROVIDER' });
  expect(none.provider('PAYPAL')).toBeUndefined();
  const all = composePayouts({
    origin: { name: 'A', iban: 'B', bic: 'C' },
    sandboxDir: folder(),
  });
  for (const channel of PAYOUT_CHANNELS)
    expect(all.availability(channel)).toEqual({ available: true });
  expect(all.provider('USDT')).toBeDefined();
  expect(all.provider('BANK')).toBeUndefined();
});
