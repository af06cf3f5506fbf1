import { Router } from 'express';
import * as yup from 'yup';
import type { ReportFilter } from '../../domain/report.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';
import { id } from '../http/fields.ts';
import { readQuery } from '../http/read.ts';
import { reportFields, reportOf } from '../http/reports.ts';

const reportQuery = yup.object({ ...reportFields, site_id: id(), zone_id: id() });

/** The named reports are the one report with another grouping (interface 4.11). */
const PRESETS = {
  '/report': 'date',
  '/sites': 'site',
  '/zones': 'zone',
  '/region': 'country',
  '/hourly': 'hour',
  '/device': 'device',
} as const;

/** Mounted at /api/publisher/statistics. */
export function publisherStatisticsRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  for (const [path, defaultGroupBy] of Object.entries(PRESETS)) {
    router.get(path, async (req, res) => {
      const { site_id: site, zone_id: zone, ...query } = readQuery(req, reportQuery);
      const filter: ReportFilter = {
        ...(site === undefined ? {} : { site }),
        ...(zone === undefined ? {} : { zone }),
      };
      const ownerId = identityOf(req).id;
      ok(res, await reportOf(deps, { side: 'publisher', ownerId, query, filter, defaultGroupBy }));
    });
  }
  return router;
}
