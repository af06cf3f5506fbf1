import { day, nanos, ref, text } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const rollupAdTraits = table(
  'rollup_ad_traits',
  {
    day: day(),
    advertiserId: ref(),
    campaignId: ref(),
    country: text(),
    device: text(),
    os: text(),
    browser: text(),
    impressions: ref().byDefault(),
    viewable: ref().byDefault(),
    clicks: ref().byDefault(),
    conversions: ref().byDefault(),
    removed: ref().byDefault(),
    spendNanos: nanos().byDefault(),
    views: ref().byDefault(),
  },
  { key: ['advertiserId', 'day', 'campaignId', 'country', 'device', 'os', 'browser'] },
);
export type RollupAdTraitRow = Row<typeof rollupAdTraits>;
