import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import { type MediaRow, media } from '../tables/media.ts';
import { reviews } from '../tables/review.ts';
import type { SqlRunner } from '../sql-runner.ts';

const ROUND = select(
  columnsOf(reviews, 'v', [
    'round',
    'status',
    'decidedBy',
    'reasons',
    'appeal',
    'recallNote',
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

const MEDIA = select(columnsOf(media, 'm'));

/** Stored files by their ids, whoever's they are: for operators only. */
export async function readMediaByIds(sql: SqlRunner, ids: readonly number[]): Promise<MediaRow[]> {
  if (ids.length === 0) return [];
  return await readRows(
    sql,
    MEDIA,
    `SELECT ${MEDIA.list} FROM media m WHERE m.id = ANY($1::bigint[]) ORDER BY m.id`,
    [ids],
  );
}
