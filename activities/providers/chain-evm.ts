import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Block, Chain, TokenTransfer } from './chain-port.ts';
import { callProvider, fieldsOf, wordOf } from './provider-call.ts';

export interface TokenOnChain {
  rpc: string;
  chainId: number;
  contract: string;
  confirmations: number;
}

type Fields = Readonly<Record<string, unknown>>;

const TRANSFER = `0x${bytesToHex(keccak_256(utf8ToBytes('Transfer(address,address,uint256)')))}`;
/** A token of six decimals. */
const NANOS_PER_UNIT_OF_TOKEN = 1_000n;

/**
 * USDT on a chain that speaks Ethereum's JSON-RPC. Only logs of the configured contract count, whatever a
 * node sends, and only of a node of the configured chain.
 */
export function createEvmChain(settings: TokenOnChain): Chain {
  const { rpc, contract } = settings;
  let isRightChain = false;
  const call = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const { status, text } = await callProvider(rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer = fieldsOf(text);
    if (status !== 200 || answer === undefined || !('result' in answer)) {
      throw new Error(`${method}: the node answered ${status} without a result`);
    }
    return answer['result'];
  };
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    if (!isRightChain) {
      if (numberOf(await call('eth_chainId')) !== settings.chainId) {
        throw new Error('the node is of another chain');
      }
      isRightChain = true;
    }
    return await call(method, ...params);
  };

  return {
    network: 'ERC20',
    confirmations: settings.confirmations,
    async head() {
      return numberOf(await ask('eth_blockNumber'));
    },
    async block(number) {
      const found = await ask('eth_getBlockByNumber', hexOf(number), false);
      return found === null ? null : { number, hash: wordOf((found as Fields)['hash']) };
    },
    async transfers(from, to) {
      const filter = { address: contract, topics: [TRANSFER] };
      const range = { fromBlock: hexOf(from), toBlock: hexOf(to) };
      const logs = await ask('eth_getLogs', { ...filter, ...range });
      if (!Array.isArray(logs)) throw new Error('eth_getLogs: no list');
      return (logs as Fields[]).flatMap((log) => transferOf(log, contract) ?? []);
    },
    async isDone(transfer) {
      const [transaction = '', index] = transfer.reference.split(':');
      const receipt = (await ask('eth_getTransactionReceipt', transaction)) as Fields | null;
      if (receipt?.['status'] !== '0x1' || receipt['blockHash'] !== transfer.block.hash)
        return false;
      const logs = Array.isArray(receipt['logs']) ? (receipt['logs'] as Fields[]) : [];
      const log = logs.find((each) => numberOf(each['logIndex']) === Number(index));
      const found = log && transferOf(log, contract);
      return found?.to === transfer.to && found.valueNanos === transfer.valueNanos;
    },
  };
}

const hexOf = (number: number): string => `0x${number.toString(16)}`;

/** Raises where a node writes no number. */
function numberOf(text: unknown): number {
  const word = wordOf(text);
  const number = /^0x[0-9a-f]{1,13}$/i.test(word) ? Number(word) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new Error('the node wrote no number');
  return number;
}

/** Undefined: not a movement of this token, or one that the node itself took back. */
function transferOf(log: Fields, contract: string): TokenTransfer | undefined {
  const { address, topics, data, transactionHash, logIndex, blockNumber, blockHash, removed } = log;
  if (wordOf(address).toLowerCase() !== contract || removed === true) return undefined;
  if (!Array.isArray(topics) || topics.length !== 3 || topics[0] !== TRANSFER) return undefined;
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
