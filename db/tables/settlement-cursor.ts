import { digits, ref, time, whole, xid8 } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const settlementCursors = table(
  'settlement_cursors',
  {
    shard: whole(),
    xid: xid8().byDefault(),
    seq: ref().byDefault(),
    batches: ref().byDefault(),
    events: ref().byDefault(),
    settledAt: time().byDefault(),
    cluster: digits().orNull(),
    adoptedAt: time().byDefault(),
    latestAt: time().byDefault(),
  },
  { key: ['shard'] },
);
export type SettlementCursorRow = Row<typeof settlementCursors>;
