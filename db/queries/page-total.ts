import type { SqlRunner } from '../sql-runner.ts';

export interface PageRead {
  /** How many rows the page has. */
  rows: number;
  limit: number;
  offset: number;
  /** Where a cursor began: what lies before it is not in `offset`. */
  cursor?: number | undefined;
}

/**
 * How many rows a list has under its filter. `counted` answers it as `total`, joining only what the
 * filter needs. It is not run where the page itself shows the end of the list, which spares most
 * accounts' lists and searches that find little a second pass.
 */
export async function totalOf(
  sql: SqlRunner,
  page: PageRead,
  counted: { text: string; values: unknown[] },
): Promise<number> {
  const { rows, limit, offset, cursor } = page;
  const isLast = rows < limit && (rows > 0 || offset === 0);
  if (isLast && cursor === undefined) return offset + rows;
  const answer = await sql.query<{ total: string }>(counted.text, counted.values);
  return Number(answer.rows[0]?.total ?? 0);
}
