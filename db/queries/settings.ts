import { type Settings, settingsFrom } from '../../domain/settings.ts';
import type { SqlRunner } from '../sql-runner.ts';

export async function loadSettings(sql: SqlRunner): Promise<Settings> {
  const { rows } = await sql.query<{ key: string; value: unknown }>('SELECT key, value FROM settings');
  return settingsFrom(rows);
}
