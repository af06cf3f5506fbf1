import type { QueryClient, UseQueryOptions } from '@tanstack/react-query';
import type { AdvertiserProfile } from '../../../../client/routes.ts';
import { list as listAds } from '../../../queries/advertiser/ad.ts';
import { list as listCampaigns } from '../../../queries/advertiser/campaign.ts';
import { list as listConversions } from '../../../queries/advertiser/conversion.ts';
import { list as listCreatives } from '../../../queries/advertiser/creative.ts';

/** As many reasons as somebody reads at once. */
const SHOWN_MAX = 5;
const asked = { audit_status: 'REJECTED', page_size: SHOWN_MAX } as const;

export const anyCampaigns = listCampaigns({});
export const adsInReview = listAds({ audit_status: 'PENDING', page_size: 1 });
export const creativesInReview = listCreatives({ audit_status: 'PENDING', page_size: 1 });
/** What reviewers sent back. */
export const rejectedCampaigns = listCampaigns(asked);
export const rejectedAds = listAds(asked);
export const rejectedCreatives = listCreatives(asked);
/** Held ones that nothing but a decision ends well: the others are billed at their date. */
export const DOUBTED = { status: 'PENDING', finding: 'any' } as const;
export const doubtedConversions = listConversions({ ...DOUBTED, page_size: 1 });
/** What its owner began and nobody looks at. */
const drafted = { audit_status: 'DRAFT', page_size: SHOWN_MAX } as const;
export const draftCampaigns = listCampaigns(drafted);
export const draftCreatives = listCreatives(drafted);

/** Longer than anybody waits for a first ad: who has shown nothing for a while knows the way. */
const NEW_FOR_MS = 30 * 86_400_000;

/** Whether the account is led along the path to its first ad. */
export const isNew = (
  who: Pick<AdvertiserProfile, 'created_at'> | undefined,
  impressions: number | undefined,
): boolean =>
  impressions === 0 && who !== undefined && Date.now() - Date.parse(who.created_at) <= NEW_FOR_MS;

/** All that is read to know what needs an advertiser. */
export const NEEDED = [
  anyCampaigns,
  rejectedCampaigns,
  rejectedAds,
  rejectedCreatives,
  doubtedConversions,
  draftCampaigns,
  draftCreatives,
] as const;

/** Begun before its page is there. */
export function beginNeeded(queryClient: QueryClient): void {
  for (const each of NEEDED) void queryClient.prefetchQuery(each as UseQueryOptions);
}
