import type * as yup from 'yup';
import type { PayeeAccount } from '../../activities/providers/deposit-settings.ts';
import type { AdvertiserBalance, ShownDeposit, ShownReceipt } from '../../db/queries/deposits.ts';
import {
  DEPOSIT_METHODS,
  DEPOSIT_STATUSES,
  RECEIPT_STATES,
  REFUND_STATES,
} from '../../domain/lifecycle/deposit.ts';
import type { TaskKind } from '../../domain/lifecycle/task.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  NOT_TAKEN_BACK,
  type NotTakenBack,
  whyNotTakenBack,
} from '../../domain/receipt-take-back.ts';
import {
  idOf,
  idOrNullOf,
  money,
  oneOf,
  record,
  time,
  timeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { evidenceShape, presentEvidence } from './evidence.ts';
import { paymentShape, presentPayment } from './deposit-payment.ts';

export const depositShape = record(
  {
    id: idOf(),
    amount: money(),
    currency: words(),
    payment_method: oneOf(DEPOSIT_METHODS),
    reference: words(),
    status: oneOf(DEPOSIT_STATUSES),
    received: money(),
    /** Of it: on its way back to whoever paid it, and back there. */
    returning: money(),
    returned: money(),
    /** How it is paid; null: as agreed. */
    payment: paymentShape.nullable(),
    expires_at: time(),
    paid_at: timeOrNull(),
    created_at: time(),
    updated_at: time(),
  },
  'Deposit',
);

/** One order, as its advertiser and the operators see it. */
export function presentDeposit(
  deposit: ShownDeposit,
  payee: PayeeAccount | null,
): yup.InferType<typeof depositShape> {
  return {
    id: deposit.id,
    amount: presentAmount(deposit.amountNanos),
    currency: deposit.currency,
    payment_method: deposit.paymentMethod,
    /** What the payer writes on the transfer. */
    reference: deposit.reference,
    status: deposit.status,
    received: presentAmount(deposit.receivedNanos),
    returning: presentAmount(deposit.returningNanos),
    returned: presentAmount(deposit.returnedNanos),
    payment: presentPayment(deposit, payee),
    expires_at: deposit.expiresAt.toISOString(),
    paid_at: deposit.paidAt?.toISOString() ?? null,
    created_at: deposit.createdAt.toISOString(),
    updated_at: deposit.updatedAt.toISOString(),
  };
}

const RECEIPT_QUESTIONS = [
  'deposit_review',
  'deposit_second_approval',
  'suspense',
] as const satisfies readonly TaskKind[];

export const receiptFields = {
  id: idOf(),
  amount: money(),
  currency: words(),
  provider: words(),
  reference: words(),
  state: oneOf(RECEIPT_STATES),
  received_at: time(),
  evidence_media_id: idOrNullOf(),
  evidence_file: evidenceShape.nullable(),
  operator_id: idOrNullOf(),
  /** Why nobody can take it back (null: FINANCE may ask), and whom it waits for or waited for. */
  take_back: record(
    {
      refusal: oneOf(Object.keys(NOT_TAKEN_BACK) as NotTakenBack[]).nullable(),
      approval_id: idOrNullOf(),
    },
    'TakeBack',
  ),
  /** The open task that says what becomes of it, and who may not decide that: another person must. */
  asked: record(
    { task_id: idOf(), kind: oneOf(RECEIPT_QUESTIONS), not_by: wordsOrNull() },
    'ReceiptAsked',
  ).nullable(),
  /** Its way back to whoever paid it: the provider's last word, or the reference of whoever sent it. */
  way_back: record(
    {
      state: oneOf(REFUND_STATES),
      answer: wordsOrNull(),
      reference: wordsOrNull(),
      sent_at: timeOrNull(),
    },
    'WayBack',
  ).nullable(),
  created_at: time(),
};

export const receiptShape = record(receiptFields, 'Receipt');

/** Money that arrived for an order, as operators see it. */
export function presentReceipt(receipt: ShownReceipt): yup.InferType<typeof receiptShape> {
  return {
    id: receipt.id,
    amount: presentAmount(receipt.amountNanos),
    currency: receipt.currency,
    provider: receipt.provider,
    reference: receipt.providerReference,
    state: receipt.state,
    received_at: receipt.receivedAt.toISOString(),
    evidence_media_id: receipt.evidenceMediaId,
    evidence_file: presentFileOf(receipt),
    operator_id: receipt.operatorId,
    take_back: { refusal: whyNotTakenBack(receipt), approval_id: receipt.takeBackId },
    asked: presentAsked(receipt),
    way_back: presentWayBack(receipt),
    created_at: receipt.createdAt.toISOString(),
  };
}

function presentAsked(receipt: ShownReceipt): yup.InferType<typeof receiptShape>['asked'] {
  const { askedTaskId: id, askedKind, askedNotBy } = receipt;
  const kind = RECEIPT_QUESTIONS.find((each) => each === askedKind);
  // A refused step of its flow asks another question.
  if (id === null || kind === undefined) return null;
  return { task_id: id, kind, not_by: askedNotBy };
}

function presentWayBack(receipt: ShownReceipt): yup.InferType<typeof receiptShape>['way_back'] {
  const { backState: state, backAnswer: answer, backReference: reference, backAt } = receipt;
  if (state === null) return null;
  return { state, answer, reference, sent_at: backAt?.toISOString() ?? null };
}

function presentFileOf(receipt: ShownReceipt): yup.InferType<typeof evidenceShape> | null {
  const { evidenceId: id, evidenceName: name, evidenceMime: mime, evidenceBytes: bytes } = receipt;
  if (id === null || mime === null || bytes === null) return null;
  return presentEvidence({ id, name, mime, bytes });
}

export const advertiserBalanceShape = record(
  {
    currency: words(),
    balance: money(),
    available: money(),
    held: money(),
    pending_deposits: money(),
    arriving_deposits: money(),
    unpaid_deposits: money(),
    spend_today: money(),
  },
  'AdvertiserBalance',
);

/** interface 2.1. Held is what is on its way back to whoever paid it. */
export function presentAdvertiserBalance(
  balance: AdvertiserBalance,
  currency: string,
): yup.InferType<typeof advertiserBalanceShape> {
  const { availableNanos, heldNanos, pendingNanos, arrivingNanos, unpaidNanos, spendTodayNanos } =
    balance;
  return {
    currency,
    balance: presentAmount(availableNanos + heldNanos),
    available: presentAmount(availableNanos),
    held: presentAmount(heldNanos),
    pending_deposits: presentAmount(pendingNanos),
    arriving_deposits: presentAmount(arrivingNanos),
    unpaid_deposits: presentAmount(unpaidNanos),
    spend_today: presentAmount(spendTodayNanos),
  };
}
