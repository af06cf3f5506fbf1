import { flag, id, ref, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const passwordResets = table('password_resets', {
  id: id(),
  /** Absent where an operator reads it. */
  accountId: ref().orNull(),
  memberId: ref().orNull(),
  operatorId: ref().orNull(),
  tokenHash: text(),
  expiresAt: time(),
  endedAt: time().orNull(),
  createdAt: time().byDefault(),
  fromKnownDevice: flag().byDefault(),
});
export type PasswordResetRow = Row<typeof passwordResets>;
