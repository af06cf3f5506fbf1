import type { Transaction } from 'sequelize';
import type { FrequencyCap } from '../../db/tables/json.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import type { BidAdjustments } from '../../domain/auction/bid-adjustments.ts';
import { type FieldError, invalid, notFound } from '../../domain/errors.ts';
import {
  type AuditStatus,
  type OwnerStatus,
  ownerLifecycle,
} from '../../domain/lifecycle/review.ts';
import { transition } from '../../domain/lifecycle/transition.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import type { ActivityDeps } from '../deps.ts';
import { publishInventory } from '../core/outbox.ts';
import { REVIEW_SUBJECTS } from '../review/review-subjects.ts';
import { submitReview, withdrawReview } from '../review/reviews.ts';
import { runStep } from '../core/run-once.ts';
import { moveRows } from '../../db/schema/move.ts';
import { creativeRevisions } from '../../db/tables/creative-revision.ts';

/** What campaigns, ad groups, ads and creatives have in common: an owner, a status, a review. */
export type InventoryType = 'campaign' | 'adgroup' | 'ad' | 'creative';

export interface OwnedKey {
  id: number;
  advertiserId: number;
  /** Versions that the caller has seen (If-Match); undefined when it did not say. */
  ifMatch?: readonly number[] | undefined;
}

export interface InventoryKey extends OwnedKey {
  type: InventoryType;
}

/** Shared by campaign and ad group; undefined leaves what is stored, null clears it. */
export interface TargetingFields {
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
  targetCountries?: string[] | null | undefined;
  targetDevices?: string[] | null | undefined;
  targetOs?: string[] | null | undefined;
  targetBrowsers?: string[] | null | undefined;
  targetHours?: number[] | null | undefined;
  weekdays?: number[] | null | undefined;
  bidAdjustments?: BidAdjustments | null | undefined;
  frequencyCap?: FrequencyCap | null | undefined;
}

type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Sequelize would write an undefined field as NULL over the column's default. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<Fields>;
}

/** Serving follows any of these changes within a second. */
export async function publishAdvertiser(
  deps: ActivityDeps,
  tx: Transaction,
  advertiserId: number,
): Promise<void> {
  await publishInventory(deps.outbox, tx, { topic: 'advertiser', id: advertiserId });
}

/** A new thing is written as DRAFT and enters review in the same transaction (interface 3). */
export async function enterReview(
  deps: ActivityDeps,
  tx: Transaction,
  key: InventoryKey & { saveAsDraft: boolean; revision?: number },
): Promise<void> {
  if (!key.saveAsDraft) {
    const { type, id, advertiserId: accountId, revision } = key;
    await submitReview(deps, tx, {
      type,
      id,
      accountId,
      ...(revision === undefined ? {} : { revision }),
    });
  }
  await publishAdvertiser(deps, tx, key.advertiserId);
}

/**
 * An edit of what a viewer sees is reviewed again, in a new round. A draft and a rejected thing
 * wait until their owner submits them; bids, budgets, targeting and schedules are the owner's own
 * business.
 */
export async function reenterReview(
  deps: ActivityDeps,
  tx: Transaction,
  edit: InventoryKey & { auditStatus: AuditStatus; visible: boolean },
): Promise<void> {
  const underReview = edit.auditStatus === 'APPROVED' || edit.auditStatus === 'PENDING';
  if (edit.visible && underReview) {
    await submitReview(deps, tx, { type: edit.type, id: edit.id, accountId: edit.advertiserId });
  }
  await publishAdvertiser(deps, tx, edit.advertiserId);
}

/** A thing that the request names: it must be the advertiser's own and not archived. */
export interface Reference {
  field: string;
  table: 'campaigns' | 'ad_groups' | 'creatives' | 'trackers' | 'media';
  id: number | null | undefined;
  mediaType?: 'IMAGE' | 'VIDEO' | 'HTML5';
}

/**
 * One fault per reference that is unknown or another owner's, which read the same. The share lock
 * keeps a parent from being archived before its child is written.
 */
export async function referenceFaults(
  deps: ActivityDeps,
  tx: Transaction,
  { advertiserId, references }: { advertiserId: number; references: Reference[] },
): Promise<FieldError[]> {
  const faults: FieldError[] = [];
  for (const { field, table, id, mediaType } of references) {
    if (id === null || id === undefined) continue;
    const ofType = mediaType === undefined ? '' : `AND type = '${mediaType}'`;
    const { rows } = await runner(deps.db, tx).query(
      `SELECT id FROM ${table} WHERE id = $1 AND advertiser_id = $2 AND status <> 'ARCHIVED' ${ofType} FOR SHARE`,
      [id, advertiserId],
    );
    if (rows.length > 0) continue;
    const kind = mediaType === undefined ? '' : ` of type ${mediaType}`;
    faults.push({ field, code: 'unknown', message: `There is no such thing of yours${kind}.` });
  }
  return faults;
}

export function refuse(faults: FieldError[]): void {
  if (faults.length > 0) throw invalid(...faults);
}

/** What hangs below a thing and goes with it when it is archived. */
const CHILDREN: Readonly<Record<InventoryType, readonly { type: InventoryType; by: string }[]>> = {
  campaign: [
    { type: 'adgroup', by: 'campaign_id' },
    { type: 'ad', by: 'campaign_id' },
  ],
  adgroup: [{ type: 'ad', by: 'adgroup_id' }],
  ad: [],
  creative: [],
};

/** Lifecycle steps that all four share. Raise not_found for foreign and archived rows. */
export function createOwnedActivities(deps: ActivityDeps) {
  return {
    /** ACTIVE and PAUSED only. */
    toggleInventory: async (key: InventoryKey): Promise<void> => {
      await runStep(deps.db, `${key.type}.toggle`, async (tx) => {
        await moveStatus(deps, tx, key, 'toggle');
        await publishAdvertiser(deps, tx, key.advertiserId);
      });
    },

    /** Soft: money refers to these rows. What is below goes along, with its open reviews. */
    archiveInventory: async (key: InventoryKey): Promise<void> => {
      await inTransaction(deps.db, async (tx) => {
        await moveStatus(deps, tx, key, 'archive');
        await withdrawReview(deps, tx, key);
        for (const child of CHILDREN[key.type]) await archiveChildren(deps, tx, key, child);
        await publishAdvertiser(deps, tx, key.advertiserId);
      });
    },

    /** Legal from DRAFT and REJECTED, otherwise state_conflict (interface 3). */
    submitInventory: async (key: InventoryKey): Promise<void> => {
      await runStep(deps.db, `${key.type}.submit:${key.id}`, async (tx) => {
        const { type, id, advertiserId: accountId } = key;
        const { rows } = await runner(deps.db, tx).query<{ revision: number | null }>(
          SUBMITTED_REVISION[type],
          [id, accountId],
        );
        const revision = rows[0]?.revision ?? undefined;
        const subject = { type, id, accountId, action: 'submit' as const };
        await submitReview(deps, tx, revision === undefined ? subject : { ...subject, revision });
        if (revision !== undefined) await reopenRevision(deps, tx, id, revision);
        await publishAdvertiser(deps, tx, accountId);
      });
    },
  };
}

/** Locks and counts the write, so that two submissions at once stand in line; a creative answers its revision. */
const SUBMITTED_REVISION: Readonly<Record<InventoryType, string>> = {
  campaign: submitSql('campaign', 'NULL::int'),
  adgroup: submitSql('adgroup', 'NULL::int'),
  ad: submitSql('ad', 'NULL::int'),
  creative: submitSql('creative', 'latest_revision'),
};

function submitSql(type: InventoryType, revision: string): string {
  const { table } = REVIEW_SUBJECTS[type];
  return `UPDATE ${table} SET version = version + 1 WHERE id = $1 AND advertiser_id = $2
    RETURNING ${revision} AS revision`;
}

async function reopenRevision(
  deps: ActivityDeps,
  tx: Transaction,
  creativeId: number,
  revision: number,
): Promise<void> {
  await moveRows(runner(deps.db, tx), creativeRevisions, {
    state: 'auditStatus',
    action: 'submit',
    where: { creativeId, revision },
    set: { auditReasons: null },
  });
}

async function moveStatus(
  deps: ActivityDeps,
  tx: Transaction,
  key: InventoryKey,
  action: 'toggle' | 'archive',
): Promise<void> {
  const { table } = REVIEW_SUBJECTS[key.type];
  const sql = runner(deps.db, tx);
  const found = await sql.query<{ status: OwnerStatus; version: number }>(
    `SELECT status, version FROM ${table}
     WHERE id = $1 AND advertiser_id = $2 AND status <> 'ARCHIVED' FOR UPDATE`,
    [key.id, key.advertiserId],
  );
  const [row] = found.rows;
  if (row === undefined) throw notFound();
  const from = row.status;
  expectVersion(key.ifMatch, row.version);
  const to = transition(ownerLifecycle, from, action);
  await sql.query(
    `UPDATE ${table} SET status = $3, version = version + 1, updated_at = now()
     WHERE id = $1 AND advertiser_id = $2 AND status = $4 RETURNING id`,
    [key.id, key.advertiserId, to, from],
  );
}

async function archiveChildren(
  deps: ActivityDeps,
  tx: Transaction,
  parent: OwnedKey,
  { type, by }: { type: InventoryType; by: string },
): Promise<void> {
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `WITH gone AS (
       UPDATE ${REVIEW_SUBJECTS[type].table} SET status = 'ARCHIVED', version = version + 1, updated_at = now()
       WHERE ${by} = $1 AND advertiser_id = $2 AND status <> 'ARCHIVED' RETURNING id)
     SELECT gone.id FROM gone JOIN reviews r
       ON r.subject_type = $3 AND r.subject_id = gone.id AND r.status = 'OPEN'`,
    [parent.id, parent.advertiserId, type],
  );
  for (const { id } of rows) await withdrawReview(deps, tx, { type, id: Number(id) });
}
