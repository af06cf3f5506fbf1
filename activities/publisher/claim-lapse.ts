import { inTransaction, runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { notify } from '../accounts/notifications.ts';
import { recordOwn } from '../core/history.ts';
import { publishInventory } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { endSite } from './sites.ts';

const ROUND_MAX = 500;

/** A claim that is as old as the setting says, and for which nothing is under way any more. */
const UNPROVEN = `s.media_type = 'WEB' AND s.status <> 'ARCHIVED' AND s.verify_status = 'UNVERIFIED'
  AND s.audit_status <> 'APPROVED' AND s.claimed_at < now() - $1 * interval '1 day'
  AND NOT EXISTS (SELECT FROM site_verifications v WHERE v.site_id = s.id AND v.status = 'RUNNING')
  AND NOT EXISTS (SELECT FROM domain_transfers t WHERE t.claimant_site_id = s.id AND t.status IN ('NOTICE', 'DISPUTED'))`;

/**
 * interface 4.9: a domain that is claimed and never proved is nobody's: its site is archived, and its
 * owner told. Each in a transaction of its own; harmless twice.
 */
export async function lapseClaims(deps: ActivityDeps): Promise<number> {
  const { 'site.claim_days': days } = await loadSettings(runner(deps.db));
  if (days === 0) return 0;
  const { rows } = await runner(deps.db).query<{ id: string }>(
    `SELECT s.id FROM sites s WHERE ${UNPROVEN} ORDER BY s.claimed_at LIMIT ${ROUND_MAX}`,
    [days],
  );
  let lapsed = 0;
  for (const { id } of rows) if (await lapse(deps, Number(id), days)) lapsed += 1;
  return lapsed;
}

async function lapse(deps: ActivityDeps, id: number, days: number): Promise<boolean> {
  return await inTransaction(deps.db, async (tx) => {
    const site = await deps.db.models.sites.findByPk(id, {
      transaction: tx,
      lock: tx.LOCK.UPDATE,
    });
    const still = await runner(deps.db, tx).query(
      `SELECT 1 FROM sites s WHERE s.id = $2 AND ${UNPROVEN}`,
      [days, id],
    );
    if (site === null || still.rows.length === 0) return false;
    await endSite(deps, tx, site);
    site.version += 1;
    await site.save({ transaction: tx });
    const accountId = site.publisherId;
    const subject = { type: 'site', id };
    await recordOwn(deps.db, tx, {
      accountId,
      by: { operatorId: null },
      action: 'site.claim_lapsed',
      subject,
    });
    const params = { name: site.name };
    await notify(deps, tx, { accountId, kind: 'site_claim_lapsed', subject, params });
    await publishInventory(deps.outbox, tx, { topic: 'publisher', id: accountId });
    return true;
  });
}
