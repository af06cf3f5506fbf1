import { Router } from 'express';
import type {
  InventoryBulk,
  InventoryBulkAction,
} from '../../activities/inventory/inventory-bulk.ts';
import type { InventoryType } from '../../activities/inventory/inventory-lifecycle.ts';
import type { ConsoleDeps } from '../deps.ts';
import { bulkBody, bulkShape, type BulkValues, presentBulk } from '../http/bulk.ts';
import { route } from '../http/route.ts';
import { nanosOf } from './targeting-fields.ts';

type Action = InventoryBulkAction['action'];

const MOVES = { pause: 'none', resume: 'none', archive: 'none', submit_audit: 'none' } as const;
const KINDS = [
  {
    path: '/campaigns/bulk',
    type: 'campaign',
    called: 'campaigns',
    rule: 'interface 4.2',
    values: {
      ...MOVES,
      set_bid: 'amount',
      set_daily_budget: 'budget',
      set_total_budget: 'budget',
    },
  },
  {
    path: '/adgroups/bulk',
    type: 'adgroup',
    called: 'ad groups',
    rule: 'interface 4.3',
    values: { ...MOVES, set_bid: 'amount_or_null', set_daily_budget: 'budget' },
  },
  { path: '/ads/bulk', type: 'ad', called: 'ads', rule: 'interface 4.3', values: MOVES },
  {
    path: '/creatives/bulk',
    type: 'creative',
    called: 'creatives',
    rule: 'interface 4.4',
    values: MOVES,
  },
] as const satisfies {
  path: string;
  type: InventoryType;
  called: string;
  rule: string;
  values: Partial<Record<Action, BulkValues[string]>>;
}[];

/** The same done to many of a kind. Mounted at /api/advertiser. */
export function inventoryBulkRoutes({ activities }: ConsoleDeps): Router {
  const router = Router();
  for (const { path, type, called, rule, values } of KINDS) {
    router.post(
      path,
      route(
        {
          summary: `Do the same to up to 100 ${called}`,
          rule: `${rule}, 2.1`,
          body: bulkBody(values),
          answer: bulkShape(values),
        },
        async ({ body, caller }) => {
          const outcomes = await activities.bulkInventory({
            action: body.action as Action,
            nanos: nanosOf(body.value ?? null),
            type,
            advertiserId: caller.id,
            ids: body.ids,
            isRehearsal: body.dry_run ?? false,
          } as InventoryBulk);
          return presentBulk(body, outcomes);
        },
      ),
    );
  }
  return router;
}
