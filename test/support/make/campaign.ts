import { randomBytes } from 'node:crypto';
import type { Db } from '../../../db/postgres.ts';
import type { RecordOf } from '../../../db/schema/models.ts';
import { AD_CONTENT, type AdContent } from '../../../db/tables/ad-revision.ts';
import { nanos } from './money.ts';

type Ad = RecordOf<'ads'>;
type AdGroup = RecordOf<'adGroups'>;
type Campaign = RecordOf<'campaigns'>;
type Creative = RecordOf<'creatives'>;
type CreativeRevision = RecordOf<'creativeRevisions'>;

const unique = (): string => randomBytes(6).toString('hex');

/** Rows as the platform's own writes and a reviewer's approval leave them. */
export interface CampaignTree {
  campaign: Campaign;
  adGroup: AdGroup;
  creative: Creative;
  revision: CreativeRevision;
  ad: Ad;
}

export interface CampaignTreeOptions {
  campaign?: Partial<Campaign>;
  adGroup?: Partial<AdGroup>;
  creative?: Partial<Creative>;
  revision?: Partial<CreativeRevision>;
  ad?: Partial<Ad>;
}

/** Campaign, ad group, image creative of 300x250 with its approved revision, ad. Bid 2 per mille. */
export async function makeCampaignTree(
  db: Db,
  advertiserId: number,
  options: CampaignTreeOptions = {},
): Promise<CampaignTree> {
  const { models } = db;
  const approved = { advertiserId, auditStatus: 'APPROVED' } as const;
  const campaign = await models.campaigns.create({
    ...approved,
    name: 'Campaign',
    adType: 'BANNER',
    bidNanos: nanos(2),
    pricingModel: 'CPM',
    rotationMode: 'ASAP',
    landingUrl: 'https://shop.example/landing',
    approvedLandingUrl: options.campaign?.landingUrl ?? 'https://shop.example/landing',
    ...options.campaign,
  });
  const adGroup = await models.adGroups.create({
    ...approved,
    campaignId: campaign.id,
    name: 'Ad group',
    ...options.adGroup,
  });
  const image = await models.media.create({
    advertiserId,
    type: 'IMAGE',
    mime: 'image/png',
    width: 300,
    height: 250,
    bytes: 1_000,
    sha256: unique(),
    path: `ab/${randomBytes(16).toString('hex')}.png`,
  });
  const creative = await models.creatives.create({
    ...approved,
    name: 'Creative',
    creativeType: 'image',
    type: 'IMAGE',
    latestRevision: 1,
    approvedRevision: 1,
    ...options.creative,
  });
  const revision = await models.creativeRevisions.create({
    creativeId: creative.id,
    revision: 1,
    width: 300,
    height: 250,
    imageMediaId: image.id,
    auditStatus: 'APPROVED',
    ...options.revision,
  });
  const ad = await models.ads.create({
    ...approved,
    campaignId: campaign.id,
    adGroupId: adGroup.id,
    creativeId: creative.id,
    name: 'Ad',
    title: 'A title',
    description: 'A description',
    approvedRevision: (options.ad?.auditStatus ?? 'APPROVED') === 'APPROVED' ? 1 : null,
    ...options.ad,
  });
  await models.adRevisions.create({
    ...contentOf(ad),
    adId: ad.id,
    revision: 1,
    auditStatus: ad.auditStatus,
  });
  return { campaign, adGroup, creative, revision, ad };
}

const contentOf = (ad: Ad): AdContent =>
  Object.fromEntries(AD_CONTENT.map((name) => [name, ad[name] ?? null])) as AdContent;

/** As above, of a film in the advertiser's library: 640x360, `seconds` long (2). */
export async function makeVideoTree(
  db: Db,
  advertiserId: number,
  { seconds = 2, campaign }: { seconds?: number; campaign: Partial<Campaign> },
): Promise<CampaignTree> {
  const name = unique();
  const film = await db.models.media.create({
    advertiserId,
    type: 'VIDEO',
    mime: 'video/mp4',
    width: 640,
    height: 360,
    bytes: 50_000,
    durationS: seconds,
    sha256: name,
    path: `vi/${name.repeat(3).slice(0, 32)}.mp4`,
  });
  return await makeCampaignTree(db, advertiserId, {
    campaign,
    creative: { creativeType: 'video', type: 'VIDEO' },
    revision: { imageMediaId: null, videoMediaId: film.id },
  });
}
