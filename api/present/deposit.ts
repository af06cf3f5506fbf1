import type {
  AdvertiserBalance,
  AdvertiserTransaction,
  DepositRow,
  ReceiptRow,
} from '../../db/queries/deposits.ts';
import { presentAmount } from '../../domain/money.ts';

/** One order, as its advertiser and the operators see it. */
export function presentDeposit(deposit: DepositRow) {
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

export function presentReceipt(receipt: ReceiptRow) {
  return {
    id: receipt.id,
    amount: presentAmount(receipt.amountNanos),
    currency: receipt.currency,
    provider: receipt.provider,
    reference: receipt.reference,
    state: receipt.state,
    received_at: receipt.receivedAt.toISOString(),
    evidence_media_id: receipt.evidenceMediaId,
    operator_id: receipt.operatorId,
    created_at: receipt.createdAt.toISOString(),
  };
}

/** decisions 2. Nothing of an advertiser's balance is held yet, so `available` is all of it. */
export function presentAdvertiserBalance(balance: AdvertiserBalance, currency: string) {
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

/** decisions 2: a transaction, with the balance it left. */
export function presentAdvertiserTransaction(row: AdvertiserTransaction) {
  return {
    id: row.id,
    type: row.type,
    amount: presentAmount(row.amountNanos),
    balance_after: presentAmount(row.balanceAfterNanos),
    currency: row.currency,
    subject: row.subjectType === null ? null : { type: row.subjectType, id: row.subjectId },
    description: describe(row),
    created_at: row.createdAt.toISOString(),
  };
}

function describe(row: AdvertiserTransaction): string {
  if (row.type === 'SPEND') return `${row.eventCount} billed events`;
  if (row.type === 'DEPOSIT') return `Deposit ${row.subjectId ?? ''}`.trim();
  return row.type;
}
