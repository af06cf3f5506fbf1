import type { ReviewReason } from '../tables/json.ts';
import type { SqlRunner } from '../sql-runner.ts';
import type { Slice } from './inventory.ts';

/** What a viewer of a creative gets, as CREATIVE_CONTENT_COLUMNS reads it. */
export interface CreativeContentColumns {
  size_id: string | null;
  width: number | null;
  height: number | null;
  image_media_id: string | null;
  image_media_id_2: string | null;
  video_media_id: string | null;
  icon_media_id: string | null;
  html5_media_id: string | null;
  html_code: string | null;
  vast_xml: string | null;
  vast_url: string | null;
  click_url: string | null;
  image_path: string | null;
  image_path_2: string | null;
  video_path: string | null;
  icon_path: string | null;
  html5_path: string | null;
}

/** Of a revision `r`, with the files of what it names. */
export const CREATIVE_CONTENT_COLUMNS = `r.size_id, r.width, r.height, r.image_media_id, r.image_media_id_2,
  r.video_media_id, r.icon_media_id, r.html5_media_id, r.html_code, r.vast_xml, r.vast_url, r.click_url,
  m1.path AS image_path, m2.path AS image_path_2, m3.path AS video_path, m4.path AS icon_path,
  m5.path AS html5_path`;
export const CREATIVE_CONTENT_JOINS = `
  LEFT JOIN media m1 ON m1.id = r.image_media_id LEFT JOIN media m2 ON m2.id = r.image_media_id_2
  LEFT JOIN media m3 ON m3.id = r.video_media_id LEFT JOIN media m4 ON m4.id = r.icon_media_id
  LEFT JOIN media m5 ON m5.id = r.html5_media_id`;

/** One version of what a creative shows, and what its review said. */
export interface CreativeRevisionRow extends CreativeContentColumns {
  revision: number;
  audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED';
  audit_reasons: ReviewReason[] | null;
  is_serving: boolean;
  created_at: Date;
  decided_by: 'AUTO' | 'OPERATOR' | null;
  decided_at: Date | null;
}

/** Newest first; undefined when the creative is unknown, archived or another owner's. */
export async function listCreativeRevisions(
  sql: SqlRunner,
  { id, advertiserId }: { id: number; advertiserId: number },
  slice: Slice,
): Promise<{ rows: CreativeRevisionRow[]; total: number } | undefined> {
  const owned = await sql.query<{ total: string }>(
    `SELECT (SELECT count(*) FROM creative_revisions r WHERE r.creative_id = c.id) AS total
     FROM creatives c WHERE c.id = $1 AND c.advertiser_id = $2 AND c.status <> 'ARCHIVED'`,
    [id, advertiserId],
  );
  const [creative] = owned.rows;
  if (creative === undefined) return undefined;
  const { rows } = await sql.query<CreativeRevisionRow>(
    `WITH page AS (
       SELECT * FROM creative_revisions WHERE creative_id = $1
       ORDER BY revision DESC LIMIT $2 OFFSET $3)
     SELECT r.revision, r.audit_status, r.audit_reasons,
       r.revision IS NOT DISTINCT FROM c.approved_revision AS is_serving,
       ${CREATIVE_CONTENT_COLUMNS}, r.created_at, v.decided_by, v.decided_at
     FROM page r JOIN creatives c ON c.id = r.creative_id ${CREATIVE_CONTENT_JOINS}
     LEFT JOIN LATERAL (
       SELECT decided_by, decided_at FROM reviews
       WHERE subject_type = 'creative' AND subject_id = r.creative_id AND revision = r.revision
       ORDER BY round DESC LIMIT 1) v ON true
     ORDER BY r.revision DESC`,
    [id, slice.limit, slice.offset],
  );
  return { rows, total: Number(creative.total) };
}
