import { day, nanos, ref, text } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const rollupZoneTraits = table(
  'rollup_zone_traits',
  {
    day: day(),
    publisherId: ref(),
    siteId: ref(),
    zoneId: ref(),
    country: text(),
    device: text(),
    os: text(),
    browser: text(),
    impressions: ref().byDefault(),
    viewable: ref().byDefault(),
    clicks: ref().byDefault(),
    conversions: ref().byDefault(),
    removed: ref().byDefault(),
    revenueNanos: nanos().byDefault(),
    views: ref().byDefault(),
  },
  { key: ['publisherId', 'day', 'siteId', 'zoneId', 'country', 'device', 'os', 'browser'] },
);
export type RollupZoneTraitRow = Row<typeof rollupZoneTraits>;
