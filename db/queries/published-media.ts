import { flag } from '../schema/column.ts';
import { readRow, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

const PUBLISHED = select({
  is: flag().of(`EXISTS (
    SELECT 1 FROM media m JOIN accounts a ON a.id = m.advertiser_id AND a.status = 'ACTIVE'
    JOIN creative_revisions r ON ARRAY[r.image_media_id, r.image_media_id_2, r.video_media_id, r.icon_media_id,
      r.html5_media_id] @> ARRAY[m.id] AND r.audit_status = 'APPROVED'
    JOIN creatives c ON c.id = r.creative_id AND c.status <> 'ARCHIVED'
    WHERE left(m.path, 35) = $1)`),
});

/**
 * Whether anybody may load this asset: a reviewer has approved it in a creative that is still there. So
 * an approval publishes it, and an archive or a suspension takes it away, by nothing else being written.
 */
export async function isPublished(sql: SqlRunner, name: string): Promise<boolean> {
  const row = await readRow(sql, PUBLISHED, `SELECT ${PUBLISHED.list}`, [name]);
  return row?.is ?? false;
}
