import { type Settings, settingsFrom } from '../../domain/settings.ts';
import type { SqlRunner } from '../sql-runner.ts';

export async function loadSettings(sql: SqlRunner): Promise<Settings> {
  const { rows } = await sql.query<{ key: string; value: unknown }>(
    'SELECT key, value FROM settings',
  );
  return settingsFrom(rows);
}

/** The stored rows themselves: who set what, and when. */
export async function listStoredSettings(
  sql: SqlRunner,
): Promise<{ key: string; value: unknown; updatedBy: number | null; updatedAt: Date }[]> {
  const { rows } = await sql.query<{
    key: string;
    value: unknown;
    updatedBy: string | null;
    updatedAt: Date;
  }>(
    'SELECT key, value, updated_by AS "updatedBy", updated_at AS "updatedAt" FROM settings ORDER BY key',
  );
  return rows.map((row) => ({
    ...row,
    updatedBy: row.updatedBy === null ? null : Number(row.updatedBy),
  }));
}
