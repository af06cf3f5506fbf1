import type { SqlRunner } from '../sql-runner.ts';
import { type NewRow, sqlName, sqlNames, type Table } from './table.ts';

/** A new row as JSON carries it: money as decimal text, moments as RFC 3339. */
export type JsonRow<Of extends Table> = {
  [Name in keyof NewRow<Of>]: InJson<NewRow<Of>[Name]>;
};
type InJson<Value> = Value extends bigint | Date ? string : Value;

/**
 * Any number of rows in one statement and one parameter. All of them have the columns of the first
 * one. `onConflict` names the table's own row `t`; with it rows go in by their key, so that two writers
 * who meet lock the same rows in the same order.
 */
export async function insertRows<Of extends Table>(
  sql: SqlRunner,
  of: Of,
  rows: readonly JsonRow<Of>[],
  onConflict = '',
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const names = Object.keys(first);
  const types = names.map((name) => `"${name}" ${of.columns[name]?.kind.types[0] ?? ''}`);
  const order = of.key.filter((name) => names.includes(name)).map((name) => `r."${name}"`);
  await sql.query(
    `INSERT INTO ${of.name} AS t (${sqlNames(of, names)})
     SELECT ${names.map((name) => `r."${name}"`).join(', ')}
     FROM json_to_recordset($1::json) AS r (${types.join(', ')})
     ${onConflict === '' || order.length === 0 ? '' : `ORDER BY ${order.join(', ')}`} ${onConflict}`,
    [JSON.stringify(rows)],
  );
}

/** For counters: a row whose key is there already grows by the new one's other columns. */
export async function addRows<Of extends Table>(
  sql: SqlRunner,
  of: Of,
  rows: readonly JsonRow<Of>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const counts = Object.keys(first)
    .filter((name) => !of.key.includes(name))
    .map((name) => sqlName(of, name));
  await insertRows(
    sql,
    of,
    rows,
    `ON CONFLICT (${sqlNames(of, of.key)}) DO UPDATE
       SET ${counts.map((name) => `${name} = t.${name} + EXCLUDED.${name}`).join(', ')}`,
  );
}
