import * as yup from 'yup';
import { PLATFORM_CURRENCY } from '../../activities/core/ledger.ts';
import { runner } from '../../db/postgres.ts';
import { eventReader } from '../../db/events/event-reader.ts';
import { readDayEnd } from '../../db/queries/reports.ts';
import {
  readClickToConversion,
  readTrackerStats,
  type TrackerStatsQuery,
} from '../../db/queries/tracker-stats.ts';
import { invalid } from '../../domain/errors.ts';
import { readRange } from '../../domain/report.ts';
import { readTrackerGroupBy, sumConversions } from '../../domain/tracker.ts';
import type { ConsoleDeps } from '../deps.ts';
import { reportFields } from '../reports/reports.ts';
import {
  presentConversionCounts,
  presentTrackerStatsRow,
  type trackerStatsShape,
} from '../present/tracker-stats.ts';

export const trackerStatsQuery = yup.object(reportFields);

/** A longer answer is refused: it is not for reading any more. */
const ROWS_MAX = 10_000;

/**
 * What a tracker counted, by day or by what won it. `is_final` when settlement has passed the last
 * day: until then an attributed conversion may still be billed. Raises validation_failed for a
 * range, zone or dimension that cannot be reported.
 */
export async function trackerStatsOf(
  deps: Pick<ConsoleDeps, 'db' | 'clock'>,
  key: { id: number; advertiserId: number },
  query: yup.InferType<typeof trackerStatsQuery>,
): Promise<yup.InferType<typeof trackerStatsShape>> {
  const sql = runner(deps.db);
  const range = readRange(
    { startDate: query.start_date, endDate: query.end_date, timezone: query.timezone },
    deps.clock(),
  );
  const groupBy = readTrackerGroupBy(query.group_by ?? 'date');
  // Asked before the numbers, so that they can only be newer than what is claimed of them.
  const settledAt = await eventReader.settledUntil(sql, deps.clock());
  const asked: TrackerStatsQuery = {
    trackerId: key.id,
    advertiserId: key.advertiserId,
    groupBy,
    ...range,
    currency: PLATFORM_CURRENCY,
    limit: ROWS_MAX + 1,
  };
  const rows = await readTrackerStats(sql, asked);
  if (rows.length > ROWS_MAX) {
    const message = `more than ${ROWS_MAX} rows; choose fewer days or dimensions`;
    throw invalid({ field: 'group_by', code: 'too_many_rows', message });
  }
  const delay = await readClickToConversion(sql, asked);
  const endsAt = await readDayEnd(sql, range.endDate, range.timezone);
  return {
    items: rows.map(presentTrackerStatsRow),
    totals: presentConversionCounts(sumConversions(rows.map(({ counts }) => counts))),
    click_to_conversion:
      delay === undefined
        ? null
        : { median_seconds: delay.medianSeconds, p90_seconds: delay.p90Seconds },
    currency: PLATFORM_CURRENCY,
    start_date: range.startDate,
    end_date: range.endDate,
    group_by: groupBy,
    timezone: range.timezone,
    as_of: settledAt?.toISOString() ?? null,
    is_final: settledAt !== null && settledAt >= endsAt,
  };
}
