import type { RequestHandler } from 'express';
import * as yup from 'yup';
import { eventReader } from '../../db/events/event-reader.ts';
import { runner } from '../../db/postgres.ts';
import { hasPendingConversions, readPlatformReport } from '../../db/queries/platform-report.ts';
import { readBounds, REPORT_ROWS_MAX } from '../../db/queries/reports.ts';
import { invalid } from '../../domain/errors.ts';
import { presentAmount, type Nanos } from '../../domain/money.ts';
import {
  PLATFORM_REPORT_READERS,
  type PlatformCounts,
  planPlatformReport,
  platformRates,
  type PlatformRow,
  sumPlatform,
} from '../../domain/platform-report.ts';
import { keysLine } from '../../domain/report-columns.ts';
import { readRange } from '../../domain/report.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id } from '../http/fields.ts';
import {
  date,
  flag,
  fraction,
  fractionOrNull,
  idOf,
  listOf,
  moneyOrNull,
  record,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { reportFields } from './report-request.ts';

const query = yup.object({ ...reportFields, advertiser_id: id(), publisher_id: id() });

/** Null: not counted at this breakdown. */
const counted = {
  requests: wholeOrNull(),
  filled: wholeOrNull(),
  /** Requests that an ad answered, 0 to 1. */
  fill_rate: fractionOrNull(),
  impressions: whole(),
  viewable: whole(),
  views: whole(),
  clicks: whole(),
  conversions: whole(),
  removed: whole(),
  spend: moneyOrNull(),
  publisher_revenue: moneyOrNull(),
  /** What was spent and no publisher has earned. */
  margin: moneyOrNull(),
  ctr: fraction(),
  cvr: fraction(),
  ecpm: moneyOrNull(),
};
/** Present as far as they are grouped by. */
const keys = {
  date: date().optional(),
  hour: whole().min(0).max(23).optional(),
  advertiser_id: idOf().optional(),
  advertiser_name: wordsOrNull().optional(),
  campaign_id: idOf().optional(),
  campaign_name: wordsOrNull().optional(),
  publisher_id: idOf().optional(),
  publisher_name: wordsOrNull().optional(),
  site_id: idOf().optional(),
  site_name: wordsOrNull().optional(),
  zone_id: idOf().optional(),
  zone_name: wordsOrNull().optional(),
  country: words().optional(),
  device: words().optional(),
  os: words().optional(),
  browser: words().optional(),
};
const platformReportShape = record(
  {
    items: listOf(record({ ...keys, ...counted })),
    totals: record(counted),
    start_date: date(),
    end_date: date(),
    group_by: listOf(words()),
    timezone: words(),
    /** Until when everything is counted; null before the first event was. */
    as_of: timeOrNull(),
    is_final: flag(),
  },
  'PlatformReport',
);

/** interface 5.14: what the whole platform did and earned. 422 for what is not known or not counted together. */
export const platformReportRoute = (deps: ConsoleDeps): RequestHandler =>
  route(
    {
      summary: 'Report what advertisers spent, publishers earned and the platform kept',
      rule: 'interface 5.14',
      roles: PLATFORM_REPORT_READERS,
      query,
      answer: platformReportShape,
    },
    async ({ query: asked }) => {
      const sql = runner(deps.db);
      const range = readRange(
        { startDate: asked.start_date, endDate: asked.end_date, timezone: asked.timezone },
        deps.clock(),
      );
      const plan = planPlatformReport(asked.group_by ?? 'date', {
        filter: { advertiser: asked.advertiser_id, publisher: asked.publisher_id },
        timezone: range.timezone,
      });
      // Read before the numbers, so that they can only be newer than what is claimed of them.
      const settledAt = await eventReader.settledUntil(sql, deps.clock());
      const rows = await readPlatformReport(sql, plan, { ...range, limit: REPORT_ROWS_MAX + 1 });
      if (rows.length > REPORT_ROWS_MAX) {
        const message = `more than ${REPORT_ROWS_MAX} rows; choose fewer days or dimensions`;
        throw invalid({ field: 'group_by', code: 'too_many_rows', message });
      }
      const { to } = await readBounds(sql, range);
      const isSettled = settledAt !== null && settledAt >= to;
      return {
        items: rows.map(presentLine),
        totals: presentCounts(sumPlatform(rows, plan)),
        start_date: range.startDate,
        end_date: range.endDate,
        group_by: [...plan.groupBy],
        timezone: range.timezone,
        as_of: settledAt?.toISOString() ?? null,
        is_final: isSettled && !(await hasPendingConversions(sql, plan, range)),
      };
    },
  );

const amount = (nanos: Nanos | null): number | null =>
  nanos === null ? null : presentAmount(nanos);

function presentCounts(counts: PlatformCounts) {
  const { spendNanos, publisherNanos, ...others } = counts;
  const { fillRate, ctr, cvr, marginNanos, ecpmNanos } = platformRates(counts);
  return {
    ...others,
    fill_rate: fillRate,
    spend: amount(spendNanos),
    publisher_revenue: amount(publisherNanos),
    margin: amount(marginNanos),
    ctr,
    cvr,
    ecpm: amount(ecpmNanos),
  };
}

const presentLine = ({ counts, ...of }: PlatformRow) => ({
  ...keysLine(of),
  ...presentCounts(counts),
});
