import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

export const POSTBACK_STATUSES = ['PENDING', 'DELIVERED', 'DEAD'] as const;

export interface PostbackRow {
  id: number;
  conversionId: number;
  url: string;
  status: (typeof POSTBACK_STATUSES)[number];
  attempts: number;
  nextAttemptAt: Date | null;
  lastOutcome: string | null;
  deliveredAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

type Stored = Omit<PostbackRow, 'id' | 'conversionId'> & { id: string; conversionId: string };

const COLUMNS = `p.id, p.conversion_id AS "conversionId", p.url, p.status, p.attempts,
  p.next_attempt_at AS "nextAttemptAt", p.last_outcome AS "lastOutcome",
  p.delivered_at AS "deliveredAt", p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;

const rowOf = ({ id, conversionId, ...row }: Stored): PostbackRow => ({
  ...row,
  id: Number(id),
  conversionId: Number(conversionId),
});

/** What a call needs; the code as it is now, of which the secret is made. */
export async function findPostback(
  sql: SqlRunner,
  id: number,
): Promise<{ url: string; status: PostbackRow['status']; trackingCode: string } | undefined> {
  const { rows } = await sql.query<{
    url: string;
    status: PostbackRow['status'];
    trackingCode: string;
  }>(
    `SELECT p.url, p.status, t.tracking_code AS "trackingCode"
     FROM postbacks p JOIN trackers t ON t.id = p.tracker_id WHERE p.id = $1`,
    [id],
  );
  return rows[0];
}

/** Undefined when it is another tracker's or another advertiser's. */
export async function findOwnedPostback(
  sql: SqlRunner,
  key: { id: number; trackerId: number; advertiserId: number },
): Promise<PostbackRow | undefined> {
  const { rows } = await sql.query<Stored>(
    `SELECT ${COLUMNS} FROM postbacks p
     WHERE p.id = $1 AND p.tracker_id = $2 AND p.advertiser_id = $3`,
    [key.id, key.trackerId, key.advertiserId],
  );
  return rows.map(rowOf)[0];
}

export interface PostbackFilter {
  trackerId: number;
  advertiserId: number;
  status: string | undefined;
  limit: number;
  offset: number;
}

/** Newest first. */
export async function listPostbacks(
  sql: SqlRunner,
  filter: PostbackFilter,
): Promise<{ rows: PostbackRow[]; total: number }> {
  const where = `p.tracker_id = $1 AND p.advertiser_id = $2 AND ($3::text IS NULL OR p.status = $3)`;
  const bound = [filter.trackerId, filter.advertiserId, filter.status ?? null];
  const { rows } = await sql.query<Stored>(
    `SELECT ${COLUMNS} FROM postbacks p WHERE ${where} ORDER BY p.id DESC LIMIT $4 OFFSET $5`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    { text: `SELECT count(*) AS total FROM postbacks p WHERE ${where}`, values: bound },
  );
  return { rows: rows.map(rowOf), total };
}
