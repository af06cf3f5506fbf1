import type * as yup from 'yup';
import type { ShownWayBack } from '../../db/queries/ways-back.ts';
import { DEPOSIT_METHODS, REFUND_STATES } from '../../domain/lifecycle/deposit.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  idOrNullOf,
  listOf,
  money,
  oneOf,
  record,
  time,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

/** Money that a person sends back, or mends at its provider: how much, to whom, and why. */
export const wayBackShape = record(
  {
    state: oneOf(REFUND_STATES),
    amount: money(),
    currency: words(),
    method: oneOf(DEPOSIT_METHODS),
    /** As its provider reckons it, where one does. */
    pay_amount: money().nullable(),
    pay_currency: wordsOrNull(),
    /** Who paid it as the bank's statement says; null: it came from none. */
    payer: wordsOrNull(),
    /** The bank's, provider's or chain's reference of what was paid. */
    paid_under: words(),
    received_at: time(),
    order_reference: words(),
    account_name: wordsOrNull(),
    /** As its identity was proved; null: it was not. */
    legal_name: wordsOrNull(),
    /** In the words of whoever decided it, and the reasons they named. */
    why: wordsOrNull(),
    reasons: listOf(words()),
    asked_by: wordsOrNull(),
    /** The refund of balance that it is a part of; null: a whole receipt, which was never credited. */
    balance_refund_id: idOrNullOf(),
  },
  'MoneyToSendBack',
);

export const presentWayBackOf = (row: ShownWayBack): yup.InferType<typeof wayBackShape> => ({
  state: row.state,
  amount: presentAmount(row.amountNanos),
  currency: row.currency,
  method: row.method,
  pay_amount: row.payNanos === null ? null : presentAmount(row.payNanos),
  pay_currency: row.payCurrency,
  payer: row.payer,
  paid_under: row.paidUnder,
  received_at: row.receivedAt.toISOString(),
  order_reference: row.orderReference,
  account_name: row.accountName,
  legal_name: row.legalName,
  why: row.why ?? row.reasons?.find(({ note }) => note !== undefined)?.note ?? null,
  reasons: (row.reasons ?? []).map(({ code }) => code),
  asked_by: row.askedBy,
  balance_refund_id: row.balanceRefundId,
});
