import type { PayCurrency, TokenNetwork } from '../../domain/deposit-terms.ts';
import type { Nanos } from '../../domain/money.ts';
import type { Instructions } from '../../db/tables/deposit-payment.ts';

/** An order as a provider knows it. `orderNo` is the same in every try, so that it is one there. */
export interface PaymentOrder {
  orderNo: string;
  /** The order's own number: an address is derived from it. */
  depositId: number;
  payNanos: Nanos;
  payCurrency: PayCurrency;
  /** Of tokens: the chain that they come on. */
  network: TokenNetwork | null;
  expiresAt: Date;
}

/** REFUSED is the provider's word for good; whoever cannot say throws, and is asked again. */
export type PaymentOpening =
  | { state: 'OPEN'; instructions: Instructions }
  | { state: 'REFUSED'; reason: string };

/** What the provider says of an order when it is asked: the only thing that is ever credited. */
export type PaymentFinding =
  | { state: 'WAITING' | 'CLOSED' }
  | { state: 'PAID'; reference: string; paidNanos: Nanos; currency: string; paidAt: Date | null }
  /** It says something of another order, or in words that we do not know. */
  | { state: 'ODD'; reason: string };

/** As it came: nothing of it is parsed before it is stored and its signature is checked. */
export interface RawNotice {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export type NoticeFault = 'FORGED' | 'STALE' | 'MALFORMED' | 'OTHER_MERCHANT';

/** Which order to ask about; `eventId` is the same in every copy of one notification. */
export type NoticeReading =
  | { ok: true; orderNo: string; eventId: string }
  | { ok: false; fault: NoticeFault };

/** What is sent back for a payment, under a key that is the same in every try. */
export interface RefundOrder {
  key: string;
  orderNo: string;
  refundNanos: Nanos;
  /** What was paid in all. */
  paidNanos: Nanos;
  currency: string;
}

/** REFUSED is final under this key: nothing was and nothing will be sent back by it. */
export type RefundOutcome =
  | { state: 'REFUNDED' }
  /** Taken, and not at its end; `word` is the provider's own. */
  | { state: 'PENDING'; word: string }
  | { state: 'REFUSED'; reason: string };

/** NONE: the provider knows no refund under this key. */
export type RefundFinding = RefundOutcome | { state: 'NONE' };

/** A wallet that takes an order and tells what became of it. Each call may throw: nothing is known then. */
export interface DepositProvider {
  open(order: PaymentOrder): Promise<PaymentOpening>;
  query(order: PaymentOrder): Promise<PaymentFinding>;
  /** PAID: too late, ask. */
  close(order: PaymentOrder): Promise<'CLOSED' | 'PAID'>;
  refund(order: RefundOrder): Promise<RefundOutcome>;
  /** What became of a refund whose answer was lost, or was not the last word. */
  queryRefund(order: RefundOrder): Promise<RefundFinding>;
  /** Checks who says it and how old it is; pure, so that it is done before the answer. */
  readNotice(notice: RawNotice, now: Date): NoticeReading;
}

/** Decimal text of two places, as both wallets of yuan write it, and back; undefined: none. */
export const yuanText = (nanos: Nanos): string => {
  const fen = nanos / 10_000_000n;
  return `${fen / 100n}.${String(fen % 100n).padStart(2, '0')}`;
};

export function yuanNanos(text: string): Nanos | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text);
  if (match === null) return undefined;
  return (
    BigInt(match[1] ?? '') * 1_000_000_000n + BigInt((match[2] ?? '').padEnd(2, '0')) * 10_000_000n
  );
}
