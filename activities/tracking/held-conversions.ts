import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { clicksNamed, lockConversion, trackersOf } from '../../db/queries/conversions.ts';
import { moveRow, NOW } from '../../db/schema/move.ts';
import { conversions } from '../../db/tables/conversion.ts';
import { notFound } from '../../domain/errors.ts';
import { conversionLifecycle } from '../../domain/lifecycle/conversion.ts';
import { transition } from '../../domain/lifecycle/transition.ts';
import type { HeldDecision } from '../../domain/tracking/held-decisions.ts';
import { type BulkOutcome, forEachOf } from '../core/bulk.ts';
import { recordOwn } from '../core/history.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { acceptConversions, appendRefusals } from './conversion-moves.ts';

export interface HeldCommand {
  publicId: number;
  advertiserId: number;
  decision: HeldDecision;
}

export function createHeldConversionActivities(deps: ActivityDeps) {
  return {
    /** Raises not_found, and state_conflict for one that is not held any more. */
    async decideHeldConversion(command: HeldCommand): Promise<void> {
      await runStep(deps.db, `conversion.${command.decision.action}`, async (tx) => {
        await decideHeld(deps, tx, command);
      });
    },

    /** Each in a transaction of its own; answers one outcome per id, in their order. */
    async decideHeldConversions(command: {
      advertiserId: number;
      /** By public ids. */
      decisions: ReadonlyMap<number, HeldDecision>;
      isRehearsal: boolean;
    }): Promise<BulkOutcome[]> {
      const { advertiserId, decisions, isRehearsal } = command;
      const ids = [...decisions.keys()];
      const step = 'conversion.decide' as const;
      return await forEachOf(deps.db, { ids, step, isRehearsal }, async (tx, publicId) => {
        const decision = decisions.get(publicId);
        if (decision !== undefined)
          await decideHeld(deps, tx, { publicId, advertiserId, decision });
      });
    },
  };
}

async function decideHeld(
  deps: ActivityDeps,
  tx: Transaction,
  { publicId, advertiserId, decision }: HeldCommand,
): Promise<void> {
  const sql = runner(deps.db, tx);
  const conversion = await lockConversion(sql, { publicId, advertiserId });
  if (conversion === undefined) throw notFound();
  const { id } = conversion;
  const clicks = await clicksNamed(sql, [conversion.clickId ?? '']);
  const click = clicks.get(conversion.clickId ?? '');
  if (decision.action === 'reject') {
    const { note } = decision;
    await moveRow(sql, conversions, {
      state: 'status',
      action: 'reject',
      where: { id, advertiserId },
      set: { reason: 'CONVERSION_REJECTED', note, dueAt: null, decideBy: null, decidedAt: NOW },
    });
    if (click !== undefined) {
      await appendRefusals(sql, [{ conversion, click, reason: 'CONVERSION_REJECTED' }]);
    }
  } else {
    if (conversion.status !== 'PENDING')
      transition(conversionLifecycle, conversion.status, 'reject');
    if (click === undefined) throw new Error(`the click of conversion ${id} vanished`);
    const trackers = await trackersOf(sql, [conversion.trackerId ?? 0]);
    const tracker = trackers.get(conversion.trackerId ?? 0);
    const latencySeconds = conversion.latencySeconds ?? 0;
    await acceptConversions(deps, tx, [{ conversion, click, tracker, latencySeconds }]);
  }
  await recordOwn(deps.db, tx, {
    accountId: advertiserId,
    action: `conversion.${decision.action}`,
    subject: { type: 'conversion', id: publicId },
  });
}
