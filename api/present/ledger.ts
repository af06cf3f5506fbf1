import type * as yup from 'yup';
import type { ShownLedgerAccount, ShownTransfer } from '../../db/queries/ledger.ts';
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
    owner: record({ type: words(), id: idOrNullOf(), name: wordsOrNull() }).nullable(),
    balance: money(),
    balance_nanos: words(),
    floor_nanos: wordsOrNull(),
    created_at: time(),
  },
  'LedgerAccount',
);

export const presentLedgerAccount = (
  account: ShownLedgerAccount,
): yup.InferType<typeof ledgerAccountShape> => ({
  id: account.id,
  code: account.code,
  currency: account.currency,
  owner:
    account.ownerType === null
      ? null
      : { type: account.ownerType, id: account.ownerId, name: account.ownerName },
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
