import { Router } from 'express';
import * as yup from 'yup';
import type { ReportFilter } from '../../domain/report.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id } from '../http/fields.ts';
import { onlyField, reportFields } from '../reports/report-request.ts';
import { presetRoute, statsRoute } from '../reports/reports.ts';

/** What an advertiser narrows a report by (interface 4.5). */
export const advertiserReportQuery = yup.object({
  ...reportFields,
  ...onlyField,
  campaign_id: id(),
  adgroup_id: id(),
  ad_id: id(),
});

export const advertiserFilter = ({
  campaign_id: campaign,
  adgroup_id: adgroup,
  ad_id: ad,
}: yup.InferType<typeof advertiserReportQuery>): ReportFilter => ({
  ...(campaign === undefined ? {} : { campaign }),
  ...(adgroup === undefined ? {} : { adgroup }),
  ...(ad === undefined ? {} : { ad }),
});

const PRESETS = [
  ['/report', 'date', 'The report, by the day unless asked otherwise'],
  ['/campaigns', 'campaign', 'The report by campaign'],
  ['/region', 'country', 'The report by country'],
  ['/hourly', 'hour', 'The report by hour of the day'],
  ['/device', 'device', 'The report by device'],
] as const;

/** Mounted at /api/advertiser/statistics. */
export function advertiserStatisticsRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  for (const [path, defaultGroupBy, summary] of PRESETS) {
    const preset = presetRoute(deps, {
      side: 'advertiser',
      defaultGroupBy,
      summary,
      rule: 'interface 4.5',
      query: advertiserReportQuery,
      filterOf: advertiserFilter,
    });
    router.get(path, preset);
  }
  return router;
}

/** Numbers of one campaign, ad group or ad (interface 4.2, 4.3). Mounted at /api/advertiser. */
export function inventoryStatsRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  for (const [path, dimension, called, rule] of [
    ['/campaigns/:id/stats', 'campaign', 'a campaign', 'interface 4.2'],
    ['/adgroups/:id/stats', 'adgroup', 'an ad group', 'interface 4.3'],
    ['/ads/:id/stats', 'ad', 'an ad', 'interface 4.3'],
  ] as const) {
    router.get(path, statsRoute(deps, { side: 'advertiser', dimension, called, rule }));
  }
  return router;
}
