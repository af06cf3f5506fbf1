import type { TestDatabase } from '../database.ts';

/** A hash of every row of every table; partitions are counted with their parent. */
export async function tableHashes(
  { pool }: TestDatabase,
  except: readonly string[],
): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    if (except.includes(name)) continue;
    const { rows } = await pool.query<{ rows: string; hash: string | null }>(
      `SELECT count(*) AS rows, md5(string_agg(t::text, E'\\n' ORDER BY t::text)) AS hash FROM ${name} t`,
    );
    hashes[name] = `${rows[0]?.rows ?? '?'} rows, ${rows[0]?.hash ?? 'empty'}`;
  }
  return hashes;
}
