import { createNode } from '../../../activities/providers/evm-node.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';

let sandboxes: TestSandboxes;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
});
afterAll(async () => await sandboxes?.close());

test('a node that becomes one of another chain · is asked no more within a minute, and again once it is right', async () => {
  let at = 0;
  const chainId = Number(sandboxes.env['USDT_CHAIN_ID']);
  const ask = createNode({ rpc: sandboxes.env['USDT_RPC'] ?? '', chainId, now: () => at });
  await expect(ask('eth_blockNumber')).resolves.toMatch(/^0x/);
  sandboxes.chain.behave({ chainId: chainId + 1 });
  at = 59_999;
  await expect(ask('eth_blockNumber')).resolves.toMatch(/^0x/);
  at = 60_000;
  await expect(ask('eth_blockNumber')).rejects.toThrow('of another chain');
  await expect(ask('eth_blockNumber')).rejects.toThrow('of another chain');
  sandboxes.chain.behave({});
  await expect(ask('eth_blockNumber')).resolves.toMatch(/^0x/);
});
