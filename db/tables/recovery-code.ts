import { PERSON_TYPES } from '../../domain/person.ts';
import { id, ref, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const recoveryCodes = table('recovery_codes', {
  id: id(),
  personType: word(PERSON_TYPES),
  personId: ref(),
  codeHash: text(),
  usedAt: time().orNull(),
  expiresAt: time().orNull(),
  createdAt: time().byDefault(),
});
export type RecoveryCodeRow = Row<typeof recoveryCodes>;
