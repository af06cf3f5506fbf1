import { randomBytes } from 'node:crypto';
import { postEntries } from '../../activities/core/ledger.ts';
import { type Db, inTransaction } from '../../db/postgres.ts';
import { depositCredited, depositReceived } from '../../domain/ledger/postings.ts';
import type { RecordOf } from '../../db/schema/models.ts';

type Account = RecordOf<'accounts'>;
type Ad = RecordOf<'ads'>;
type AdGroup = RecordOf<'adGroups'>;
type Campaign = RecordOf<'campaigns'>;
type Creative = RecordOf<'creatives'>;
type CreativeRevision = RecordOf<'creativeRevisions'>;
type Site = RecordOf<'sites'>;
type Zone = RecordOf<'zones'>;

/** Rows as the platform's own writes would have left them: approved, active, paid for. */
type Overrides<Model> = Partial<{ [Key in keyof Model]: Model[Key] }>;

const unique = (): string => randomBytes(6).toString('hex');
export const nanos = (units: number): bigint => BigInt(Math.round(units * 1e9));

async function buildAccount(db: Db, kind: 'ADVERTISER' | 'PUBLISHER'): Promise<Account> {
  const name = `${kind.toLowerCase()}_${unique()}`;
  return await db.models.accounts.create({
    kind,
    username: name,
    email: `${name}@example.test`,
    passwordHash: 'no login',
    nickname: name,
  });
}

/** `balance` in units arrives by the same ledger postings as a deposit's. */
export async function buildAdvertiser(
  db: Db,
  options: { balance?: number; status?: 'ACTIVE' | 'SUSPENDED' } = {},
): Promise<Account> {
  const account = await buildAccount(db, 'ADVERTISER');
  if (options.status !== undefined)
    await account.update({ status: options.status }, { hooks: false });
  if ((options.balance ?? 100) > 0) await addBalance(db, account.id, options.balance ?? 100);
  return account;
}

export async function addBalance(db: Db, advertiserId: number, units: number): Promise<void> {
  const receipt = {
    receiptId: Number.parseInt(unique(), 16),
    depositId: 1,
    provider: 'bank',
    amountNanos: nanos(units),
  };
  await inTransaction(db, async (tx) => {
    await postEntries(db, tx, depositReceived(receipt));
    await postEntries(db, tx, depositCredited({ ...receipt, advertiserId }));
  });
}

export interface CampaignTree {
  campaign: Campaign;
  adGroup: AdGroup;
  creative: Creative;
  revision: CreativeRevision;
  ad: Ad;
}

export interface CampaignTreeOptions {
  campaign?: Overrides<Campaign>;
  adGroup?: Overrides<AdGroup>;
  creative?: Overrides<Creative>;
  revision?: Overrides<CreativeRevision>;
  ad?: Overrides<Ad>;
}

/** Campaign, ad group, image creative of 300x250 with its approved revision, ad. Bid 2 per mille. */
export async function buildCampaignTree(
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
    ...options.ad,
  });
  return { campaign, adGroup, creative, revision, ad };
}

export interface PublisherZone {
  publisher: Account;
  site: Site;
  zone: Zone;
}

/** Publisher with a verified, approved site and a banner zone of 300x250. */
export async function buildPublisherZone(
  db: Db,
  options: { site?: Overrides<Site>; zone?: Overrides<Zone>; publisher?: Account } = {},
): Promise<PublisherZone> {
  const publisher = options.publisher ?? (await buildAccount(db, 'PUBLISHER'));
  const site = await db.models.sites.create({
    publisherId: publisher.id,
    name: 'Site',
    domain: `${unique()}.example`,
    verifyToken: unique(),
    verifyStatus: 'VERIFIED',
    auditStatus: 'APPROVED',
    ...options.site,
  });
  const zone = await db.models.zones.create({
    publisherId: publisher.id,
    siteId: site.id,
    name: 'Zone',
    zoneKey: `zone_${unique().slice(0, 7)}x`,
    pricingTypes: 'CPC,CPM,CPA,CPS,CPV',
    auditStatus: 'APPROVED',
    ...options.zone,
  });
  return { publisher, site, zone };
}

/** As above, of a film in the advertiser's library: 640x360, `seconds` long (2). */
export async function buildVideoTree(
  db: Db,
  advertiserId: number,
  { seconds = 2, campaign }: { seconds?: number; campaign: Overrides<Campaign> },
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
  return await buildCampaignTree(db, advertiserId, {
    campaign,
    creative: { creativeType: 'video', type: 'VIDEO' },
    revision: { imageMediaId: null, videoMediaId: film.id },
  });
}
