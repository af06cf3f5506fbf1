import type { Transaction } from 'sequelize';
import { inTransaction } from '../../db/postgres.ts';
import { ADGROUP_FIELDS, type AdGroupFields, adGroups } from '../../db/tables/ad-group.ts';
import type { FieldError } from '../../domain/errors.ts';
import { scheduleFaults } from '../../domain/inventory.ts';
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

export type NewAdGroup = AdGroupFields & {
  advertiserId: number;
  campaignId: number;
  name: string;
  saveAsDraft: boolean;
};

export function createAdGroupActivities(deps: ActivityDeps) {
  const { adGroups: AdGroups } = deps.db.models;
  return {
    /** Answers the id. Raises 422 with every fault. */
    async createAdGroup(input: NewAdGroup): Promise<number> {
      return await runStep(deps.db, 'adgroup.create', async (tx) => {
        const { saveAsDraft, advertiserId, ...fields } = input;
        const { campaignId } = fields;
        refuse([
          ...scheduleFaults(fields.startDate ?? null, fields.endDate ?? null),
          ...(await campaignFault(deps, tx, { advertiserId, campaignId })),
        ]);
        const row = await AdGroups.create(
          {
            ...definedOnly(fields),
            name: input.name,
            campaignId,
            advertiserId,
            auditStatus: 'DRAFT',
          },
          { transaction: tx },
        );
        await enterReview(deps, tx, { type: 'adgroup', id: row.id, advertiserId, saveAsDraft });
        return row.id;
      });
    },

    /** Null inherits from the campaign (interface 2.3). Nothing of an ad group is seen by a viewer, so an edit needs no new review. */
    async updateAdGroup(
      key: RecordKey,
      { campaignId, ...fields }: AdGroupFields & { campaignId?: number | undefined },
    ): Promise<void> {
      await inTransaction(
        deps.db,
        async (tx) => await changeAdGroup(deps, tx, key, { campaignId, ...fields }),
      );
    },
  };
}

/** One ad group's edit, in the caller's transaction. */
export async function changeAdGroup(
  deps: ActivityDeps,
  tx: Transaction,
  key: RecordKey,
  { campaignId, ...fields }: AdGroupFields & { campaignId?: number | undefined },
): Promise<void> {
  const row = await lockRecord(deps.db, tx, 'adGroups', key);
  const end = fields.endDate === undefined ? row.endDate : fields.endDate;
  const start = fields.startDate === undefined ? row.startDate : fields.startDate;
  refuse([
    ...scheduleFaults(start, end),
    ...(campaignId === undefined || campaignId === row.campaignId ? [] : [MOVED]),
  ]);
  const before = valuesOf(row, ADGROUP_FIELDS);
  row.set(definedOnly(fields));
  const changes = changesBetween(adGroups, ADGROUP_FIELDS, { before, after: row });
  row.version += 1;
  await row.save({ transaction: tx });
  const { auditStatus } = row;
  await reenterReview(deps, tx, { ...key, type: 'adgroup', auditStatus, visible: false, changes });
}

const MOVED: FieldError = {
  field: 'campaign_id',
  code: 'immutable',
  message: 'An ad group stays in its campaign.',
};

async function campaignFault(
  deps: ActivityDeps,
  tx: Transaction,
  { advertiserId, campaignId }: { advertiserId: number; campaignId: number },
): Promise<FieldError[]> {
  return await referenceFaults(deps, tx, {
    advertiserId,
    references: [{ field: 'campaign_id', table: 'campaigns', id: campaignId }],
  });
}
