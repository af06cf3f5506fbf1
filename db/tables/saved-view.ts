import { PERSON_TYPES } from '../../domain/person.ts';
import { flag, id, json, ref, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const savedViews = table('saved_views', {
  id: id(),
  personType: word(PERSON_TYPES),
  personId: ref(),
  page: text(),
  name: text(),
  state: json<Record<string, unknown>>(),
  isDefault: flag().byDefault(),
  isShared: flag().byDefault(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
});
export type SavedViewRow = Row<typeof savedViews>;
