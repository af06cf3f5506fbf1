import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Answer, type Asked, HANGS } from './desk.ts';

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
}

const HONEST: NodeBehaviour = {
  isDown: false,
  hidesLogs: false,
  sendsAll: false,
  denies: false,
  chainId: null,
};

interface Movement {
  transaction: string;
  contract: string;
  to: string;
  /** In millionths of the token. */
  value: bigint;
}
interface MinedBlock {
  hash: string;
  movements: Movement[];
}
type Params = readonly unknown[];

const TRANSFER = `0x${bytesToHex(keccak_256(utf8ToBytes('Transfer(address,address,uint256)')))}`;
const SENDER = `0x${'00'.repeat(12)}${'5e'.repeat(20)}`;

/** A chain of one node: blocks are made on demand, and may be made anew. */
export class ChainSandbox {
  readonly contract: string;
  readonly chainId: number;
  behaviour: NodeBehaviour = { ...HONEST };
  #blocks: MinedBlock[] = [];
  #made = 0;

  constructor({ contract, chainId }: { contract: string; chainId: number }) {
    this.contract = contract.toLowerCase();
    this.chainId = chainId;
    this.mine(30);
  }

  behave(change: Partial<NodeBehaviour>): void {
    this.behaviour = { ...HONEST, ...change };
  }

  /** Empty blocks. */
  mine(count = 1): void {
    for (let made = 0; made < count; made += 1) this.#add([]);
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
    const result = this.#do(method, params);
    return {
      status: 200,
      type: 'application/json',
      body: JSON.stringify({ jsonrpc: '2.0', id, result }),
    };
  }

  #do(method: string, [first]: Params): unknown {
    if (method === 'eth_chainId') return hex(this.behaviour.chainId ?? this.chainId);
    if (method === 'eth_blockNumber') return hex(this.head);
    if (method === 'eth_getBlockByNumber') {
      const block = this.#blocks[Number(first)];
      return block === undefined ? null : { number: first, hash: block.hash };
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
      .map(({ transaction, contract, to, value }, index) => ({
        address: contract,
        topics: [TRANSFER, SENDER, `0x${'00'.repeat(12)}${to.slice(2)}`],
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
    const logs = this.#logsOf(number, true);
    return { status: '0x1', blockHash: block.hash, blockNumber: hex(number), logs };
  }
}

const hex = (number: number): string => `0x${number.toString(16)}`;
