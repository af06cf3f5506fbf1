import { type Nanos, NANOS_PER_UNIT } from './money.ts';
import type { Settings } from './settings.ts';

/**
 * Four eyes (interface 4.6, 4.12): above the operators' limit one person alone neither moves the money nor
 * says what became of it.
 */
export const needsSecondPerson = (
  settings: Settings,
  money: 'deposit' | 'payout',
  amountNanos: Nanos,
): boolean => amountNanos > BigInt(settings[`${money}.second_approval_above`]) * NANOS_PER_UNIT;
