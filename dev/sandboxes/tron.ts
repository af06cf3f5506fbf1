import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { type Answer, type Asked, HANGS } from './desk.ts';

/** What a node of TRON does wrong from now on. */
export interface TronBehaviour {
  /** `cut` ends the connection; `silent` never answers; a number is the status of every answer. */
  fault: 'none' | 'cut' | 'silent' | 429 | 503;
  logs: 'right' | 'twice' | 'backwards' | 'hidden' | 'of_all_contracts' | 'forged_contract';
  /** Counts logs within a transaction instead of within a block, as other builds do. */
  countsByTransaction: boolean;
  /** What the solidified side says of transactions, and of the newest block that is solidified. */
  solidity: 'right' | 'denies' | 'failed' | 'ahead' | 'of_another_fork';
  chainId: number | null;
}

const HONEST: TronBehaviour = {
  fault: 'none',
  logs: 'right',
  countsByTransaction: false,
  solidity: 'right',
  chainId: null,
};

export interface TronMovement {
  /** `T…` */
  to: string;
  /** In millionths of the token. */
  value: bigint;
  /** `T…`; the configured token where it is not said. */
  contract?: string;
}
interface Log {
  contract: string;
  to: string;
  value: bigint;
}
interface Transaction {
  id: string;
  logs: Log[];
}
interface MinedBlock {
  hash: string;
  transactions: Transaction[];
}
type Params = readonly unknown[];

const TRANSFER = bytesToHex(keccak_256(utf8ToBytes('Transfer(address,address,uint256)')));
const SENDER = '5e'.repeat(20);
const PRODUCERS_AGREEING = 19;
const base58 = createBase58check(sha256);

const hexOf = (address: string): string => bytesToHex(base58.decode(address)).slice(2);
export const addressOf = (hex: string): string => base58.encode(hexToBytes(`41${hex}`));
export function isAddress(text: string): boolean {
  try {
    return base58.decode(text).length === 21;
  } catch {
    return false;
  }
}

/** Of a token that calls itself by the same name. */
export const FAKE_TOKEN = addressOf('fa'.repeat(20));

/** A node of TRON: blocks on demand, of which all but the last eighteen are solidified. */
export class TronSandbox {
  readonly contract: string;
  readonly chainId: number;
  behaviour: TronBehaviour = { ...HONEST };
  readonly #token: string;
  #blocks: MinedBlock[] = [];
  #made = 0;

  constructor({ contract, chainId }: { contract: string; chainId: number }) {
    this.contract = contract;
    this.#token = hexOf(contract);
    this.chainId = chainId;
    this.mine(40);
  }

  behave(change: Partial<TronBehaviour>): void {
    this.behaviour = { ...HONEST, ...change };
  }

  mine(count = 1): void {
    for (let made = 0; made < count; made += 1) this.#add([]);
  }

  /** One transaction of these movements in a block of its own, behind one of somebody else's. */
  send(...movements: TronMovement[]): string {
    const id = this.#digest('transaction');
    const logs = movements.map(({ to, value, contract = this.contract }) => ({
      contract: hexOf(contract),
      to: hexOf(to),
      value,
    }));
    const other = { contract: this.#token, to: '0b'.repeat(20), value: 1n };
    this.#add([
      { id: this.#digest('transaction'), logs: [other] },
      { id, logs },
    ]);
    return id;
  }

  /** The last blocks were never there; others are, with what is kept of them. */
  fork(depth: number, keeps: boolean): void {
    const gone = this.#blocks.splice(-depth);
    this.mine();
    for (const { transactions } of gone) this.#add(keeps ? transactions : []);
  }

  get head(): number {
    return this.#blocks.length - 1;
  }

  get solidified(): number {
    return this.head - PRODUCERS_AGREEING + 1;
  }

  #add(transactions: Transaction[]): void {
    const number = this.#blocks.length.toString(16).padStart(16, '0');
    this.#blocks.push({ hash: `${number}${this.#digest('block').slice(16)}`, transactions });
  }

  #digest(kind: string): string {
    this.#made += 1;
    return createHash('sha256').update(`${kind}:${this.#made}`).digest('hex');
  }

  /** POST /jsonrpc and POST /walletsolidity/… behind any prefix. */
  answer({ url, body }: Asked): Promise<Answer> | Answer | typeof HANGS {
    const { fault } = this.behaviour;
    if (fault === 'cut') return HANGS;
    if (fault === 'silent') return new Promise<Answer>(() => undefined);
    if (fault !== 'none') {
      const text = JSON.stringify({ Success: false, Error: 'The key exceeds the frequency limit' });
      return { status: fault, type: 'application/json', body: text };
    }
    const asked = JSON.parse(body) as Record<string, unknown>;
    const said = url.pathname.includes('/walletsolidity/')
      ? this.#solidified(url.pathname.split('/').at(-1) ?? '', asked)
      : {
          jsonrpc: '2.0',
          id: asked['id'],
          result: this.#rpc(String(asked['method']), asked['params'] as Params),
        };
    return { status: 200, type: 'application/json', body: JSON.stringify(said) };
  }

  #solidified(call: string, { value }: Record<string, unknown>): object {
    const { solidity } = this.behaviour;
    if (call === 'getnowblock') {
      const number = solidity === 'ahead' ? this.head + 5 : this.solidified;
      const hash = this.#blocks[number]?.hash ?? this.#digest('block');
      const blockID = solidity === 'of_another_fork' ? this.#digest('block') : hash;
      return { blockID, block_header: { raw_data: { number } } };
    }
    const blockNumber = this.#blocks.findIndex(({ transactions }) =>
      transactions.some(({ id }) => id === value),
    );
    const found = this.#blocks[blockNumber]?.transactions.find(({ id }) => id === value);
    if (call !== 'gettransactioninfobyid' || found === undefined || solidity === 'denies')
      return {};
    if (blockNumber > this.solidified) return {};
    if (solidity === 'failed') {
      return { id: value, blockNumber, receipt: { result: 'REVERT' }, result: 'FAILED' };
    }
    const log = found.logs.map((each) => ({
      address: each.contract,
      topics: [TRANSFER, word(SENDER), word(each.to)],
      data: word(each.value.toString(16)),
    }));
    return { id: value, blockNumber, receipt: { result: 'SUCCESS' }, log };
  }

  #rpc(method: string, [first]: Params): unknown {
    if (method === 'eth_chainId') return hex(this.behaviour.chainId ?? this.chainId);
    if (method === 'eth_blockNumber') return hex(this.head);
    if (method === 'eth_getBlockByNumber') {
      const block = this.#blocks[Number(first)];
      return block === undefined ? null : { number: first, hash: `0x${block.hash}` };
    }
    return method === 'eth_getLogs' ? this.#logs(first as Record<string, string>) : null;
  }

  #logs({ fromBlock, toBlock }: Record<string, string>): object[] {
    const { logs: way } = this.behaviour;
    if (way === 'hidden') return [];
    const logs: object[] = [];
    const last = Math.min(this.head, Number(toBlock));
    for (let at = Number(fromBlock); at <= last; at += 1) logs.push(...this.#logsOf(at));
    if (way === 'twice') return [...logs, ...logs];
    return way === 'backwards' ? logs.toReversed() : logs;
  }

  #logsOf(number: number): object[] {
    const { logs: way, countsByTransaction } = this.behaviour;
    const block = this.#blocks[number];
    const own = way === 'forged_contract' ? this.#token : null;
    let inBlock = 0;
    return (block?.transactions ?? []).flatMap(({ id, logs }) =>
      logs.flatMap(({ contract, to, value }, inTransaction) => {
        const logIndex = hex(countsByTransaction ? inTransaction : inBlock);
        inBlock += 1;
        if (contract !== this.#token && way !== 'of_all_contracts' && own === null) return [];
        return {
          address: `0x${own ?? contract}`,
          topics: [TRANSFER, word(SENDER), word(to)].map((topic) => `0x${topic}`),
          data: `0x${word(value.toString(16))}`,
          transactionHash: `0x${id}`,
          logIndex,
          blockNumber: hex(number),
          blockHash: `0x${block?.hash}`,
          removed: false,
        };
      }),
    );
  }
}

const word = (digits: string): string => digits.padStart(64, '0');
const hex = (number: number): string => `0x${number.toString(16)}`;
