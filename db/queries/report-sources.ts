import type { ReportSource } from '../../domain/report.ts';
import { sqlName, type Table } from '../schema/table.ts';
import { rollupAdHours } from '../tables/rollup-ad-hour.ts';
import { rollupAdTraits } from '../tables/rollup-ad-trait.ts';
import { rollupZoneHours } from '../tables/rollup-zone-hour.ts';
import { rollupZoneTraits } from '../tables/rollup-zone-trait.ts';

/** What a report can be read from, and how each count is made of its rows. */

type CountName = (typeof COUNT_NAMES)[number];
export const COUNT_NAMES = [
  'requests',
  'impressions',
  'viewable',
  'views',
  'clicks',
  'conversions',
  'removed',
  'money',
] as const;

export interface Source {
  table: string;
  /** The time that a row is of; `day` rows are whole UTC days. */
  time: 'hour' | 'day' | 'received_at' | 'created_at';
  counts: Readonly<Record<CountName, string>>;
  /** What the counts sum up; none where they count rows. */
  columns: readonly string[];
  condition?: string;
}

/** What the table has of the counts; `filled` is in no report and not in its index. */
function rollup(of: Table, time: 'hour' | 'day', money: 'spendNanos' | 'revenueNanos'): Source {
  const counted = COUNT_NAMES.map((name) => {
    const property = name === 'money' ? money : name;
    return { name, column: property in of.columns ? sqlName(of, property) : null };
  });
  return {
    table: of.name,
    time,
    columns: counted.flatMap(({ column }) => column ?? []),
    counts: Object.fromEntries(
      counted.map(({ name, column }) => [
        name,
        column === null ? 'NULL::numeric' : `sum(r.${column})`,
      ]),
    ) as Source['counts'],
  };
}

const KINDS = `('impression', 'click_verify', 'conversion')`;

/** Counts as they are in the rollups, with what was corrected since; the books hold the two together. */
const events = (money: string): Source => ({
  table: 'corrected_events',
  time: 'received_at',
  columns: [],
  condition: `(r.kind IN ${KINDS} OR r.status = 'viewable' OR (r.kind = 'video_view' AND r.billable))
    AND r.ad_id IS NOT NULL AND r.zone_id IS NOT NULL`,
  counts: {
    requests: 'NULL::numeric',
    impressions: `count(*) FILTER (WHERE r.billable AND r.kind = 'impression')`,
    viewable: `count(*) FILTER (WHERE r.status = 'viewable')`,
    views: `count(*) FILTER (WHERE r.billable AND r.kind = 'video_view')`,
    clicks: `count(*) FILTER (WHERE r.billable AND r.kind = 'click_verify')`,
    conversions: `count(*) FILTER (WHERE r.billable AND r.kind = 'conversion')`,
    removed: `count(*) FILTER (WHERE NOT r.billable AND r.kind IN ${KINDS})`,
    money: `COALESCE(sum(r.${money}) FILTER (WHERE r.billable), 0)`,
  },
});

export const SOURCES: Readonly<Record<ReportSource, Source>> = {
  ad_hours: rollup(rollupAdHours, 'hour', 'spendNanos'),
  ad_traits: rollup(rollupAdTraits, 'day', 'spendNanos'),
  ad_events: events('price_nanos'),
  zone_hours: rollup(rollupZoneHours, 'hour', 'revenueNanos'),
  zone_traits: rollup(rollupZoneTraits, 'day', 'revenueNanos'),
  zone_events: events('publisher_nanos'),
};
