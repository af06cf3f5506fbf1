import type { SqlRunner } from '../sql-runner.ts';
import {
  bigintArray,
  boolArray,
  bytesArray,
  dateArray,
  integerArray,
  jsonbArray,
  textArray,
  timeArray,
  uuidArray,
} from './binary-array.ts';
import type { KindName } from './column.ts';
import { type NewRow, sqlName, sqlNames, type Table } from './table.ts';

/** A new row as many of them are written: money also as decimal text, moments also as RFC 3339 or Unix ms. */
export type JsonRow<Of extends Table> = {
  [Name in keyof NewRow<Of>]: Written<NewRow<Of>[Name]>;
};
type Written<Value> = Value extends bigint
  ? bigint | string
  : Value extends Date
    ? string | number
    : Value;

type Encode = { type: string; encode: (values: never[]) => Buffer };
const encoder = <Value>(type: string, encode: (values: Value[]) => Buffer): Encode => ({
  type,
  encode,
});

/** How a column's values travel; what is not here goes as text that PostgreSQL reads. */
const ENCODERS: Partial<Record<KindName, Encode>> = {
  ref: encoder('bigint', bigintArray),
  nanos: encoder('bigint', bigintArray),
  whole: encoder('integer', integerArray),
  text: encoder('text', textArray),
  flag: encoder('boolean', boolArray),
  time: encoder('timestamptz', timeArray),
  day: encoder('date', dateArray),
  uuid: encoder('uuid', uuidArray),
  bytes: encoder('bytea', bytesArray),
  json: encoder('jsonb', (values: unknown[]) =>
    jsonbArray(values.map((value) => (value === null ? null : jsonOf(value)))),
  ),
};
/** Most lists of reasons are empty. */
const jsonOf = (value: unknown): string =>
  Array.isArray(value) && value.length === 0 ? '[]' : JSON.stringify(value);
const AS_TEXT = encoder('text', (values: unknown[]) =>
  textArray(values.map((value) => (value === null ? null : String(value as string | number)))),
);

/**
 * Any number of rows in one statement, a binary array per column. All of them have the columns of the
 * first one. `onConflict` names the table's own row `t`; with it rows go in by their key, so that two
 * writers who meet lock the same rows in the same order.
 */
export async function insertRows<Of extends Table>(
  sql: SqlRunner,
  of: Of,
  rows: readonly JsonRow<Of>[],
  onConflict = '',
): Promise<void> {
  for (const { text, values } of insertOf(of, rows, onConflict)) await sql.query(text, values);
}

/** For counters: a row whose key is there already grows by the new one's other columns. */
export async function addRows<Of extends Table>(
  sql: SqlRunner,
  of: Of,
  rows: readonly JsonRow<Of>[],
): Promise<void> {
  for (const { text, values } of additionOf(of, rows)) await sql.query(text, values);
}

export interface Statement {
  text: string;
  values: unknown[];
}

/** What insertRows sends: one statement, or none where there is no row. */
export function* insertOf<Of extends Table>(
  of: Of,
  rows: readonly JsonRow<Of>[],
  onConflict = '',
): Generator<Statement> {
  const [first] = rows;
  if (first === undefined) return;
  const names = Object.keys(first);
  const columns = names.map((name) => {
    const kind = of.columns[name]?.kind;
    const known = kind === undefined ? undefined : ENCODERS[kind.name];
    const values = rows.map((row) => (row as Record<string, unknown>)[name] ?? null) as never[];
    return {
      name,
      type: (known ?? AS_TEXT).type,
      cast: known === undefined ? `::${kind?.types[0] ?? 'text'}` : '',
      values: (known ?? AS_TEXT).encode(values),
    };
  });
  const order = of.key.filter((name) => names.includes(name)).map((name) => `r."${name}"`);
  const text = `INSERT INTO ${of.name} AS t (${sqlNames(of, names)})
     SELECT ${columns.map(({ name, cast }) => `r."${name}"${cast}`).join(', ')}
     FROM unnest(${columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')})
       AS r (${names.map((name) => `"${name}"`).join(', ')})
     ${onConflict === '' || order.length === 0 ? '' : `ORDER BY ${order.join(', ')}`} ${onConflict}`;
  yield { text, values: columns.map(({ values }) => values) };
}

/** What addRows sends. */
export function* additionOf<Of extends Table>(
  of: Of,
  rows: readonly JsonRow<Of>[],
): Generator<Statement> {
  const [first] = rows;
  if (first === undefined) return;
  const counts = Object.keys(first)
    .filter((name) => !of.key.includes(name))
    .map((name) => sqlName(of, name));
  yield* insertOf(
    of,
    rows,
    `ON CONFLICT (${sqlNames(of, of.key)}) DO UPDATE
       SET ${counts.map((name) => `${name} = t.${name} + EXCLUDED.${name}`).join(', ')}`,
  );
}
