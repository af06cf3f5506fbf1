import { nanos, ref } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { creativeRevisions } from '../tables/creative-revision.ts';
import { creatives } from '../tables/creative.ts';
import { zones } from '../tables/zone.ts';
import { OPEN_ZONES } from './inventory-screens.ts';

const SHOWN = select({
  ...columnsOf(creatives, 'k', ['type']),
  ...columnsOf(creativeRevisions, 'v', ['width', 'height']),
});
/** Of the ads that are not archived; of each creative the revision that serves, else the newest. */
const OF_CAMPAIGN = `ads a JOIN ad_groups g ON g.id = a.adgroup_id AND g.status <> 'ARCHIVED'
  JOIN campaigns c ON c.id = g.campaign_id
  LEFT JOIN ad_revisions w ON w.ad_id = a.id AND w.revision = a.approved_revision
  JOIN creatives k ON k.id = COALESCE(w.creative_id, a.creative_id)
  JOIN creative_revisions v ON v.creative_id = k.id
    AND v.revision = COALESCE(k.approved_revision, k.latest_revision)
  WHERE c.id = $1 AND c.advertiser_id = $2 AND a.status <> 'ARCHIVED'`;

interface OwnedCampaign {
  id: number;
  advertiserId: number;
}

/** What a campaign's ads have to show, each kind and size once. */
export const readShownKinds = async (
  sql: SqlRunner,
  { id, advertiserId }: OwnedCampaign,
): Promise<RowOf<typeof SHOWN>[]> =>
  await readRows(sql, SHOWN, `SELECT DISTINCT ${SHOWN.list} FROM ${OF_CAMPAIGN}`, [
    id,
    advertiserId,
  ]);

const BID = select({ bidNanos: nanos().orNull().of('max(COALESCE(g.bid_nanos, c.bid_nanos))') });

/** The most that an ad group of it bids, adjustments for viewers aside; null of none. */
export const readMostBid = async (
  sql: SqlRunner,
  { id, advertiserId }: OwnedCampaign,
): Promise<bigint | null> =>
  (await readRow(sql, BID, `SELECT ${BID.list} FROM ${OF_CAMPAIGN}`, [id, advertiserId]))
    ?.bidNanos ?? null;

const GROUP = select({
  ...columnsOf(zones, 'z', [
    'type',
    'width',
    'height',
    'pricingTypes',
    'floorPriceCpcNanos',
    'floorPriceCpmNanos',
  ]),
  zones: ref().of('count(*)'),
});

/** All zones that are open, those that are alike together: whose they are is nobody's to know here. */
export const readOpenZones = async (sql: SqlRunner): Promise<RowOf<typeof GROUP>[]> =>
  await readRows(sql, GROUP, `SELECT ${GROUP.list} FROM ${OPEN_ZONES} GROUP BY 1, 2, 3, 4, 5, 6`);
