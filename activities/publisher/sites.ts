import type { Transaction } from 'sequelize';
import { runner, violatedConstraint } from '../../db/postgres.ts';
import { DomainError, conflict, invalid, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRows, NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import type { FieldChange } from '../../db/tables/audit-entry.ts';
import { type SiteRow, sites } from '../../db/tables/site.ts';
import { zones } from '../../db/tables/zone.ts';
import type { ActivityDeps } from '../deps.ts';
import { changesBetween, OWNER_VERBS, recordOwn, statusChange, valuesOf } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import { publishInventory } from '../core/outbox.ts';
import { submitReview, withdrawReview } from '../review/reviews.ts';
import { runStep, type StepName } from '../core/run-once.ts';
import { withdrawTransfersOf } from './domain-transfer-steps.ts';
import { withdrawSiteVerification } from './site-verification.ts';
import { newSiteCode } from './site-verified.ts';

type Site = RecordOf<'sites'>;

/** What an owner may say of a site. `domain` is normalised already (activities/publisher/site-domain.ts). */
export type SiteFields = Pick<
  SiteRow,
  'name' | 'domain' | 'appPackage' | 'url' | 'description' | 'industryId' | 'icp'
>;

export type NewSite = Pick<SiteRow, 'name' | 'publisherId' | 'mediaType'> & Partial<SiteFields>;

/** A site of one publisher. Another's reads as if it did not exist. */
export interface SiteKey {
  id: number;
  publisherId: number;
  /** Versions that the caller has seen; another one is precondition_failed. */
  ifMatch?: readonly number[] | undefined;
}

/**
 * A package belongs to one site that is not archived, and a domain to one of each account: whose it is,
 * a proof says (domain-claims.ts). Raises already_claimed.
 */
async function claimName<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const claim = { sites_domain: 'domain', sites_package: 'app_package' }[
      violatedConstraint(error) ?? ''
    ];
    if (claim === undefined) throw error;
    throw new DomainError('already_claimed', { hints: { field: claim }, cause: error });
  }
}

/**
 * One change of a site that is its owner's: locked, saved with a new version, and passed on to serving.
 * Raises not_found and precondition_failed.
 */
async function changeSite(
  deps: ActivityDeps,
  name: StepName,
  key: SiteKey,
  change: (site: Site, tx: Transaction) => Promise<void>,
): Promise<void> {
  await runStep(deps.db, name, async (tx) => {
    const site = await deps.db.models.sites.findOne({
      where: { id: key.id, publisherId: key.publisherId },
      transaction: tx,
      lock: tx.LOCK.UPDATE,
    });
    if (site === null || site.status === 'ARCHIVED') throw notFound();
    expectVersion(key.ifMatch, site.version);
    site.version += 1;
    await change(site, tx);
    await site.save({ transaction: tx });
    await publishInventory(deps.outbox, tx, { topic: 'publisher', id: key.publisherId });
  });
}

/** The names that say whose it is; a change of one resets verification and review (interface 2.8). */
function identityOf(site: Pick<Site, 'mediaType' | 'domain' | 'appPackage' | 'url'>): string {
  const { mediaType, domain, appPackage, url } = site;
  return JSON.stringify([domain, appPackage, ...(mediaType === 'WEB' ? [] : [url])]);
}

export function createSiteActivities(deps: ActivityDeps) {
  return {
    /** New sites are PENDING and unverified (interface 2.8). Raises already_claimed. */
    async createSite(input: NewSite): Promise<number> {
      return await claimName(
        async () =>
          await runStep(deps.db, 'site.create', async (tx) => await insertSite(deps, tx, input)),
      );
    },

    /** Raises not_found, already_claimed, and state_conflict for a new name of a suspended site. */
    async updateSite(key: SiteKey, patch: Partial<SiteFields>): Promise<void> {
      await claimName(async () => {
        await changeSite(deps, 'site.update', key, async (site, tx) => {
          const before = valuesOf(site, EDITED);
          const renamed = patchSite(site, patch);
          const changes = changesBetween(sites, EDITED, { before, after: site });
          if (changes.length > 0) await recordSite(deps, tx, site, { verb: 'update', changes });
          if (!renamed) return;
          await moveRecord(deps.db, tx, 'sites', {
            record: site,
            state: 'verifyStatus',
            action: 'reset',
          });
          await withdrawSiteVerification(deps, tx, key.id);
          await withdrawTransfersOf(deps, tx, key.id);
          await submitReview(deps, tx, { type: 'site', id: key.id, accountId: key.publisherId });
        });
      });
    },

    /** ACTIVE and PAUSED only. */
    async toggleSite(key: SiteKey): Promise<void> {
      await changeSite(deps, 'site.toggle', key, async (site, tx) => {
        const before = site.status;
        await moveRecord(deps.db, tx, 'sites', { record: site, state: 'status', action: 'toggle' });
        const changes = statusChange(before, site.status);
        await recordSite(deps, tx, site, { verb: OWNER_VERBS[site.status], changes });
      });
    },

    /** Soft: gives the name back, ends what waits, and takes the site's zones along. Raises state_conflict for a suspended one. */
    async archiveSite(key: SiteKey): Promise<void> {
      await changeSite(deps, 'site.archive', key, async (site, tx) => {
        // Archived, its name would be free to come in anew.
        if (site.auditStatus === 'SUSPENDED') {
          throw conflict('A suspended site is not archived.', { from: 'SUSPENDED' });
        }
        await endSite(deps, tx, site);
        await recordSite(deps, tx, site, { verb: 'archive' });
      });
    },

    /** Legal from DRAFT and REJECTED, otherwise state_conflict (interface 3). */
    async submitSiteAudit(key: SiteKey): Promise<void> {
      const { id, publisherId: accountId } = key;
      await changeSite(deps, 'site.submit', key, async (site, tx) => {
        await submitReview(deps, tx, { type: 'site', id, accountId, action: 'submit' });
        await recordSite(deps, tx, site, { verb: 'submit' });
      });
    },
  };
}

/** What its owner says of it. */
const EDITED: readonly (keyof SiteFields)[] = [
  'name',
  'domain',
  'appPackage',
  'url',
  'description',
  'industryId',
  'icp',
];

async function recordSite(
  { db }: ActivityDeps,
  tx: Transaction,
  { id, publisherId: accountId }: SiteKey,
  { verb, changes }: { verb: string; changes?: FieldChange[] },
): Promise<void> {
  const subject = { type: 'site', id };
  await recordOwn(db, tx, {
    accountId,
    action: `site.${verb}`,
    subject,
    ...(changes && { changes }),
  });
}

async function insertSite(deps: ActivityDeps, tx: Transaction, input: NewSite): Promise<number> {
  const web = input.mediaType === 'WEB';
  const site = await deps.db.models.sites.create(
    {
      ...input,
      domain: input.domain ?? null,
      appPackage: input.appPackage ?? null,
      url: input.url ?? (web ? `https://${input.domain}` : null),
      verifyToken: newSiteCode(),
      auditStatus: 'DRAFT',
    },
    { transaction: tx },
  );
  const { id, publisherId } = site;
  await submitReview(deps, tx, { type: 'site', id, accountId: publisherId, action: 'enter' });
  await recordSite(deps, tx, site, { verb: 'create' });
  await publishInventory(deps.outbox, tx, { topic: 'publisher', id: publisherId });
  return id;
}

/** Answers whether the site has another name now; then its verification is gone. */
function patchSite(site: Site, patch: Partial<SiteFields>): boolean {
  assertNames(site, patch);
  const before = identityOf(site);
  site.set(patch);
  const movesHome = site.mediaType === 'WEB' && site.changed('domain');
  if (movesHome && patch.url === undefined) site.url = `https://${site.domain}`;
  if (identityOf(site) === before) return false;
  if (site.auditStatus === 'SUSPENDED') {
    throw conflict('A suspended site keeps its name.', { from: 'SUSPENDED' });
  }
  site.set({ verifyMethod: null, verifiedAt: null, claimedAt: new Date() });
  // A new code: the old one may stand on a page that was sold with its name.
  site.verifyToken = newSiteCode();
  return true;
}

/** The name is free again; what waits for it ends, and its zones go along. */
export async function endSite(deps: ActivityDeps, tx: Transaction, site: Site): Promise<void> {
  await moveRecord(deps.db, tx, 'sites', { record: site, state: 'status', action: 'archive' });
  await archiveZonesOf(deps, tx, site);
  await withdrawReview(deps, tx, { type: 'site', id: site.id });
  await withdrawSiteVerification(deps, tx, site.id);
  await withdrawTransfersOf(deps, tx, site.id);
}

async function archiveZonesOf(deps: ActivityDeps, tx: Transaction, site: Site): Promise<void> {
  const archived = await moveRows(runner(deps.db, tx), zones, {
    state: 'status',
    action: 'archive',
    where: { siteId: site.id },
    set: { version: NEXT_VERSION, updatedAt: NOW },
  });
  for (const { id } of archived) await withdrawReview(deps, tx, { type: 'zone', id });
}

/** What its media type needs stays: the domain of a web site, the package of anything else. */
function assertNames(site: Site, patch: Partial<SiteFields>): void {
  const web = site.mediaType === 'WEB';
  if ((web ? patch.domain : patch.appPackage) !== null) return;
  const field = web ? 'domain' : 'app_package';
  throw invalid({ field, code: 'required', message: 'This field is required.' });
}
