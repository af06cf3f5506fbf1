import { id, json, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const ledgerBatches = table('ledger_batches', {
  id: id(),
  idempotencyKey: text(),
  kind: text(),
  ref: json<Record<string, unknown>>().byDefault(),
  createdAt: time().byDefault(),
});
export type LedgerBatchRow = Row<typeof ledgerBatches>;
