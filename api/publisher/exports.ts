import { Router } from 'express';
import type { ConsoleDeps } from '../deps.ts';
import { exportRateLimit } from '../http/rate-limit.ts';
import { exportFields, exportFileRoute, exportRoute } from '../reports/report-exports.ts';
import { publisherFilter, publisherReportQuery } from './statistics.ts';

const query = publisherReportQuery.shape(exportFields);

/** Reports as files (interface 4.11). Mounted at /api/publisher/statistics. */
export function publisherExportRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const rule = 'interface 4.11';
  router.get(
    '/export',
    exportRateLimit(deps),
    exportRoute(deps, { side: 'publisher', rule, query, filterOf: publisherFilter }),
  );
  router.get('/exports/:id/file', exportFileRoute(deps, { rule }));
  return router;
}
