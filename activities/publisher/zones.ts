import { randomInt } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { violatedConstraint } from '../../db/postgres.ts';
import { conflict, type FieldError, invalid, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import {
  foreignSettings,
  type ZoneSettingsPatch,
  zoneSettings,
} from '../../domain/zone-settings.ts';
import type { ActivityDeps } from '../deps.ts';
import { publishInventory } from '../core/outbox.ts';
import { refuse } from '../inventory/inventory-lifecycle.ts';
import { submitReview, withdrawReview } from '../review/reviews.ts';
import { runStep, type StepName } from '../core/run-once.ts';
import { type FormatFields, namedFormats } from './zone-formats.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRecord } from '../core/move-record.ts';

type Zone = RecordOf<'zones'>;

/** What an owner may say of a zone; undefined leaves the default or what is stored. */
export interface ZoneFields extends FormatFields {
  name?: string | undefined;
  position?: string | undefined;
  device?: string | undefined;
  /** Normalised comma list. */
  pricingTypes?: string | undefined;
  floorPriceCpcNanos?: bigint | undefined;
  floorPriceCpmNanos?: bigint | undefined;
  refresh?: number | undefined;
  settings: ZoneSettingsPatch;
  /** Where rewards are reported to a publisher's server; of REWARDED zones only. */
  rewardCallbackUrl?: string | null | undefined;
}

export type NewZone = ZoneFields & {
  publisherId: number;
  siteId: number;
  name: string;
  saveAsDraft: boolean;
};

export type ZonePatch = ZoneFields & { siteId?: number | undefined };

export interface OwnedZone {
  id: number;
  publisherId: number;
  /** Versions that the caller has seen; another one is precondition_failed. */
  ifMatch?: readonly number[] | undefined;
}

const KEY_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const KEY_ATTEMPTS_MAX = 5;
const DEFAULT_TYPE = 'BANNER';

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
    async updateZone(key: OwnedZone, patch: ZonePatch): Promise<void> {
      await changing(deps, 'zone.update', key, async (zone, tx) => {
        const reviewed = await patchZone(deps, tx, { zone, patch });
        if (reviewed && (zone.auditStatus === 'APPROVED' || zone.auditStatus === 'PENDING')) {
          await submitReview(deps, tx, { type: 'zone', id: key.id, accountId: key.publisherId });
        }
      });
    },

    /** ACTIVE and PAUSED only. */
    async toggleZone(key: OwnedZone): Promise<void> {
      await changing(deps, 'zone.toggle', key, async (zone, tx) => {
        await moveRecord(deps.db, tx, 'zones', { record: zone, state: 'status', action: 'toggle' });
        await zone.save({ transaction: tx });
      });
    },

    async archiveZone(key: OwnedZone): Promise<void> {
      await changing(deps, 'zone.archive', key, async (zone, tx) => {
        await moveRecord(deps.db, tx, 'zones', {
          record: zone,
          state: 'status',
          action: 'archive',
        });
        await zone.save({ transaction: tx });
        await withdrawReview(deps, tx, { type: 'zone', id: zone.id });
      });
    },

    /** Legal from DRAFT and REJECTED, otherwise state_conflict (interface 3). */
    async submitZoneAudit(key: OwnedZone): Promise<void> {
      const { id, publisherId: accountId } = key;
      await changing(deps, 'zone.submit', key, async (zone, tx) => {
        await zone.save({ transaction: tx });
        await submitReview(deps, tx, { type: 'zone', id, accountId, action: 'submit' });
      });
    },
  };
}

/**
 * One change of a zone that is its owner's: locked, counted by its version, and passed on to serving.
 * Raises not_found and precondition_failed.
 */
async function changing(
  deps: ActivityDeps,
  name: StepName,
  key: OwnedZone,
  change: (zone: Zone, tx: Transaction) => Promise<void>,
): Promise<void> {
  await runStep(deps.db, name, async (tx) => {
    const zone = await deps.db.models.zones.findOne({
      where: { id: key.id, publisherId: key.publisherId },
      transaction: tx,
      lock: tx.LOCK.UPDATE,
    });
    if (zone === null || zone.status === 'ARCHIVED') throw notFound();
    expectVersion(key.ifMatch, zone.version);
    zone.version += 1;
    await change(zone, tx);
    await publishInventory(deps.outbox, tx, { topic: 'publisher', id: key.publisherId });
  });
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
      ...given(fields),
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
    await submitReview(deps, tx, { type: 'zone', id: zone.id, accountId: publisherId });
  }
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
  refuse([...formats.faults, ...settingFaults(type, patch)]);
  zone.set({ ...given(fields), ...formats.fields });
  const visible = ['type', 'width', 'height', 'position'] as const;
  const reviewed = visible.some((field) => zone.changed(field));
  zone.settings = zoneSettings(type, zone.settings as ZoneSettingsPatch, settings);
  // A zone that gives no rewards any more reports none.
  if (type !== 'REWARDED') zone.rewardCallbackUrl = null;
  await zone.save({ transaction: tx });
  return reviewed;
}

/** Sequelize would write an undefined field as NULL over the column's default. */
function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<Fields>;
}

type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

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
