import { inTransaction } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { AD_CONTENT, type AdContent } from '../../db/tables/ad-revision.ts';
import { AD_FIELDS, type AdFields, ads } from '../../db/tables/ad.ts';
import { type FieldError, notFound } from '../../domain/errors.ts';
import { changesBetween, valuesOf } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';
import { submitReview } from '../review/reviews.ts';
import { createRevision, writeRevision } from '../review/revisions.ts';
import {
  definedOnly,
  enterReview,
  lockRecord,
  publishAdvertiser,
  recordEdit,
  type RecordKey,
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

const contentOf = (row: RecordOf<'ads'>): AdContent =>
  Object.fromEntries(AD_CONTENT.map((name) => [name, row[name] ?? null])) as AdContent;

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
        const { id } = row;
        const auditStatus = saveAsDraft ? 'DRAFT' : 'PENDING';
        const content = contentOf(row);
        await createRevision(deps, tx, { type: 'ad', id, revision: 1, auditStatus, content });
        await enterReview(deps, tx, { type: 'ad', id, advertiserId, saveAsDraft, revision: 1 });
        return id;
      });
    },

    /**
     * Copy, creative and landing page become a new revision, and the approved one serves on until it is
     * approved (interface 2.5); name and weight are its owner's own business.
     */
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
        const visible = AD_CONTENT.some((field) => row[field] !== before[field]);
        const changes = changesBetween(ads, AD_FIELDS, { before, after: row });
        row.version += 1;
        const { id } = row;
        const content = contentOf(row);
        if (visible) await writeRevision(deps, tx, row, { type: 'ad', id, content });
        await row.save({ transaction: tx });
        if (visible && row.auditStatus !== 'DRAFT') {
          const { latestRevision: revision } = row;
          await submitReview(deps, tx, { type: 'ad', id, accountId: key.advertiserId, revision });
        }
        await recordEdit(deps, tx, { ...key, type: 'ad', changes });
        await publishAdvertiser(deps, tx, key.advertiserId);
      });
    },
  };
}

const MOVED: FieldError = {
  field: 'adgroup_id',
  code: 'immutable',
  message: 'An ad stays in its ad group.',
};
