import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { accountLifecycle } from '../../domain/lifecycle/account.ts';
import { flag, id, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const operators = table('operators', {
  id: id(),
  username: text(),
  email: text(),
  emailConfirmedAt: time().orNull(),
  passwordHash: text(),
  nickname: text().orNull(),
  role: word(OPERATOR_ROLES),
  status: state(accountLifecycle).byDefault(),
  tokenVersion: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
  version: whole().byDefault(),
  createdBy: ref().orNull(),
  vouchedBy: ref().orNull(),
  /** Whether a task that a colleague gives them is told by a letter as well. */
  taskLetters: flag().byDefault(),
});
export type OperatorRow = Row<typeof operators>;
