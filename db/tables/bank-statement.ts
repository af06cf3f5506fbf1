import { STATEMENT_FORMATS } from '../../domain/bank-statement/lines.ts';
import { day, flag, id, nanos, ref, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const bankStatements = table('bank_statements', {
  id: id(),
  account: text(),
  fileName: text().orNull(),
  format: word(STATEMENT_FORMATS),
  sha256: text().named('sha256'),
  lineCount: whole(),
  addedCount: whole(),
  outgoingCount: whole(),
  operatorId: ref(),
  createdAt: time().byDefault(),
});
export type BankStatementRow = Row<typeof bankStatements>;

export const bankStatementLines = table('bank_statement_lines', {
  id: id(),
  statementId: ref(),
  account: text(),
  line: whole(),
  bookedOn: day(),
  amountNanos: nanos(),
  currency: text(),
  reference: text(),
  payer: text().orNull(),
  remittance: text().orNull(),
  orderReference: text().orNull(),
  hasSeveral: flag().byDefault(),
  receiptId: ref().orNull(),
  recordedBy: ref().orNull(),
  recordedAt: time().orNull(),
  createdAt: time().byDefault(),
});
