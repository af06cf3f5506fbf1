import type { QueryClient } from '@tanstack/react-query';
import { list as listAds } from '../../../queries/advertiser/ad.ts';
import { list as listCampaigns } from '../../../queries/advertiser/campaign.ts';
import { list as listCreatives } from '../../../queries/advertiser/creative.ts';

/** As many reasons as somebody reads at once. */
const SHOWN_MAX = 5;
const asked = { audit_status: 'REJECTED', page_size: SHOWN_MAX } as const;

export const anyCampaigns = listCampaigns({});
/** What reviewers sent back. */
export const rejectedCampaigns = listCampaigns(asked);
export const rejectedAds = listAds(asked);
export const rejectedCreatives = listCreatives(asked);

/** All that is read to know what needs an advertiser, begun before its page is there. */
export function beginNeeded(queryClient: QueryClient): void {
  void queryClient.prefetchQuery(anyCampaigns);
  void queryClient.prefetchQuery(rejectedCampaigns);
  void queryClient.prefetchQuery(rejectedAds);
  void queryClient.prefetchQuery(rejectedCreatives);
}
