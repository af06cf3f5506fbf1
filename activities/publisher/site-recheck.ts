import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { text } from '../../db/schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../../db/schema/selection.ts';
import { type SiteRow, sites } from '../../db/tables/site.ts';
import {
  afterRecheck,
  type Rechecked,
  RECHECK_EVERY_MS,
} from '../../domain/lifecycle/site-recheck.ts';
import type { VerifyMethod } from '../../domain/lifecycle/site.ts';
import type { ActivityDeps } from '../deps.ts';
import { queueMail } from '../accounts/mails.ts';
import { notify } from '../accounts/notifications.ts';
import { moveRecord } from '../core/move-record.ts';
import { publishInventory } from '../core/outbox.ts';
import { PROOF_FOUND } from '../providers/site-proof.ts';
import { lookForOwnProof } from './own-proof.ts';

export interface RecheckReport {
  checked: number;
  missed: number;
  lapsed: number;
}

/** Looks at once: a look is mostly waiting, for ten seconds at most. */
const LOOKS_AT_ONCE = 8;
const BATCH = 64;
/** The rest is found due in the next round. */
const BUDGET_MS = 600_000;
/** A week later the console has shown it anyway. */
const NEWS_LIVE_MS = 7 * 86_400_000;

const DUE = select({
  ...columnsOf(sites, 's', [
    'id',
    'publisherId',
    'mediaType',
    'name',
    'domain',
    'url',
    'verifyToken',
    'verifyDueAt',
  ]),
  verifyMethod: text<VerifyMethod>().of('s.verify_method'),
});
type DueSite = RowOf<typeof DUE>;

export function createSiteRecheckActivities(deps: ActivityDeps) {
  return {
    /** A round of workflows/site-recheck.ts. */
    recheckSites: async (): Promise<RecheckReport> => await recheckSites(deps),
  };
}

/**
 * Looks again at every verified site that is due, until none is or the time is up. A look is written
 * once: only while the site is due at the time that it was found due at, under the same names.
 */
export async function recheckSites(deps: ActivityDeps): Promise<RecheckReport> {
  const report: RecheckReport = { checked: 0, missed: 0, lapsed: 0 };
  const endsAt = Date.now() + BUDGET_MS;
  await scheduleFirstRecheck(deps);
  while (Date.now() < endsAt) {
    const due = await readDue(deps);
    const looks = due.values();
    const look = async (): Promise<void> => {
      for (const site of looks) {
        const rechecked = await recheckSite(deps, site);
        if (rechecked === undefined) continue;
        report.checked += 1;
        if (rechecked.misses > 0) report.missed += 1;
        if (rechecked.lapsed) report.lapsed += 1;
      }
    };
    await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, look));
    if (due.length < BATCH) break;
  }
  return report;
}

/** A newly verified site is due a week after it was verified. */
async function scheduleFirstRecheck(deps: ActivityDeps): Promise<void> {
  await runner(deps.db).query(
    `UPDATE sites SET verify_due_at = COALESCE(verified_at, now()) + $1 * interval '1 millisecond'
     WHERE verify_status = 'VERIFIED' AND status <> 'ARCHIVED' AND verify_due_at IS NULL RETURNING id`,
    [RECHECK_EVERY_MS],
  );
}

async function readDue(deps: ActivityDeps): Promise<DueSite[]> {
  return await readRows(
    runner(deps.db),
    DUE,
    `SELECT ${DUE.list} FROM sites s WHERE s.verify_status = 'VERIFIED' AND s.status <> 'ARCHIVED'
       AND s.verify_method IS NOT NULL AND s.verify_due_at <= $1
     ORDER BY s.verify_due_at LIMIT $2`,
    [deps.clock(), BATCH],
  );
}

/** Undefined when the site was changed while it was looked at. */
async function recheckSite(deps: ActivityDeps, due: DueSite): Promise<Rechecked | undefined> {
  const outcome = await lookForOwnProof(deps, due, due.verifyMethod);
  return await inTransaction(deps.db, async (tx) => {
    const site = await deps.db.models.sites.findByPk(due.id, {
      transaction: tx,
      lock: tx.LOCK.NO_KEY_UPDATE,
    });
    if (site === null || !isStillDue(site, due)) return undefined;
    const found = outcome === PROOF_FOUND;
    const state = { misses: site.verifyMisses, lapsesAt: site.verifyLapsesAt };
    const rechecked = afterRecheck(state, { found, now: deps.clock() });
    const { misses, lapsesAt, dueAt, lapsed } = rechecked;
    site.set({ verifyMisses: misses, verifyLapsesAt: lapsesAt, verifyDueAt: dueAt });
    site.version += 1;
    await site.save({ transaction: tx });
    if (lapsed) {
      const move = { record: site, state: 'verifyStatus', action: 'lapse' } as const;
      await moveRecord(deps.db, tx, 'sites', move);
      await publishInventory(deps.outbox, tx, { topic: 'publisher', id: site.publisherId });
    }
    if (!found) deps.log.info({ site: site.id, outcome, misses }, 'site proof is missing');
    await writeToOwner(deps, tx, { site, rechecked });
    return rechecked;
  });
}

/** Compared here and not in SQL: PostgreSQL keeps microseconds, which a Date has lost. */
const isStillDue = (site: SiteRow, due: DueSite): boolean =>
  site.verifyStatus === 'VERIFIED' &&
  site.status !== 'ARCHIVED' &&
  site.verifyToken === due.verifyToken &&
  site.url === due.url &&
  site.verifyDueAt?.getTime() === due.verifyDueAt?.getTime();

/** The owner has notice once it is written to them, not before; and hears of its end. */
async function writeToOwner(
  deps: ActivityDeps,
  tx: Transaction,
  { site, rechecked }: { site: SiteRow; rechecked: Rechecked },
): Promise<void> {
  const letter = { accountId: site.publisherId, detail: site.domain ?? site.url ?? site.name };
  const news = {
    accountId: site.publisherId,
    subject: { type: 'site', id: site.id },
    params: { name: site.name },
  };
  if (rechecked.isNotice && rechecked.lapsesAt !== null) {
    await notify(deps, tx, { ...news, kind: 'site_lapsing' });
    await queueMail(deps, tx, { ...letter, kind: 'site_lapsing', expiresAt: rechecked.lapsesAt });
  }
  if (rechecked.lapsed) {
    await notify(deps, tx, { ...news, kind: 'site_lapsed' });
    const expiresAt = new Date(deps.clock().getTime() + NEWS_LIVE_MS);
    await queueMail(deps, tx, { ...letter, kind: 'site_lapsed', expiresAt });
  }
}
