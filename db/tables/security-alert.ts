import { PERSON_TYPES } from '../../domain/person.ts';
import { id, ref, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const securityAlerts = table('security_alerts', {
  id: id(),
  tokenHash: text(),
  personType: word(PERSON_TYPES),
  personId: ref(),
  event: text(),
  usedAt: time().orNull(),
  expiresAt: time(),
  createdAt: time().byDefault(),
});
export type SecurityAlertRow = Row<typeof securityAlerts>;
