import { type Expression, flag, text } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { adGroups } from '../tables/ad-group.ts';
import { ads } from '../tables/ad.ts';
import { campaigns } from '../tables/campaign.ts';
import { creativeRevisions } from '../tables/creative-revision.ts';
import { creatives } from '../tables/creative.ts';
import { reviews } from '../tables/review.ts';
import { sites } from '../tables/site.ts';
import { zones } from '../tables/zone.ts';
import type { SqlRunner } from '../sql-runner.ts';

const COMMON = ['id', 'name', 'status', 'auditStatus'] as const;
const VISIBLE_SITE = ['mediaType', 'domain', 'appPackage', 'url', 'description', 'icp'] as const;
const VISIBLE_AD = ['title', 'description', 'buttonText', 'brandName', 'displayUrl'] as const;
const VISIBLE_ZONE = ['type', 'width', 'height', 'position', 'device', 'pricingTypes'] as const;

const shown = (from: string, columns: Record<string, Expression<unknown>>) => ({
  from,
  selection: select(columns),
});

/** What a reviewer reads of each reviewable thing. */
const SUBJECTS = new Map([
  [
    'campaign',
    shown(
      'campaigns t',
      columnsOf(campaigns, 't', [...COMMON, 'adType', 'pricingModel', 'bidNanos', 'landingUrl']),
    ),
  ],
  [
    'adgroup',
    shown('ad_groups t', columnsOf(adGroups, 't', [...COMMON, 'campaignId', 'bidNanos'])),
  ],
  [
    'ad',
    shown('ads t JOIN campaigns c ON c.id = t.campaign_id', {
      ...columnsOf(ads, 't', [...COMMON, 'campaignId', 'adGroupId', 'creativeId', ...VISIBLE_AD]),
      landingUrl: ads.columns.landingUrl.of("COALESCE(NULLIF(t.landing_url, ''), c.landing_url)"),
    }),
  ],
  [
    'creative',
    shown(
      'creatives t',
      columnsOf(creatives, 't', [
        ...COMMON,
        'creativeType',
        'type',
        'latestRevision',
        'approvedRevision',
      ]),
    ),
  ],
  [
    'site',
    shown(
      'sites t',
      columnsOf(sites, 't', [...COMMON, ...VISIBLE_SITE, 'verifyStatus', 'verifyMethod']),
    ),
  ],
  ['zone', shown('zones t', columnsOf(zones, 't', [...COMMON, 'siteId', ...VISIBLE_ZONE]))],
]);

/** The thing under review as it stands, or null for a task about something else. */
export async function readReviewSubject(
  sql: SqlRunner,
  subject: { type: string; id: number },
): Promise<Record<string, unknown> | null> {
  const found = SUBJECTS.get(subject.type);
  if (found === undefined) return null;
  const { selection, from } = found;
  const statement = `SELECT ${selection.list} FROM ${from} WHERE t.id = $1`;
  return (await readRow(sql, selection, statement, [subject.id])) ?? null;
}

const path = (alias: string) => text().orNull().of(`${alias}.path`);

const REVISION = select({
  ...columnsOf(creativeRevisions, 'r', ['revision', 'width', 'height', 'auditStatus']),
  ...columnsOf(creativeRevisions, 'r', ['imageMediaId', 'imageMediaId2', 'videoMediaId']),
  ...columnsOf(creativeRevisions, 'r', ['iconMediaId', 'html5MediaId']),
  ...columnsOf(creativeRevisions, 'r', ['htmlCode', 'vastXml', 'vastUrl', 'clickUrl']),
  imagePath: path('i'),
  imagePath2: path('j'),
  videoPath: path('v'),
  iconPath: path('k'),
  html5Path: path('h'),
  isApproved: flag().of('r.revision IS NOT DISTINCT FROM c.approved_revision'),
});
export type RevisionScreen = RowOf<typeof REVISION>;

/** The revision to decide on and the one that serves now, each as a whole. */
export async function readRevisions(
  sql: SqlRunner,
  creativeId: number,
  revision: number | null,
): Promise<{ proposed: RevisionScreen | null; approved: RevisionScreen | null }> {
  const rows = await readRows(
    sql,
    REVISION,
    `SELECT ${REVISION.list} FROM creatives c JOIN creative_revisions r ON r.creative_id = c.id
       AND r.revision IN (COALESCE($2::int, c.latest_revision), c.approved_revision)
     LEFT JOIN media i ON i.id = r.image_media_id LEFT JOIN media j ON j.id = r.image_media_id_2
     LEFT JOIN media v ON v.id = r.video_media_id LEFT JOIN media k ON k.id = r.icon_media_id
     LEFT JOIN media h ON h.id = r.html5_media_id
     WHERE c.id = $1`,
    [creativeId, revision],
  );
  const approved = rows.find(({ isApproved }) => isApproved) ?? null;
  return { proposed: rows.find(({ isApproved }) => !isApproved) ?? approved, approved };
}

const ROUND = select(
  columnsOf(reviews, 'v', [
    'round',
    'status',
    'decidedBy',
    'reasons',
    'appeal',
    'createdAt',
    'decidedAt',
  ]),
);
export type ReviewRound = RowOf<typeof ROUND>;

/** Earlier rounds of the same thing, newest first. */
export async function listReviewRounds(
  sql: SqlRunner,
  subject: { type: string; id: number },
): Promise<ReviewRound[]> {
  return await readRows(
    sql,
    ROUND,
    `SELECT ${ROUND.list} FROM reviews v
     WHERE v.subject_type = $1 AND v.subject_id = $2 ORDER BY v.round DESC LIMIT 20`,
    [subject.type, subject.id],
  );
}
