import { inTransaction } from '../../db/postgres.ts';
import { type FieldError, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  enterReview,
  given,
  type OwnedKey,
  reenterReview,
  referenceFaults,
  refuse,
} from './inventory-lifecycle.ts';
import { runStep } from '../core/run-once.ts';

/** interface 2.3; undefined leaves what is stored, null clears it. */
export interface AdFields {
  name?: string | undefined;
  creativeId?: number | undefined;
  /** Null falls back to the campaign's. */
  landingUrl?: string | null | undefined;
  title?: string | null | undefined;
  description?: string | null | undefined;
  buttonText?: string | null | undefined;
  brandName?: string | null | undefined;
  displayUrl?: string | null | undefined;
  weight?: number | undefined;
}

export type NewAd = AdFields & {
  advertiserId: number;
  adGroupId: number;
  creativeId: number;
  name: string;
  saveAsDraft: boolean;
};

/** What a viewer sees or is led to. */
const VISIBLE = [
  'creativeId',
  'landingUrl',
  'title',
  'description',
  'buttonText',
  'brandName',
  'displayUrl',
] as const;

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
        const owned = { adGroupId, creativeId, name, campaignId, advertiserId };
        const row = await Ads.create(
          { ...given(fields), ...owned, auditStatus: 'DRAFT' },
          { transaction: tx },
        );
        await enterReview(deps, tx, { type: 'ad', id: row.id, advertiserId, saveAsDraft });
        return row.id;
      });
    },

    /** Copy, creative and landing page go through review again; name and weight do not. */
    async updateAd(
      key: OwnedKey,
      { adGroupId, ...fields }: AdFields & { adGroupId?: number | undefined },
    ): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const row = await Ads.findOne({
          where: { id: key.id, advertiserId: key.advertiserId },
          transaction: tx,
          lock: tx.LOCK.UPDATE,
        });
        if (row === null || row.status === 'ARCHIVED') throw notFound();
        expectVersion(key.ifMatch, row.version);
        const references = [
          { field: 'creative_id', table: 'creatives' as const, id: fields.creativeId },
        ];
        refuse([
          ...(await referenceFaults(deps, tx, { advertiserId: key.advertiserId, references })),
          ...(adGroupId === undefined || adGroupId === row.adGroupId ? [] : [MOVED]),
        ]);
        const before = VISIBLE.map((field) => row[field]);
        row.set(given(fields));
        const visible = VISIBLE.some((field, index) => row[field] !== before[index]);
        row.version += 1;
        await row.save({ transaction: tx });
        const { auditStatus } = row;
        await reenterReview(deps, tx, { ...key, type: 'ad', auditStatus, visible });
      });
    },
  };
}

const MOVED: FieldError = {
  field: 'adgroup_id',
  code: 'immutable',
  message: 'An ad stays in its ad group.',
};
