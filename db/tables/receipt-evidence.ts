import { id, ref, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const receiptEvidence = table('receipt_evidence', {
  id: id(),
  sha256: text().named('sha256'),
  name: text().orNull(),
  mime: text(),
  bytes: whole(),
  path: text(),
  sealedKey: text().orNull(),
  operatorId: ref(),
  createdAt: time().byDefault(),
});
export type ReceiptEvidenceRow = Row<typeof receiptEvidence>;
