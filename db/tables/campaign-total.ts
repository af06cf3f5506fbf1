import { nanos, ref } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const campaignTotals = table(
  'campaign_totals',
  {
    campaignId: ref(),
    capNanos: nanos().orNull(),
    spentNanos: nanos().byDefault(),
  },
  { key: ['campaignId'] },
);
export type CampaignTotalRow = Row<typeof campaignTotals>;
