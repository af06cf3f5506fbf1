import { CREATIVE_TYPES, DISPLAY_TYPES } from '../../domain/inventory.ts';
import { id, ref, text, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import { reviewedColumns } from './reviewed.ts';

export const creatives = table('creatives', {
  id: id(),
  advertiserId: ref(),
  name: text(),
  creativeType: word(CREATIVE_TYPES).byDefault(),
  type: word(DISPLAY_TYPES).byDefault(),
  latestRevision: whole().byDefault(),
  approvedRevision: whole().orNull(),
  ...reviewedColumns,
});
export type CreativeRow = Row<typeof creatives>;
