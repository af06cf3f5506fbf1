import type { Chain, Tips } from './chain-port.ts';
import { createNode, hexOf, type NodeFields, numberOf } from './evm-node.ts';
import { callProvider, fieldsOf, wordOf } from './provider-call.ts';
import { seenTransfers, transferOf } from './token-log.ts';
import { hexOfTron, tronAddress } from './tron-address.ts';

export interface TokenOnTron {
  /** A node's JSON-RPC, as `https://api.trongrid.io/jsonrpc`. */
  rpc: string;
  /** Where `/walletsolidity/…` is answered, as `https://api.trongrid.io`. */
  solidity: string;
  chainId: number;
  /** `T…` of the token. */
  contract: string;
  /** Of a provider that counts its callers; null: none is sent. */
  apiKey: string | null;
}

/** 19 of 27 producers have built upon a block that is solidified. */
export const TRON_CONFIRMATIONS = 19;

/** Seven questions a look are 60,000 a day; what is solidified is a minute old. */
const REST_MS = 10_000;

/**
 * USDT on TRON, read twice. What a block has moved is found by the node's JSON-RPC, which names contract,
 * block and its hash of each log; the index of accounts that TronGrid keeps names neither log nor block.
 * What is solidified, and what a transaction has really done, is asked of `/walletsolidity`, which knows of
 * nothing that can be taken back. Its place among the logs of its own transaction names a movement, as builds
 * of the node count logs differently. Written from the node's documents; never run against TRON's main chain.
 */
export function createTronChain(settings: TokenOnTron): Chain {
  const headers: Record<string, string> =
    settings.apiKey === null ? {} : { 'tron-pro-api-key': settings.apiKey };
  const ask = createNode({ ...settings, headers });
  const contract = `0x${hexOfTron(settings.contract) ?? ''}`;

  const solidified = async (call: string, body: NodeFields): Promise<NodeFields> => {
    const { status, text } = await callProvider(`${settings.solidity}/walletsolidity/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = fieldsOf(text);
    if (status !== 200 || answer === undefined || 'Error' in answer) {
      throw new Error(`${call}: the node answered ${status} without a result`);
    }
    return answer;
  };

  const block = async (number: number) => {
    const found = await ask('eth_getBlockByNumber', hexOf(number), false);
    return found === null ? null : { number, hash: wordOf((found as NodeFields)['hash']) };
  };

  return {
    network: 'TRC20',
    confirmations: TRON_CONFIRMATIONS,
    restMs: REST_MS,
    block,

    /** Raises where the two sides of a node do not speak of one chain, or one of them is late. */
    async tips(): Promise<Tips> {
      const { number: final, id } = solidBlockOf(await solidified('getnowblock', {}));
      const head = numberOf(await ask('eth_blockNumber'));
      if (final > head) throw new Error('the node lags behind what is solidified');
      if ((await block(final))?.hash !== id) {
        throw new Error('the node has another block than the one that is solidified');
      }
      return { head, final };
    },

    async transfers(from, to) {
      const seen = await seenTransfers(ask, { contract, from, to });
      return seen.map((each) => ({ ...each, to: tronAddress(each.to.slice(2)) }));
    },

    async movementsOf({ transaction, block: { number, hash } }) {
      const id = transaction.replace(/^0x/, '');
      const info = await solidified('gettransactioninfobyid', { value: id });
      if (info['id'] !== id || info['blockNumber'] !== number) return [];
      const { result } = (info['receipt'] ?? {}) as NodeFields;
      if (result !== 'SUCCESS' || info['result'] === 'FAILED') return [];
      if ((await block(number))?.hash !== hash) return [];
      const logs = Array.isArray(info['log']) ? (info['log'] as NodeFields[]) : [];
      return logs.flatMap((log, at) => {
        const moved = transferOf(asRpc(log), contract);
        if (moved === undefined) return [];
        const to = tronAddress(moved.to.slice(2));
        return [{ to, valueNanos: moved.valueNanos, reference: `trc20:${id}:${at}` }];
      });
    },
  };
}

function solidBlockOf(answer: NodeFields): { number: number; id: string } {
  const { raw_data: raw } = (answer['block_header'] ?? {}) as NodeFields;
  const { number } = (raw ?? {}) as NodeFields;
  if (!Number.isSafeInteger(number)) throw new Error('getnowblock: no number of a block');
  return { number: number as number, id: `0x${wordOf(answer['blockID'])}` };
}

/** The same log as the JSON-RPC writes it; some providers keep TRON's prefix before an address. */
function asRpc({ address, topics, data }: NodeFields): NodeFields {
  const hex = wordOf(address).toLowerCase();
  return {
    address: `0x${hex.length === 42 && hex.startsWith('41') ? hex.slice(2) : hex}`,
    topics: Array.isArray(topics) ? topics.map((topic) => `0x${wordOf(topic)}`) : [],
    data: `0x${wordOf(data)}`,
  };
}
