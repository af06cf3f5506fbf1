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

/** A channel that pays by itself. */
export interface PayoutProvider {
  send(order: PayoutOrder): Promise<PayoutOutcome>;
  find(key: string): Promise<PayoutFinding>;
}
