import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { violatedConstraint } from '../../db/postgres.ts';
import { DomainError, conflict, invalid, notFound } from '../../domain/errors.ts';
import type { MediaType } from '../../domain/lifecycle/site.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import type { ActivityDeps } from '../deps.ts';
import { publishInventory } from '../core/outbox.ts';
import { submitReview, withdrawReview } from '../review/reviews.ts';
import { runStep, type StepName } from '../core/run-once.ts';
import { withdrawSiteVerification } from './site-verification.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRecord } from '../core/move-record.ts';

type Site = RecordOf<'sites'>;

/** What an owner may say of a site. `domain` is normalised already (activities/publisher/site-domain.ts). */
export interface SiteFields {
  name: string;
  domain: string | null;
  appPackage: string | null;
  url: string | null;
  description: string | null;
  industryId: number | null;
  icp: string | null;
}

export type NewSite = Pick<SiteFields, 'name'> &
  Partial<SiteFields> & { publisherId: number; mediaType: MediaType };

export interface OwnedSite {
  id: number;
  publisherId: number;
  /** Versions that the caller has seen; another one is precondition_failed. */
  ifMatch?: readonly number[] | undefined;
}

/** One domain or package belongs to one site that is not archived, whoever asked first. */
async function claiming<Result>(run: () => Promise<Result>): Promise<Result> {
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
 * One change of a site that is its owner's: locked, counted by its version, and passed on to serving.
 * Raises not_found and precondition_failed.
 */
async function changing(
  deps: ActivityDeps,
  name: StepName,
  key: OwnedSite,
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
    await publishInventory(deps.outbox, tx, { topic: 'publisher', id: key.publisherId });
  });
}

/** The names that say whose it is; a change of one resets verification and review (interface 2.8). */
function identityOf(site: Pick<Site, 'mediaType' | 'domain' | 'appPackage' | 'url'>): string {
  const { mediaType, domain, appPackage, url } = site;
  return JSON.stringify(mediaType === 'WEB' ? [domain] : [appPackage, url]);
}

const newCode = (): string => randomBytes(16).toString('hex');

export function createSiteActivities(deps: ActivityDeps) {
  return {
    /** New sites are PENDING and unverified (interface 2.8). Raises already_claimed. */
    async createSite(input: NewSite): Promise<number> {
      return await claiming(
        async () =>
          await runStep(deps.db, 'site.create', async (tx) => await insertSite(deps, tx, input)),
      );
    },

    /** Raises not_found, already_claimed, and state_conflict for a new name of a suspended site. */
    async updateSite(key: OwnedSite, patch: Partial<SiteFields>): Promise<void> {
      await claiming(async () => {
        await changing(deps, 'site.update', key, async (site, tx) => {
          const renamed = patchSite(site, patch);
          await site.save({ transaction: tx });
          if (!renamed) return;
          await moveRecord(deps.db, tx, 'sites', {
            record: site,
            state: 'verifyStatus',
            action: 'reset',
          });
          await withdrawSiteVerification(deps, tx, key.id);
          await submitReview(deps, tx, { type: 'site', id: key.id, accountId: key.publisherId });
        });
      });
    },

    /** ACTIVE and PAUSED only. */
    async toggleSite(key: OwnedSite): Promise<void> {
      await changing(deps, 'site.toggle', key, async (site, tx) => {
        await moveRecord(deps.db, tx, 'sites', { record: site, state: 'status', action: 'toggle' });
        await site.save({ transaction: tx });
      });
    },

    /** Soft: gives the name back, ends what waits, and takes the site's zones along. */
    async archiveSite(key: OwnedSite): Promise<void> {
      await changing(deps, 'site.archive', key, async (site, tx) => {
        await moveRecord(deps.db, tx, 'sites', {
          record: site,
          state: 'status',
          action: 'archive',
        });
        await site.save({ transaction: tx });
        await archiveZonesOf(deps, tx, site);
        await withdrawReview(deps, tx, { type: 'site', id: site.id });
        await withdrawSiteVerification(deps, tx, site.id);
      });
    },

    /** A rejected site asks again; 409 from any other state. */
    async submitSiteAudit(key: OwnedSite): Promise<void> {
      const { id, publisherId: accountId } = key;
      await changing(deps, 'site.submit', key, async (site, tx) => {
        await site.save({ transaction: tx });
        await submitReview(deps, tx, { type: 'site', id, accountId, action: 'submit' });
      });
    },
  };
}

async function insertSite(deps: ActivityDeps, tx: Transaction, input: NewSite): Promise<number> {
  const web = input.mediaType === 'WEB';
  const site = await deps.db.models.sites.create(
    {
      ...input,
      domain: web ? (input.domain ?? null) : null,
      appPackage: web ? null : (input.appPackage ?? null),
      url: input.url ?? (web ? `https://${input.domain}` : null),
      verifyToken: newCode(),
      auditStatus: 'PENDING',
    },
    { transaction: tx },
  );
  await submitReview(deps, tx, { type: 'site', id: site.id, accountId: input.publisherId });
  await publishInventory(deps.outbox, tx, { topic: 'publisher', id: input.publisherId });
  return site.id;
}

/** Answers whether the site is called otherwise now; then its verification is gone. */
function patchSite(site: Site, patch: Partial<SiteFields>): boolean {
  assertNames(site, patch);
  const before = identityOf(site);
  site.set(patch);
  if (site.changed('domain') && patch.url === undefined) site.url = `https://${site.domain}`;
  if (identityOf(site) === before) return false;
  if (site.auditStatus === 'SUSPENDED') {
    throw conflict('A suspended site keeps its name.', { from: 'SUSPENDED' });
  }
  site.set({ verifyMethod: null, verifiedAt: null });
  // A new code: the old one may stand on a page that was sold with its name.
  site.verifyToken = newCode();
  return true;
}

async function archiveZonesOf(deps: ActivityDeps, tx: Transaction, site: Site): Promise<void> {
  const zones = await deps.db.models.zones.findAll({
    where: { siteId: site.id, publisherId: site.publisherId, status: ['ACTIVE', 'PAUSED'] },
    order: [['id', 'ASC']],
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  for (const zone of zones) {
    await moveRecord(deps.db, tx, 'zones', { record: zone, state: 'status', action: 'archive' });
    zone.version += 1;
    await zone.save({ transaction: tx });
    await withdrawReview(deps, tx, { type: 'zone', id: zone.id });
  }
}

/** A name fits its media type: web sites have a domain, apps a package, and neither has both. */
function assertNames(site: Site, patch: Partial<SiteFields>): void {
  const web = site.mediaType === 'WEB';
  const foreign = web ? patch.appPackage : patch.domain;
  const missing = web ? patch.domain === null : patch.appPackage === null;
  const [own, other] = web ? ['domain', 'app_package'] : ['app_package', 'domain'];
  if (missing) throw invalid({ field: own, code: 'required', message: 'This field is required.' });
  if (foreign !== undefined && foreign !== null) {
    const message = `A site of type ${site.mediaType} has no ${other}.`;
    throw invalid({ field: other, code: 'not_for_type', message });
  }
}
