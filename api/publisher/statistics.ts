import { Router } from 'express';
import * as yup from 'yup';
import type { ReportFilter } from '../../domain/report.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id } from '../http/fields.ts';
import { onlyField, reportFields } from '../reports/report-request.ts';
import { presetRoute, statsRoute } from '../reports/reports.ts';
import { removedRoute } from '../reports/unbilled-events.ts';

/** What a publisher narrows a report by: interface 4.11, and a zone. */
export const publisherReportQuery = yup.object({
  ...reportFields,
  ...onlyField,
  site_id: id(),
  zone_id: id(),
});

export const publisherFilter = ({
  site_id: site,
  zone_id: zone,
}: yup.InferType<typeof publisherReportQuery>): ReportFilter => ({
  ...(site === undefined ? {} : { site }),
  ...(zone === undefined ? {} : { zone }),
});

const PRESETS = [
  ['/report', 'date', 'The report, by the day unless asked otherwise'],
  ['/sites', 'site', 'The report by site'],
  ['/zones', 'zone', 'The report by zone'],
  ['/region', 'country', 'The report by country'],
  ['/hourly', 'hour', 'The report by hour of the day'],
  ['/device', 'device', 'The report by device'],
] as const;

/** Mounted at /api/publisher/statistics. */
export function publisherStatisticsRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  for (const [path, defaultGroupBy, summary] of PRESETS) {
    const preset = presetRoute(deps, {
      side: 'publisher',
      defaultGroupBy,
      summary,
      rule: 'interface 4.11',
      query: publisherReportQuery,
      filterOf: publisherFilter,
    });
    router.get(path, preset);
  }
  router.get('/removed', removedRoute(deps));
  return router;
}

/** Numbers of one site or zone (interface 4.9, 4.10). Mounted at /api/publisher. */
export function placementStatsRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  for (const [path, dimension, called, rule] of [
    ['/sites/:id/stats', 'site', 'a site', 'interface 4.9'],
    ['/zones/:id/stats', 'zone', 'a zone', 'interface 4.10'],
  ] as const) {
    router.get(path, statsRoute(deps, { side: 'publisher', dimension, called, rule }));
  }
  return router;
}
