import type { TransferType } from '../../domain/ledger/postings.ts';
import { id, nanos, ref, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const ledgerTransfers = table('ledger_transfers', {
  id: id(),
  batchId: ref(),
  currency: text(),
  debitId: ref(),
  creditId: ref(),
  amountNanos: nanos(),
  type: text<TransferType>(),
  subjectType: text().orNull(),
  subjectId: ref().orNull(),
  eventCount: whole().byDefault(),
  debitBalanceAfterNanos: nanos().orNull(),
  creditBalanceAfterNanos: nanos().orNull(),
  createdAt: time().byDefault(),
});
export type LedgerTransferRow = Row<typeof ledgerTransfers>;
