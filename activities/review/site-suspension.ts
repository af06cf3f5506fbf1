import { runner } from '../../db/postgres.ts';
import { moveRow, NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import { sites } from '../../db/tables/site.ts';
import { notFound } from '../../domain/errors.ts';
import { notify } from '../accounts/notifications.ts';
import { recordAudit } from '../core/audit.ts';
import { statusChange } from '../core/history.ts';
import { publishInventory } from '../core/outbox.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';

export interface SiteSuspension {
  move: 'suspend' | 'restore';
  siteId: number;
  /** operators.id */
  operatorId: number;
  /** For the desk and the audit log; its owner is told that it stopped. */
  note: string;
  requestId: string;
}

const FROM = { suspend: 'APPROVED', restore: 'SUSPENDED' } as const;

export function createSiteSuspensionActivities(deps: ActivityDeps) {
  return {
    /**
     * An approved site stops serving in this transaction until an operator restores it; no review begins.
     * Raises not_found, and state_conflict where it is neither approved nor suspended by now.
     */
    async suspendSite(command: SiteSuspension): Promise<void> {
      const { move, siteId: id, operatorId, note, requestId } = command;
      await runStep(deps.db, `site.${move}`, async (tx) => {
        const known = await deps.db.models.sites.findByPk(id, { transaction: tx });
        if (known === null || known.status === 'ARCHIVED') throw notFound();
        const site = await moveRow(runner(deps.db, tx), sites, {
          state: 'auditStatus',
          action: move,
          where: { id },
          set: { version: NEXT_VERSION, updatedAt: NOW },
        });
        const accountId = site.publisherId;
        const subject = { type: 'site', id };
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: operatorId },
          action: `site.${move}`,
          subject,
          accountId,
          detail: {
            reason: note,
            changes: statusChange(FROM[move], site.auditStatus, 'audit_status'),
          },
          requestId,
        });
        const decision = move === 'suspend' ? 'suspended' : 'restored';
        const params = { name: site.name, decision } as const;
        await notify(deps, tx, { accountId, kind: 'review_decided', subject, params });
        await publishInventory(deps.outbox, tx, { topic: 'publisher', id: accountId });
      });
    },
  };
}
