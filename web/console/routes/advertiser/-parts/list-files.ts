import type { Ad, AdGroup, Campaign, Creative } from '../../../../client/routes.ts';
import type { ListFile } from '../../../parts/list-file.ts';
import { list as listAdGroups } from '../../../queries/advertiser/ad-group.ts';
import { list as listCampaigns } from '../../../queries/advertiser/campaign.ts';
import { list as listCreatives } from '../../../queries/advertiser/creative.ts';

const STATE = ['status', 'audit_status', 'delivery_status', 'delivery_reasons'] as const;
const OF_CAMPAIGN = { id: 'campaign_id', as: 'campaign_name', list: listCampaigns({}) } as const;
const OF_GROUP = { id: 'adgroup_id', as: 'adgroup_name', list: listAdGroups({}) } as const;
const OF_CREATIVE = { id: 'creative_id', as: 'creative_name', list: listCreatives({}) } as const;

/** What the files of this side's lists have of each row. */
export const LIST_FILES = {
  campaign: {
    name: 'campaigns',
    fields: [
      'id',
      'name',
      ...STATE,
      'pricing_model',
      'bid',
      'daily_budget',
      'total_budget',
      'start_date',
      'end_date',
      'created_at',
    ],
  } satisfies ListFile<Campaign>,
  adgroup: {
    name: 'ad-groups',
    fields: [
      'id',
      'name',
      'campaign_id',
      ...STATE,
      'bid',
      'daily_budget',
      'start_date',
      'end_date',
      'created_at',
    ],
    named: [OF_CAMPAIGN],
  } satisfies ListFile<AdGroup>,
  ad: {
    name: 'ads',
    fields: [
      'id',
      'name',
      'campaign_id',
      'adgroup_id',
      'creative_id',
      ...STATE,
      'weight',
      'landing_url',
      'created_at',
    ],
    named: [OF_CAMPAIGN, OF_GROUP, OF_CREATIVE],
  } satisfies ListFile<Ad>,
  creative: {
    name: 'creatives',
    fields: ['id', 'name', 'creative_type', 'width', 'height', ...STATE, 'created_at'],
  } satisfies ListFile<Creative>,
};
