import { HELD_COUNTS, type HeldCount } from '../../domain/report-counts.ts';
import type { Dimension, ReportQuery, ReportSide } from '../../domain/report.ts';

/** Columns of held conversions, in every part of a report's statement. */
export const HELD_NAMES = [
  ...HELD_COUNTS,
  ...HELD_COUNTS.map((name) => `${name}_money` as const),
] as const;

/** One that its own server reported meanwhile took no decision: it is in none of them. */
const STATUSES: Readonly<Record<HeldCount, string>> = {
  pending: `('PENDING')`,
  approved: `('ACCEPTED', 'BILLED')`,
  rejected: `('REJECTED')`,
};

/** Parts of a million that a publisher gets, by the terms of an instant. */
export const shareOf = (publisher: string, at: string): string =>
  `COALESCE((SELECT p.ppm FROM money_terms p
  WHERE p.kind = 'SHARE' AND p.status = 'APPROVED'
    AND (p.publisher_id = ${publisher} OR p.publisher_id IS NULL) AND p.effective_from <= ${at}
  ORDER BY p.publisher_id NULLS LAST, p.effective_from DESC LIMIT 1), 0)`;

/** What is left of a price, floored to a nano as settlement does. */
export const partOf = (price: string, ppm: string): string =>
  `floor(${price}::numeric * ${ppm} / 1000000)`;

/** A publisher's part of a held conversion `v`: by the terms of its decision, of today before that. */
const HELD_SHARE = partOf(
  'v.price_nanos',
  shareOf('v.publisher_id', 'COALESCE(v.decided_at, now())'),
);

/** Counts and sums of `r`, which is heldRows. */
export function heldCounts(side: ReportSide): string[] {
  const money = side === 'advertiser' ? 'r.price_nanos' : 'r.publisher_nanos';
  return [
    ...HELD_COUNTS.map(
      (name) => `count(*) FILTER (WHERE r.status IN ${STATUSES[name]}) AS ${name}`,
    ),
    ...HELD_COUNTS.map(
      (name) =>
        `COALESCE(sum(${money}) FILTER (WHERE r.status IN ${STATUSES[name]}), 0) AS ${name}_money`,
    ),
  ];
}

const VIEWER: ReadonlySet<Dimension> = new Set(['country', 'device', 'os', 'browser', 'page_host']);

/** Conversions that waited, as `r`, with the viewer of their click as far as its event is kept. */
export function heldRows({ groupBy, side }: Pick<ReportQuery, 'groupBy' | 'side'>): {
  from: string;
  join: string;
} {
  const isByViewer = groupBy.some((dimension) => VIEWER.has(dimension));
  const viewer = isByViewer ? ', e.country, e.device, e.os, e.browser, e.page_id' : '';
  const click = isByViewer
    ? `LEFT JOIN clicks k ON k.click_id = v.click_id
       LEFT JOIN events e ON e.day = (k.clicked_at AT TIME ZONE 'UTC')::date AND e.id = k.id AND e.device IS NOT NULL`
    : '';
  const share = side === 'publisher' ? `, ${HELD_SHARE} AS publisher_nanos` : '';
  return {
    from: `(SELECT v.created_at, v.status, v.advertiser_id, v.publisher_id, v.campaign_id, v.adgroup_id,
        v.ad_id, v.creative_id, v.zone_id, z.site_id, v.price_nanos${viewer}${share}
      FROM conversions v JOIN zones z ON z.id = v.zone_id ${click} WHERE v.held_at IS NOT NULL) r`,
    join: groupBy.includes('page_host') ? ' LEFT JOIN pages pg ON pg.id = r.page_id' : '',
  };
}
