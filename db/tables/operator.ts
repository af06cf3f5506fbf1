import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { accountLifecycle } from '../../domain/lifecycle/account.ts';
import { id, ref, state, text, time, whole, word } from '../schema/column.ts';
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
});
export type OperatorRow = Row<typeof operators>;
