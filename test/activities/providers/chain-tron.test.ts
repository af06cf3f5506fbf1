import { createTronChain } from '../../../activities/providers/chain-tron.ts';
import type { SeenTransfer } from '../../../activities/providers/chain-port.ts';
import { hexOfTron } from '../../../activities/providers/tron-address.ts';
import { FAKE_TOKEN, type TronBehaviour } from '../../../dev/sandboxes/tron.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';

/** What is believed of a node of TRON, whatever it says. */
let sandboxes: TestSandboxes;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
});
beforeEach(() => sandboxes.tron.behave({}));
afterAll(async () => {
  await sandboxes?.close();
});

const chainOf = () =>
  createTronChain({
    rpc: sandboxes.env['TRON_RPC'] ?? '',
    solidity: sandboxes.env['TRON_SOLIDITY'] ?? '',
    chainId: Number(sandboxes.env['TRON_CHAIN_ID']),
    contract: sandboxes.env['TRON_CONTRACT'] ?? '',
    apiKey: null,
  });

const TO = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH';
const OTHER = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK';

/** The first that is seen of whom these tests pay, from this block on. */
async function seenFrom(block: number) {
  const seen = await chainOf().transfers(block, sandboxes.tron.head);
  const [first] = seen.filter(({ to }) => to === TO || to === OTHER);
  return first;
}

/** What is believed of it. */
async function moved(seen: SeenTransfer | undefined) {
  if (seen === undefined) throw new Error('nothing was seen');
  return await chainOf().movementsOf(seen);
}

/** One transaction of three movements, solidified. */
function sent(contract?: string): { id: string; from: number } {
  const { tron } = sandboxes;
  const from = tron.head + 1;
  const token = contract === undefined ? {} : { contract };
  const half = { to: TO, value: 30_000_000n, ...token };
  const id = tron.send(half, half, { to: OTHER, value: 1n, ...token });
  tron.mine(18);
  return { id, from };
}

it('a transaction · its movements by chain, number and place among its own logs, in nanos', async () => {
  const { id, from } = sent();
  const reference = (at: number) => `trc20:${id}:${at}`;
  for (const countsByTransaction of [false, true]) {
    sandboxes.tron.behave({ countsByTransaction });
    const seen = await seenFrom(from);
    expect(await moved(seen)).toEqual([
      { to: TO, valueNanos: 30_000_000_000n, reference: reference(0) },
      { to: TO, valueNanos: 30_000_000_000n, reference: reference(1) },
      { to: OTHER, valueNanos: 1_000n, reference: reference(2) },
    ]);
  }
});

it('not solidified yet · is nothing, also where it is seen', async () => {
  const { tron } = sandboxes;
  const from = tron.head + 1;
  tron.send({ to: TO, value: 50_000_000n });
  tron.mine(17);
  const seen = await seenFrom(from);
  expect(await moved(seen)).toEqual([]);
  expect((await chainOf().tips()).final).toBe(from - 1);
  tron.mine();
  expect(await moved(seen)).toHaveLength(1);
});

it('in another block than the one that was seen · is nothing', async () => {
  const { tron } = sandboxes;
  const from = tron.head + 1;
  tron.send({ to: TO, value: 50_000_000n });
  const seen = await seenFrom(from);
  tron.fork(1, true);
  tron.mine(18);
  expect(await moved(seen)).toEqual([]);
  const now = await seenFrom(from);
  expect(now).toMatchObject({ transaction: seen?.transaction });
  expect(await moved(now)).toHaveLength(1);
});

it('a token of the same name · not seen; not moved where the node calls it ours', async () => {
  const { from } = sent(FAKE_TOKEN);
  sandboxes.tron.behave({ logs: 'of_all_contracts' });
  expect(await seenFrom(from)).toBeUndefined();
  sandboxes.tron.behave({ logs: 'forged_contract' });
  const seen = await seenFrom(from);
  expect(seen).toMatchObject({ to: TO });
  expect(await moved(seen)).toEqual([]);
});

it.each([
  ['failed', { solidity: 'failed' }],
  ['is denied', { solidity: 'denies' }],
] as const)('a transaction that %s · has moved nothing', async (_, fault) => {
  const { from } = sent();
  const seen = await seenFrom(from);
  sandboxes.tron.behave(fault);
  expect(await moved(seen)).toEqual([]);
});

it.each([
  ['solidified before it was made', { solidity: 'ahead' }, 'lags behind'],
  ['solidified on another fork', { solidity: 'of_another_fork' }, 'another block'],
  ['of another chain of the same software', { chainId: 728_126_428 }, 'another chain'],
  ['too many questions', { fault: 429 }, '429'],
  ['away', { fault: 503 }, '503'],
  ['cut', { fault: 'cut' }, 'fetch failed'],
  ['silent', { fault: 'silent' }, 'timeout'],
] as const satisfies readonly (readonly [string, Partial<TronBehaviour>, string])[])(
  'a node that is %s · nothing is known',
  async (_, fault, message) => {
    sandboxes.tron.behave(fault);
    await expect(chainOf().tips()).rejects.toThrow(message);
  },
  30_000,
);

it.each([
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', null],
  ['tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t', null],
  ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', null],
  ['', null],
])('address %p · its bytes where every letter is right', (address, hex) => {
  expect(hexOfTron(address)).toBe(hex);
});
