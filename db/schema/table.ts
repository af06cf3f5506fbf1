import type { AnyColumn, Column } from './column.ts';

/**
 * One table of the database, declared once: from it come the Sequelize model (models.ts), the typed
 * rows, the column lists of SQL (selection.ts) and the moves of its states (move.ts).
 */
export interface Table<Columns extends Record<string, AnyColumn> = Record<string, AnyColumn>> {
  readonly name: string;
  readonly columns: Columns;
  /** Properties that identify a row. */
  readonly key: readonly string[];
}

export function table<Columns extends Record<string, AnyColumn>>(
  name: string,
  columns: Columns,
  options: { key?: readonly (keyof Columns & string)[] } = {},
): Table<Columns> {
  return { name, columns, key: options.key ?? ['id'] };
}

type ValueOf<Of> =
  Of extends Column<infer Value, infer Null, boolean>
    ? Null extends true
      ? Value | null
      : Value
    : never;

type Columns<Of> = Of extends Table<infer Each> ? Each : never;

/** A row as code sees it: every column, camelCase. */
export type Row<Of extends Table> = {
  [Name in keyof Columns<Of> & string]: ValueOf<Columns<Of>[Name]>;
};

type Optional<Of extends Table> = {
  [Name in keyof Columns<Of> & string]: Columns<Of>[Name] extends Column<unknown, false, false>
    ? never
    : Name;
}[keyof Columns<Of> & string];

/** What a new row must say: all but what may be null or has a default. */
export type NewRow<Of extends Table> = Omit<Row<Of>, Optional<Of>> &
  Partial<Pick<Row<Of>, Optional<Of>>>;

/** Some columns of a row to be edited: what is undefined stays as it is stored. */
export type Patch<Of extends Table, Name extends keyof Row<Of>> = {
  [Each in Name]?: Row<Of>[Each] | undefined;
};

/** All properties of a table but the named ones, so that a new column is among them by itself. */
export function propertiesBut<Of extends Table, Name extends keyof Row<Of> & string>(
  of: Of,
  but: readonly Name[],
): Exclude<keyof Row<Of> & string, Name>[] {
  const without = new Set<string>(but);
  return Object.keys(of.columns).filter((name) => !without.has(name)) as Exclude<
    keyof Row<Of> & string,
    Name
  >[];
}

/** A column's name in SQL: `bidNanos` is `bid_nanos` unless its declaration says otherwise. */
export function sqlName(of: Table, property: string): string {
  const column = of.columns[property];
  if (column === undefined) throw new Error(`${of.name} has no column ${property}`);
  return column.sqlName ?? property.replace(/[A-Z]|\d+$/g, (part) => `_${part.toLowerCase()}`);
}

/** `name, bid_nanos`, or `t.name, t.bid_nanos`: for statements that copy rows. */
export function sqlNames(of: Table, properties: readonly string[], alias = ''): string {
  const dot = alias === '' ? '' : `${alias}.`;
  return properties.map((property) => `${dot}${sqlName(of, property)}`).join(', ');
}

/** A value as the parameter of a statement. */
export function sqlValue(of: Table, property: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return of.columns[property]?.kind.write(value);
}
