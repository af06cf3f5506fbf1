import { flag, json, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const idempotencyKeys = table(
  'idempotency_keys',
  {
    scope: text(),
    key: text(),
    requestHash: text(),
    status: whole().orNull(),
    response: json<{ body: string; location: string | null }>().orNull(),
    createdAt: time().byDefault(),
    firstAt: time().byDefault(),
    released: flag().byDefault(),
  },
  { key: ['scope', 'key'] },
);
export type IdempotencyKeyRow = Row<typeof idempotencyKeys>;
