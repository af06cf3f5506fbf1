import { randomInt } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { violatedConstraint } from '../../db/postgres.ts';
import { conflict, type FieldError, invalid, notFound } from '../../domain/errors.ts';
import type { OwnerAction } from '../../domain/lifecycle/review.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import {
  foreignSettings,
  type ZoneSettingsPatch,
  type ZoneType,
  zoneSettings,
} from '../../domain/zone-settings.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { type ZoneRow, zones } from '../../db/tables/zone.ts';
import type { ActivityDeps } from '../deps.ts';
import { changesBetween, OWNER_VERBS, statusChange, valuesOf } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import { publishInventory } from '../core/outbox.ts';
import { definedOnly, refuse } from '../inventory/inventory-lifecycle.ts';
import { submitReview, withdrawReview } from '../review/reviews.ts';
import { runStep } from '../core/run-once.ts';
import { type FormatFields, namedFormats } from './zone-formats.ts';
import { EDITED, recordZone } from './zone-history.ts';

type Zone = RecordOf<'zones'>;

type Said<Name extends keyof ZoneRow> = { [Each in Name]?: ZoneRow[Each] | undefined };

/** What an owner may say of a zone; undefined leaves the default or what is stored. */
export interface ZoneFields
  extends
    FormatFields,
    Said<'name' | 'position' | 'device' | 'pricingTypes' | 'refresh' | 'rewardCallbackUrl'>,
    Said<'floorPriceCpcNanos' | 'floorPriceCpmNanos'> {
  settings: ZoneSettingsPatch;
}

export type NewZone = ZoneFields & {
  publisherId: number;
  siteId: number;
  name: string;
  saveAsDraft: boolean;
};

export type ZonePatch = ZoneFields & { siteId?: number | undefined };

/** A zone of one publisher. Another's reads as if it did not exist. */
export interface ZoneKey {
  id: number;
  publisherId: number;
  /** Versions that the caller has seen; another one is precondition_failed. */
  ifMatch?: readonly number[] | undefined;
}

const KEY_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const KEY_ATTEMPTS_MAX = 5;
const DEFAULT_TYPE: ZoneType = 'BANNER';

/**
 * `zone_<8 characters>` (interface 2.9). The first one is a letter, so that a key never reads as
 * the digits that stand for a zone's id.
 */
export function newZoneKey(): string {
  const letters = KEY_ALPHABET.replace(/\d/g, '');
  const first = letters.charAt(randomInt(letters.length));
  const rest = Array.from({ length: 7 }, () => KEY_ALPHABET.charAt(randomInt(KEY_ALPHABET.length)));
  return `zone_${first}${rest.join('')}`;
}

export interface ZoneActivityOptions {
  /** Replaced in tests to make keys collide. */
  newKey?: () => string;
}

export function createZoneActivities(deps: ActivityDeps, options: ZoneActivityOptions = {}) {
  const newKey = options.newKey ?? newZoneKey;

  return {
    /** Raises 422 on site_id when it is not the caller's, state_conflict when it is not approved. */
    async createZone(input: NewZone): Promise<number> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runStep(
            deps.db,
            'zone.create',
            async (tx) => await insertZone(deps, tx, { input, newKey }),
          );
        } catch (error) {
          const collided = violatedConstraint(error) === 'zones_zone_key_key';
          if (!collided || attempt >= KEY_ATTEMPTS_MAX) throw error;
        }
      }
    },

    /** site_id never changes (interface 4.10). What a viewer sees goes through review again. */
    async updateZone(key: ZoneKey, patch: ZonePatch): Promise<void> {
      await runStep(deps.db, 'zone.update', async (tx) => {
        await editZone(deps, tx, key, patch);
      });
    },

    /** ACTIVE and PAUSED only. */
    async toggleZone(key: ZoneKey): Promise<void> {
      await runStep(deps.db, 'zone.toggle', async (tx) => {
        await moveZone(deps, tx, key, 'toggle');
      });
    },

    async archiveZone(key: ZoneKey): Promise<void> {
      await runStep(deps.db, 'zone.archive', async (tx) => {
        await moveZone(deps, tx, key, 'archive');
      });
    },

    /** Legal from DRAFT and REJECTED, otherwise state_conflict (interface 3). */
    async submitZoneAudit(key: ZoneKey): Promise<void> {
      await runStep(deps.db, 'zone.submit', async (tx) => {
        await moveZone(deps, tx, key, 'submit_audit');
      });
    },
  };
}

/** One zone's edit, in the caller's transaction. */
export async function editZone(
  deps: ActivityDeps,
  tx: Transaction,
  key: ZoneKey,
  patch: ZonePatch,
): Promise<void> {
  await changeZone(deps, tx, key, async (zone) => {
    const before = valuesOf(zone, EDITED);
    const reviewed = await patchZone(deps, tx, { zone, patch });
    const changes = changesBetween(zones, EDITED, { before, after: zone });
    if (changes.length > 0) await recordZone(deps, tx, key, { verb: 'update', changes });
    if (reviewed && (zone.auditStatus === 'APPROVED' || zone.auditStatus === 'PENDING')) {
      await submitReview(deps, tx, { type: 'zone', id: key.id, accountId: key.publisherId });
    }
  });
}

/** What its owner does to a zone, in the caller's transaction. */
export async function moveZone(
  deps: ActivityDeps,
  tx: Transaction,
  key: ZoneKey,
  action: OwnerAction | 'submit_audit',
): Promise<void> {
  await changeZone(deps, tx, key, async (zone) => {
    const { id, publisherId: accountId } = key;
    if (action === 'submit_audit') {
      await submitReview(deps, tx, { type: 'zone', id, accountId, action: 'submit' });
      await recordZone(deps, tx, key, { verb: 'submit' });
      return;
    }
    const before = zone.status;
    await moveRecord(deps.db, tx, 'zones', { record: zone, state: 'status', action });
    const changes = statusChange(before, zone.status);
    await recordZone(deps, tx, key, { verb: OWNER_VERBS[zone.status], changes });
    if (action === 'archive') await withdrawReview(deps, tx, { type: 'zone', id });
  });
}

/**
 * One change of a zone that is its owner's: locked, saved with a new version, and passed on to serving.
 * Raises not_found and precondition_failed.
 */
async function changeZone(
  deps: ActivityDeps,
  tx: Transaction,
  key: ZoneKey,
  change: (zone: Zone) => Promise<void>,
): Promise<void> {
  const zone = await deps.db.models.zones.findOne({
    where: { id: key.id, publisherId: key.publisherId },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (zone === null || zone.status === 'ARCHIVED') throw notFound();
  expectVersion(key.ifMatch, zone.version);
  zone.version += 1;
  await change(zone);
  await zone.save({ transaction: tx });
  await publishInventory(deps.outbox, tx, { topic: 'publisher', id: key.publisherId });
}

async function insertZone(
  deps: ActivityDeps,
  tx: Transaction,
  { input, newKey }: { input: NewZone; newKey: () => string },
): Promise<number> {
  const { saveAsDraft, settings, ...fields } = input;
  const { publisherId } = input;
  const formats = await namedFormats(deps, tx, fields);
  const type = formats.fields.type ?? fields.type ?? DEFAULT_TYPE;
  refuse([...formats.faults, ...settingFaults(type, input)]);
  await requireApprovedSite(deps, tx, input);
  const zone = await deps.db.models.zones.create(
    {
      ...definedOnly(fields),
      ...formats.fields,
      type,
      publisherId,
      siteId: input.siteId,
      name: input.name,
      zoneKey: newKey(),
      settings: zoneSettings(type, {}, settings),
      auditStatus: 'DRAFT',
    },
    { transaction: tx },
  );
  if (!saveAsDraft) {
    const { id } = zone;
    await submitReview(deps, tx, { type: 'zone', id, accountId: publisherId, action: 'enter' });
  }
  await recordZone(deps, tx, { id: zone.id, publisherId }, { verb: 'create' });
  await publishInventory(deps.outbox, tx, { topic: 'publisher', id: publisherId });
  return zone.id;
}

/** Answers whether something changed that a reviewer looks at. */
async function patchZone(
  deps: ActivityDeps,
  tx: Transaction,
  { zone, patch }: { zone: Zone; patch: ZonePatch },
): Promise<boolean> {
  const { settings, siteId, ...fields } = patch;
  if (siteId !== undefined && siteId !== zone.siteId) {
    const message = 'The site of a zone cannot change.';
    throw invalid({ field: 'site_id', code: 'immutable', message });
  }
  // A format that is named later must fit the type that the zone has, unless that is changed too.
  const type = fields.type ?? zone.type;
  const formats = await namedFormats(deps, tx, { ...fields, type });
  const { faults } = await namedFormats(deps, tx, formatsLeft(zone, { ...fields, type }));
  refuse([...formats.faults, ...faults, ...settingFaults(type, patch)]);
  zone.set({ ...definedOnly(fields), ...formats.fields });
  const visible = ['type', 'width', 'height', 'position'] as const;
  const reviewed = visible.some((field) => zone.changed(field));
  zone.settings = zoneSettings(type, zone.settings, settings);
  // A zone that gives no rewards any more reports none.
  if (type !== 'REWARDED') zone.rewardCallbackUrl = null;
  return reviewed;
}

/** What was named before and is not now has to fit another type as well. */
function formatsLeft(zone: Zone, { type, adFormatId, zoneTypeId }: FormatFields): FormatFields {
  if (type === zone.type) return {};
  return {
    type,
    adFormatId: adFormatId === undefined ? zone.adFormatId : null,
    zoneTypeId: zoneTypeId === undefined ? zone.zoneTypeId : null,
  };
}

function settingFaults(
  type: string,
  { settings, rewardCallbackUrl }: Pick<ZoneFields, 'settings' | 'rewardCallbackUrl'>,
): FieldError[] {
  const faults = foreignSettings(type, settings).map((field): FieldError => ({
    field,
    code: 'not_for_type',
    message: `A zone of type ${type} has no ${field}.`,
  }));
  if (type !== 'REWARDED' && (rewardCallbackUrl ?? null) !== null) {
    const message = `A zone of type ${type} has no rewards to tell of.`;
    faults.push({ field: 'reward_callback_url', code: 'not_for_type', message });
  }
  return faults;
}

/** The lock keeps the site from being archived or suspended between the check and the insert. */
async function requireApprovedSite(
  deps: ActivityDeps,
  tx: Transaction,
  zone: { siteId: number; publisherId: number },
): Promise<void> {
  const site = await deps.db.models.sites.findOne({
    where: { id: zone.siteId, publisherId: zone.publisherId },
    transaction: tx,
    lock: tx.LOCK.SHARE,
  });
  if (site === null || site.status === 'ARCHIVED') {
    throw invalid({ field: 'site_id', code: 'unknown', message: 'This is not one of your sites.' });
  }
  if (site.auditStatus !== 'APPROVED') {
    throw conflict('The site is not approved yet.', { audit_status: site.auditStatus });
  }
}
