import type { SqlRunner } from './sql-runner.ts';

/** An id of `table` before its row is written: for what has to name the row first, such as a flow or a seal. */
export async function nextId(sql: SqlRunner, table: string): Promise<number> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT nextval(pg_get_serial_sequence($1, 'id')) AS id`,
    [table],
  );
  const [taken] = rows;
  if (taken === undefined) throw new Error(`no id of ${table} was taken`);
  return Number(taken.id);
}
