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
  | { state: 'NOT_FOUND' };

/** One that may have left. */
export interface SentOrder extends PayoutOrder {
  /** It was not sent before. */
  writtenAt: Date;
}

/** A channel that pays by itself. */
export interface PayoutProvider {
  send(order: PayoutOrder): Promise<PayoutOutcome>;
  /**
   * Asks what became of an order. May send it anew where the provider pays a key once; so it is asked
   * only while the order's money is held. Raises where it is not told.
   */
  find(order: SentOrder): Promise<PayoutFinding>;
}
