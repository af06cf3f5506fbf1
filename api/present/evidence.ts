import type * as yup from 'yup';
import type { ReceiptEvidenceRow } from '../../db/tables/receipt-evidence.ts';
import { idOf, record, whole, words, wordsOrNull } from '../http/response-shapes.ts';

/** What proves a receipt, or what was said of a payout; its bytes are read at `url`, by operators alone. */
export const evidenceShape = record(
  { id: idOf(), name: wordsOrNull(), mime: words(), bytes: whole(), url: words() },
  'ReceiptEvidence',
);

export const presentEvidence = ({
  id,
  name,
  mime,
  bytes,
}: Pick<ReceiptEvidenceRow, 'id' | 'name' | 'mime' | 'bytes'>): yup.InferType<
  typeof evidenceShape
> => ({ id, name, mime, bytes, url: `/api/admin/receipt-evidence/${id}` });
