import type * as yup from 'yup';
import type { PayeeAccount } from '../../activities/providers/deposit-settings.ts';
import type { ShownDeposit } from '../../db/queries/deposits.ts';
import {
  type DepositTerms,
  isRail,
  PAY_CURRENCIES,
  TOKEN_NETWORKS,
  UNUSABLE_REASONS,
} from '../../domain/deposit-terms.ts';
import { DEPOSIT_METHODS } from '../../domain/lifecycle/deposit.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  flag,
  listOf,
  money,
  moneyOrNull,
  oneOf,
  record,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

const PAYMENT_STATES = ['OPENING', 'OPEN', 'REFUSED', 'CLOSED'] as const;

/** How an order is paid; what does not belong to its method is null. */
export const paymentShape = record(
  {
    kind: oneOf(['QR', 'ADDRESS', 'TRANSFER'] as const).nullable(),
    state: oneOf(PAYMENT_STATES),
    pay_amount: money(),
    pay_currency: words(),
    qr: wordsOrNull(),
    page: wordsOrNull(),
    network: oneOf(TOKEN_NETWORKS).nullable(),
    address: wordsOrNull(),
    contract: wordsOrNull(),
    confirmations: wholeOrNull(),
    confirmations_seen: wholeOrNull(),
    payee_name: wordsOrNull(),
    payee_iban: wordsOrNull(),
    payee_bic: wordsOrNull(),
    payee_bank: wordsOrNull(),
    refusal: wordsOrNull(),
    asked_at: timeOrNull(),
    answer: wordsOrNull(),
  },
  'DepositPayment',
);
type Payment = yup.InferType<typeof paymentShape>;

const NOTHING = {
  kind: null,
  qr: null,
  page: null,
  network: null,
  address: null,
  contract: null,
  confirmations: null,
  confirmations_seen: null,
  payee_name: null,
  payee_iban: null,
  payee_bic: null,
  payee_bank: null,
  refusal: null,
  asked_at: null,
  answer: null,
};

/** Null: paid as agreed with an operator. */
export function presentPayment(deposit: ShownDeposit, payee: PayeeAccount | null): Payment | null {
  if (deposit.paymentMethod === 'BANK') return transferTo(deposit, payee);
  if (deposit.payNanos === null) return null;
  const { instructions } = deposit;
  return {
    ...NOTHING,
    ...instructions,
    network: deposit.network,
    state: stateOf(deposit),
    pay_amount: presentAmount(deposit.payNanos),
    pay_currency: deposit.payCurrency ?? '',
    confirmations_seen: deposit.confirmationsSeen,
    refusal: deposit.refused,
    asked_at: deposit.askedAt?.toISOString() ?? null,
    answer: deposit.answer,
  };
}

function transferTo(deposit: ShownDeposit, payee: PayeeAccount | null): Payment {
  return {
    ...NOTHING,
    kind: 'TRANSFER',
    state: 'OPEN',
    pay_amount: presentAmount(deposit.amountNanos),
    pay_currency: deposit.currency,
    payee_name: payee?.name ?? null,
    payee_iban: payee?.iban ?? null,
    payee_bic: payee?.bic ?? null,
    payee_bank: payee?.bank ?? null,
  };
}

function stateOf(deposit: ShownDeposit): Payment['state'] {
  if (deposit.refused !== null) return 'REFUSED';
  if (deposit.closedAt !== null) return 'CLOSED';
  return deposit.openedAt === null ? 'OPENING' : 'OPEN';
}

export const depositMethodShape = record(
  {
    method: oneOf(DEPOSIT_METHODS),
    usable: flag(),
    /** Null: it can be used. */
    reason: oneOf(UNUSABLE_REASONS).nullable(),
    currency: words(),
    /** What the payer is asked in. */
    pay_currency: words(),
    /** Of the payer's currency for one unit; null where they are one. */
    rate: moneyOrNull(),
    minimum: money(),
    expires_in: whole(),
    /** Chains that its tokens can be sent on, the one that is taken unasked first; none of money. */
    networks: listOf(oneOf(TOKEN_NETWORKS)),
    fields: listOf(words()),
  },
  'DepositMethod',
);

/** interface 4.6: whether an order of this method can be made, and what it takes. */
export function presentMethod(
  terms: DepositTerms,
  { currency, cnyPerUnit }: { currency: string; cnyPerUnit: number },
): yup.InferType<typeof depositMethodShape> {
  const { method } = terms;
  const payCurrency = isRail(method) ? PAY_CURRENCIES[method] : currency;
  return {
    method,
    usable: terms.unusable === null,
    reason: terms.unusable,
    currency,
    pay_currency: payCurrency,
    rate: payCurrency === 'CNY' ? cnyPerUnit : null,
    minimum: presentAmount(terms.minimumNanos),
    expires_in: terms.expiresSeconds,
    networks: [...terms.networks],
    fields: ['amount', 'payment_method', ...(terms.networks.length > 0 ? ['network'] : [])],
  };
}
