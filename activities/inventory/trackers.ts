import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { conflict, type FieldError, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import type { ActivityDeps } from '../deps.ts';
import { given, type OwnedKey, refuse } from './inventory-lifecycle.ts';
import { runStep } from '../core/run-once.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRecord } from '../core/move-record.ts';
type Tracker = RecordOf<'trackers'>;

/** interface 2.7; undefined leaves what is stored. */
export interface TrackerFields {
  name?: string | undefined;
  type?: 'PIXEL' | 'POSTBACK' | 'JS' | 'IMPORT' | undefined;
  eventType?: string | undefined;
  countMode?: 'ONE' | 'EVERY' | undefined;
  requireSig?: boolean | undefined;
  conversionValueNanos?: bigint | undefined;
  attributionWindow?: number | undefined;
  postbackUrl?: string | null | undefined;
  pixelCode?: string | null | undefined;
  status?: 'ACTIVE' | 'PAUSED' | undefined;
}

/** 128 bits: a code is public on the advertiser's page, but nobody guesses another one. */
const CODE_BYTES = 16;

export function createTrackerActivities({ db }: Pick<ActivityDeps, 'db'>) {
  const { trackers: Trackers } = db.models;

  const lock = async (tx: Transaction, key: OwnedKey): Promise<Tracker> => {
    const tracker = await Trackers.findOne({
      where: { id: key.id, advertiserId: key.advertiserId },
      transaction: tx,
      lock: tx.LOCK.UPDATE,
    });
    if (tracker === null || tracker.status === 'ARCHIVED') throw notFound();
    return tracker;
  };

  return {
    /** Answers the id; the tracking code is generated. Raises 422 for require_sig of another type. */
    async createTracker(
      input: TrackerFields & { advertiserId: number; name: string },
    ): Promise<number> {
      return await runStep(db, 'tracker.create', async (tx) => {
        const { advertiserId, name, ...fields } = input;
        refuse(signatureFaults(fields.type ?? 'PIXEL', fields.requireSig ?? false));
        const row = await Trackers.create(
          { ...given(fields), advertiserId, name, trackingCode: newTrackingCode() },
          { transaction: tx },
        );
        return row.id;
      });
    },

    /** Raises not_found and, when `ifMatch` names other versions only, precondition_failed. */
    async updateTracker(key: OwnedKey, fields: TrackerFields): Promise<void> {
      await inTransaction(db, async (tx) => {
        const tracker = await lock(tx, key);
        expectVersion(key.ifMatch, tracker.version);
        const requireSig = fields.requireSig ?? tracker.requireSig;
        refuse(signatureFaults(fields.type ?? tracker.type, requireSig));
        const version = tracker.version + 1;
        const { status, ...others } = given(fields);
        if (status !== undefined && status !== tracker.status) {
          await moveRecord(db, tx, 'trackers', {
            record: tracker,
            state: 'status',
            action: 'toggle',
          });
        }
        await tracker.update({ ...others, version }, { transaction: tx });
      });
    },

    /** The old code is unknown from now on. Answers the new one. */
    async regenerateTrackingCode(key: OwnedKey): Promise<string> {
      return await runStep(db, 'tracker.regenerate_code', async (tx) => {
        const tracker = await lock(tx, key);
        const trackingCode = newTrackingCode();
        const version = tracker.version + 1;
        await tracker.update({ trackingCode, version }, { transaction: tx });
        return trackingCode;
      });
    },

    /** 409 while a campaign bills by it: its conversions would have no price any more. */
    async archiveTracker(key: OwnedKey): Promise<void> {
      await inTransaction(db, async (tx) => {
        const tracker = await lock(tx, key);
        expectVersion(key.ifMatch, tracker.version);
        const { rows } = await runner(db, tx).query<{ id: string }>(
          `SELECT id FROM campaigns WHERE tracker_id = $1 AND advertiser_id = $2 AND status <> 'ARCHIVED'
           ORDER BY id LIMIT 10`,
          [key.id, key.advertiserId],
        );
        if (rows.length > 0) {
          throw conflict('A campaign uses this tracker.', {
            campaign_ids: rows.map(({ id }) => Number(id)),
          });
        }
        const version = tracker.version + 1;
        await moveRecord(db, tx, 'trackers', {
          record: tracker,
          state: 'status',
          action: 'archive',
        });
        await tracker.update({ version }, { transaction: tx });
      });
    },
  };
}

/** A page's own code cannot keep a secret, so only a server's reports can be signed. */
function signatureFaults(type: string, requireSig: boolean): FieldError[] {
  if (!requireSig || type === 'POSTBACK') return [];
  const message = 'Only a POSTBACK tracker may require a signature.';
  return [{ field: 'require_sig', code: 'not_for_type', message }];
}

const newTrackingCode = (): string => randomBytes(CODE_BYTES).toString('hex');
