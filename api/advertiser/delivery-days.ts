import { type RequestHandler, Router } from 'express';
import { eventReader } from '../../db/events/event-reader.ts';
import { runner } from '../../db/postgres.ts';
import { readChangesSince, readDeliveryDays } from '../../db/queries/delivery-days.ts';
import { CAMPAIGNS } from '../../db/queries/inventory-screens.ts';
import { findInventory } from '../../db/queries/inventory.ts';
import { reasonsOfDay } from '../../domain/delivery-days.ts';
import { notFound } from '../../domain/errors.ts';
import { addDays } from '../../domain/report.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import type { ConsoleDeps } from '../deps.ts';
import { route } from '../http/route.ts';
import { deliveryDaysShape, presentDeliveryDay } from '../present/delivery-day.ts';

const DAYS = 14;

/** The last days of a campaign: what each brought, and what is known of why it brought no more (interface 4.2). */
const deliveryDays = (deps: Pick<ConsoleDeps, 'db' | 'clock'>): RequestHandler =>
  route(
    {
      summary: 'The last fourteen days of a campaign: spend against budget, and what kept it',
      rule: 'interface 4.2',
      answer: deliveryDaysShape,
    },
    async ({ id, caller }) => {
      const sql = runner(deps.db);
      const now = deps.clock();
      const today = dayOf(now.getTime());
      const owned = { id, advertiserId: caller.id };
      const campaign = await findInventory(sql, CAMPAIGNS, { ...owned, day: today });
      if (campaign === undefined) throw notFound();
      // Nothing is known of days before it was made.
      const made = campaign.createdAt.toISOString().slice(0, 10);
      const first = addDays(today, 1 - DAYS);
      const key = { ...owned, startDate: made > first ? made : first, endDate: today };
      // Asked before the numbers, so that they can only be newer than what is claimed of them.
      const settledAt = await eventReader.settledUntil(sql, now);
      const rows = await readDeliveryDays(sql, key);
      const changes = (await readChangesSince(sql, key)).flatMap((entry) =>
        entry.changes.map((change) => ({ at: entry.createdAt, ...change })),
      );
      return {
        items: rows.map((row) => presentDeliveryDay(row, reasonsOfDay(row.day, campaign, changes))),
        as_of: settledAt?.toISOString() ?? null,
      };
    },
  );

/** Mounted at /api/advertiser. */
export function deliveryDaysRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get('/campaigns/:id/delivery-days', deliveryDays(deps));
  return router;
}
