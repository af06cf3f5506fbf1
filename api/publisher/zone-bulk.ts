import { Router } from 'express';
import type { ZoneBulk, ZoneBulkAction } from '../../activities/publisher/zone-bulk.ts';
import { parseAmount } from '../../domain/money.ts';
import type { ConsoleDeps } from '../deps.ts';
import { bulkBody, bulkShape, type BulkValues, presentBulk } from '../http/bulk.ts';
import { route } from '../http/route.ts';

const VALUES = {
  pause: 'none',
  resume: 'none',
  archive: 'none',
  submit_audit: 'none',
  set_floor_price_cpc: 'amount',
  set_floor_price_cpm: 'amount',
} as const satisfies Record<ZoneBulkAction['action'], BulkValues[string]>;

/** The same done to many zones. Mounted at /api/publisher/zones. */
export function zoneBulkRoutes({ activities }: ConsoleDeps): Router {
  const router = Router();
  router.post(
    '/bulk',
    route(
      {
        summary: 'Do the same to up to 100 zones',
        rule: 'interface 4.10, 2.1',
        body: bulkBody(VALUES),
        answer: bulkShape(VALUES),
      },
      async ({ body, caller }) => {
        const outcomes = await activities.bulkZones({
          action: body.action as ZoneBulkAction['action'],
          nanos: parseAmount(body.value ?? 0) ?? 0n,
          publisherId: caller.id,
          ids: body.ids,
          isRehearsal: body.dry_run ?? false,
        } as ZoneBulk);
        return presentBulk(body, outcomes);
      },
    ),
  );
  return router;
}
