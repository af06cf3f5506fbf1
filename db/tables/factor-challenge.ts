import { CHALLENGE_PURPOSES } from '../../domain/second-factor.ts';
import { PERSON_TYPES } from '../../domain/person.ts';
import { id, ref, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const factorChallenges = table('factor_challenges', {
  id: id(),
  ticketHash: text(),
  purpose: word(CHALLENGE_PURPOSES),
  personType: word(PERSON_TYPES),
  personId: ref(),
  sessionTokenId: text().orNull(),
  challenge: text(),
  tries: whole().byDefault(),
  usedAt: time().orNull(),
  expiresAt: time(),
  createdAt: time().byDefault(),
});
export type FactorChallengeRow = Row<typeof factorChallenges>;
