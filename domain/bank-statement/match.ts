import {
  type DepositMethod,
  type DepositStatus,
  isDepositReference,
  OPERATOR_CONFIRMED_METHODS,
} from '../lifecycle/deposit.ts';
import type { Nanos } from '../money.ts';

/** Why a line is not proposed for an order. */
export const UNMATCHED_REASONS = [
  'NO_REFERENCE',
  'SEVERAL_REFERENCES',
  'UNKNOWN_REFERENCE',
  'OTHER_METHOD',
  'OTHER_CURRENCY',
  'AMOUNT_DIFFERS',
  'ORDER_HAS_MONEY',
  'ORDER_ENDED',
] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/** What recording a line for an order brings about, by the flow of deposits (interface 4.6). */
export const RECEIPT_EFFECTS = ['CREDIT', 'SECOND_APPROVAL', 'REVIEW', 'SUSPENSE'] as const;
export type ReceiptEffect = (typeof RECEIPT_EFFECTS)[number];

interface Line {
  amountNanos: Nanos;
  currency: string;
  orderReference: string | null;
  hasSeveral: boolean;
}

interface Order {
  amountNanos: Nanos;
  currency: string;
  status: DepositStatus;
  paymentMethod: DepositMethod;
}

/** `RF`, two check digits, nine of an order's number; people write spaces between. */
const WRITTEN = /RF(?:[\s.-]*\d){11}/gi;

/** Orders that a payer's words name; a mistyped one has no right check digits. */
export function orderReferencesIn(...texts: readonly (string | null)[]): string[] {
  const written = texts.flatMap((text) => text?.match(WRITTEN) ?? []);
  const references = written.map((each) => each.replace(/[\s.-]/g, '').toUpperCase());
  return [...new Set(references.filter(isDepositReference))];
}

/** Orders to the bank that words name, as its file gave them (`EndToEndId`). */
export function payoutReferencesIn(...texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.flatMap((text) => text?.match(/\bWD-\d{1,15}\b/g) ?? []))];
}

/** Null: the order waits for just this. */
export function whyUnmatched(line: Line, order: Order | null): UnmatchedReason | null {
  if (line.hasSeveral) return 'SEVERAL_REFERENCES';
  if (line.orderReference === null) return 'NO_REFERENCE';
  if (order === null) return 'UNKNOWN_REFERENCE';
  if (!OPERATOR_CONFIRMED_METHODS.includes(order.paymentMethod)) return 'OTHER_METHOD';
  if (order.currency !== line.currency) return 'OTHER_CURRENCY';
  if (order.status === 'CONFIRMING' || order.status === 'REVIEW') return 'ORDER_HAS_MONEY';
  if (order.status !== 'PENDING') return 'ORDER_ENDED';
  return order.amountNanos === line.amountNanos ? null : 'AMOUNT_DIFFERS';
}

export function effectOf(
  line: Pick<Line, 'amountNanos'>,
  order: Order,
  needsSecondPerson: boolean,
): ReceiptEffect {
  if (order.status !== 'PENDING') return 'SUSPENSE';
  if (order.amountNanos !== line.amountNanos) return 'REVIEW';
  return needsSecondPerson ? 'SECOND_APPROVAL' : 'CREDIT';
}
