import { Router } from 'express';
import type { ConsoleDeps } from '../deps.ts';
import { exportRateLimit } from '../http/rate-limit.ts';
import { exportFields, exportFileRoute, exportRoute } from '../reports/report-exports.ts';
import { advertiserFilter, advertiserReportQuery } from './statistics.ts';

const query = advertiserReportQuery.shape(exportFields);

/** Reports as files (interface 4.5). Mounted at /api/advertiser/statistics. */
export function advertiserExportRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const rule = 'interface 4.5';
  router.get(
    '/export',
    exportRateLimit(deps),
    exportRoute(deps, { side: 'advertiser', rule, query, filterOf: advertiserFilter }),
  );
  router.get('/exports/:id/file', exportFileRoute(deps, { rule }));
  return router;
}
