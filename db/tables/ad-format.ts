import type { ZoneType } from '../../domain/zone-settings.ts';
import { id, text, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const adFormats = table('ad_formats', {
  id: id(),
  code: text(),
  name: text(),
  adType: text<ZoneType>(),
  width: whole().orNull(),
  height: whole().orNull(),
});
export type AdFormatRow = Row<typeof adFormats>;
