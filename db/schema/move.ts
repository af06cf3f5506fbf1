import { notFound } from '../../domain/errors.ts';
import { illegalMove, type Lifecycle } from '../../domain/lifecycle/transition.ts';
import type { SqlRunner } from '../sql-runner.ts';
import type { AnyColumn } from './column.ts';
import { columnsOf, readRow, readRows, select } from './selection.ts';
import { type Row, sqlName, sqlValue, type Table } from './table.ts';

/**
 * The only way a status changes: by an action of its column's lifecycle, in one conditional UPDATE.
 * A model refuses to write one (models.ts), and test/tidy.test.ts finds SQL that would.
 */
export type StateOf<Of extends Table> = {
  [Name in keyof Of['columns'] & string]: Of['columns'][Name] extends { action: string }
    ? Name
    : never;
}[keyof Of['columns'] & string];

type ActionOf<Each> = Each extends { action: infer Action extends string } ? Action : never;

/** SQL instead of a value, for what the database knows better. Never holds a caller's text. */
export interface Computed {
  readonly computed: string;
}
export const NOW: Computed = { computed: 'now()' };
/** On the database's clock, as its deadlines are. */
export const secondsFromNow = (seconds: number): Computed => ({
  computed: `now() + ${Number(seconds)} * interval '1 second'`,
});
/** Of a record that tells its edits by a version (ETag). */
export const NEXT_VERSION: Computed = { computed: 'version + 1' };

type Values<Of extends Table> = {
  [Name in keyof Row<Of>]?: Row<Of>[Name] | Computed | undefined;
};
type Conditions<Of extends Table> = {
  [Name in keyof Row<Of>]?: Row<Of>[Name] | readonly Row<Of>[Name][] | undefined;
};

export interface Move<Of extends Table, State extends StateOf<Of>> {
  state: State;
  action: ActionOf<Of['columns'][State]>;
  /** Columns equal to a value, or to one of several. The row's owner belongs here. */
  where: Conditions<Of>;
  /** Written together with the move; what is undefined stays. */
  set?: Values<Of>;
}

/**
 * Moves every row that matches and from which the action is legal; answers them as they are now.
 * Rows from which it is not legal stay as they are.
 */
export async function moveRows<Of extends Table, State extends StateOf<Of>>(
  sql: SqlRunner,
  of: Of,
  move: Move<Of, State>,
): Promise<Row<Of>[]> {
  const values: unknown[] = [];
  const { set, only } = moveSql(of, move.state, move.action);
  const sets = [set, ...setsOf(of, move.set ?? {}, values)];
  const conditions = [only, ...conditionsOf(of, move.where, values)];
  const whole = select(columnsOf(of, of.name));
  return (await readRows(
    sql,
    whole,
    `UPDATE ${of.name} SET ${sets.join(', ')} WHERE ${conditions.join(' AND ')} RETURNING ${whole.list}`,
    values,
  )) as Row<Of>[];
}

/**
 * Moves one row. Raises not_found when nothing matches `where`, and state_conflict with the status
 * that stands in the way when the action is not legal from it.
 */
export async function moveRow<Of extends Table, State extends StateOf<Of>>(
  sql: SqlRunner,
  of: Of,
  move: Move<Of, State>,
): Promise<Row<Of>> {
  const [moved] = await moveRows(sql, of, move);
  if (moved !== undefined) return moved;
  const values: unknown[] = [];
  const conditions = conditionsOf(of, move.where, values).join(' AND ');
  const column = of.columns[move.state] as AnyColumn;
  const status = select({ is: column.of(sqlName(of, move.state)) });
  const found = await readRow(
    sql,
    status,
    `SELECT ${status.list} FROM ${of.name} WHERE ${conditions}`,
    values,
  );
  if (found === undefined) throw notFound();
  throw illegalMove(String(found.is), move.action);
}

/**
 * The two halves of a conditional UPDATE, for statements that do more than one table's move: `set`
 * goes behind SET, `only` into the WHERE, whose columns may need `alias`.
 */
export function moveSql<Of extends Table, State extends StateOf<Of>>(
  of: Of,
  state: State,
  action: ActionOf<Of['columns'][State]>,
  alias = of.name,
): { set: string; only: string } {
  const { moves } = lifecycleOf(of, state);
  const legal = Object.entries(moves[action] ?? {});
  const [first] = legal;
  if (first === undefined) throw new Error(`${of.name}.${state} has no move ${action}`);
  const name = sqlName(of, state);
  const isOne = legal.every(([, to]) => to === first[1]);
  const cases = legal.map(([from, to]) => `WHEN '${from}' THEN '${to}'`).join(' ');
  return {
    set: `${name} = ${isOne ? `'${first[1]}'` : `CASE ${alias}.${name} ${cases} END`}`,
    only: `${alias}.${name} IN (${legal.map(([from]) => `'${from}'`).join(', ')})`,
  };
}

function lifecycleOf(of: Table, state: string): Lifecycle {
  const lifecycle = of.columns[state]?.lifecycle as Lifecycle | undefined;
  if (lifecycle === undefined) throw new Error(`${of.name}.${state} is no status`);
  return lifecycle;
}

function setsOf(of: Table, set: object, values: unknown[]): string[] {
  return Object.entries(set)
    .filter(([, value]) => value !== undefined)
    .map(([property, value]) => {
      if (of.columns[property]?.lifecycle !== undefined) {
        throw new Error(`${of.name}.${property} is a status: it moves by its own action`);
      }
      return `${sqlName(of, property)} = ${
        isComputed(value) ? value.computed : parameter(values, sqlValue(of, property, value))
      }`;
    });
}

const isComputed = (value: unknown): value is Computed =>
  typeof value === 'object' && value !== null && 'computed' in value;

function conditionsOf(of: Table, where: object, values: unknown[]): string[] {
  return Object.entries(where)
    .filter(([, value]) => value !== undefined)
    .map(([property, value]) => {
      const name = `${of.name}.${sqlName(of, property)}`;
      if (value === null) return `${name} IS NULL`;
      if (!Array.isArray(value)) {
        return `${name} = ${parameter(values, sqlValue(of, property, value))}`;
      }
      const type = of.columns[property]?.kind.types[0] ?? 'text';
      const each = value.map((one) => sqlValue(of, property, one));
      return `${name} = ANY(${parameter(values, each)}::${type}[])`;
    });
}

const parameter = (values: unknown[], value: unknown): string => `$${values.push(value)}`;
