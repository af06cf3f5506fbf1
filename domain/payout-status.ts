import type { Nanos } from './money.ts';

/**
 * What a bank says of an order that was carried to it, from the weakest word to the strongest: only a later,
 * stronger one counts. TAKEN is no payment: a bank may refuse after it, and only a booked debit is one.
 */
export const BANK_STATUSES = ['WAITING', 'TAKEN', 'REFUSED', 'BOOKED'] as const;
export type BankStatus = (typeof BANK_STATUSES)[number];

export const isStronger = (said: BankStatus, before: BankStatus | null): boolean =>
  before === null || BANK_STATUSES.indexOf(said) > BANK_STATUSES.indexOf(before);

/** It pays the order, or may; a refusal, or that it still looks, is no such word. */
export const saysBankHasIt = (status: BankStatus): boolean =>
  status === 'TAKEN' || status === 'BOOKED';

/** Statuses of pain.002 (ExternalPaymentTransactionStatus1Code); any other word is refused. */
const STATUS_OF_CODE: Readonly<Record<string, BankStatus>> = {
  RCVD: 'WAITING',
  PDNG: 'WAITING',
  PATC: 'WAITING',
  ACTC: 'TAKEN',
  ACCP: 'TAKEN',
  ACFC: 'TAKEN',
  ACWC: 'TAKEN',
  ACWP: 'TAKEN',
  ACSP: 'TAKEN',
  ACSC: 'TAKEN',
  ACCC: 'TAKEN',
  RJCT: 'REFUSED',
  CANC: 'REFUSED',
};
export const statusOfCode = (code: string): BankStatus | undefined => STATUS_OF_CODE[code];

/** What the bank knows a file of several orders by, and tells of all of them at once. */
export const fileReferenceOf = (fileId: number): string => `PF-${fileId}`;
export const isFileReference = (reference: string): boolean => /^PF-\d{1,15}$/.test(reference);

/** One order, as a file of the bank speaks of it. */
export interface BankRemark {
  /** Counted in the file. */
  line: number;
  /** `WD-12`; `PF-3` of all that one file carried there. */
  reference: string;
  /** What the file was called that it was carried in; null where the bank does not say. */
  file: string | null;
  status: BankStatus;
  /** The bank's own word: `ACSP`, `RJCT`, `BOOK`. */
  code: string;
  /** Why, as a code such as `AC04`, and in the bank's words. */
  reason: string | null;
  words: string | null;
  /** Null where the file does not repeat it. */
  amountNanos: Nanos | null;
  /** What the bank calls a payment that it has booked. */
  bankReference: string | null;
}
