import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Nanos } from '../../domain/money.ts';
import { hexOf, type NodeFields, numberOf } from './evm-node.ts';
import type { AskNode } from './evm-node.ts';
import type { SeenTransfer } from './chain-port.ts';
import { wordOf } from './provider-call.ts';

/** What a movement is logged under, on TRON as on Ethereum. */
const TRANSFER_LOG = `0x${bytesToHex(keccak_256(utf8ToBytes('Transfer(address,address,uint256)')))}`;
/** A token of six decimals. */
const NANOS_PER_UNIT_OF_TOKEN = 1_000n;

/** Whom a log says tokens of this contract went to, `0x…` in lower case, and how many. Undefined: it does not. */
export function transferOf(
  { address, topics, data }: NodeFields,
  contract: string,
): { to: string; valueNanos: Nanos } | undefined {
  if (wordOf(address).toLowerCase() !== contract) return undefined;
  if (!Array.isArray(topics) || topics.length !== 3 || topics[0] !== TRANSFER_LOG) return undefined;
  const value = /^0x[0-9a-f]{64}$/i.test(wordOf(data)) ? BigInt(wordOf(data)) : 0n;
  if (value === 0n) return undefined;
  return {
    to: `0x${wordOf(topics[2]).slice(-40).toLowerCase()}`,
    valueNanos: value * NANOS_PER_UNIT_OF_TOKEN,
  };
}

/** Movements of a contract as `eth_getLogs` tells them, whatever else a node sends; none that it took back. */
export async function seenTransfers(
  ask: AskNode,
  of: { contract: string; from: number; to: number },
): Promise<SeenTransfer[]> {
  const filter = { address: of.contract, topics: [TRANSFER_LOG] };
  const range = { fromBlock: hexOf(of.from), toBlock: hexOf(of.to) };
  const logs = await ask('eth_getLogs', { ...filter, ...range });
  if (!Array.isArray(logs)) throw new Error('eth_getLogs: no list');
  return (logs as NodeFields[]).flatMap((log) => {
    const moved = log['removed'] === true ? undefined : transferOf(log, of.contract);
    if (moved === undefined) return [];
    const block = { number: numberOf(log['blockNumber']), hash: wordOf(log['blockHash']) };
    return [{ ...moved, transaction: wordOf(log['transactionHash']).toLowerCase(), block }];
  });
}
