import { FACTOR_KINDS } from '../../domain/second-factor.ts';
import { PERSON_TYPES } from '../../domain/person.ts';
import { bytes, id, json, ref, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const factors = table('factors', {
  id: id(),
  personType: word(PERSON_TYPES),
  personId: ref(),
  kind: word(FACTOR_KINDS),
  name: text(),
  sealedSecret: text().orNull(),
  lastStep: ref().orNull(),
  credentialId: text().orNull(),
  publicKey: bytes().orNull(),
  signCount: ref().orNull(),
  transports: json<string[]>().byDefault(),
  confirmedAt: time().orNull(),
  lastUsedAt: time().orNull(),
  createdAt: time().byDefault(),
});
export type FactorRow = Row<typeof factors>;
