import type { Transaction } from 'sequelize';
import type { ActivityDeps } from '../deps.ts';
import { type BulkOutcome, forEachOf } from '../core/bulk.ts';
import { editZone, moveZone, type ZoneKey } from './zones.ts';

export type ZoneBulkAction =
  | { action: 'pause' | 'resume' | 'archive' | 'submit_audit' }
  | { action: 'set_floor_price_cpc' | 'set_floor_price_cpm'; nanos: bigint };

export type ZoneBulk = ZoneBulkAction & {
  publisherId: number;
  ids: readonly number[];
  isRehearsal: boolean;
};

export function createZoneBulkActivities(deps: ActivityDeps) {
  return {
    /** Each in a transaction of its own; answers one outcome per id, in their order. */
    async bulkZones(command: ZoneBulk): Promise<BulkOutcome[]> {
      const { publisherId, ids, isRehearsal } = command;
      const step = `zone.bulk_${command.action}` as const;
      return await forEachOf(deps.db, { ids, step, isRehearsal }, async (tx, id) => {
        await act(deps, tx, { id, publisherId }, command);
      });
    },
  };
}

async function act(
  deps: ActivityDeps,
  tx: Transaction,
  key: ZoneKey,
  command: ZoneBulkAction,
): Promise<void> {
  switch (command.action) {
    case 'set_floor_price_cpc':
      await editZone(deps, tx, key, { floorPriceCpcNanos: command.nanos, settings: {} });
      return;
    case 'set_floor_price_cpm':
      await editZone(deps, tx, key, { floorPriceCpmNanos: command.nanos, settings: {} });
      return;
    case 'pause':
    case 'resume':
    case 'archive':
    case 'submit_audit':
      await moveZone(deps, tx, key, command.action);
  }
}
