import { PERSON_TYPES } from '../../domain/person.ts';
import { id, ref, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const sessions = table('sessions', {
  id: id(),
  personType: word(PERSON_TYPES),
  personId: ref(),
  tokenId: text(),
  device: text(),
  network: text(),
  country: text().orNull(),
  provenAt: time().orNull(),
  createdAt: time(),
  lastSeenAt: time(),
  expiresAt: time(),
  endedAt: time().orNull(),
});
export type SessionRow = Row<typeof sessions>;
