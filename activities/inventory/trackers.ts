import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { type Db, inTransaction } from '../../db/postgres.ts';
import { NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import { TRACKER_FIELDS, type TrackerFields, trackers } from '../../db/tables/tracker.ts';
import { conflict, type FieldError } from '../../domain/errors.ts';
import { changesBetween, recordOwn, valuesOf } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  definedOnly,
  lockRecord,
  recordEdit,
  type RecordKey,
  refuse,
} from './inventory-lifecycle.ts';
import { runStep } from '../core/run-once.ts';

/** 128 bits: a code is public on the advertiser's page, but nobody guesses another one. */
const CODE_BYTES = 16;
const CAMPAIGNS_NAMED_MAX = 10;

export function createTrackerActivities({ db }: Pick<ActivityDeps, 'db'>) {
  const { campaigns: Campaigns, trackers: Trackers } = db.models;
  return {
    /** Answers the id; the tracking code is generated. Raises 422 for require_sig of another type. */
    async createTracker(
      input: TrackerFields & { advertiserId: number; name: string },
    ): Promise<number> {
      return await runStep(db, 'tracker.create', async (tx) => {
        const { advertiserId, name, ...fields } = input;
        refuse(signatureFaults(fields.type ?? 'PIXEL', fields.requireSig ?? false));
        const row = await Trackers.create(
          { ...definedOnly(fields), advertiserId, name, trackingCode: newTrackingCode() },
          { transaction: tx },
        );
        await recordTracker(db, tx, { advertiserId, id: row.id }, 'create');
        return row.id;
      });
    },

    /** Raises not_found and, when `ifMatch` names other versions only, precondition_failed. */
    async updateTracker(
      key: RecordKey,
      fields: TrackerFields & { status?: 'ACTIVE' | 'PAUSED' | undefined },
    ): Promise<void> {
      await inTransaction(db, async (tx) => {
        const tracker = await lockRecord(db, tx, 'trackers', key);
        const requireSig = fields.requireSig ?? tracker.requireSig;
        refuse(signatureFaults(fields.type ?? tracker.type, requireSig));
        const version = tracker.version + 1;
        const { status, ...others } = definedOnly(fields);
        const before = valuesOf(tracker, SHOWN);
        if (status !== undefined && status !== tracker.status) {
          await moveRecord(db, tx, 'trackers', {
            record: tracker,
            state: 'status',
            action: 'toggle',
          });
        }
        await tracker.update({ ...others, version }, { transaction: tx });
        const changes = changesBetween(trackers, SHOWN, { before, after: tracker });
        await recordEdit({ db }, tx, { ...key, type: 'tracker', changes });
      });
    },

    /** The old code is unknown from now on. Answers the new one. */
    async regenerateTrackingCode(key: RecordKey): Promise<string> {
      return await runStep(db, 'tracker.regenerate_code', async (tx) => {
        const tracker = await lockRecord(db, tx, 'trackers', key);
        const trackingCode = newTrackingCode();
        const version = tracker.version + 1;
        await tracker.update({ trackingCode, version }, { transaction: tx });
        await recordTracker(db, tx, key, 'regenerate_code');
        return trackingCode;
      });
    },

    /** 409 while a campaign bills by it: its conversions would have no price any more. */
    async archiveTracker(key: RecordKey): Promise<void> {
      await inTransaction(db, async (tx) => {
        const tracker = await lockRecord(db, tx, 'trackers', key);
        const billed = await Campaigns.findAll({
          attributes: ['id'],
          where: {
            trackerId: key.id,
            advertiserId: key.advertiserId,
            status: ['ACTIVE', 'PAUSED'],
          },
          order: [['id', 'ASC']],
          limit: CAMPAIGNS_NAMED_MAX,
          transaction: tx,
        });
        if (billed.length > 0) {
          throw conflict('A campaign uses this tracker.', {
            campaign_ids: billed.map(({ id }) => id),
          });
        }
        await moveRecord(db, tx, 'trackers', {
          record: tracker,
          state: 'status',
          action: 'archive',
          set: { version: NEXT_VERSION, updatedAt: NOW },
        });
        await recordTracker(db, tx, key, 'archive');
      });
    },
  };
}

const SHOWN = [...TRACKER_FIELDS, 'status'];

async function recordTracker(
  db: Db,
  tx: Transaction,
  { id, advertiserId: accountId }: RecordKey,
  verb: 'create' | 'regenerate_code' | 'archive',
): Promise<void> {
  const subject = { type: 'tracker', id };
  await recordOwn(db, tx, { accountId, action: `tracker.${verb}`, subject });
}

/** A page's own code cannot keep a secret, so only a server's reports can be signed. */
function signatureFaults(type: string, requireSig: boolean): FieldError[] {
  if (!requireSig || type === 'POSTBACK') return [];
  const message = 'Only a POSTBACK tracker may require a signature.';
  return [{ field: 'require_sig', code: 'not_for_type', message }];
}

const newTrackingCode = (): string => randomBytes(CODE_BYTES).toString('hex');
