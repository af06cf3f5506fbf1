import { Router } from 'express';
import * as yup from 'yup';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';
import { id } from '../http/fields.ts';
import { readId, readQuery } from '../http/read.ts';
import { reportFields, reportOf } from '../http/reports.ts';

const reportQuery = yup.object({ ...reportFields, campaign_id: id() });
const statsQuery = yup.object(reportFields);

/** The named reports are the one report with another grouping (interface 4.5). */
const PRESETS = {
  '/report': 'date',
  '/campaigns': 'campaign',
  '/region': 'country',
  '/hourly': 'hour',
  '/device': 'device',
} as const;

/** Mounted at /api/advertiser/statistics. */
export function advertiserStatisticsRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  for (const [path, defaultGroupBy] of Object.entries(PRESETS)) {
    router.get(path, async (req, res) => {
      const { campaign_id: campaignId, ...query } = readQuery(req, reportQuery);
      const filter = campaignId === undefined ? {} : { campaign: campaignId };
      const ownerId = identityOf(req).id;
      ok(res, await reportOf(deps, { side: 'advertiser', ownerId, query, filter, defaultGroupBy }));
    });
  }
  return router;
}

/** Numbers of one campaign, ad group or ad (interface 4.2, 4.3). Mounted at /api/advertiser. */
export function inventoryStatsRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  for (const [path, dimension] of [
    ['/campaigns/:id/stats', 'campaign'],
    ['/adgroups/:id/stats', 'adgroup'],
    ['/ads/:id/stats', 'ad'],
  ] as const) {
    router.get(path, async (req, res) => {
      const filter = { [dimension]: readId(req) };
      const query = readQuery(req, statsQuery);
      ok(
        res,
        await reportOf(deps, { side: 'advertiser', ownerId: identityOf(req).id, query, filter }),
      );
    });
  }
  return router;
}
