import {
  type DepositStatus,
  OPERATOR_CONFIRMED_METHODS,
  type ReceiptState,
  type RefundState,
} from './lifecycle/deposit.ts';
import type { Nanos } from './money.ts';

/** A receipt as whoever wants it gone sees it. */
export interface TakeableReceipt {
  provider: string;
  state: ReceiptState;
  amountNanos: Nanos;
  /** Null: a provider says that it came, which no person takes back. */
  operatorId: number | null;
  /** Its whole way back, where it is on one. */
  wayBack: RefundState | null;
  /** A second person has been asked, and nothing has become of it yet. */
  isAsked: boolean;
  /** Of it, by refunds of balance: asked for, on its way or gone. */
  refundedNanos: Nanos;
  /** What its advertiser can spend now. */
  availableNanos: Nanos;
}

/** Why a receipt cannot be taken back, and what is said of it. */
export const NOT_TAKEN_BACK = {
  SAID_BY_PROVIDER: 'Its provider says that it came: no person takes it back.',
  TAKEN_BACK: 'It was taken back before.',
  ASKED: 'Taking it back waits for a second person.',
  SENT_BACK: 'It was sent back to whoever paid it, or its provider may still do so.',
  REFUNDED: 'Some of it goes back, or went back, by a refund of balance.',
  SPENT: 'Less than it is left of the balance: the rest was spent.',
} as const;
export type NotTakenBack = keyof typeof NOT_TAKEN_BACK;

/**
 * All of it or nothing (interface 4.6): a part would leave a receipt of a sum that nobody has seen. What was spent of
 * it has paid publishers, so a balance that is smaller lets it stand; what went back by a refund has left already.
 */
export function whyNotTakenBack(receipt: TakeableReceipt): NotTakenBack | null {
  const { provider, state, operatorId, wayBack } = receipt;
  if (operatorId === null || !OPERATOR_CONFIRMED_METHODS.some((method) => method === provider)) {
    return 'SAID_BY_PROVIDER';
  }
  if (state === 'TAKEN_BACK') return 'TAKEN_BACK';
  if (receipt.isAsked || state === 'TAKING_BACK') return 'ASKED';
  if (state === 'REFUNDED') return 'SENT_BACK';
  // Nobody has sent it, and from now on nobody will.
  if (state === 'REFUNDING') return wayBack === 'BY_HAND' ? null : 'SENT_BACK';
  if (state === 'SUSPENSE') return null;
  if (receipt.refundedNanos > 0n) return 'REFUNDED';
  return receipt.availableNanos < receipt.amountNanos ? 'SPENT' : null;
}

const MOVED_BY_MONEY: readonly DepositStatus[] = ['CONFIRMING', 'REVIEW', 'PAID'];

/** Whether the order waits for its money again: what moved it is gone, and no other receipt holds it there. */
export const reopensOrder = (status: DepositStatus, isHeldByAnother: boolean): boolean =>
  MOVED_BY_MONEY.includes(status) && !isHeldByAnother;
