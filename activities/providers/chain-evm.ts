import type { Chain } from './chain-port.ts';
import { checksummed } from './evm-address.ts';
import { createNode, hexOf, type NodeFields, numberOf } from './evm-node.ts';
import { wordOf } from './provider-call.ts';
import { seenTransfers, transferOf } from './token-log.ts';

export interface TokenOnChain {
  rpc: string;
  chainId: number;
  contract: string;
  confirmations: number;
}

/**
 * USDT on a chain that speaks Ethereum's JSON-RPC. Only logs of the configured contract count, whatever a
 * node sends, and only of a node of the configured chain.
 */
export function createEvmChain(settings: TokenOnChain): Chain {
  const { contract, confirmations } = settings;
  const ask = createNode(settings);

  return {
    network: 'ERC20',
    confirmations,
    restMs: 0,
    async tips() {
      const head = numberOf(await ask('eth_blockNumber'));
      return { head, final: head - confirmations + 1 };
    },
    async block(number) {
      const found = await ask('eth_getBlockByNumber', hexOf(number), false);
      return found === null ? null : { number, hash: wordOf((found as NodeFields)['hash']) };
    },
    async transfers(from, to) {
      const seen = await seenTransfers(ask, { contract, from, to });
      return seen.map((each) => ({ ...each, to: checksummed(each.to) }));
    },
    async movementsOf({ transaction, block }) {
      const receipt = (await ask('eth_getTransactionReceipt', transaction)) as NodeFields | null;
      if (receipt?.['status'] !== '0x1' || receipt['blockHash'] !== block.hash) return [];
      const logs = Array.isArray(receipt['logs']) ? (receipt['logs'] as NodeFields[]) : [];
      return logs.flatMap((log) => {
        const moved = transferOf(log, contract);
        if (moved === undefined) return [];
        const reference = `${transaction}:${numberOf(log['logIndex'])}`;
        return [{ to: checksummed(moved.to), valueNanos: moved.valueNanos, reference }];
      });
    },
  };
}
