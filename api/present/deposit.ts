import type * as yup from 'yup';
import type { AdvertiserBalance } from '../../db/queries/deposits.ts';
import type { DepositRow } from '../../db/tables/deposit.ts';
import type { DepositReceiptRow } from '../../db/tables/deposit-receipt.ts';
import {
  DEPOSIT_METHODS,
  DEPOSIT_STATUSES,
  RECEIPT_STATES,
} from '../../domain/lifecycle/deposit.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  idOf,
  idOrNullOf,
  money,
  oneOf,
  record,
  time,
  timeOrNull,
  words,
} from '../http/response-shapes.ts';

export const depositShape = record(
  {
    id: idOf(),
    amount: money(),
    currency: words(),
    payment_method: oneOf(DEPOSIT_METHODS),
    reference: words(),
    status: oneOf(DEPOSIT_STATUSES),
    received: money(),
    expires_at: time(),
    paid_at: timeOrNull(),
    created_at: time(),
    updated_at: time(),
  },
  'Deposit',
);

/** One order, as its advertiser and the operators see it. */
export function presentDeposit(deposit: DepositRow): yup.InferType<typeof depositShape> {
  return {
    id: deposit.id,
    amount: presentAmount(deposit.amountNanos),
    currency: deposit.currency,
    payment_method: deposit.paymentMethod,
    /** What the payer writes on the transfer. */
    reference: deposit.reference,
    status: deposit.status,
    received: presentAmount(deposit.receivedNanos),
    expires_at: deposit.expiresAt.toISOString(),
    paid_at: deposit.paidAt?.toISOString() ?? null,
    created_at: deposit.createdAt.toISOString(),
    updated_at: deposit.updatedAt.toISOString(),
  };
}

export const receiptFields = {
  id: idOf(),
  amount: money(),
  currency: words(),
  provider: words(),
  reference: words(),
  state: oneOf(RECEIPT_STATES),
  received_at: time(),
  evidence_media_id: idOrNullOf(),
  operator_id: idOrNullOf(),
  created_at: time(),
};

export const receiptShape = record(receiptFields, 'Receipt');

/** Money that arrived for an order, as operators see it. */
export function presentReceipt(receipt: DepositReceiptRow): yup.InferType<typeof receiptShape> {
  return {
    id: receipt.id,
    amount: presentAmount(receipt.amountNanos),
    currency: receipt.currency,
    provider: receipt.provider,
    reference: receipt.providerReference,
    state: receipt.state,
    received_at: receipt.receivedAt.toISOString(),
    evidence_media_id: receipt.evidenceMediaId,
    operator_id: receipt.operatorId,
    created_at: receipt.createdAt.toISOString(),
  };
}

export const advertiserBalanceShape = record(
  {
    currency: words(),
    balance: money(),
    available: money(),
    held: money(),
    pending_deposits: money(),
    spend_today: money(),
  },
  'AdvertiserBalance',
);

/** interface 2.1. Nothing of an advertiser's balance is held yet, so `available` is all of it. */
export function presentAdvertiserBalance(
  balance: AdvertiserBalance,
  currency: string,
): yup.InferType<typeof advertiserBalanceShape> {
  const { availableNanos, pendingNanos, spendTodayNanos } = balance;
  return {
    currency,
    balance: presentAmount(availableNanos),
    available: presentAmount(availableNanos),
    held: 0,
    pending_deposits: presentAmount(pendingNanos),
    spend_today: presentAmount(spendTodayNanos),
  };
}
