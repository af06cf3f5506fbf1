import { type Settings, settingsFrom } from '../../domain/settings.ts';
import type { SqlRunner } from '../sql-runner.ts';

export async function loadSettings(sql: SqlRunner): Promise<Settings> {
  const { rows } = await sql.query<{ key: string; value: unknown }>(
    'SELECT key, value FROM settings',
  );
  return settingsFrom(rows);
}

export interface StoredSetting {
  key: string;
  value: unknown;
  /** Counts its writes. */
  version: number;
  updatedBy: number | null;
  updatedAt: Date;
}

/** The stored rows themselves: who set what, and when. */
export async function listStoredSettings(sql: SqlRunner): Promise<StoredSetting[]> {
  const { rows } = await sql.query<Omit<StoredSetting, 'updatedBy'> & { updatedBy: string | null }>(
    `SELECT key, value, version, updated_by AS "updatedBy", updated_at AS "updatedAt"
     FROM settings ORDER BY key`,
  );
  return rows.map((row) => ({
    ...row,
    updatedBy: row.updatedBy === null ? null : Number(row.updatedBy),
  }));
}
