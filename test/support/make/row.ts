import type { TestDatabase } from '../database.ts';

/** A row of a table that has no maker, past every rule but the constraints. Answers its id. */
export async function insertRow(
  { pool }: TestDatabase,
  table: string,
  row: Record<string, unknown>,
): Promise<number> {
  const names = Object.keys(row);
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
    Object.values(row),
  );
  return Number(rows[0]?.id);
}
