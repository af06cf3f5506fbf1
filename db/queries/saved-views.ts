import { DEFAULT_PREFERENCES, type KeptPreferences, type Person } from '../../domain/person.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { preferences } from '../tables/preference.ts';
import { flag } from '../schema/column.ts';
import { savedViews } from '../tables/saved-view.ts';
import type { SqlRunner } from '../sql-runner.ts';

const OWN = 'v.person_type = $1 AND v.person_id = $2';
const VIEW = select({ ...columnsOf(savedViews, 'v'), isOwn: flag().of(OWN) });
export type ShownView = RowOf<typeof VIEW>;

/** Shared by somebody of the same account, or by another operator: each part is found by an index. */
const SEEN = `(SELECT v.* FROM saved_views v WHERE ${OWN}
  UNION ALL
  SELECT v.* FROM saved_views v
  WHERE v.is_shared AND v.person_type = 'OPERATOR' AND $1 = 'OPERATOR' AND NOT (${OWN})
  UNION ALL
  SELECT v.* FROM saved_views v
  WHERE v.is_shared AND v.person_type = 'ACCOUNT' AND v.person_id = $5 AND NOT (${OWN})
  UNION ALL
  SELECT v.* FROM members m JOIN saved_views v ON v.person_type = 'MEMBER' AND v.person_id = m.id
  WHERE v.is_shared AND m.account_id = $5 AND NOT (${OWN}))`;

/**
 * One's own, and what others of `accountId` (null: an operator) share; by page and name. A person has few
 * enough of them that there are no pages of the list.
 */
export async function listSavedViews(
  sql: SqlRunner,
  { personType, personId }: Person,
  { page, id, accountId }: { page?: string | undefined; id?: number; accountId: number | null },
): Promise<ShownView[]> {
  return await readRows(
    sql,
    VIEW,
    `SELECT ${VIEW.list} FROM ${SEEN} v
     WHERE ($3::text IS NULL OR v.page = $3) AND ($4::bigint IS NULL OR v.id = $4)
     ORDER BY v.page, lower(v.name), v.id LIMIT 1000`,
    [personType, personId, page ?? null, id ?? null, accountId],
  );
}

const PREFERENCES = select(
  columnsOf(preferences, 'p', ['language', 'timeZone', 'theme', 'updatedAt']),
);

export async function readPreferences(
  sql: SqlRunner,
  { personType, personId }: Person,
): Promise<KeptPreferences> {
  const found = await readRow(
    sql,
    PREFERENCES,
    `SELECT ${PREFERENCES.list} FROM preferences p WHERE p.person_type = $1 AND p.person_id = $2`,
    [personType, personId],
  );
  return found ?? DEFAULT_PREFERENCES;
}
