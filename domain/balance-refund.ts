import type { Nanos } from './money.ts';

/** A receipt that was credited, and what has not gone back of it yet. */
export interface Refundable {
  receiptId: number;
  leftNanos: Nanos;
}

export interface RefundPart {
  receiptId: number;
  amountNanos: Nanos;
}

/**
 * Which receipts a sum is taken from, in the order given: newest first, because what is left of a balance is what
 * came last, and because wallets take a payment back for a year only. What nobody has paid in (a correction, a
 * promotion) is not in any receipt and does not go out. Undefined: they have not so much.
 */
export function planRefund(
  newestFirst: readonly Refundable[],
  amountNanos: Nanos,
): RefundPart[] | undefined {
  const parts: RefundPart[] = [];
  let openNanos = amountNanos;
  for (const { receiptId, leftNanos } of newestFirst) {
    if (openNanos <= 0n) break;
    const takenNanos = leftNanos < openNanos ? leftNanos : openNanos;
    if (takenNanos <= 0n) continue;
    parts.push({ receiptId, amountNanos: takenNanos });
    openNanos -= takenNanos;
  }
  return openNanos === 0n && parts.length > 0 ? parts : undefined;
}

/**
 * All that can go back: what is there, of what was paid in, less what held conversions may cost yet. With nothing
 * left behind, whoever is leaving would have had them for nothing, and their publishers would not be paid.
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
  const leftNanos = receipts.reduce((sum, receipt) => sum + receipt.leftNanos, 0n);
  const freeNanos = balanceNanos - pendingNanos;
  const mostNanos = freeNanos < leftNanos ? freeNanos : leftNanos;
  return mostNanos < 0n ? 0n : mostNanos;
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
