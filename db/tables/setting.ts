import { json, ref, text, time, whole } from '../schema/column.ts';
import type { Json } from './json.ts';
import { type Row, table } from '../schema/table.ts';

export const settings = table(
  'settings',
  {
    key: text(),
    value: json<Json>(),
    updatedBy: ref().orNull(),
    updatedAt: time().byDefault(),
    version: whole().byDefault(),
  },
  { key: ['key'] },
);
export type SettingRow = Row<typeof settings>;
