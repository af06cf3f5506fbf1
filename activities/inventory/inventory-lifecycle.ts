import type { Model, ModelStatic, Transaction } from 'sequelize';
import { type Db, inTransaction, runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { ref } from '../../db/schema/column.ts';
import { moveRow, moveSql, NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import { readRows, select } from '../../db/schema/selection.ts';
import { runStep } from '../core/run-once.ts';
import type { FieldChange } from '../../db/tables/audit-entry.ts';
import { TABLES } from '../../db/tables/index.ts';
import type { ReviewedTable } from '../../db/tables/reviewed.ts';
import { type FieldError, invalid, notFound } from '../../domain/errors.ts';
import type { AssetType } from '../../domain/inventory.ts';
import type { AuditStatus, OwnerAction, OwnerStatus } from '../../domain/lifecycle/review.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import { OWNER_VERBS as VERBS, recordOwn, statusChange } from '../core/history.ts';
import { publishInventory } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { submitReview, withdrawReview } from '../review/reviews.ts';
import { isRevised, submitRevision } from '../review/revisions.ts';
import { requireSource } from './creative-source.ts';

/** What campaigns, ad groups, ads and creatives have in common: an owner, a status, a review. */
export type InventoryType = 'campaign' | 'adgroup' | 'ad' | 'creative';

/** A record of one advertiser. Another's reads as if it did not exist. */
export interface RecordKey {
  id: number;
  advertiserId: number;
  /** Versions that the caller has seen (If-Match); undefined when it did not say. */
  ifMatch?: readonly number[] | undefined;
}

export interface InventoryKey extends RecordKey {
  type: InventoryType;
}

const NAMES = {
  campaign: 'campaigns',
  adgroup: 'adGroups',
  ad: 'ads',
  creative: 'creatives',
} as const satisfies Record<InventoryType, keyof typeof TABLES>;

const tableOf = (type: InventoryType): ReviewedTable => TABLES[NAMES[type]];

type Editable = (typeof NAMES)[InventoryType] | 'trackers';

/** Holds a record for this transaction. Raises not_found when it is archived, precondition_failed. */
export async function lockRecord<Name extends Editable>(
  db: Db,
  tx: Transaction,
  name: Name,
  { id, advertiserId, ifMatch }: RecordKey,
): Promise<RecordOf<Name>> {
  const model = db.models[name] as ModelStatic<Model>;
  const where = { id, advertiserId };
  const found = await model.findOne({ where, transaction: tx, lock: tx.LOCK.UPDATE });
  const record = found as RecordOf<Editable> | null;
  if (record === null || record.status === 'ARCHIVED') throw notFound();
  expectVersion(ifMatch, record.version);
  return record as RecordOf<Name>;
}

type Defined<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Sequelize would write an undefined field as NULL over the column's default. */
export function definedOnly<Fields extends object>(fields: Fields): Defined<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Fields>;
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
      action: 'enter',
      ...(revision === undefined ? {} : { revision }),
    });
  }
  const { type, id, advertiserId: accountId } = key;
  await recordOwn(deps.db, tx, { accountId, action: `${type}.create`, subject: { type, id } });
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
  edit: InventoryKey & { auditStatus: AuditStatus; visible: boolean; changes: FieldChange[] },
): Promise<void> {
  const underReview = edit.auditStatus === 'APPROVED' || edit.auditStatus === 'PENDING';
  if (edit.visible && underReview) {
    await submitReview(deps, tx, { type: edit.type, id: edit.id, accountId: edit.advertiserId });
  }
  await recordEdit(deps, tx, edit);
  await publishAdvertiser(deps, tx, edit.advertiserId);
}

/** A line of its owner's history; an update that changes nothing is none. */
export async function recordEdit(
  { db }: Pick<ActivityDeps, 'db'>,
  tx: Transaction,
  { type, id, advertiserId: accountId, changes }: HistoryKey & { changes: FieldChange[] },
): Promise<void> {
  if (changes.length === 0) return;
  const subject = { type, id };
  await recordOwn(db, tx, { accountId, action: `${type}.update`, subject, changes });
}

type HistoryKey = Omit<InventoryKey, 'type'> & { type: InventoryType | 'tracker' };

/** A thing that the request names: it must be the advertiser's own and not archived. */
export interface Reference {
  field: string;
  table: 'campaigns' | 'ad_groups' | 'creatives' | 'trackers' | 'media';
  id: number | null | undefined;
  mediaType?: AssetType;
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
    const message =
      mediaType === undefined
        ? 'There is no such thing of yours.'
        : `There is no such thing of yours of type ${mediaType}.`;
    faults.push({ field, code: 'unknown', message });
  }
  return faults;
}

export function refuse(faults: FieldError[]): void {
  if (faults.length > 0) throw invalid(...faults);
}

/** What hangs below a thing and goes with it when it is archived. */
const CHILDREN: Readonly<Record<InventoryType, readonly Child[]>> = {
  campaign: [
    { type: 'adgroup', by: 'campaign_id' },
    { type: 'ad', by: 'campaign_id' },
  ],
  adgroup: [{ type: 'ad', by: 'adgroup_id' }],
  ad: [],
  creative: [],
};
interface Child {
  type: InventoryType;
  /** Column that names the parent. */
  by: string;
}

/** Lifecycle steps that all four share. Raise not_found for foreign and archived rows. */
export function createInventoryActivities(deps: ActivityDeps) {
  const { db } = deps;
  return {
    /** ACTIVE and PAUSED only. */
    toggleInventory: async (key: InventoryKey): Promise<void> => {
      await runStep(db, `${key.type}.toggle`, async (tx) => {
        await moveInventory(deps, tx, key, 'toggle');
      });
    },

    /** Soft: money refers to these rows. What is below goes along, with its open reviews. */
    archiveInventory: async (key: InventoryKey): Promise<void> => {
      await inTransaction(db, async (tx) => {
        await moveInventory(deps, tx, key, 'archive');
      });
    },

    /** Legal from DRAFT and REJECTED, otherwise state_conflict (interface 3). */
    submitInventory: async (key: InventoryKey): Promise<void> => {
      await runStep(db, `${key.type}.submit:${key.id}`, async (tx) => {
        await submitRecord(deps, tx, key);
      });
    },
  };
}

/** What its owner does to a thing's status, in the caller's transaction. */
export async function moveInventory(
  deps: ActivityDeps,
  tx: Transaction,
  key: InventoryKey,
  action: OwnerAction,
): Promise<void> {
  const { before, after } = await moveStatus(deps.db, tx, key, action);
  const { type, id, advertiserId: accountId } = key;
  await recordOwn(deps.db, tx, {
    accountId,
    action: `${type}.${VERBS[after]}`,
    subject: { type, id },
    changes: statusChange(before, after),
  });
  if (action === 'archive') {
    await withdrawReview(deps, tx, key);
    for (const child of CHILDREN[key.type]) await archiveChildren(deps, tx, key, child);
  }
  await publishAdvertiser(deps, tx, key.advertiserId);
}

/** Its owner asks for a review, in the caller's transaction. */
export async function submitRecord(
  deps: ActivityDeps,
  tx: Transaction,
  key: InventoryKey,
): Promise<void> {
  const { type, id, advertiserId: accountId } = key;
  const record = await lockRecord(deps.db, tx, NAMES[type], key);
  record.version += 1;
  await record.save({ transaction: tx });
  const subject = { type, id, accountId, action: 'submit' as const };
  if ('creativeType' in record) await requireSource(deps.db, tx, record);
  if (isRevised(type) && 'latestRevision' in record) {
    const revision = record.latestRevision;
    await submitReview(deps, tx, { ...subject, revision });
    await submitRevision(deps, tx, { type, id, revision });
  } else {
    await submitReview(deps, tx, subject);
  }
  await recordOwn(deps.db, tx, { accountId, action: `${type}.submit`, subject: { type, id } });
  await publishAdvertiser(deps, tx, accountId);
}

async function moveStatus(
  db: Db,
  tx: Transaction,
  key: InventoryKey,
  action: OwnerAction,
): Promise<{ before: OwnerStatus; after: OwnerStatus }> {
  const { id, status: before } = await lockRecord(db, tx, NAMES[key.type], key);
  const set = { version: NEXT_VERSION, updatedAt: NOW };
  const move = { state: 'status', action, where: { id }, set } as const;
  const { status: after } = await moveRow(runner(db, tx), tableOf(key.type), move);
  return { before, after };
}

const GONE = select({ id: ref().of('gone.id') });

async function archiveChildren(
  deps: ActivityDeps,
  tx: Transaction,
  parent: RecordKey,
  { type, by }: Child,
): Promise<void> {
  const table = tableOf(type);
  const { set, only } = moveSql(table, 'status', 'archive');
  const archived = await readRows(
    runner(deps.db, tx),
    GONE,
    `WITH gone AS (
       UPDATE ${table.name} SET ${set}, version = version + 1, updated_at = now()
       WHERE ${by} = $1 AND advertiser_id = $2 AND ${only} RETURNING id)
     SELECT ${GONE.list} FROM gone JOIN reviews r
       ON r.subject_type = $3 AND r.subject_id = gone.id AND r.status = 'OPEN'`,
    [parent.id, parent.advertiserId, type],
  );
  for (const { id } of archived) await withdrawReview(deps, tx, { type, id });
}
