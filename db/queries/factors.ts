import type { Person } from '../../domain/person.ts';
import { ref } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { factors } from '../tables/factor.ts';

const FACTOR = select(columnsOf(factors, 'f', ['id', 'kind', 'name', 'createdAt', 'lastUsedAt']));
export type ShownFactor = RowOf<typeof FACTOR>;

/** Those that count, the oldest first. */
export async function listFactors(
  sql: SqlRunner,
  { personType, personId }: Person,
): Promise<ShownFactor[]> {
  return await readRows(
    sql,
    FACTOR,
    `SELECT ${FACTOR.list} FROM factors f WHERE f.person_type = $1 AND f.person_id = $2
       AND f.confirmed_at IS NOT NULL ORDER BY f.id`,
    [personType, personId],
  );
}

const LEFT = select({ codes: ref().of('count(*)') });

export async function countRecoveryCodes(
  sql: SqlRunner,
  { personType, personId }: Person,
): Promise<number> {
  const row = await readRow(
    sql,
    LEFT,
    `SELECT ${LEFT.list} FROM recovery_codes
     WHERE person_type = $1 AND person_id = $2 AND used_at IS NULL AND expires_at IS NULL`,
    [personType, personId],
  );
  return row?.codes ?? 0;
}
