import { flag, ref } from '../schema/column.ts';
import {
  columnsOf,
  leftJoined,
  readRow,
  readRows,
  type RowOf,
  select,
} from '../schema/selection.ts';
import { CREATIVE_CONTENT, creativeRevisions } from '../tables/creative-revision.ts';
import { media } from '../tables/media.ts';
import { reviews } from '../tables/review.ts';
import type { SqlRunner } from '../sql-runner.ts';
import type { Slice } from './inventory.ts';

const { path } = media.columns;

/** What a viewer gets of a revision `r`, with the files of what it names. */
export const CONTENT_COLUMNS = {
  ...columnsOf(creativeRevisions, 'r', CREATIVE_CONTENT),
  ...leftJoined({
    imagePath: path.of('m1.path'),
    imagePath2: path.of('m2.path'),
    videoPath: path.of('m3.path'),
    iconPath: path.of('m4.path'),
    html5Path: path.of('m5.path'),
  }),
};
export const CONTENT_JOINS = `
  LEFT JOIN media m1 ON m1.id = r.image_media_id LEFT JOIN media m2 ON m2.id = r.image_media_id_2
  LEFT JOIN media m3 ON m3.id = r.video_media_id LEFT JOIN media m4 ON m4.id = r.icon_media_id
  LEFT JOIN media m5 ON m5.id = r.html5_media_id`;

const contentColumns = select(CONTENT_COLUMNS);
export type CreativeContentRow = RowOf<typeof contentColumns>;

/** One version of what a creative shows, and what its review said. */
const REVISION = select({
  ...columnsOf(creativeRevisions, 'r', ['revision', 'auditStatus', 'auditReasons', 'createdAt']),
  isServing: flag().of('r.revision IS NOT DISTINCT FROM c.approved_revision'),
  ...CONTENT_COLUMNS,
  ...leftJoined(columnsOf(reviews, 'v', ['decidedBy', 'decidedAt'])),
});
export type CreativeRevisionScreenRow = RowOf<typeof REVISION>;

const REVIEW_OF_REVISION = `LEFT JOIN LATERAL (
       SELECT decided_by, decided_at FROM reviews
       WHERE subject_type = 'creative' AND subject_id = r.creative_id AND revision = r.revision
       ORDER BY round DESC LIMIT 1) v ON true`;

const TOTAL = select({
  total: ref().of('(SELECT count(*) FROM creative_revisions r WHERE r.creative_id = c.id)'),
});

/** Newest first; undefined when the creative is unknown, archived or another owner's. */
export async function listCreativeRevisions(
  sql: SqlRunner,
  { id, advertiserId }: { id: number; advertiserId: number },
  slice: Slice,
): Promise<{ rows: CreativeRevisionScreenRow[]; total: number } | undefined> {
  const creative = await readRow(
    sql,
    TOTAL,
    `SELECT ${TOTAL.list} FROM creatives c
     WHERE c.id = $1 AND c.advertiser_id = $2 AND c.status <> 'ARCHIVED'`,
    [id, advertiserId],
  );
  if (creative === undefined) return undefined;
  const rows = await readRows(
    sql,
    REVISION,
    `WITH page AS (
       SELECT * FROM creative_revisions WHERE creative_id = $1
       ORDER BY revision DESC LIMIT $2 OFFSET $3)
     SELECT ${REVISION.list}
     FROM page r JOIN creatives c ON c.id = r.creative_id ${CONTENT_JOINS}
     ${REVIEW_OF_REVISION}
     ORDER BY r.revision DESC`,
    [id, slice.limit, slice.offset],
  );
  return { rows, total: creative.total };
}

export interface ReviewedRevisions {
  /** The one to decide on. */
  proposed: CreativeRevisionScreenRow | null;
  /** The one that serves now. */
  approved: CreativeRevisionScreenRow | null;
  /** What the proposed one was made of: the serving one, else its predecessor. */
  before: CreativeRevisionScreenRow | null;
}

/** Each as a whole; without a `revision` the latest is the one to decide on. */
export async function readReviewedRevisions(
  sql: SqlRunner,
  { id, advertiserId }: { id: number; advertiserId: number },
  revision: number | null,
): Promise<ReviewedRevisions> {
  const rows = await readRows(
    sql,
    REVISION,
    `WITH wanted AS (
       SELECT c.*, COALESCE($3::int, c.latest_revision) AS revision FROM creatives c
       WHERE c.id = $1 AND c.advertiser_id = $2),
     page AS (
       SELECT r.* FROM wanted w JOIN creative_revisions r ON r.creative_id = w.id
         AND r.revision IN (w.revision, w.revision - 1, w.approved_revision))
     SELECT ${REVISION.list}
     FROM page r JOIN creatives c ON c.id = r.creative_id ${CONTENT_JOINS}
     ${REVIEW_OF_REVISION}
     ORDER BY r.revision DESC`,
    [id, advertiserId, revision],
  );
  const approved = rows.find(({ isServing }) => isServing) ?? null;
  const proposed =
    revision === null
      ? (rows.find(({ isServing }) => !isServing) ?? approved)
      : (rows.find((row) => row.revision === revision) ?? null);
  const previous = rows.find((row) => row.revision + 1 === proposed?.revision) ?? null;
  const before = approved === null || approved === proposed ? previous : approved;
  return { proposed, approved, before };
}
