import { DEFAULT_PREFERENCES, type Person, type Preferences } from '../../domain/person.ts';
import { columnsOf, readRow, readRows, select } from '../schema/selection.ts';
import { preferences } from '../tables/preference.ts';
import { type SavedViewRow, savedViews } from '../tables/saved-view.ts';
import type { SqlRunner } from '../sql-runner.ts';

const VIEW = select(columnsOf(savedViews, 'v'));

/** By page and name; a person has few enough of them that there are no pages of the list. */
export async function listSavedViews(
  sql: SqlRunner,
  { personType, personId }: Person,
  { page, id }: { page?: string | undefined; id?: number },
): Promise<SavedViewRow[]> {
  return await readRows(
    sql,
    VIEW,
    `SELECT ${VIEW.list} FROM saved_views v WHERE v.person_type = $1 AND v.person_id = $2
       AND ($3::text IS NULL OR v.page = $3) AND ($4::bigint IS NULL OR v.id = $4)
     ORDER BY v.page, lower(v.name) LIMIT 1000`,
    [personType, personId, page ?? null, id ?? null],
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
