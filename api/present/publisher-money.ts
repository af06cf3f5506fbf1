import type * as yup from 'yup';
import type { Payouts } from '../../activities/providers/payout.ts';
import type { PublisherBalance } from '../../db/queries/withdrawals.ts';
import { PAYOUT_CHANNELS } from '../../domain/lifecycle/withdrawal.ts';
import { presentAmount } from '../../domain/money.ts';
import type { TaxTerm } from '../../domain/money-terms.ts';
import type { PayoutTerms } from '../../domain/payout-terms.ts';
import {
  flag,
  fraction,
  listOf,
  money,
  oneOf,
  record,
  whole,
  words,
} from '../http/response-shapes.ts';
import { presentTaxReason, taxReasonShape } from './money-term.ts';

export const publisherBalanceShape = record(
  {
    currency: words(),
    balance: money(),
    withdrawable: money(),
    maturing: money(),
    held: money(),
    /** Taken back after it could be withdrawn; the next earnings pay it. */
    debt: money(),
    paid_total: money(),
    /** Of conversions that advertisers may still reject; not part of the balance. */
    pending: money(),
  },
  'PublisherBalance',
);

/** interface 2.1: `{currency, balance, withdrawable, maturing, held, debt, paid_total, pending}`. */
export function presentPublisherBalance(
  balance: PublisherBalance,
  currency: string,
): yup.InferType<typeof publisherBalanceShape> {
  const { withdrawableNanos, maturingNanos, heldNanos, debtNanos } = balance;
  const { paidTotalNanos, pendingNanos } = balance;
  return {
    currency,
    balance: presentAmount(withdrawableNanos + maturingNanos + heldNanos - debtNanos),
    withdrawable: presentAmount(withdrawableNanos),
    maturing: presentAmount(maturingNanos),
    held: presentAmount(heldNanos),
    debt: presentAmount(debtNanos),
    paid_total: presentAmount(paidTotalNanos),
    pending: presentAmount(pendingNanos),
  };
}

export const paymentMethodShape = record(
  {
    payment_method: oneOf(PAYOUT_CHANNELS),
    available: flag(),
    currency: words(),
    minimum: money(),
    /** The fee is the fixed part plus the percentage of the amount, rounded to `step`. */
    fee: record({ fixed: money(), percent: fraction() }),
    tax_percent: fraction(),
    /** Why so much is withheld; null where it is the same of everybody. */
    tax_reason: taxReasonShape,
    /** Amounts are whole multiples of it. */
    step: money(),
    /** Of tokens: the chains that they are paid on. */
    networks: listOf(oneOf(['ERC20', 'TRC20'] as const)),
    /** Seconds that an account waits which is named for the first time. */
    new_account_waits: whole().min(0),
    /** What a request by this channel says beside the amount. */
    fields: listOf(record({ name: words(), required: flag(), description: words() })),
  },
  'PaymentMethod',
);

type PaymentField = yup.InferType<typeof paymentMethodShape>['fields'][number];

const FIELDS_OF: Readonly<Record<PayoutTerms['channel'], PaymentField[]>> = {
  BANK: [
    {
      name: 'bank_info',
      required: false,
      description: 'bank_card_id of a kept card, or the account itself; absent: the default card',
    },
  ],
  USDT: [
    {
      name: 'account_info',
      required: true,
      description: 'address of one of networks; ERC20 in its checksummed form',
    },
  ],
  PAYPAL: [{ name: 'account_info', required: true, description: 'e-mail address of the account' }],
  PAXUM: [{ name: 'account_info', required: true, description: 'e-mail address of the account' }],
};

const PPM_PER_PERCENT = 10_000;

/** interface 4.12: each channel with currency, minimum, fee, tax and fields. */
export function presentPaymentMethod(
  terms: PayoutTerms,
  { payouts, currency, tax }: { payouts: Payouts; currency: string; tax: TaxTerm | undefined },
): yup.InferType<typeof paymentMethodShape> {
  return {
    payment_method: terms.channel,
    available: payouts.availability(terms.channel).available,
    currency,
    minimum: presentAmount(terms.minimumNanos),
    fee: { fixed: presentAmount(terms.feeFixedNanos), percent: terms.feePpm / PPM_PER_PERCENT },
    tax_percent: terms.taxPpm / PPM_PER_PERCENT,
    tax_reason: presentTaxReason(tax),
    step: presentAmount(terms.minorNanos),
    networks: terms.channel === 'USDT' ? [...payouts.networks] : [],
    new_account_waits: Math.round(payouts.accountWaitMs / 1_000),
    fields: FIELDS_OF[terms.channel],
  };
}
