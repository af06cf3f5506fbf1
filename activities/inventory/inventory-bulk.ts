import type { Transaction } from 'sequelize';
import type { ActivityDeps } from '../deps.ts';
import { type BulkOutcome, forEachOf } from '../core/bulk.ts';
import { changeAdGroup } from './ad-groups.ts';
import { changeCampaign } from './campaigns.ts';
import {
  type InventoryKey,
  type InventoryType,
  moveInventory,
  submitRecord,
} from './inventory-lifecycle.ts';

/** What may be set on many at once; null where the field may be empty. */
type Setting = {
  action: 'set_bid' | 'set_daily_budget' | 'set_total_budget';
  nanos: bigint | null;
};
export type InventoryBulkAction =
  | { action: 'pause' | 'resume' | 'archive' | 'submit_audit' }
  | Setting;

export type InventoryBulk = InventoryBulkAction & {
  type: InventoryType;
  advertiserId: number;
  ids: readonly number[];
  isRehearsal: boolean;
};

export function createInventoryBulkActivities(deps: ActivityDeps) {
  return {
    /** Each in a transaction of its own; answers one outcome per id, in their order. */
    async bulkInventory(command: InventoryBulk): Promise<BulkOutcome[]> {
      const { type, advertiserId, ids, isRehearsal } = command;
      const step = `${type}.bulk_${command.action}` as const;
      return await forEachOf(deps.db, { ids, step, isRehearsal }, async (tx, id) => {
        await act(deps, tx, { type, id, advertiserId }, command);
      });
    },
  };
}

async function act(
  deps: ActivityDeps,
  tx: Transaction,
  key: InventoryKey,
  command: InventoryBulkAction,
): Promise<void> {
  switch (command.action) {
    case 'pause':
    case 'resume':
    case 'archive':
      await moveInventory(deps, tx, key, command.action);
      return;
    case 'submit_audit':
      await submitRecord(deps, tx, key);
      return;
    case 'set_bid':
    case 'set_daily_budget':
    case 'set_total_budget':
      await set(deps, tx, key, command);
  }
}

/** A bid of a campaign is never empty: the route's schema has seen to it. */
async function set(
  deps: ActivityDeps,
  tx: Transaction,
  key: InventoryKey,
  { action, nanos }: Setting,
): Promise<void> {
  if (key.type === 'campaign') {
    const fields = {
      set_bid: { bidNanos: nanos ?? undefined },
      set_daily_budget: { dailyBudgetNanos: nanos },
      set_total_budget: { totalBudgetNanos: nanos },
    }[action];
    await changeCampaign(deps, tx, key, fields);
    return;
  }
  if (key.type !== 'adgroup' || action === 'set_total_budget') {
    throw new Error(`the schema lets no ${action} of ${key.type} pass`);
  }
  const fields = { set_bid: { bidNanos: nanos }, set_daily_budget: { dailyBudgetNanos: nanos } };
  await changeAdGroup(deps, tx, key, fields[action]);
}
