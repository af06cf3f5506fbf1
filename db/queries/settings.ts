import { columnsOf, readRows, select } from '../schema/selection.ts';
import { type SettingRow, settings } from '../tables/setting.ts';
import type { SqlRunner } from '../sql-runner.ts';

const SETTING = select(columnsOf(settings, 's'));

/** The stored rows themselves: who set what, and when. */
export async function listStoredSettings(sql: SqlRunner): Promise<SettingRow[]> {
  return await readRows(sql, SETTING, `SELECT ${SETTING.list} FROM settings s ORDER BY key`);
}
