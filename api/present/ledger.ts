import type * as yup from 'yup';
import type { ShownTransfer } from '../../db/queries/ledger.ts';
import type { BalanceMove } from '../../db/queries/ledger-moves.ts';
import type { LedgerAccountRow } from '../../db/tables/ledger-account.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  idOf,
  idOrNullOf,
  money,
  record,
  time,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

/** The exact nanos are beside the rounded wire amount, so that sums can be checked to the last one. */
export const ledgerAccountShape = record(
  {
    id: idOf(),
    code: words(),
    currency: words(),
    owner: record({ type: words(), id: idOrNullOf() }).nullable(),
    balance: money(),
    balance_nanos: words(),
    floor_nanos: wordsOrNull(),
    created_at: time(),
  },
  'LedgerAccount',
);

export const presentLedgerAccount = (
  account: LedgerAccountRow,
): yup.InferType<typeof ledgerAccountShape> => ({
  id: account.id,
  code: account.code,
  currency: account.currency,
  owner: account.ownerType === null ? null : { type: account.ownerType, id: account.ownerId },
  balance: presentAmount(account.balanceNanos),
  balance_nanos: account.balanceNanos.toString(),
  floor_nanos: account.floorNanos?.toString() ?? null,
  created_at: account.createdAt.toISOString(),
});

export const ledgerTransferShape = record(
  {
    id: idOf(),
    batch_id: idOf(),
    batch_kind: words(),
    debit: words(),
    credit: words(),
    amount: money(),
    amount_nanos: words(),
    currency: words(),
    type: words(),
    subject: record({ type: words(), id: idOrNullOf() }).nullable(),
    event_count: whole(),
    created_at: time(),
  },
  'LedgerTransfer',
);

export const presentLedgerTransfer = (
  transfer: ShownTransfer,
): yup.InferType<typeof ledgerTransferShape> => ({
  id: transfer.id,
  batch_id: transfer.batchId,
  batch_kind: transfer.batchKind,
  debit: transfer.debit,
  credit: transfer.credit,
  amount: presentAmount(transfer.amountNanos),
  amount_nanos: transfer.amountNanos.toString(),
  currency: transfer.currency,
  type: transfer.type,
  subject:
    transfer.subjectType === null ? null : { type: transfer.subjectType, id: transfer.subjectId },
  event_count: transfer.eventCount,
  created_at: transfer.createdAt.toISOString(),
});

export const transactionShape = record(
  {
    id: idOf(),
    type: words(),
    /** Signed: what the balance gained. */
    amount: money(),
    balance_after: money(),
    currency: words(),
    subject: record({ type: words(), id: idOrNullOf() }).nullable(),
    description: words(),
    created_at: time(),
  },
  'Transaction',
);

/** interface 2.1: a transfer as its advertiser or publisher sees it, with the balance it left. */
export const presentTransaction = (row: BalanceMove): yup.InferType<typeof transactionShape> => ({
  id: row.id,
  type: row.type,
  amount: presentAmount(row.amountNanos),
  balance_after: presentAmount(row.balanceAfterNanos),
  currency: row.currency,
  subject: row.subjectType === null ? null : { type: row.subjectType, id: row.subjectId },
  description: describe(row),
  created_at: row.createdAt.toISOString(),
});

function describe({ type, subjectId, eventCount }: BalanceMove): string {
  const withdrawal = `withdrawal ${subjectId ?? ''}`.trim();
  switch (type) {
    case 'SPEND':
      return `${eventCount} billed events`;
    case 'DEPOSIT':
      return `Deposit ${subjectId ?? ''}`.trim();
    case 'EARNING':
      return `Earnings of ${eventCount} events`;
    case 'WITHDRAWAL':
      return `Paid out by ${withdrawal}`;
    case 'WITHDRAWAL_FEE':
      return `Fee of ${withdrawal}`;
    case 'WITHDRAWAL_TAX':
      return `Tax of ${withdrawal}`;
    case 'WITHDRAWAL_RETURNED':
      return `Sent back by the bank: ${withdrawal}`;
    // No owner sees these: they lie outside, or within one owner's accounts.
    case 'DEPOSIT_RECEIVED':
    case 'DEPOSIT_REFUND':
    case 'PLATFORM_FEE':
    case 'EARNING_MATURED':
    case 'WITHDRAWAL_HOLD':
    case 'WITHDRAWAL_RELEASE':
      return type;
  }
}
