import type * as yup from 'yup';
import type { TrackerStatsRow } from '../../db/queries/tracker-stats.ts';
import { presentAmount } from '../../domain/money.ts';
import type { ConversionCounts, TrackerDimension } from '../../domain/tracker.ts';
import {
  date,
  flag,
  idOrNullOf,
  listOf,
  money,
  record,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

const counts = {
  /** All of them: attributed, unattributed, expired, and received but not judged yet. */
  conversions: whole(),
  attributed: whole(),
  unattributed: whole(),
  expired: whole(),
  received: whole(),
  /** Of the attributed: held, rejected, billed. */
  pending: whole(),
  rejected: whole(),
  billed: whole(),
  value: money(),
  foreign_currency: whole(),
};

const rowShape = record(
  {
    // Those that were asked for in group_by.
    date: date().optional(),
    hour: whole().optional(),
    campaign_id: idOrNullOf().optional(),
    campaign_name: wordsOrNull().optional(),
    adgroup_id: idOrNullOf().optional(),
    adgroup_name: wordsOrNull().optional(),
    ad_id: idOrNullOf().optional(),
    ad_name: wordsOrNull().optional(),
    creative_id: idOrNullOf().optional(),
    creative_name: wordsOrNull().optional(),
    event_type: words().optional(),
    ...counts,
  },
  'TrackerStatsRow',
);

/** interface 4.7: stats of one thing are a report with its id as filter. */
export const trackerStatsShape = record(
  {
    items: listOf(rowShape),
    totals: record(counts, 'TrackerStatsCounts'),
    /** How long after their clicks the attributed ones came: half of them, and nine of ten, within this. */
    click_to_conversion: record(
      { median_seconds: whole(), p90_seconds: whole() },
      'ClickToConversion',
    ).nullable(),
    currency: words(),
    start_date: date(),
    end_date: date(),
    group_by: listOf(words()),
    timezone: words(),
    as_of: timeOrNull(),
    is_final: flag(),
  },
  'TrackerStats',
);

export function presentConversionCounts(total: ConversionCounts) {
  return {
    conversions: total.attributed + total.unattributed + total.expired + total.received,
    attributed: total.attributed,
    unattributed: total.unattributed,
    expired: total.expired,
    received: total.received,
    pending: total.pending,
    rejected: total.rejected,
    billed: total.billed,
    value: presentAmount(total.valueNanos),
    foreign_currency: total.foreign,
  };
}

/** Things are named by id and name; hours as numbers. */
export function presentTrackerStatsRow(row: TrackerStatsRow): yup.InferType<typeof rowShape> {
  const keys = (Object.entries(row.keys) as [TrackerDimension, string | null][]).flatMap(
    ([dimension, value]) => {
      if (dimension === 'date' || dimension === 'event_type') return [[dimension, value]];
      const number = value === null ? null : Number(value);
      if (dimension === 'hour') return [[dimension, number]];
      return [
        [`${dimension}_id`, number],
        [`${dimension}_name`, row.names[dimension] ?? null],
      ];
    },
  );
  return {
    ...(Object.fromEntries(keys) as Partial<yup.InferType<typeof rowShape>>),
    ...presentConversionCounts(row.counts),
  };
}
