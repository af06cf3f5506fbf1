import { json, text, time } from '../schema/column.ts';
import type { Json } from './json.ts';
import { type Row, table } from '../schema/table.ts';

export const effects = table(
  'effects',
  {
    key: text(),
    result: json<Json>().orNull(),
    createdAt: time().byDefault(),
  },
  { key: ['key'] },
);
export type EffectRow = Row<typeof effects>;
