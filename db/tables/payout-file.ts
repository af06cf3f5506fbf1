import { bytes, id, nanos, ref, text, time, whole } from '../schema/column.ts';
import { table } from '../schema/table.ts';

/** Files in which several orders are carried to the bank together. */
export const payoutFiles = table('payout_files', {
  id: id(),
  externalRef: text(),
  currency: text(),
  payments: whole(),
  totalNanos: nanos(),
  sealedFile: bytes(),
  fileSha256: text().named('file_sha256'),
  fileName: text(),
  operatorId: ref(),
  createdAt: time().byDefault(),
});
