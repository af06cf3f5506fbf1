import { type Settings, settingsFrom } from '../domain/settings.ts';
import { columnsOf, readRows, select } from './schema/selection.ts';
import { settings } from './tables/setting.ts';
import type { SqlRunner } from './sql-runner.ts';

const VALUE = select(columnsOf(settings, 's', ['key', 'value']));

/** What operators have set, and the defaults of all else: for serving and for activities. */
export async function loadSettings(sql: SqlRunner): Promise<Settings> {
  return settingsFrom(await readRows(sql, VALUE, `SELECT ${VALUE.list} FROM settings s`));
}
