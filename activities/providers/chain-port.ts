import type { Nanos } from '../../domain/money.ts';

export interface Block {
  number: number;
  hash: string;
}

/** Tokens that a block moved. Nothing of it is final before it is deep enough. */
export interface TokenTransfer {
  to: string;
  valueNanos: Nanos;
  /** `<transaction>:<log>` in lower case: one movement, wherever it is read. */
  reference: string;
  block: Block;
}

/** One token on one chain, as a node tells it. Each call may throw: nothing is known then. */
export interface Chain {
  network: string;
  /** Blocks, its own included, after which a movement is believed. */
  confirmations: number;
  head(): Promise<number>;
  /** Null: there is no such block. */
  block(number: number): Promise<Block | null>;
  /** Of these blocks, both ends included. */
  transfers(from: number, to: number): Promise<TokenTransfer[]>;
  /** Looked up by itself: it was carried out, in this very block. */
  isDone(transfer: TokenTransfer): Promise<boolean>;
}
