import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { inTransaction, violatedConstraint } from '../db/postgres.ts';
import { DomainError, conflict, invalid, notFound } from '../domain/errors.ts';
import { ownerTransitions } from '../domain/lifecycle/review.ts';
import type { MediaType } from '../domain/lifecycle/site.ts';
import { transition } from '../domain/lifecycle/transition.ts';
import type { Site } from '../db/models/site.ts';
import type { ActivityDeps } from './deps.ts';
import { publishInventory } from './outbox.ts';
import { submitReview, withdrawReview } from './reviews.ts';
import { withdrawSiteVerification } from './site-verification.ts';

/** What an owner may say of a site. `domain` is normalised already (activities/site-domain.ts). */
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

async function lockSite(deps: ActivityDeps, tx: Transaction, key: OwnedSite): Promise<Site> {
  const site = await deps.db.models.Site.findOne({
    where: { id: key.id, publisherId: key.publisherId },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (site === null || site.status === 'ARCHIVED') throw notFound();
  return site;
}

/** The names that say whose it is; a change of one resets verification and review (decisions 1). */
function identityOf(site: Pick<Site, 'mediaType' | 'domain' | 'appPackage' | 'url'>): string {
  const { mediaType, domain, appPackage, url } = site;
  return JSON.stringify(mediaType === 'WEB' ? [domain] : [appPackage, url]);
}

export function createSiteActivities(deps: ActivityDeps) {
  const { Site: Sites } = deps.db.models;
  const changed = async (tx: Transaction, publisherId: number): Promise<void> => {
    await publishInventory(deps.outbox, tx, { topic: 'publisher', id: publisherId });
  };

  return {
    /** New sites are PENDING and unverified (interface 2.8). Raises already_claimed. */
    async createSite(input: NewSite): Promise<number> {
      const web = input.mediaType === 'WEB';
      return await claiming(() =>
        inTransaction(deps.db, async (tx) => {
          const site = await Sites.create(
            {
              ...input,
              domain: web ? (input.domain ?? null) : null,
              appPackage: web ? null : (input.appPackage ?? null),
              url: input.url ?? (web ? `https://${input.domain}` : null),
              verifyToken: randomBytes(16).toString('hex'),
              auditStatus: 'PENDING',
            },
            { transaction: tx },
          );
          await submitReview(deps, tx, { type: 'site', id: site.id, accountId: input.publisherId });
          await changed(tx, input.publisherId);
          return site.id;
        }),
      );
    },

    /** Raises not_found, already_claimed, and state_conflict for a new name of a suspended site. */
    async updateSite(key: OwnedSite, patch: Partial<SiteFields>): Promise<void> {
      await claiming(() =>
        inTransaction(deps.db, async (tx) => {
          const site = await lockSite(deps, tx, key);
          assertNames(site, patch);
          const before = identityOf(site);
          const followsDomain = site.url === `https://${site.domain}`;
          site.set(patch);
          if (site.changed('domain') && followsDomain && patch.url === undefined) {
            site.url = `https://${site.domain}`;
          }
          const renamed = identityOf(site) !== before;
          if (renamed) {
            if (site.auditStatus === 'SUSPENDED') {
              throw conflict('A suspended site keeps its name.', { from: 'SUSPENDED' });
            }
            site.set({ verifyStatus: 'UNVERIFIED', verifyMethod: null, verifiedAt: null });
            // A new code: the old one may stand on a page that was sold with its name.
            site.verifyToken = randomBytes(16).toString('hex');
          }
          site.version += 1;
          await site.save({ transaction: tx });
          if (renamed) {
            await withdrawSiteVerification(deps, tx, key.id);
            await submitReview(deps, tx, { type: 'site', id: key.id, accountId: key.publisherId });
          }
          await changed(tx, key.publisherId);
        }),
      );
    },

    /** ACTIVE and PAUSED only. */
    async toggleSite(key: OwnedSite): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const site = await lockSite(deps, tx, key);
        site.status = transition(ownerTransitions, site.status, 'toggle');
        await site.save({ transaction: tx });
        await changed(tx, key.publisherId);
      });
    },

    /** Soft: gives the name back, ends what waits, and takes the site's zones along. */
    async archiveSite(key: OwnedSite): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const site = await lockSite(deps, tx, key);
        site.status = transition(ownerTransitions, site.status, 'archive');
        await site.save({ transaction: tx });
        const zones = await deps.db.models.Zone.findAll({
          where: { siteId: site.id, publisherId: key.publisherId, status: ['ACTIVE', 'PAUSED'] },
          order: [['id', 'ASC']],
          transaction: tx,
          lock: tx.LOCK.UPDATE,
        });
        for (const zone of zones) {
          zone.status = transition(ownerTransitions, zone.status, 'archive');
          await zone.save({ transaction: tx });
          await withdrawReview(deps, tx, { type: 'zone', id: zone.id });
        }
        await withdrawReview(deps, tx, { type: 'site', id: site.id });
        await withdrawSiteVerification(deps, tx, site.id);
        await changed(tx, key.publisherId);
      });
    },

    /** A rejected site asks again; 409 from any other state. */
    async submitSiteAudit(key: OwnedSite): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const { id, publisherId } = key;
        await submitReview(deps, tx, {
          type: 'site',
          id,
          accountId: publisherId,
          action: 'submit',
        });
        await changed(tx, publisherId);
      });
    },
  };
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
