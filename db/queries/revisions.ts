import { flag, ref } from '../schema/column.ts';
import { columnsOf, leftJoined, readRow, select } from '../schema/selection.ts';
import { reviews } from '../tables/review.ts';
import type { SqlRunner } from '../sql-runner.ts';
import type { Slice } from './inventory.ts';

/** How the revisions of ads and of creatives are read: `r` is one, `c` whose it is, `v` its last review. */
export interface RevisionScreen<Row> {
  type: 'ad' | 'creative';
  /** The table of what has revisions, theirs, and its column that names the first. */
  owners: string;
  revisions: string;
  ownerId: string;
  selection: { list: string; read(raw: Readonly<Record<string, unknown>>): Row };
  joins: string;
}

export const REVIEW_OF_REVISION = {
  isServing: flag().of('r.revision IS NOT DISTINCT FROM c.approved_revision'),
  ...leftJoined(columnsOf(reviews, 'v', ['decidedBy', 'decidedAt'])),
};

const reviewOf = ({ type, ownerId }: RevisionScreen<unknown>): string => `LEFT JOIN LATERAL (
       SELECT decided_by, decided_at FROM reviews
       WHERE subject_type = '${type}' AND subject_id = r.${ownerId} AND revision = r.revision
       ORDER BY round DESC LIMIT 1) v ON true`;

interface OwnerKey {
  id: number;
  advertiserId: number;
}

/** Newest first; undefined when what they are of is unknown, archived or another owner's. */
export async function listRevisions<Row>(
  sql: SqlRunner,
  screen: RevisionScreen<Row>,
  { id, advertiserId }: OwnerKey,
  slice: Slice,
): Promise<{ rows: Row[]; total: number } | undefined> {
  const { owners, revisions, ownerId, selection, joins } = screen;
  const total = select({
    total: ref().of(`(SELECT count(*) FROM ${revisions} r WHERE r.${ownerId} = c.id)`),
  });
  const owner = await readRow(
    sql,
    total,
    `SELECT ${total.list} FROM ${owners} c
     WHERE c.id = $1 AND c.advertiser_id = $2 AND c.status <> 'ARCHIVED'`,
    [id, advertiserId],
  );
  if (owner === undefined) return undefined;
  const { rows } = await sql.query(
    `WITH page AS (
       SELECT * FROM ${revisions} WHERE ${ownerId} = $1
       ORDER BY revision DESC LIMIT $2 OFFSET $3)
     SELECT ${selection.list}
     FROM page r JOIN ${owners} c ON c.id = r.${ownerId} ${joins}
     ${reviewOf(screen)}
     ORDER BY r.revision DESC`,
    [id, slice.limit, slice.offset],
  );
  return { rows: rows.map((row) => selection.read(row)), total: owner.total };
}

export interface ReviewedRevisions<Row> {
  /** The one to decide on. */
  proposed: Row | null;
  /** The one that serves now. */
  approved: Row | null;
  /** What the proposed one was made of: the serving one, else its predecessor. */
  before: Row | null;
}

/** Each as a whole; without a `revision` the latest is the one to decide on. */
export async function readReviewedRevisions<Row extends { revision: number; isServing: boolean }>(
  sql: SqlRunner,
  screen: RevisionScreen<Row>,
  { id, advertiserId }: OwnerKey,
  revision: number | null,
): Promise<ReviewedRevisions<Row>> {
  const { owners, revisions, ownerId, selection, joins } = screen;
  const found = await sql.query(
    `WITH wanted AS (
       SELECT c.*, COALESCE($3::int, c.latest_revision) AS revision FROM ${owners} c
       WHERE c.id = $1 AND c.advertiser_id = $2),
     page AS (
       SELECT r.* FROM wanted w JOIN ${revisions} r ON r.${ownerId} = w.id
         AND r.revision IN (w.revision, w.revision - 1, w.approved_revision))
     SELECT ${selection.list}
     FROM page r JOIN ${owners} c ON c.id = r.${ownerId} ${joins}
     ${reviewOf(screen)}
     ORDER BY r.revision DESC`,
    [id, advertiserId, revision],
  );
  const rows = found.rows.map((row) => selection.read(row));
  const approved = rows.find(({ isServing }) => isServing) ?? null;
  const proposed =
    revision === null
      ? (rows.find(({ isServing }) => !isServing) ?? approved)
      : (rows.find((row) => row.revision === revision) ?? null);
  const previous = rows.find((row) => row.revision + 1 === proposed?.revision) ?? null;
  const before = approved === null || approved === proposed ? previous : approved;
  return { proposed, approved, before };
}
