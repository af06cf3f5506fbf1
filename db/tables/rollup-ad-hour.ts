import { nanos, ref, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const rollupAdHours = table(
  'rollup_ad_hours',
  {
    hour: time(),
    advertiserId: ref(),
    campaignId: ref(),
    adGroupId: ref().named('adgroup_id'),
    adId: ref(),
    creativeId: ref(),
    impressions: ref().byDefault(),
    viewable: ref().byDefault(),
    clicks: ref().byDefault(),
    conversions: ref().byDefault(),
    removed: ref().byDefault(),
    spendNanos: nanos().byDefault(),
    views: ref().byDefault(),
  },
  { key: ['advertiserId', 'hour', 'campaignId', 'adGroupId', 'adId', 'creativeId'] },
);
export type RollupAdHourRow = Row<typeof rollupAdHours>;
