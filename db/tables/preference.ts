import { LANGUAGES, PERSON_TYPES, THEMES } from '../../domain/person.ts';
import { ref, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const preferences = table(
  'preferences',
  {
    personType: word(PERSON_TYPES),
    personId: ref(),
    language: word(LANGUAGES),
    timeZone: text(),
    theme: word(THEMES),
    updatedAt: time().byDefault(),
  },
  { key: ['personType', 'personId'] },
);
export type PreferenceRow = Row<typeof preferences>;
