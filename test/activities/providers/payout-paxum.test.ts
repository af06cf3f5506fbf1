import type { SentOrder } from '../../../activities/providers/payout-port.ts';
import {
  createPaxumPayouts,
  type PaxumSettings,
} from '../../../activities/providers/payout-paxum.ts';
import { PAXUM_HONEST, type PaxumBehaviour } from '../../../dev/sandboxes/paxum.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';

/** Paxum pays whatever it is sent: an order leaves once, and nothing is called unpaid that may be paid. */
let sandboxes: TestSandboxes;
let settings: PaxumSettings;
let number = 0;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  const { env } = sandboxes;
  settings = {
    api: env['PAXUM_API'] ?? '',
    email: env['PAXUM_EMAIL'] ?? '',
    secret: env['PAXUM_SECRET'] ?? '',
  };
});
beforeEach(() => sandboxes.paxum.behave(PAXUM_HONEST));
afterAll(async () => await sandboxes?.close());

function order(email = 'ada@example.com'): SentOrder {
  number += 1;
  return {
    key: `WD-${number}`,
    amount: '95.00',
    currency: 'USD',
    destination: { channel: 'PAXUM', email },
    writtenAt: new Date(),
  };
}

const transfersOf = ({ key }: SentOrder) =>
  sandboxes.paxum.transfers.filter(({ reference }) => reference === key);

/** The state, or `thrown`, which counts as unknown. */
async function stateOf(asking: Promise<{ state: string }>): Promise<string> {
  try {
    return (await asking).state;
  } catch {
    return 'thrown';
  }
}

test('an honest order, an address with signs of XML · accepted, then settled · paid once, exactly', async () => {
  const paxum = createPaxumPayouts(settings);
  const sent = order('a&d=a@example.com');
  expect((await paxum.send(sent)).state).toBe('ACCEPTED');
  expect((await paxum.find(sent)).state).toBe('PENDING');
  const [transfer] = transfersOf(sent);
  expect(await paxum.find(sent)).toEqual({ state: 'SETTLED', reference: transfer?.id });
  expect(transfersOf(sent)).toEqual([
    expect.objectContaining({ receiver: 'a&d=a@example.com', amount: '95.00', currency: 'USD' }),
  ]);
});

test.each([
  ['declined', 'PAXUM_DECLINED'],
  ['returned', 'PAXUM_REFUNDED'],
])('a transfer that ends as %s · FAILED, %s', async (mark, reason) => {
  const paxum = createPaxumPayouts(settings);
  const sent = order(`ada+${mark}@example.com`);
  await paxum.send(sent);
  await paxum.find(sent);
  expect(await paxum.find(sent)).toEqual({ state: 'FAILED', reason });
});

test.each<[PaxumBehaviour['transfer'], string, number]>([
  ['cut_before', 'thrown', 0],
  ['cut_after', 'thrown', 1],
  ['fails_before', 'thrown', 0],
  ['fails_after', 'thrown', 1],
  ['odd_after', 'UNKNOWN', 1],
])(
  '%s · sent · %s; asked and asked again, %i paid and never more',
  async (transfer, state, executed) => {
    const paxum = createPaxumPayouts(settings);
    const sent = order();
    sandboxes.paxum.behave({ transfer });
    expect(await stateOf(paxum.send(sent))).toBe(state);
    sandboxes.paxum.behave(PAXUM_HONEST);
    await Promise.all(Array.from({ length: 5 }, async () => await paxum.find(sent)));
    expect((await paxum.find(sent)).state).toBe(executed === 1 ? 'SETTLED' : 'NOT_FOUND');
    expect(transfersOf(sent)).toHaveLength(executed);
  },
);

test('sent a second time, by a process that knows nothing · its reference is found, and nothing is sent', async () => {
  const sent = order();
  sandboxes.paxum.behave({ transfer: 'cut_after' });
  expect(await stateOf(createPaxumPayouts(settings).send(sent))).toBe('thrown');
  sandboxes.paxum.behave(PAXUM_HONEST);
  expect((await createPaxumPayouts(settings).send(sent)).state).toBe('ACCEPTED');
  expect((await createPaxumPayouts(settings).send(sent)).state).toBe('SETTLED');
  expect(transfersOf(sent)).toHaveLength(1);
});

test.each<[Partial<PaxumBehaviour>, string]>([
  [{ refuses: '14' }, 'REJECTED'],
  [{ refuses: '51' }, 'NOT_SENT'],
  [{ refuses: '96' }, 'UNKNOWN'],
  [{ isDown: true }, 'NOT_SENT'],
  [{ history: 'refused' }, 'NOT_SENT'],
])('%j · sent · %s, and nothing is paid', async (behaviour, state) => {
  const sent = order();
  sandboxes.paxum.behave(behaviour);
  expect(await stateOf(createPaxumPayouts(settings).send(sent))).toBe(state);
  expect(transfersOf(sent)).toEqual([]);
});

test('a wrong secret, nobody at the address · NOT_SENT, as the history is not told', async () => {
  const sent = order();
  for (const wrong of [{ secret: 'wrong' }, { api: 'http://127.0.0.1:9' }]) {
    const paxum = createPaxumPayouts({ ...settings, ...wrong });
    expect(await paxum.send(sent)).toEqual({ state: 'NOT_SENT', reason: 'NO_HISTORY' });
    expect(await stateOf(paxum.find(sent))).toBe('thrown');
  }
  expect(transfersOf(sent)).toEqual([]);
});

test.each<[PaxumBehaviour['history'], string]>([
  ['hidden', 'NOT_FOUND'],
  ['refused', 'thrown'],
  ['other_amount', 'thrown'],
  ['other_receiver', 'thrown'],
])('a history that is %s · says nothing of a paid order: %s', async (history, state) => {
  const paxum = createPaxumPayouts(settings);
  const sent = order();
  await paxum.send(sent);
  sandboxes.paxum.behave({ history });
  expect(await stateOf(paxum.find(sent))).toBe(state);
  expect(transfersOf(sent)).toHaveLength(1);
});

test('behind two hundred others · found on the page where it is', async () => {
  const paxum = createPaxumPayouts(settings);
  const sent = order();
  const other = { receiver: 'x@example.com', amount: '1.00', currency: 'USD', status: 'COMPLETED' };
  for (let made = 0; made < 200; made += 1) {
    sandboxes.paxum.transfers.push({ id: `${made}`, reference: `R-${made}`, looks: 2, ...other });
  }
  await paxum.send(sent);
  await paxum.find(sent);
  expect((await paxum.find(sent)).state).toBe('SETTLED');
});
