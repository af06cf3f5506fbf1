import { DEFAULT_PREFERENCES, type Person, type Preferences } from '../../domain/person.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { preferences } from '../tables/preference.ts';
import { flag } from '../schema/column.ts';
import { savedViews } from '../tables/saved-view.ts';
import type { SqlRunner } from '../sql-runner.ts';

const OWN = 'v.person_type = $1 AND v.person_id = $2';
const VIEW = select({ ...columnsOf(savedViews, 'v'), isOwn: flag().of(OWN) });
export type ShownView = RowOf<typeof VIEW>;

/** Shared by somebody of the same account, or by another operator. */
const SHARED = `v.is_shared AND CASE v.person_type
  WHEN 'OPERATOR' THEN $1 = 'OPERATOR'
  WHEN 'ACCOUNT' THEN v.person_id = $5
  ELSE EXISTS (SELECT 1 FROM members m WHERE m.id = v.person_id AND m.account_id = $5) END`;

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
    `SELECT ${VIEW.list} FROM saved_views v WHERE (${OWN} OR (${SHARED}))
       AND ($3::text IS NULL OR v.page = $3) AND ($4::bigint IS NULL OR v.id = $4)
     ORDER BY v.page, lower(v.name), v.id LIMIT 1000`,
    [personType, personId, page ?? null, id ?? null, accountId],
  );
}

const PREFERENCES = select(columnsOf(preferences, 'p', ['language', 'timeZone', 'theme']));

export async function readPreferences(
  sql: SqlRunner,
  { personType, personId }: Person,
): Promise<Preferences> {
  const found = await readRow(
    sql,
    PREFERENCES,
    `SELECT ${PREFERENCES.list} FROM preferences p WHERE p.person_type = $1 AND p.person_id = $2`,
    [personType, personId],
  );
  return found ?? DEFAULT_PREFERENCES;
}
