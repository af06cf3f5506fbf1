import type { PayoutState } from './lifecycle/payout.ts';
import type { BankStatus } from './payout-status.ts';

/** An order of a bank file, as whoever wants the file back sees it. */
export interface CarriedOrder {
  reference: string;
  state: PayoutState;
  bankStatus: BankStatus | null;
  /** A movement at the bank names it. */
  isBooked: boolean;
  /** A person has said what became of it, and it has yet to take effect or a second one is asked. */
  isAnswered: boolean;
}

/** The file that a payout is in now. */
export interface TakeableFile {
  isTaken: boolean;
  /** A second person has been asked, and nothing has become of it yet. */
  isAsked: boolean;
  orders: readonly CarriedOrder[];
}

/** Why a bank file cannot be taken back, and what is said of it. */
export const FILE_NOT_TAKEN_BACK = {
  NO_FILE: 'Nobody has it: what was not handed out is made anew without this.',
  ASKED: 'Taking it back waits for a second person.',
  ENDED: 'An order of it has ended.',
  SPOKEN: 'The bank has spoken of an order of it: it has the file.',
  ANSWERED: 'Somebody has said what became of an order of it.',
} as const;
export type FileNotTakenBack = keyof typeof FILE_NOT_TAKEN_BACK;

/**
 * All of its orders or none (interface 4.12): whatever the bank or a person has said of one says that the bank has the
 * file, and then a second one pays the others twice.
 */
export function whyFileNotTakenBack({
  isTaken,
  isAsked,
  orders,
}: TakeableFile): FileNotTakenBack | null {
  if (!isTaken || orders.length === 0) return 'NO_FILE';
  if (orders.some(({ bankStatus, isBooked }) => bankStatus !== null || isBooked)) return 'SPOKEN';
  if (orders.some(({ state }) => state !== 'FILE')) return 'ENDED';
  if (orders.some(({ isAnswered }) => isAnswered)) return 'ANSWERED';
  return isAsked ? 'ASKED' : null;
}
