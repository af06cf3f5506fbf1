import type { FieldError } from './errors.ts';
import type { PayoutChannel } from './lifecycle/withdrawal.ts';
import { formatAmount, type Nanos, NANOS_PER_UNIT } from './money.ts';
import type { TaxTerm } from './money-terms.ts';
import type { Settings } from './settings.ts';

/** What a channel takes, as the operators have set it (interface 2.10, 4.12). */
export interface PayoutTerms {
  channel: PayoutChannel;
  minimumNanos: Nanos;
  feeFixedNanos: Nanos;
  /** Parts per million of the amount, beside the fixed fee. */
  feePpm: number;
  taxPpm: number;
  /** The smallest step that the channel can pay. */
  minorNanos: Nanos;
}

export interface PayoutAmounts {
  amountNanos: Nanos;
  feeNanos: Nanos;
  taxNanos: Nanos;
  arrivalNanos: Nanos;
}

const CENT_NANOS = NANOS_PER_UNIT / 100n;
/** A token has six decimals, banks and wallets have two. */
const MINOR_NANOS: Readonly<Record<PayoutChannel, Nanos>> = {
  BANK: CENT_NANOS,
  USDT: 1_000n,
  PAYPAL: CENT_NANOS,
  PAXUM: CENT_NANOS,
};

/** `tax` is what is withheld of this publisher; absent, what is withheld of whom no term is agreed for. */
export function payoutTerms(
  settings: Settings,
  channel: PayoutChannel,
  tax?: TaxTerm,
): PayoutTerms {
  return {
    channel,
    minimumNanos: BigInt(settings[`payout.minimum.${channel}`]) * NANOS_PER_UNIT,
    feeFixedNanos: BigInt(settings[`payout.fee_cents.${channel}`]) * CENT_NANOS,
    feePpm: settings[`payout.fee_ppm.${channel}`],
    taxPpm: tax?.ppm ?? settings['payout.tax_ppm'],
    minorNanos: MINOR_NANOS[channel],
  };
}

/**
 * Arrival is amount minus fee minus tax, exactly; fee and tax are rounded half up to what the
 * channel can pay, so that nothing is left over.
 */
export function payoutAmounts(amountNanos: Nanos, terms: PayoutTerms): PayoutAmounts {
  const { minorNanos } = terms;
  const feeNanos = roundHalfUp(
    terms.feeFixedNanos * PPM + amountNanos * BigInt(terms.feePpm),
    minorNanos,
  );
  const taxNanos = roundHalfUp(amountNanos * BigInt(terms.taxPpm), minorNanos);
  return { amountNanos, feeNanos, taxNanos, arrivalNanos: amountNanos - feeNanos - taxNanos };
}

const PPM = 1_000_000n;

/** From millionths of a nano to whole steps of the channel. */
function roundHalfUp(ppmNanos: bigint, minorNanos: Nanos): Nanos {
  const step = minorNanos * PPM;
  return ((2n * ppmNanos + step) / (2n * step)) * minorNanos;
}

/** What is wrong with asking for this much; empty when nothing is. */
export function payoutFaults(
  { amountNanos, arrivalNanos }: PayoutAmounts,
  terms: PayoutTerms,
): FieldError[] {
  const fault = (code: string, message: string): FieldError[] => [
    { field: 'amount', code, message },
  ];
  if (amountNanos <= 0n || amountNanos < terms.minimumNanos) {
    return fault('min', `must be at least ${formatAmount(terms.minimumNanos)}`);
  }
  if (amountNanos % terms.minorNanos !== 0n) {
    return fault('step', `must be a multiple of ${formatAmount(terms.minorNanos)}`);
  }
  if (arrivalNanos <= 0n) return fault('min', 'nothing would arrive after fee and tax');
  return [];
}

/** An example account of the IBAN registry, so that development writes whole bank files. */
export const SAMPLE_ORIGIN = {
  name: 'Advertising Platform',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
};
