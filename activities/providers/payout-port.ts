import type { Nanos } from '../../domain/money.ts';
import type { Destination } from '../withdrawals/payout-accounts.ts';

/** One payment. `key` is the same in every try, so that a provider that knows it pays once. */
export interface PayoutOrder {
  key: string;
  /** Decimal text in the channel's own steps, such as `95.00`. */
  amount: string;
  currency: string;
  destination: Destination;
}

/**
 * What is known after an order was sent. NOT_SENT is only for what provably never left; whoever
 * cannot say answers UNKNOWN, or throws, which counts as the same.
 */
export type PayoutOutcome =
  | { state: 'SETTLED' | 'ACCEPTED'; reference: string }
  | { state: 'REJECTED' | 'NOT_SENT' | 'UNKNOWN'; reason: string };

/** What the provider says later. NOT_FOUND proves nothing: it may show up yet. */
export type PayoutFinding =
  | { state: 'SETTLED' | 'PENDING'; reference: string }
  | { state: 'FAILED'; reason: string }
  | { state: 'NOT_FOUND'; reason?: string };

/** One that may have left. */
export interface SentOrder extends PayoutOrder {
  /** It was not sent before. */
  writtenAt: Date;
}

/** What pays an order, whoever sends it, and however often. */
export interface SignedPayment {
  /** `<chain id>:<address>` that it is paid from. */
  wallet: string;
  /** Of each number of a wallet one payment is carried out, in their order. */
  nonce: number;
  hash: string;
  /** `0x…`, as a node takes them. */
  bytes: string;
  /** What they offer, in wei for a unit of gas; null where that is not known. */
  fees: Fees | null;
  /** Of cheaper bytes under the same number: at most one of all of them is ever carried out. */
  earlierHashes: readonly string[];
  /** For how long these bytes have been there. */
  ageMs: number;
}

export interface Fees {
  tipWei: bigint;
  feeWeiMax: bigint;
}

/** Bytes of one payment, as they were signed just now. */
export interface FreshBytes extends Pick<SignedPayment, 'hash' | 'bytes'> {
  fees: Fees;
}

/** What a signer must know to sign, in the moment in which nobody else signs for the wallet. */
export interface SigningTurn {
  nonce: number;
  /** Signed and not known to have ended. */
  waitingNanos: Nanos;
  /** Signed within the last 24 hours, ended or not. */
  dayNanos: Nanos;
}

/** Where a channel whose payments are signed here keeps the one of an order. */
export interface SignedBook {
  /** Null: nothing was signed, so nothing has left. */
  kept(): Promise<SignedPayment | null>;
  /**
   * What was signed before counts; else `make` signs, for one order of a wallet at a time, under its next
   * number, `nonceMin` at least. Committed before it answers. Raises what `make` raises, and when the order
   * has ended.
   */
  sign(
    wallet: string,
    nonceMin: number,
    make: (turn: SigningTurn) => FreshBytes,
  ): Promise<SignedPayment>;
  /**
   * Puts dearer bytes under the same number in the place of `kept`, committed before it answers, and goes on
   * knowing those by their hash. Where somebody else was faster, or it has ended, nothing is made.
   */
  replace(kept: SignedPayment, make: () => FreshBytes): Promise<SignedPayment>;
  /** PAID: finally. DEAD: these bytes can never pay; only then can the order's money be released. */
  end(how: 'PAID' | 'DEAD'): Promise<void>;
}

/** A channel that knows an order by its key. */
export interface KeyedProvider {
  send(order: PayoutOrder): Promise<PayoutOutcome>;
  find(order: SentOrder): Promise<PayoutFinding>;
}

/** A channel that pays by itself. */
export interface PayoutProvider {
  /** `<chain id>:<address>` where a signature of ours is what pays. */
  wallet?: string;
  send(order: PayoutOrder, book: SignedBook): Promise<PayoutOutcome>;
  /**
   * Asks what became of an order. May send it anew where the provider pays a key once; so it is asked
   * only while the order's money is held. Raises where it is not told.
   */
  find(order: SentOrder, book: SignedBook): Promise<PayoutFinding>;
}
