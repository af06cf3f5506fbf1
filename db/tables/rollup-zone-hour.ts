import { nanos, ref, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const rollupZoneHours = table(
  'rollup_zone_hours',
  {
    hour: time(),
    publisherId: ref(),
    siteId: ref(),
    zoneId: ref(),
    requests: ref().byDefault(),
    filled: ref().byDefault(),
    impressions: ref().byDefault(),
    viewable: ref().byDefault(),
    clicks: ref().byDefault(),
    conversions: ref().byDefault(),
    removed: ref().byDefault(),
    revenueNanos: nanos().byDefault(),
    views: ref().byDefault(),
  },
  { key: ['publisherId', 'hour', 'siteId', 'zoneId'] },
);
export type RollupZoneHourRow = Row<typeof rollupZoneHours>;
