import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { sqlNames } from '../../db/schema/table.ts';
import { ADGROUP_FIELDS, adGroups } from '../../db/tables/ad-group.ts';
import { AD_CONTENT, adRevisions } from '../../db/tables/ad-revision.ts';
import { AD_FIELDS, ads } from '../../db/tables/ad.ts';
import { CAMPAIGN_FIELDS, type CampaignFields, campaigns } from '../../db/tables/campaign.ts';
import { type FieldError, notFound } from '../../domain/errors.ts';
import {
  BID_REQUIRED,
  campaignBid,
  type CampaignBid,
  campaignFaults,
  scheduleFaults,
} from '../../domain/inventory.ts';
import { changesBetween, recordOwn, valuesOf } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  definedOnly,
  enterReview,
  lockRecord,
  publishAdvertiser,
  type RecordKey,
  reenterReview,
  referenceFaults,
  refuse,
} from './inventory-lifecycle.ts';
import { runStep } from '../core/run-once.ts';

/** What its owner says; price and bid become what it bids (domain/inventory.ts). */
export type CampaignPatch = Omit<CampaignFields, keyof CampaignBid> & {
  bidNanos?: bigint | null | undefined;
  priceNanos?: bigint | null | undefined;
};

export type NewCampaign = CampaignPatch & {
  advertiserId: number;
  name: string;
  saveAsDraft: boolean;
};

/** That a bid follows the price is no field of the record: the bid says it. */
const SHOWN_FIELDS = CAMPAIGN_FIELDS.filter((name) => name !== 'bidFollowsPrice');

const NAME_LENGTH_MAX = 255;
const COPY_SUFFIX = ' (copy)';

export function createCampaignActivities(deps: ActivityDeps) {
  const { campaigns: Campaigns } = deps.db.models;
  return {
    /** Answers the id. Raises 422 with every fault; campaign_option_id may stand for ad_type. */
    async createCampaign(input: NewCampaign): Promise<number> {
      return await runStep(deps.db, 'campaign.create', async (tx) => {
        const { saveAsDraft, advertiserId, bidNanos, priceNanos, ...fields } = input;
        const option = await readOption(deps, tx, fields);
        const adType = fields.adType ?? option.adType;
        const bid = campaignBid({ bidNanos, priceNanos });
        const faults = await faultsOf(deps, tx, { advertiserId, fields });
        refuse([...(bid === undefined ? [BID_REQUIRED] : []), ...faults, ...option.faults]);
        if (adType === undefined) throw new Error('ad_type passed validation but is missing');
        if (bid === undefined) throw new Error('a campaign without a bid was not refused');
        const values = { ...definedOnly(fields), ...bid, name: input.name };
        const row = await Campaigns.create(
          { ...values, adType, advertiserId, auditStatus: 'DRAFT' },
          { transaction: tx },
        );
        await enterReview(deps, tx, { type: 'campaign', id: row.id, advertiserId, saveAsDraft });
        return row.id;
      });
    },

    /** The landing page goes through review again. A budget below what is spent is exhausted. */
    async updateCampaign(key: RecordKey, fields: CampaignPatch): Promise<void> {
      await inTransaction(deps.db, async (tx) => await changeCampaign(deps, tx, key, fields));
    },

    /** A DRAFT with its ad groups and ads, which are drafts too. Answers the new id. */
    async copyCampaign(key: RecordKey): Promise<number> {
      return await runStep(deps.db, 'campaign.copy', async (tx) => {
        const source = await lockRecord(deps.db, tx, 'campaigns', key);
        const sql = runner(deps.db, tx);
        // Cut between characters, of which some are two UTF-16 units.
        const kept = Array.from(source.name).slice(0, NAME_LENGTH_MAX - COPY_SUFFIX.length);
        const name = kept.join('') + COPY_SUFFIX;
        const copy = await readRow(sql, COPY, COPY_CAMPAIGN, [key.id, key.advertiserId, name]);
        if (copy === undefined) throw notFound();
        await sql.query(COPY_CHILDREN, [key.id, key.advertiserId, copy.id]);
        await recordOwn(deps.db, tx, {
          accountId: key.advertiserId,
          action: 'campaign.copy',
          subject: { type: 'campaign', id: copy.id },
          changes: [{ field: 'copy_of', before: null, after: key.id }],
        });
        await publishAdvertiser(deps, tx, key.advertiserId);
        return copy.id;
      });
    },
  };
}

/** One campaign's edit, in the caller's transaction. */
export async function changeCampaign(
  deps: ActivityDeps,
  tx: Transaction,
  key: RecordKey,
  { bidNanos, priceNanos, ...fields }: CampaignPatch,
): Promise<void> {
  const campaign = await lockRecord(deps.db, tx, 'campaigns', key);
  const isRetyped = fields.adType !== undefined && fields.adType !== campaign.adType;
  const option = await readOption(deps, tx, {
    // One that was named before speaks for its ad type as long as it stands.
    campaignOptionId:
      fields.campaignOptionId === undefined && isRetyped
        ? campaign.campaignOptionId
        : fields.campaignOptionId,
    adType: fields.adType ?? (fields.campaignOptionId === undefined ? undefined : campaign.adType),
  });
  const { advertiserId } = key;
  const bid = campaignBid({ bidNanos, priceNanos }, campaign);
  const faults = await faultsOf(deps, tx, { advertiserId, fields, stored: campaign });
  refuse([...(bid === undefined ? [BID_REQUIRED] : []), ...faults, ...option.faults]);
  const before = valuesOf(campaign, SHOWN_FIELDS);
  campaign.set({ ...definedOnly(fields), ...bid });
  const changes = changesBetween(campaigns, SHOWN_FIELDS, { before, after: campaign });
  // Of a campaign a viewer notices only where it leads.
  const visible = campaign.changed('landingUrl');
  campaign.version += 1;
  await campaign.save({ transaction: tx });
  const { auditStatus } = campaign;
  await reenterReview(deps, tx, { ...key, type: 'campaign', auditStatus, visible, changes });
}

interface Checked {
  advertiserId: number;
  fields: CampaignPatch;
  stored?: RecordOf<'campaigns'>;
}

/** Rules over several fields, looked at as the row will stand. */
async function faultsOf(
  deps: ActivityDeps,
  tx: Transaction,
  { advertiserId, fields, stored }: Checked,
): Promise<FieldError[]> {
  const after = <Key extends 'trackerId' | 'startDate' | 'endDate'>(name: Key) =>
    fields[name] === undefined ? (stored?.[name] ?? null) : fields[name];
  return [
    ...campaignFaults({
      pricingModel: fields.pricingModel ?? stored?.pricingModel ?? 'CPC',
      trackerId: after('trackerId'),
    }),
    ...scheduleFaults(after('startDate'), after('endDate')),
    ...(await referenceFaults(deps, tx, {
      advertiserId,
      references: [{ field: 'tracker_id', table: 'trackers', id: fields.trackerId }],
    })),
  ];
}

/** The ad type that a campaign option stands for; a contradicting ad_type is a fault. */
async function readOption(
  deps: ActivityDeps,
  tx: Transaction,
  fields: Pick<CampaignPatch, 'campaignOptionId' | 'adType'>,
): Promise<{ adType?: string; faults: FieldError[] }> {
  const field = 'campaign_option_id';
  if (fields.campaignOptionId === undefined || fields.campaignOptionId === null)
    return { faults: [] };
  const option = await deps.db.models.adFormats.findByPk(fields.campaignOptionId, {
    transaction: tx,
  });
  if (option === null) return { faults: [{ field, code: 'unknown', message: 'No such option.' }] };
  const { adType } = option;
  if (fields.adType === undefined || fields.adType === adType) return { adType, faults: [] };
  return { faults: [{ field, code: 'mismatch', message: `This option is for ${adType}.` }] };
}

const COPY = select({ id: campaigns.columns.id.of('id') });
const CAMPAIGN_COLUMNS = sqlNames(
  campaigns,
  CAMPAIGN_FIELDS.filter((name) => name !== 'name'),
);
const adGroupColumns = (alias?: string): string => sqlNames(adGroups, ADGROUP_FIELDS, alias);
const adColumns = (alias?: string): string => sqlNames(ads, AD_FIELDS, alias);
const adContent = sqlNames(adRevisions, AD_CONTENT);

const COPY_CAMPAIGN = `INSERT INTO campaigns (advertiser_id, name, audit_status, ${CAMPAIGN_COLUMNS})
  SELECT advertiser_id, $3, 'DRAFT', ${CAMPAIGN_COLUMNS} FROM campaigns
  WHERE id = $1 AND advertiser_id = $2 RETURNING ${COPY.list}`;

/** Ids are drawn first, so that the ads of a group find its copy in the same statement. */
const COPY_CHILDREN = `WITH source AS (
    SELECT g.*, nextval(pg_get_serial_sequence('ad_groups', 'id')) AS copy_id FROM ad_groups g
    WHERE g.campaign_id = $1 AND g.advertiser_id = $2 AND g.status <> 'ARCHIVED' ORDER BY g.id),
  groups AS (
    INSERT INTO ad_groups (id, advertiser_id, campaign_id, audit_status, ${adGroupColumns()})
    SELECT s.copy_id, s.advertiser_id, $3, 'DRAFT', ${adGroupColumns('s')} FROM source s),
  copies AS (
    INSERT INTO ads (advertiser_id, campaign_id, adgroup_id, audit_status, ${adColumns()})
    SELECT a.advertiser_id, $3, s.copy_id, 'DRAFT', ${adColumns('a')}
    FROM source s JOIN ads a ON a.adgroup_id = s.id AND a.status <> 'ARCHIVED' ORDER BY a.id RETURNING *)
  INSERT INTO ad_revisions (ad_id, revision, audit_status, ${adContent})
  SELECT id, 1, 'DRAFT', ${adContent} FROM copies`;
