import { ref } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { postbacks } from '../tables/postback.ts';
import { trackers } from '../tables/tracker.ts';
import { totalOf } from './page-total.ts';

const POSTBACK = select({
  ...columnsOf(postbacks, 'p'),
  publicConversionId: ref()
    .orNull()
    .of('(SELECT c.public_id FROM conversions c WHERE c.id = p.conversion_id)'),
});
export type PostbackScreen = RowOf<typeof POSTBACK>;
const CALL = select({
  ...columnsOf(postbacks, 'p', ['url', 'status', 'attempts']),
  trackingCode: trackers.columns.trackingCode.of('t.tracking_code'),
});

/** What a call needs; the code as it is now, of which the secret is made. */
export async function findPostbackCall(
  sql: SqlRunner,
  id: number,
): Promise<RowOf<typeof CALL> | undefined> {
  return await readRow(
    sql,
    CALL,
    `SELECT ${CALL.list} FROM postbacks p JOIN trackers t ON t.id = p.tracker_id WHERE p.id = $1`,
    [id],
  );
}

/** Undefined when it is another tracker's or another advertiser's. */
export async function findPostback(
  sql: SqlRunner,
  key: { id: number; trackerId: number; advertiserId: number },
): Promise<PostbackScreen | undefined> {
  return await readRow(
    sql,
    POSTBACK,
    `SELECT ${POSTBACK.list} FROM postbacks p
     WHERE p.id = $1 AND p.tracker_id = $2 AND p.advertiser_id = $3`,
    [key.id, key.trackerId, key.advertiserId],
  );
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
): Promise<{ rows: PostbackScreen[]; total: number }> {
  const where = `p.tracker_id = $1 AND p.advertiser_id = $2 AND ($3::text IS NULL OR p.status = $3)`;
  const bound = [filter.trackerId, filter.advertiserId, filter.status ?? null];
  const rows = await readRows(
    sql,
    POSTBACK,
    `SELECT ${POSTBACK.list} FROM postbacks p WHERE ${where} ORDER BY p.id DESC LIMIT $4 OFFSET $5`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    { text: `SELECT count(*) AS total FROM postbacks p WHERE ${where}`, values: bound },
  );
  return { rows, total };
}
