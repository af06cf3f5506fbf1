import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Answer, type Asked, HANGS } from './desk.ts';
import { Mempool, type Waiting } from './mempool.ts';

/** What a node does wrong from now on. */
export interface NodeBehaviour {
  isDown: boolean;
  /** Says the chain's head later than its logs. */
  hidesLogs: boolean;
  /** Sends logs of other contracts, too. */
  sendsAll: boolean;
  /** Says of no transaction that it was carried out. */
  denies: boolean;
  chainId: number | null;
  /** Of a transaction that is handed in: whether it is taken, and whether that is answered. */
  order: 'answered' | 'cut_before' | 'cut_after' | 'refused';
  /** What is handed in is forgotten. */
  forgets: boolean;
  /** What a block carries out fails, or moves nothing although it succeeds. */
  carries: 'right' | 'reverted' | 'nothing';
  /** In wei for a unit of gas. */
  baseFee: bigint;
  /** Tokens of each wallet that pays, before it has paid anything; in millionths. */
  float: bigint;
}

const HONEST: NodeBehaviour = {
  isDown: false,
  hidesLogs: false,
  sendsAll: false,
  denies: false,
  chainId: null,
  order: 'answered',
  forgets: false,
  carries: 'right',
  baseFee: 10_000_000_000n,
  float: 1_000_000_000_000n,
};

interface Movement {
  transaction: string;
  contract: string;
  to: string;
  /** In millionths of the token. */
  value: bigint;
  /** Of one that was handed in as bytes; else somebody else's. */
  signed?: { from: string; nonce: number; carries: NodeBehaviour['carries'] };
}
interface MinedBlock {
  hash: string;
  movements: Movement[];
}
type Params = readonly unknown[];

const TRANSFER = `0x${bytesToHex(keccak_256(utf8ToBytes('Transfer(address,address,uint256)')))}`;
const SENDER = '5e'.repeat(20);
const COINS = 10n ** 18n;
const GAS = 65_000;

/** A chain of one node: blocks are made on demand, and may be made anew. */
export class ChainSandbox {
  readonly contract: string;
  readonly chainId: number;
  behaviour: NodeBehaviour = { ...HONEST };
  #blocks: MinedBlock[] = [];
  #made = 0;
  readonly #pool: Mempool;

  constructor({ contract, chainId }: { contract: string; chainId: number }) {
    this.contract = contract.toLowerCase();
    this.chainId = chainId;
    this.#pool = new Mempool(chainId);
    this.mine(30);
  }

  behave(change: Partial<NodeBehaviour>): void {
    this.behaviour = { ...HONEST, ...change };
  }

  /** Blocks of what was handed in; each wallet's in the order of its numbers. */
  mine(count = 1): void {
    for (let made = 0; made < count; made += 1) {
      const ready = this.#pool.take((from) => this.#used(from), this.behaviour.baseFee);
      this.#add(ready.map((waiting) => this.#carryOut(waiting)));
    }
  }

  /** What was paid by bytes that were handed in, in any block. */
  get paid(): { from: string; to: string; value: bigint; nonce: number }[] {
    return this.#blocks
      .flatMap(({ movements }) => movements)
      .flatMap(({ to, value, signed }) =>
        signed?.carries === 'right' ? [{ from: signed.from, to, value, nonce: signed.nonce }] : [],
      );
  }

  /** One movement in a block of its own; answers its transaction. */
  send(to: string, value: bigint, contract = this.contract): string {
    const transaction = this.#hash('transaction');
    this.#add([{ transaction, contract, to: to.toLowerCase(), value }]);
    return transaction;
  }

  /** The last blocks were never there; others are, with what is kept of them. */
  reorganise(depth: number, keeps: boolean): void {
    const gone = this.#blocks.splice(-depth);
    this.mine(1);
    for (const { movements } of gone.slice(1)) this.#add(keeps ? movements : []);
    if (keeps && gone[0] !== undefined) this.#add(gone[0].movements);
  }

  get head(): number {
    return this.#blocks.length - 1;
  }

  #carryOut({ hash: transaction, from, nonce, contract, to, value }: Waiting): Movement {
    const { carries } = this.behaviour;
    return { transaction, contract, to, value, signed: { from, nonce, carries } };
  }

  /** Numbers that a wallet has used in the blocks up to this one. */
  #used(from: string, upTo = this.head): number {
    const mined = this.#signedBy(from, upTo).length;
    return this.#pool.begunAt(from) + mined;
  }

  #signedBy(from: string, upTo: number): Movement[] {
    const { length } = this.#blocks;
    return this.#blocks
      .slice(0, Math.min(length, upTo + 1))
      .flatMap(({ movements }) => movements)
      .filter(({ signed }) => signed?.from === from);
  }

  #tokensOf(owner: string, upTo: number): bigint {
    const left = this.#signedBy(owner, upTo)
      .filter(({ signed }) => signed?.carries === 'right')
      .reduce((rest, { value }) => rest - value, this.behaviour.float);
    return left < 0n ? 0n : left;
  }

  #add(movements: Movement[]): void {
    this.#blocks.push({ hash: this.#hash('block'), movements });
  }

  #hash(kind: string): string {
    this.#made += 1;
    return `0x${createHash('sha256').update(`${kind}:${this.#made}`).digest('hex')}`;
  }

  /** POST /chain */
  answer({ body }: Asked): Answer | typeof HANGS {
    if (this.behaviour.isDown) return HANGS;
    const { id, method, params } = JSON.parse(body) as {
      id: number;
      method: string;
      params: Params;
    };
    const { order } = this.behaviour;
    const isOrder = method === 'eth_sendRawTransaction';
    if (isOrder && order === 'cut_before') return HANGS;
    const said = this.#say(method, params);
    if (isOrder && order === 'cut_after') return HANGS;
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...said });
    return { status: 200, type: 'application/json', body: text };
  }

  #say(method: string, params: Params): { result: unknown } | { error: object } {
    try {
      return { result: this.#do(method, params) };
    } catch (error) {
      return { error: { code: -32_000, message: (error as Error).message } };
    }
  }

  #handIn(bytes: string): string {
    const { order, forgets } = this.behaviour;
    if (order === 'refused') throw new Error('transaction pool is full');
    return this.#pool.add(bytes, { used: (from) => this.#used(from), forgets });
  }

  #call({ data = '' }: Record<string, string>, block: unknown): string {
    if (!data.startsWith('0x70a08231')) throw new Error('execution reverted');
    const owner = `0x${data.slice(-40)}`;
    return `0x${this.#tokensOf(owner, this.#height(block)).toString(16).padStart(64, '0')}`;
  }

  #height = (tag: unknown): number => (tag === 'latest' ? this.head : Number(tag));

  #do(method: string, [first, second]: Params): unknown {
    if (method === 'eth_sendRawTransaction') return this.#handIn(String(first));
    if (method === 'eth_getTransactionCount') {
      return hex(this.#used(String(first), this.#height(second)));
    }
    if (method === 'eth_maxPriorityFeePerGas') return hex(1_000_000_000);
    if (method === 'eth_estimateGas') return hex(GAS);
    if (method === 'eth_getBalance') return `0x${COINS.toString(16)}`;
    if (method === 'eth_call') return this.#call(first as Record<string, string>, second);
    if (method === 'eth_chainId') return hex(this.behaviour.chainId ?? this.chainId);
    if (method === 'eth_blockNumber') return hex(this.head);
    if (method === 'eth_getBlockByNumber') {
      const block = this.#blocks[Number(first)];
      const baseFeePerGas = `0x${this.behaviour.baseFee.toString(16)}`;
      return block === undefined ? null : { number: first, hash: block.hash, baseFeePerGas };
    }
    if (method === 'eth_getLogs') return this.#logs(first as Record<string, string>);
    if (method === 'eth_getTransactionReceipt') return this.#receipt(String(first));
    return null;
  }

  #logs({ fromBlock, toBlock }: Record<string, string>): object[] {
    const { hidesLogs, sendsAll } = this.behaviour;
    if (hidesLogs) return [];
    const logs: object[] = [];
    for (let number = Number(fromBlock); number <= Number(toBlock); number += 1) {
      logs.push(...this.#logsOf(number, sendsAll));
    }
    return logs;
  }

  #logsOf(number: number, all: boolean): object[] {
    const block = this.#blocks[number];
    return (block?.movements ?? [])
      .filter(({ signed }) => (signed?.carries ?? 'right') === 'right')
      .map(({ transaction, contract, to, value, signed }, index) => ({
        address: contract,
        topics: [
          TRANSFER,
          topicOf(signed?.from.slice(2) ?? SENDER),
          `0x${'00'.repeat(12)}${to.slice(2)}`,
        ],
        data: `0x${value.toString(16).padStart(64, '0')}`,
        transactionHash: transaction,
        logIndex: hex(index),
        blockNumber: hex(number),
        blockHash: block?.hash,
        removed: false,
      }))
      .filter(({ address }) => all || address === this.contract);
  }

  #receipt(transaction: string): object | null {
    if (this.behaviour.denies) return null;
    const number = this.#blocks.findIndex(({ movements }) =>
      movements.some((each) => each.transaction === transaction),
    );
    const block = this.#blocks[number];
    if (block === undefined) return null;
    const logs = this.#logsOf(number, true).filter(
      (log) => (log as { transactionHash: string }).transactionHash === transaction,
    );
    const movement = block.movements.find((each) => each.transaction === transaction);
    const status = movement?.signed?.carries === 'reverted' ? '0x0' : '0x1';
    const place = { blockHash: block.hash, blockNumber: hex(number) };
    return { transactionHash: transaction, status, ...place, logs };
  }
}

const topicOf = (address: string): string => `0x${'00'.repeat(12)}${address}`;
const hex = (number: number): string => `0x${number.toString(16)}`;
