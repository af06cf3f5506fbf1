import type { BankCard, Kyc, PaymentMethod, Withdrawal } from '../../client/routes.ts';
import { CANCELLED_BY_PLATFORM, isOfPlatform } from '../../../domain/lifecycle/withdrawal.ts';
import { parseAmount, presentAmount } from '../../../domain/money.ts';
import { payoutAmounts, payoutFaults, type PayoutTerms } from '../../../domain/payout-terms.ts';
import { isSameName } from '../../../domain/same-name.ts';

/** What would arrive of an amount: the platform's own rule, on exact figures. */
export interface Arrival {
  fee: number;
  tax: number;
  arrives: number;
  fault: 'least' | 'step' | 'nothing' | null;
}

const PPM_OF_PERCENT = 10_000;

export function arrivalOf(amount: number, method: PaymentMethod): Arrival {
  const terms: PayoutTerms = {
    channel: method.payment_method,
    minimumNanos: nanosOf(method.minimum),
    feeFixedNanos: nanosOf(method.fee.fixed),
    feePpm: Math.round(method.fee.percent * PPM_OF_PERCENT),
    taxPpm: Math.round(method.tax_percent * PPM_OF_PERCENT),
    minorNanos: nanosOf(method.step),
  };
  const amounts = payoutAmounts(nanosOf(amount), terms);
  const [fault] = payoutFaults(amounts, terms);
  const isBelow = amounts.amountNanos < terms.minimumNanos;
  return {
    fee: presentAmount(amounts.feeNanos),
    tax: presentAmount(amounts.taxNanos),
    arrives: presentAmount(amounts.arrivalNanos),
    fault:
      fault === undefined ? null : fault.code === 'step' ? 'step' : isBelow ? 'least' : 'nothing',
  };
}

const nanosOf = (amount: number): bigint => parseAmount(amount) ?? 0n;

/** As it is shown: one that the platform has cancelled says so, its owner's own is just cancelled. */
export const stateOf = ({ status, reasons }: Pick<Withdrawal, 'status' | 'reasons'>): string =>
  status === 'CANCELLED' && isOfPlatform(reasons) ? CANCELLED_BY_PLATFORM : status;

/** Null, or why the bank file of a payout is carried nowhere any more: the API refuses it alike. */
export function fileEnd(
  payout: { file_name: string | null; state: string; bank_status: string | null } | null,
): 'none' | 'failed' | 'refused' | 'taken' | null {
  if (payout === null || payout.file_name === null) return 'none';
  if (payout.state === 'REJECTED') return 'failed';
  if (payout.bank_status === 'REFUSED') return 'refused';
  const isNew = payout.bank_status === null || payout.bank_status === 'WAITING';
  return isNew && payout.state === 'FILE' ? null : 'taken';
}

/** Whether money may be asked for to it by now: its time may have come since it was read. */
export const isUsable = ({ usable_from: from }: Pick<BankCard, 'usable_from'>): boolean =>
  Date.parse(from) <= Date.now();

/** The name that is verified, where an account is in another one: a person will look at its payouts. */
export function nameUnlike(
  holder: string,
  identity: Pick<Kyc, 'kyc_status' | 'entity_type' | 'legal_name'>,
): string | null {
  const { legal_name: name, entity_type: type } = identity;
  if (name === null || type === null || holder.trim() === '') return null;
  return isSameName(holder, name, { isCompany: type === 'BUSINESS' }) ? null : name;
}
