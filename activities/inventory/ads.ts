import { inTransaction } from '../../db/postgres.ts';
import { AD_COPY, AD_FIELDS, type AdFields, ads } from '../../db/tables/ad.ts';
import { type FieldError, notFound } from '../../domain/errors.ts';
import { changesBetween, valuesOf } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  definedOnly,
  enterReview,
  lockRecord,
  type RecordKey,
  reenterReview,
  referenceFaults,
  refuse,
} from './inventory-lifecycle.ts';
import { runStep } from '../core/run-once.ts';

export type NewAd = AdFields & {
  advertiserId: number;
  adGroupId: number;
  creativeId: number;
  name: string;
  saveAsDraft: boolean;
};

/** What a viewer sees or is led to. */
const VISIBLE = ['creativeId', 'landingUrl', ...AD_COPY] as const;

export function createAdActivities(deps: ActivityDeps) {
  const { ads: Ads, adGroups: AdGroups } = deps.db.models;
  return {
    /** Answers the id. Raises 422 with every fault. */
    async createAd(input: NewAd): Promise<number> {
      return await runStep(deps.db, 'ad.create', async (tx) => {
        const { saveAsDraft, advertiserId, ...fields } = input;
        const { adGroupId, creativeId, name } = fields;
        refuse(
          await referenceFaults(deps, tx, {
            advertiserId,
            references: [
              { field: 'adgroup_id', table: 'ad_groups', id: adGroupId },
              { field: 'creative_id', table: 'creatives', id: creativeId },
            ],
          }),
        );
        const group = await AdGroups.findOne({
          where: { id: adGroupId, advertiserId },
          transaction: tx,
        });
        if (group === null) throw notFound();
        const { campaignId } = group;
        const parents = { advertiserId, campaignId, adGroupId, creativeId };
        const row = await Ads.create(
          { ...definedOnly(fields), ...parents, name, auditStatus: 'DRAFT' },
          { transaction: tx },
        );
        await enterReview(deps, tx, { type: 'ad', id: row.id, advertiserId, saveAsDraft });
        return row.id;
      });
    },

    /** Copy, creative and landing page go through review again; name and weight do not. */
    async updateAd(
      key: RecordKey,
      { adGroupId, ...fields }: AdFields & { adGroupId?: number | undefined },
    ): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const row = await lockRecord(deps.db, tx, 'ads', key);
        const references = [
          { field: 'creative_id', table: 'creatives' as const, id: fields.creativeId },
        ];
        refuse([
          ...(await referenceFaults(deps, tx, { advertiserId: key.advertiserId, references })),
          ...(adGroupId === undefined || adGroupId === row.adGroupId ? [] : [MOVED]),
        ]);
        const before = valuesOf(row, AD_FIELDS);
        row.set(definedOnly(fields));
        const visible = VISIBLE.some((field) => row[field] !== before[field]);
        const changes = changesBetween(ads, AD_FIELDS, { before, after: row });
        row.version += 1;
        await row.save({ transaction: tx });
        const { auditStatus } = row;
        await reenterReview(deps, tx, { ...key, type: 'ad', auditStatus, visible, changes });
      });
    },
  };
}

const MOVED: FieldError = {
  field: 'adgroup_id',
  code: 'immutable',
  message: 'An ad stays in its ad group.',
};
