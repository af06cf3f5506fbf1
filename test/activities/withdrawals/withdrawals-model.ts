import type { PaxumBehaviour } from '../../../dev/sandboxes/paxum.ts';
import type { PaypalBehaviour } from '../../../dev/sandboxes/paypal.ts';
import type { PayoutChannel, WithdrawalStatus } from '../../../domain/lifecycle/withdrawal.ts';

export type Channel = Exclude<PayoutChannel, 'USDT'>;
export type Command =
  | { do: 'earn'; side: number; price: bigint; share: number }
  | { do: 'mature' }
  | { do: 'reverse'; from: number; count: number }
  | {
      do: 'ask';
      publisher: number;
      channel: Channel;
      mark: string;
      parts: number;
      times: number;
    }
  | { do: 'cancel'; of: number }
  | { do: 'lap' | 'late_send' | 'ask_person'; of: number; workers: number }
  | {
      do: 'decide';
      of: number;
      by: number;
      says: 'yes' | 'no' | 'wait';
      workers: number;
    }
  | { do: 'carry'; of: number; by: number; booked: boolean }
  | { do: 'return' | 'agree_return'; of: number; by: number };

export interface Weather {
  paypal: Partial<PaypalBehaviour>;
  paxum: Partial<PaxumBehaviour>;
}

/** What the model knows of one withdrawal: its sums, who said what of it, and its end. */
export interface Asked {
  id: number;
  publisherId: number;
  channel: Channel;
  /** What its provider makes of it; empty: it is paid. */
  mark: string;
  amountNanos: bigint;
  end: Extract<WithdrawalStatus, 'PAID' | 'FAILED' | 'RETURNED' | 'REJECTED' | 'CANCELLED'> | null;
  approvedBy: Set<number>;
  failedBy: Set<number>;
  /** Its flow has had it sent: a worker that was thought dead may do so yet. */
  isScheduled: boolean;
  sending: Set<Promise<unknown>>;
  /** Of a bank's file: what its desk does with it, decided once. */
  desk: 'carries' | 'gives_up' | null;
  isBooked: boolean;
  returns: { approvalId: number; by: number }[];
}

/** So often its provider is asked before a person is. */
export const LOOKS_MAX = 3;

/** What a send or a look answers when the order has ended. */
const ENDED_BY: Readonly<Record<string, 'PAID' | 'FAILED'>> = {
  SETTLED: 'PAID',
  FAILED: 'FAILED',
  REJECTED: 'FAILED',
};
export function endsBy(of: Asked, answer: string | undefined): void {
  const end = answer === undefined ? undefined : ENDED_BY[answer];
  if (end !== undefined) ends(of, end);
}

/** One winner: whoever is told of another end was told wrong. */
export function ends(of: Asked, end: NonNullable<Asked['end']>): void {
  const isLater = of.end === 'PAID' && end === 'RETURNED';
  const isTold = of.end === 'RETURNED' && end === 'PAID';
  if (of.end !== null && of.end !== end && !isLater && !isTold) {
    throw new Error(`withdrawal ${of.id} is ${of.end}, and somebody was told ${end}`);
  }
  if (!isTold) of.end = end;
}
