import { day, nanos, ref, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const earningsMatured = table(
  'earnings_matured',
  {
    publisherId: ref(),
    shard: whole(),
    day: day(),
    maturedNanos: nanos(),
    /** Taken back before it matured. */
    reversedNanos: nanos().byDefault(),
  },
  { key: ['publisherId', 'shard', 'day'] },
);
export type MaturedEarningsRow = Row<typeof earningsMatured>;
