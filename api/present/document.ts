import type * as yup from 'yup';
import type { ShownDocument } from '../../db/queries/documents.ts';
import { DOCUMENT_KINDS, documentNumber } from '../../domain/documents.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  idOf,
  listOf,
  money,
  moneyOrNull,
  oneOf,
  record,
  time,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

export const documentShape = record(
  {
    id: idOf(),
    kind: oneOf(DOCUMENT_KINDS),
    number: words(),
    /** `YYYY-MM`; null: a receipt. */
    month: wordsOrNull(),
    currency: words(),
    opening: moneyOrNull(),
    total: money(),
    closing: moneyOrNull(),
    /** As which files it may be had. */
    formats: listOf(oneOf(['pdf', 'csv', 'jws'])),
    issued_at: time(),
  },
  'Document',
);

/** interface 5.22; exact sums stand in its files. */
export function presentDocument(row: ShownDocument): yup.InferType<typeof documentShape> {
  return {
    id: row.id,
    kind: row.kind,
    number: documentNumber(row.kind, row.year, row.sequence),
    month: row.monthName,
    currency: row.currency,
    opening: row.openingNanos === null ? null : presentAmount(row.openingNanos),
    total: presentAmount(row.totalNanos),
    closing: row.closingNanos === null ? null : presentAmount(row.closingNanos),
    formats: row.hasPdf ? ['pdf', 'csv', 'jws'] : ['csv', 'jws'],
    issued_at: row.issuedAt.toISOString(),
  };
}
