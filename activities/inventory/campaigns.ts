import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { type FieldError, notFound } from '../../domain/errors.ts';
import {
  campaignFaults,
  type PricingModel,
  type RotationMode,
  scheduleFaults,
} from '../../domain/inventory.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  enterReview,
  given,
  type OwnedKey,
  publishAdvertiser,
  reenterReview,
  referenceFaults,
  refuse,
  type TargetingFields,
} from './inventory-lifecycle.ts';
import { runStep } from '../core/run-once.ts';
import type { RecordOf } from '../../db/schema/models.ts';
type Campaign = RecordOf<'campaigns'>;

/** interface 2.3; undefined leaves what is stored, null clears it. Money in nanos. */
export interface CampaignFields extends TargetingFields {
  name?: string | undefined;
  adType?: string | undefined;
  campaignOptionId?: number | null | undefined;
  bidNanos?: bigint | undefined;
  pricingModel?: PricingModel | undefined;
  type?: string | undefined;
  objective?: string | undefined;
  dailyBudgetNanos?: bigint | null | undefined;
  totalBudgetNanos?: bigint | null | undefined;
  landingUrl?: string | null | undefined;
  trackerId?: number | null | undefined;
  rotationMode?: RotationMode | undefined;
}

export type NewCampaign = CampaignFields & {
  advertiserId: number;
  name: string;
  bidNanos: bigint;
  saveAsDraft: boolean;
};

const NAME_LENGTH_MAX = 255;
const COPY_SUFFIX = ' (copy)';

export function createCampaignActivities(deps: ActivityDeps) {
  const { campaigns: Campaigns } = deps.db.models;

  const lock = async (tx: Transaction, key: OwnedKey): Promise<Campaign> => {
    const campaign = await Campaigns.findOne({
      where: { id: key.id, advertiserId: key.advertiserId },
      transaction: tx,
      lock: tx.LOCK.UPDATE,
    });
    if (campaign === null || campaign.status === 'ARCHIVED') throw notFound();
    return campaign;
  };

  return {
    /** Answers the id. Raises 422 with every fault; campaign_option_id may stand for ad_type. */
    async createCampaign(input: NewCampaign): Promise<number> {
      return await runStep(deps.db, 'campaign.create', async (tx) => {
        const { saveAsDraft, advertiserId, ...fields } = input;
        const option = await readOption(deps, tx, fields);
        const adType = fields.adType ?? option.adType;
        refuse([...(await faultsOf(deps, tx, { advertiserId, fields })), ...option.faults]);
        if (adType === undefined) throw new Error('ad_type passed validation but is missing');
        const values = { ...given(fields), name: input.name, bidNanos: input.bidNanos };
        const row = await Campaigns.create(
          { ...values, adType, advertiserId, auditStatus: 'DRAFT' },
          { transaction: tx },
        );
        await enterReview(deps, tx, { type: 'campaign', id: row.id, advertiserId, saveAsDraft });
        return row.id;
      });
    },

    /** Name and landing page go through review again. A budget below what is spent is exhausted. */
    async updateCampaign(key: OwnedKey, fields: CampaignFields): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const campaign = await lock(tx, key);
        expectVersion(key.ifMatch, campaign.version);
        const option = await readOption(deps, tx, {
          ...fields,
          adType:
            fields.adType ?? (fields.campaignOptionId === undefined ? undefined : campaign.adType),
        });
        const { advertiserId } = key;
        const faults = await faultsOf(deps, tx, { advertiserId, fields, stored: campaign });
        refuse([...faults, ...option.faults]);
        campaign.set(given(fields));
        const visible = campaign.changed('name') || campaign.changed('landingUrl');
        campaign.version += 1;
        await campaign.save({ transaction: tx });
        const { auditStatus } = campaign;
        await reenterReview(deps, tx, { ...key, type: 'campaign', auditStatus, visible });
      });
    },

    /** A DRAFT with its ad groups and ads, which are drafts too. Answers the new id. */
    async copyCampaign(key: OwnedKey): Promise<number> {
      return await runStep(deps.db, 'campaign.copy', async (tx) => {
        const source = await lock(tx, key);
        const { rows } = await runner(deps.db, tx).query<{ id: string }>(COPY_CAMPAIGN, [
          key.id,
          key.advertiserId,
          source.name.slice(0, NAME_LENGTH_MAX - COPY_SUFFIX.length) + COPY_SUFFIX,
        ]);
        const [copy] = rows;
        if (copy === undefined) throw notFound();
        await runner(deps.db, tx).query(COPY_CHILDREN, [key.id, key.advertiserId, copy.id]);
        await publishAdvertiser(deps, tx, key.advertiserId);
        return Number(copy.id);
      });
    },
  };
}

interface Checked {
  advertiserId: number;
  fields: CampaignFields;
  stored?: Campaign;
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
  fields: Pick<CampaignFields, 'campaignOptionId' | 'adType'>,
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

const TARGETING_COLUMNS = `start_date, end_date, target_countries, target_devices, target_os,
  target_browsers, target_hours, weekdays, bid_adjustments, frequency_cap`;
const CAMPAIGN_COLUMNS = `ad_type, campaign_option_id, bid_nanos, pricing_model, type, objective,
  daily_budget_nanos, total_budget_nanos, landing_url, tracker_id, rotation_mode, ${TARGETING_COLUMNS}`;
const ADGROUP_COLUMNS = `name, bid_nanos, daily_budget_nanos, ${TARGETING_COLUMNS}`;
const AD_COLUMNS =
  'creative_id, name, landing_url, title, description, button_text, brand_name, display_url, weight';
const prefixed = (alias: string, columns: string): string =>
  columns.replace(/\w+/g, (column) => `${alias}.${column}`);

const COPY_CAMPAIGN = `INSERT INTO campaigns (advertiser_id, name, audit_status, ${CAMPAIGN_COLUMNS})
  SELECT advertiser_id, $3, 'DRAFT', ${CAMPAIGN_COLUMNS} FROM campaigns
  WHERE id = $1 AND advertiser_id = $2 RETURNING id`;

/** Ids are drawn first, so that the ads of a group find its copy in the same statement. */
const COPY_CHILDREN = `WITH source AS (
    SELECT g.*, nextval(pg_get_serial_sequence('ad_groups', 'id')) AS copy_id FROM ad_groups g
    WHERE g.campaign_id = $1 AND g.advertiser_id = $2 AND g.status <> 'ARCHIVED' ORDER BY g.id),
  groups AS (
    INSERT INTO ad_groups (id, advertiser_id, campaign_id, audit_status, ${ADGROUP_COLUMNS})
    SELECT s.copy_id, s.advertiser_id, $3, 'DRAFT', ${prefixed('s', ADGROUP_COLUMNS)} FROM source s)
  INSERT INTO ads (advertiser_id, campaign_id, adgroup_id, audit_status, ${AD_COLUMNS})
  SELECT a.advertiser_id, $3, s.copy_id, 'DRAFT', ${prefixed('a', AD_COLUMNS)}
  FROM source s JOIN ads a ON a.adgroup_id = s.id AND a.status <> 'ARCHIVED' ORDER BY a.id RETURNING id`;
