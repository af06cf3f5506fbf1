import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { RecordOf } from '../../db/schema/models.ts';
import { NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import type { VerifyMethod } from '../../domain/lifecycle/site.ts';
import { notify } from '../accounts/notifications.ts';
import { moveRecord } from '../core/move-record.ts';
import { publishInventory } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { beginSiteReview } from '../review/reviews.ts';

type Site = RecordOf<'sites'>;

/** What stands in a proof. */
export const newSiteCode = (): string => randomBytes(16).toString('hex');

/** Its proofs are looked for again from the beginning (activities/publisher/site-recheck.ts). */
export async function verifySite(
  deps: ActivityDeps,
  tx: Transaction,
  site: Site,
  method: VerifyMethod,
): Promise<void> {
  await moveRecord(deps.db, tx, 'sites', {
    record: site,
    state: 'verifyStatus',
    action: 'verify',
    set: {
      verifyMethod: method,
      verifiedAt: NOW,
      verifyMisses: 0,
      verifyLapsesAt: null,
      verifyDueAt: null,
      version: NEXT_VERSION,
      updatedAt: NOW,
    },
  });
  await beginSiteReview(deps, tx, site.id);
  await notify(deps, tx, {
    accountId: site.publisherId,
    kind: 'site_verified',
    subject: { type: 'site', id: site.id },
    params: { name: site.name },
  });
  await publishInventory(deps.outbox, tx, { topic: 'publisher', id: site.publisherId });
}
