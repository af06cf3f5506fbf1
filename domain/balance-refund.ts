import type { DepositMethod } from './lifecycle/deposit.ts';
import type { Nanos } from './money.ts';

/** A receipt that was credited, and what has not gone back of it yet. */
export interface Refundable {
  receiptId: number;
  leftNanos: Nanos;
  /** The smallest sum of it that can be sent (returnStepOf). */
  stepNanos: Nanos;
}

/** A bank sends cents, a chain millionths; a wallet's sum is cut to its own currency by payPartOf. */
export const returnStepOf = (method: DepositMethod): Nanos => RETURN_STEPS[method] ?? 1n;
const RETURN_STEPS: Readonly<Partial<Record<DepositMethod, Nanos>>> = {
  BANK: 10_000_000n,
  OFFLINE: 10_000_000n,
  USDT: 1_000n,
};

export interface RefundPart {
  receiptId: number;
  amountNanos: Nanos;
}

/**
 * Which receipts a sum is taken from, in the order given: newest first, because what is left of a balance is what
 * came last, and because wallets take a payment back for a year only. What nobody has paid in (a correction, a
 * promotion) is not in any receipt and does not go out. Undefined: they have not so much, or it is no sum that can
 * be sent by their ways.
 */
export function planRefund(
  newestFirst: readonly Refundable[],
  amountNanos: Nanos,
): RefundPart[] | undefined {
  const parts = takeUpTo(newestFirst, amountNanos);
  return parts.length > 0 && sumOf(parts) === amountNanos ? parts : undefined;
}

function takeUpTo(newestFirst: readonly Refundable[], amountNanos: Nanos): RefundPart[] {
  const parts: RefundPart[] = [];
  let openNanos = amountNanos;
  for (const { receiptId, leftNanos, stepNanos } of newestFirst) {
    const mostNanos = leftNanos < openNanos ? leftNanos : openNanos;
    const takenNanos = mostNanos - (mostNanos % stepNanos);
    if (takenNanos <= 0n) continue;
    parts.push({ receiptId, amountNanos: takenNanos });
    openNanos -= takenNanos;
  }
  return parts;
}

const sumOf = (parts: readonly RefundPart[]): Nanos =>
  parts.reduce((sum, part) => sum + part.amountNanos, 0n);

/**
 * All that can go back: what is there, of what was paid in, less what held conversions may cost yet; less than a
 * receipt's step stays where it is. With nothing left behind, whoever is leaving would have had those conversions for
 * nothing, and their publishers would not be paid.
 */
export function refundableOf({
  balanceNanos,
  pendingNanos,
  receipts,
}: {
  balanceNanos: Nanos;
  pendingNanos: Nanos;
  receipts: readonly Refundable[];
}): Nanos {
  return sumOf(takeUpTo(receipts, balanceNanos - pendingNanos));
}

/** Of one receipt: what it was, and the parts of it that are on their way or back already. */
export interface PaidReceipt {
  amountNanos: Nanos;
  /** In the payer's currency, in all. */
  paidNanos: Nanos;
  /** The smallest step of that currency. */
  stepNanos: Nanos;
  others: readonly { amountNanos: Nanos; payNanos: Nanos }[];
}

/**
 * What a part of a receipt is in the payer's currency: what all of them come to with it, less what the others are.
 * So the parts of a whole receipt are together just what was paid, and never more. Zero: less than the currency has.
 */
export function payPartOf(receipt: PaidReceipt, partNanos: Nanos): Nanos {
  const { amountNanos, paidNanos, stepNanos, others } = receipt;
  const goneNanos = others.reduce((sum, part) => sum + part.amountNanos, 0n);
  const sentNanos = others.reduce((sum, part) => sum + part.payNanos, 0n);
  const withIt = goneNanos + partNanos;
  const reached =
    withIt >= amountNanos
      ? paidNanos
      : ((paidNanos * withIt) / amountNanos / stepNanos) * stepNanos;
  return reached > sentNanos ? reached - sentNanos : 0n;
}
