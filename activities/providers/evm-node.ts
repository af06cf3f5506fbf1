import { callProvider, fieldsOf, wordOf } from './provider-call.ts';

export type NodeFields = Readonly<Record<string, unknown>>;

/** The node answered, and said no: what was asked was not done. */
export class NodeRefusal extends Error {}

/** Fifty blocks of a busy token. */
const NODE_CHARS_MAX = 16_777_216;

export type AskNode = (method: string, ...params: unknown[]) => Promise<unknown>;

/** Behind one address another node may answer at any time, and it may be of another chain. */
const CHAIN_HOLDS_MS = 60_000;

/**
 * Asks a node by Ethereum's JSON-RPC, after it has said within the last minute that it is of the configured
 * chain. Raises NodeRefusal for an answer that is a refusal, and any other error where there is no whole answer.
 */
export function createNode(settings: {
  rpc: string;
  chainId: number;
  headers?: Record<string, string>;
  /** In ms, from anywhere on. */
  now?: () => number;
}): AskNode {
  const now = settings.now ?? (() => performance.now());
  let rightChainUntil = Number.NEGATIVE_INFINITY;
  const call = async (method: string, params: unknown[]): Promise<unknown> => {
    const { status, text } = await callProvider(settings.rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...settings.headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      charsMax: NODE_CHARS_MAX,
    });
    const answer = fieldsOf(text);
    const error = answer?.['error'];
    if (typeof error === 'object' && error !== null) {
      const { message, code } = error as NodeFields;
      throw new NodeRefusal(`${method}: ${wordOf(message)} (${String(code)})`);
    }
    if (status !== 200 || answer === undefined || !('result' in answer)) {
      throw new Error(`${method}: the node answered ${status} without a result`);
    }
    return answer['result'];
  };
  return async (method, ...params) => {
    if (now() >= rightChainUntil) {
      if (numberOf(await call('eth_chainId', [])) !== settings.chainId) {
        throw new Error('the node is of another chain');
      }
      rightChainUntil = now() + CHAIN_HOLDS_MS;
    }
    return await call(method, params);
  };
}

export async function blockOf(ask: AskNode, number: number): Promise<NodeFields> {
  const block = await ask('eth_getBlockByNumber', hexOf(number), false);
  if (typeof block !== 'object' || block === null) throw new Error('the node lacks a block');
  return block as NodeFields;
}

/** The last block that is believed. */
export const finalBlockOf = async (ask: AskNode, confirmations: number): Promise<number> =>
  Math.max(0, numberOf(await ask('eth_blockNumber')) - confirmations + 1);

export const hexOf = (number: number): string => `0x${number.toString(16)}`;

/** Raises where a node writes no number. */
export function numberOf(text: unknown): number {
  const word = wordOf(text);
  const number = /^0x[0-9a-f]{1,13}$/i.test(word) ? Number(word) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new Error('the node wrote no number');
  return number;
}

/** Likewise of 256 bits. */
export function bigOf(text: unknown): bigint {
  const word = wordOf(text);
  if (!/^0x[0-9a-f]{1,64}$/i.test(word)) throw new Error('the node wrote no number');
  return BigInt(word);
}
