import type { PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import type { Destination } from '../payout-accounts.ts';
import type { PaymentOrigin } from './bank-file.ts';
import { createPayoutSandbox } from './payout-sandbox.ts';

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

export interface PayoutSettings {
  /** The account that the platform pays from; null: bank files cannot be written. */
  origin: PaymentOrigin | null;
  /** Folder of the sandbox; null: only channels with a real counterpart pay. */
  sandboxDir: string | null;
}

export interface Payouts {
  origin: PaymentOrigin | null;
  provider(channel: PayoutChannel): PayoutProvider | undefined;
}

/** BANK is a file that an operator carries to the bank; no other channel has a live provider yet. */
export function composePayouts({ origin, sandboxDir }: PayoutSettings): Payouts {
  const sandbox = sandboxDir === null ? undefined : createPayoutSandbox(sandboxDir);
  return { origin, provider: (channel) => (channel === 'BANK' ? undefined : sandbox) };
}

/** Whether a withdrawal by this channel can be asked for at all. */
export function isPayoutAvailable(
  channel: PayoutChannel,
  { origin, sandboxDir }: PayoutSettings,
): boolean {
  return channel === 'BANK' ? origin !== null : sandboxDir !== null;
}
