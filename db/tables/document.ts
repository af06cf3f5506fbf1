import { DOCUMENT_FORMATS, DOCUMENT_KINDS } from '../../domain/documents.ts';
import { bytes, day, id, nanos, ref, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const documents = table('documents', {
  id: id(),
  kind: word(DOCUMENT_KINDS),
  accountId: ref(),
  year: whole(),
  /** Given by the database. */
  sequence: whole().byDefault(),
  month: day().orNull(),
  batchId: ref().orNull(),
  currency: text(),
  openingNanos: nanos().orNull(),
  totalNanos: nanos(),
  closingNanos: nanos().orNull(),
  issuedAt: time(),
});
export type DocumentRow = Row<typeof documents>;

export const documentNumbers = table(
  'document_numbers',
  { kind: text(), year: whole(), last: whole() },
  { key: ['kind', 'year'] },
);

export const documentMonths = table(
  'document_months',
  { month: day(), doneAt: time().byDefault() },
  { key: ['month'] },
);

export const documentFiles = table(
  'document_files',
  { documentId: ref(), format: word(DOCUMENT_FORMATS), bytes: bytes() },
  { key: ['documentId', 'format'] },
);
