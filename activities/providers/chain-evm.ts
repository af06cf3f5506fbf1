import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Block, Chain, TokenTransfer } from './chain-port.ts';
import { createNode, hexOf, type NodeFields, numberOf } from './evm-node.ts';
import { wordOf } from './provider-call.ts';

export interface TokenOnChain {
  rpc: string;
  chainId: number;
  contract: string;
  confirmations: number;
}

/** What a movement is logged under. */
const TRANSFER_LOG = `0x${bytesToHex(keccak_256(utf8ToBytes('Transfer(address,address,uint256)')))}`;
/** A token of six decimals. */
const NANOS_PER_UNIT_OF_TOKEN = 1_000n;

/**
 * USDT on a chain that speaks Ethereum's JSON-RPC. Only logs of the configured contract count, whatever a
 * node sends, and only of a node of the configured chain.
 */
export function createEvmChain(settings: TokenOnChain): Chain {
  const { contract } = settings;
  const ask = createNode(settings);

  return {
    network: 'ERC20',
    confirmations: settings.confirmations,
    async head() {
      return numberOf(await ask('eth_blockNumber'));
    },
    async block(number) {
      const found = await ask('eth_getBlockByNumber', hexOf(number), false);
      return found === null ? null : { number, hash: wordOf((found as NodeFields)['hash']) };
    },
    async transfers(from, to) {
      const filter = { address: contract, topics: [TRANSFER_LOG] };
      const range = { fromBlock: hexOf(from), toBlock: hexOf(to) };
      const logs = await ask('eth_getLogs', { ...filter, ...range });
      if (!Array.isArray(logs)) throw new Error('eth_getLogs: no list');
      return (logs as NodeFields[]).flatMap((log) => transferOf(log, contract) ?? []);
    },
    async isDone(transfer) {
      const [transaction = '', index] = transfer.reference.split(':');
      const receipt = (await ask('eth_getTransactionReceipt', transaction)) as NodeFields | null;
      if (receipt?.['status'] !== '0x1' || receipt['blockHash'] !== transfer.block.hash)
        return false;
      const logs = Array.isArray(receipt['logs']) ? (receipt['logs'] as NodeFields[]) : [];
      const log = logs.find((each) => numberOf(each['logIndex']) === Number(index));
      const found = log && transferOf(log, contract);
      return found?.to === transfer.to && found.valueNanos === transfer.valueNanos;
    },
  };
}

/** Undefined: not a movement of this token, or one that the node itself took back. */
export function transferOf(log: NodeFields, contract: string): TokenTransfer | undefined {
  const { address, topics, data, transactionHash, logIndex, blockNumber, blockHash, removed } = log;
  if (wordOf(address).toLowerCase() !== contract || removed === true) return undefined;
  if (!Array.isArray(topics) || topics.length !== 3 || topics[0] !== TRANSFER_LOG) return undefined;
  const value = /^0x[0-9a-f]{64}$/i.test(wordOf(data)) ? BigInt(wordOf(data)) : 0n;
  if (value === 0n) return undefined;
  const block: Block = { number: numberOf(blockNumber), hash: wordOf(blockHash) };
  return {
    to: `0x${wordOf(topics[2]).slice(-40).toLowerCase()}`,
    valueNanos: value * NANOS_PER_UNIT_OF_TOKEN,
    reference: `${wordOf(transactionHash).toLowerCase()}:${numberOf(logIndex)}`,
    block,
  };
}
