import { BALANCE_KINDS, STATEMENT_FORMATS } from '../../domain/bank-statement/lines.ts';
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
  paysOut: flag().byDefault(),
  takesIn: flag().byDefault(),
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
  direction: word(['IN', 'OUT']).byDefault(),
  isReversal: flag().byDefault(),
  identity: text().orNull(),
  payoutReference: text().orNull(),
  explanation: text().orNull(),
  explainedBy: ref().orNull(),
  explainedAt: time().orNull(),
});

export const bankStatementBalances = table(
  'bank_statement_balances',
  { statementId: ref(), kind: word(BALANCE_KINDS), onDay: day(), amountNanos: nanos() },
  { key: ['statementId', 'kind', 'onDay'] },
);
