import type { TestDatabase } from '../database.ts';
import { makeAdvertiser, makePublisher } from './account.ts';
import { makeCampaignTree } from './campaign.ts';
import { nanos } from './money.ts';
import { makeSite } from './place.ts';

export interface ReviewRows {
  advertiserId: number;
  publisherId: number;
  campaignId: number;
  adGroupId: number;
  creativeId: number;
  adId: number;
  siteId: number;
}

/** A campaign with one of each under it, and a site; nothing is submitted for review yet. */
export async function makeReviewRows({ db }: TestDatabase): Promise<ReviewRows> {
  const { id: advertiserId } = await makeAdvertiser(db);
  const { id: publisherId } = await makePublisher(db);
  const waiting = { name: 'Spring', auditStatus: 'PENDING' } as const;
  const { campaign, adGroup, creative, ad } = await makeCampaignTree(db, advertiserId, {
    campaign: { ...waiting, bidNanos: nanos(1), landingUrl: 'https://shop.example/spring' },
    adGroup: waiting,
    creative: { ...waiting, approvedRevision: null },
    revision: { auditStatus: 'PENDING' },
    ad: waiting,
  });
  const site = await makeSite(db, publisherId, {
    name: 'Gazette',
    verifyStatus: 'UNVERIFIED',
    auditStatus: 'PENDING',
  });
  return {
    advertiserId,
    publisherId,
    campaignId: campaign.id,
    adGroupId: adGroup.id,
    creativeId: creative.id,
    adId: ad.id,
    siteId: site.id,
  };
}
