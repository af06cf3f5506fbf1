import type { SqlRunner } from '../sql-runner.ts';
import type { Expression } from './column.ts';
import { type Row, sqlName, type Table } from './table.ts';

type Shape = Readonly<Record<string, Expression<unknown>>>;

/** What a SELECT answers, named as code names it. */
export interface Selection<Of extends Shape> {
  /** `t.bid_nanos AS "bidNanos", …`: goes behind SELECT or RETURNING. */
  readonly list: string;
  read(raw: Readonly<Record<string, unknown>>): Selected<Of>;
  /** Of a row that came as its values alone, in the order of the list. */
  readValues(values: readonly unknown[]): Selected<Of>;
}

type Selected<Of extends Shape> = {
  -readonly [Name in keyof Of]: Of[Name] extends Expression<infer Value> ? Value : never;
};

/** The row type of a selection. */
export type RowOf<Of> = Of extends Selection<infer Each> ? Selected<Each> : never;

export function select<Of extends Shape>(shape: Of): Selection<Of> {
  const entries = Object.entries(shape);
  return {
    list: entries.map(([name, { sql }]) => `${sql} AS "${name}"`).join(', '),
    // Settlement reads thousands of rows a second by it: a loop takes a third of fromEntries' time.
    read: (raw) => {
      const row: Record<string, unknown> = {};
      for (const [name, { read }] of entries) row[name] = read(raw[name]);
      return row as Selected<Of>;
    },
    readValues: (values) => {
      const row: Record<string, unknown> = {};
      for (const [at, [name, { read }]] of entries.entries()) row[name] = read(values[at]);
      return row as Selected<Of>;
    },
  };
}

type Picked<Of extends Table, Name extends keyof Row<Of>> = {
  [Each in Name]: Expression<Row<Of>[Each]>;
};

/**
 * Columns of a table that stands in the statement as `alias`; all of them when none is named. Without
 * NoInfer, inside an object that is spread, types would promise every column of the table.
 */
export function columnsOf<
  Of extends Table,
  const Name extends keyof Row<Of> & string = keyof Row<Of> & string,
>(
  of: Of,
  alias: string,
  names: readonly Name[] = Object.keys(of.columns) as Name[],
): Picked<Of, NoInfer<Name>> {
  return Object.fromEntries(
    names.map((name) => [name, of.columns[name]?.of(`${alias}.${sqlName(of, name)}`)]),
  ) as Picked<Of, Name>;
}

type Prefixed<Prefix extends string, Of> = {
  [Name in keyof Of & string as `${Prefix}${Capitalize<Name>}`]: Of[Name];
};

/** The same expressions under longer names: `status` becomes `campaignStatus`. */
export function prefixed<Prefix extends string, Of extends Shape>(
  prefix: Prefix,
  shape: Of,
): Prefixed<Prefix, Of> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, each]) => [
      `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      each,
    ]),
  ) as Prefixed<Prefix, Of>;
}

/** Columns of a table that a LEFT JOIN may not find: each may be null. */
export const leftJoined = <Of extends Shape>(
  shape: Of,
): { [Name in keyof Of]: Of[Name] | Expression<null> } => shape;

/** Runs a statement that selects `selection.list` and answers its rows. */
export async function readRows<Of extends Shape>(
  sql: SqlRunner,
  selection: Selection<Of>,
  statement: string,
  values: unknown[] = [],
): Promise<Selected<Of>[]> {
  const { rows } = await sql.query(statement, values);
  return rows.map((row) => selection.read(row));
}

/** The first row, or undefined. */
export async function readRow<Of extends Shape>(
  sql: SqlRunner,
  selection: Selection<Of>,
  statement: string,
  values: unknown[] = [],
): Promise<Selected<Of> | undefined> {
  const [row] = await readRows(sql, selection, statement, values);
  return row;
}
