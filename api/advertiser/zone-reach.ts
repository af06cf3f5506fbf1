import { type RequestHandler, Router } from 'express';
import { runner } from '../../db/postgres.ts';
import { CAMPAIGNS } from '../../db/queries/inventory-screens.ts';
import { findInventory } from '../../db/queries/inventory.ts';
import { readMostBid, readOpenZones, readShownKinds } from '../../db/queries/zone-reach.ts';
import { notFound } from '../../domain/errors.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import { zoneReach as reachOf } from '../../domain/zone-reach.ts';
import type { ConsoleDeps } from '../deps.ts';
import { route } from '../http/route.ts';
import { kept } from '../kept.ts';
import { presentZoneReach, zoneReachShape } from '../present/zone-reach.ts';

/** To read them looks at each open zone, of which there may be a hundred thousand. */
const KEPT_MS = 60_000;

/** Which zones could show a campaign, as numbers: no zone and no price of a publisher is named (interface 4.2). */
const zoneReach = (deps: Pick<ConsoleDeps, 'db' | 'clock'>): RequestHandler => {
  const openZones = kept(
    { forMs: KEPT_MS, clock: deps.clock },
    async () => await readOpenZones(runner(deps.db)),
  );
  return route(
    {
      summary: 'How many open zones could show a campaign, rule by rule',
      rule: 'interface 4.2',
      answer: zoneReachShape,
    },
    async ({ id, caller }) => {
      const sql = runner(deps.db);
      const owned = { id, advertiserId: caller.id };
      const day = dayOf(deps.clock().getTime());
      const campaign = await findInventory(sql, CAMPAIGNS, { ...owned, day });
      if (campaign === undefined) throw notFound();
      const { adType, pricingModel } = campaign;
      const shown = await readShownKinds(sql, owned);
      const bidNanos = (await readMostBid(sql, owned)) ?? campaign.bidNanos;
      const creatives = shown.map(({ type, width, height }) => ({ display: type, width, height }));
      const asked = { adType, pricingModel, bidNanos, creatives };
      return presentZoneReach(reachOf(asked, await openZones()));
    },
  );
};

/** Mounted at /api/advertiser. */
export function zoneReachRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get('/campaigns/:id/zone-reach', zoneReach(deps));
  return router;
}
