import { id, ref, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const kycDocuments = table('kyc_documents', {
  id: id(),
  accountId: ref(),
  mime: text(),
  bytes: whole(),
  sha256: text().named('sha256'),
  /** Null: erased. */
  path: text().orNull(),
  sealedKey: text().orNull(),
  createdAt: time().byDefault(),
  offeredAt: time().byDefault(),
  erasedAt: time().orNull(),
});
export type KycDocumentRow = Row<typeof kycDocuments>;
