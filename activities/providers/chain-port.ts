import type { TokenNetwork } from '../../domain/deposit-terms.ts';
import type { Nanos } from '../../domain/money.ts';

export interface Block {
  number: number;
  hash: string;
}

/** Tokens that a block is said to have moved. It is looked up by its transaction before it is believed. */
export interface SeenTransfer {
  /** As the network writes it, its checksum included. */
  to: string;
  valueNanos: Nanos;
  transaction: string;
  block: Block;
}

/** What a transaction that was carried out has moved. */
export interface Movement extends Pick<SeenTransfer, 'to' | 'valueNanos'> {
  /** Names transaction and log: one movement, wherever and however often it is read. */
  reference: string;
}

export interface Tips {
  /** The newest block. */
  head: number;
  /** The newest that nothing takes back; below 0: none yet. */
  final: number;
}

/** One token on one chain, as a node tells it. Each call may throw: nothing is known then. */
export interface Chain {
  network: TokenNetwork;
  /** Blocks, its own included, after which a movement is believed. */
  confirmations: number;
  /** At least between two looks, where asking costs and a look finds out little. */
  restMs: number;
  tips(): Promise<Tips>;
  /** Null: there is no such block. */
  block(number: number): Promise<Block | null>;
  /** Of these blocks, both ends included. */
  transfers(from: number, to: number): Promise<SeenTransfer[]>;
  /** Looked up by itself: what a transaction has moved in this very block; nothing where it is not there. */
  movementsOf(seen: Pick<SeenTransfer, 'transaction' | 'block'>): Promise<Movement[]>;
}
