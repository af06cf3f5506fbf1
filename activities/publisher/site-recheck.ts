import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  afterRecheck,
  type Rechecked,
  RECHECK_EVERY_MS,
} from '../../domain/lifecycle/site-recheck.ts';
import type { VerifyMethod } from '../../domain/lifecycle/site.ts';
import type { ActivityDeps } from '../deps.ts';
import { queueMail } from '../accounts/mails.ts';
import { publishInventory } from '../core/outbox.ts';
import { lookForProof, PROOF_FOUND, type ProvenSite } from '../providers/site-proof.ts';

export interface RecheckReport {
  checked: number;
  missed: number;
  lapsed: number;
}

/** Looks at once: a look is mostly waiting, for ten seconds at most. */
const LOOKS_AT_ONCE = 8;
const BATCH = 64;
/** The rest is found due in the next round of upkeep. */
const BUDGET_MS = 600_000;
/** A week later the console has shown it anyway. */
const NEWS_LIVE_MS = 7 * 86_400_000;

interface DueSite extends ProvenSite {
  id: number;
  name: string;
  verifyMethod: VerifyMethod;
  dueAt: Date;
}

/**
 * Looks again at every verified site that is due, until none is or the time is up. A look is written
 * once: only while the site is due at the time that it was found due at, under the same names.
 */
export async function recheckSites(deps: ActivityDeps): Promise<RecheckReport> {
  const report: RecheckReport = { checked: 0, missed: 0, lapsed: 0 };
  const endsAt = Date.now() + BUDGET_MS;
  await putInLine(deps);
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

/** Sites that were verified before there was a line stand at the place that they would have had. */
async function putInLine(deps: ActivityDeps): Promise<void> {
  await runner(deps.db).query(
    `UPDATE sites SET verify_due_at = COALESCE(verified_at, now()) + $1 * interval '1 millisecond'
     WHERE verify_status = 'VERIFIED' AND status <> 'ARCHIVED' AND verify_due_at IS NULL RETURNING id`,
    [RECHECK_EVERY_MS],
  );
}

async function readDue(deps: ActivityDeps): Promise<DueSite[]> {
  const { rows } = await runner(deps.db).query<
    Omit<DueSite, 'id' | 'publisherId'> & { id: string; publisherId: string }
  >(
    `SELECT id, publisher_id AS "publisherId", media_type AS "mediaType", name, domain, url,
       verify_token AS "verifyToken", verify_method AS "verifyMethod", verify_due_at AS "dueAt"
     FROM sites WHERE verify_status = 'VERIFIED' AND status <> 'ARCHIVED'
       AND verify_method IS NOT NULL AND verify_due_at <= $1
     ORDER BY verify_due_at LIMIT $2`,
    [deps.clock(), BATCH],
  );
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    publisherId: Number(row.publisherId),
  }));
}

/** Undefined when the site was changed while it was looked at. */
async function recheckSite(deps: ActivityDeps, site: DueSite): Promise<Rechecked | undefined> {
  const outcome = await lookForProof(deps.providers.outbound, site, site.verifyMethod);
  return await inTransaction(deps.db, async (tx) => {
    const state = await lockSame(deps, tx, site);
    if (state === undefined) return undefined;
    const found = outcome === PROOF_FOUND;
    const rechecked = afterRecheck(state, { found, now: deps.clock() });
    await runner(deps.db, tx).query(
      `UPDATE sites SET verify_misses = $2, verify_lapses_at = $3, verify_due_at = $4,
         verify_status = CASE WHEN $5 THEN 'LAPSED' ELSE verify_status END,
         version = version + 1, updated_at = now()
       WHERE id = $1 RETURNING id`,
      [site.id, rechecked.misses, rechecked.lapsesAt, rechecked.dueAt, rechecked.lapsed],
    );
    if (!found) {
      deps.log.info({ site: site.id, outcome, misses: rechecked.misses }, 'site proof is missing');
    }
    await tellOwner(deps, tx, { site, rechecked });
    if (rechecked.lapsed) {
      await publishInventory(deps.outbox, tx, { topic: 'publisher', id: site.publisherId });
    }
    return rechecked;
  });
}

/** The owner has notice once it is written to them, not before; and hears of its end. */
async function tellOwner(
  deps: ActivityDeps,
  tx: Transaction,
  { site, rechecked }: { site: DueSite; rechecked: Rechecked },
): Promise<void> {
  const letter = { accountId: site.publisherId, detail: site.domain ?? site.url ?? site.name };
  if (rechecked.isNotice && rechecked.lapsesAt !== null) {
    await queueMail(deps, tx, { ...letter, kind: 'site_lapsing', expiresAt: rechecked.lapsesAt });
  }
  if (rechecked.lapsed) {
    const expiresAt = new Date(deps.clock().getTime() + NEWS_LIVE_MS);
    await queueMail(deps, tx, { ...letter, kind: 'site_lapsed', expiresAt });
  }
}

async function lockSame(
  deps: ActivityDeps,
  tx: Transaction,
  site: DueSite,
): Promise<{ misses: number; lapsesAt: Date | null } | undefined> {
  const { rows } = await runner(deps.db, tx).query<{ misses: number; lapsesAt: Date | null }>(
    `SELECT verify_misses AS misses, verify_lapses_at AS "lapsesAt" FROM sites
     WHERE id = $1 AND verify_status = 'VERIFIED' AND status <> 'ARCHIVED' AND verify_token = $2
       AND verify_due_at = $3 AND url IS NOT DISTINCT FROM $4
     FOR NO KEY UPDATE`,
    [site.id, site.verifyToken, site.dueAt, site.url],
  );
  return rows[0];
}
