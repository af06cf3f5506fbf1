import type { Lifecycle } from '../../domain/lifecycle/transition.ts';

/**
 * How one kind of column crosses between PostgreSQL and TypeScript. The driver answers BIGINT and
 * NUMERIC as text; what code sees is fixed here and nowhere else.
 */
export interface Kind<Value> {
  readonly name: KindName;
  /** The `data_type` that information_schema may say of it; the first is what a parameter is cast to. */
  readonly types: readonly [string, ...string[]];
  /** The driver's value of a column that is not null. */
  readonly read: (raw: unknown) => Value;
  /** As a statement's parameter. */
  readonly write: (value: Value) => unknown;
  /** Around the column in a SELECT, where the driver's own reading would lose something. */
  readonly selected?: (expression: string) => string;
}

export type KindName =
  | 'ref'
  | 'nanos'
  | 'whole'
  | 'decimal'
  | 'text'
  | 'flag'
  | 'time'
  | 'day'
  | 'json'
  | 'bytes'
  | 'uuid'
  | 'refs'
  | 'xid8'
  | 'digits';

/** One value of a SELECT: its SQL, and how its answer is read. */
export interface Expression<Value> {
  readonly sql: string;
  readonly read: (raw: unknown) => Value;
}

/** One column as its table's file declares it. Immutable: each word answers a new column. */
export class Column<Value, Null extends boolean = false, Default extends boolean = false> {
  readonly kind: Kind<Value>;
  readonly isNull: Null;
  readonly hasDefault: Default;
  /** Where the name in SQL is not the property in lower case with underscores. */
  readonly sqlName: string | undefined;
  /** The only values it takes, in the order of its CHECK constraint. */
  readonly words: readonly string[] | undefined;
  /** Of status columns: only db/schema/move.ts writes them after the row is made. */
  readonly lifecycle: Lifecycle | undefined;

  constructor(kind: Kind<Value>, traits: Traits<Null, Default>) {
    this.kind = kind;
    this.isNull = traits.isNull;
    this.hasDefault = traits.hasDefault;
    this.sqlName = traits.sqlName;
    this.words = traits.words;
    this.lifecycle = traits.lifecycle;
  }

  orNull(): Column<Value, true, Default> {
    return new Column(this.kind, { ...this.traits(), isNull: true as const });
  }

  /** The database fills it in when a new row leaves it out. */
  byDefault(): Column<Value, Null, true> {
    return new Column(this.kind, { ...this.traits(), hasDefault: true as const });
  }

  named(sqlName: string): Column<Value, Null, Default> {
    return new Column(this.kind, { ...this.traits(), sqlName });
  }

  /** This column's kind over any SQL: `campaigns.columns.status.of('c.status')`. */
  of(sql: string): Expression<Null extends true ? Value | null : Value> {
    type Read = Null extends true ? Value | null : Value;
    const { read, selected } = this.kind;
    return {
      sql: selected === undefined ? sql : selected(sql),
      read: (raw) => (raw === null || raw === undefined ? null : read(raw)) as Read,
    };
  }

  protected traits(): Traits<Null, Default> {
    const { isNull, hasDefault, sqlName, words, lifecycle } = this;
    return { isNull, hasDefault, sqlName, words, lifecycle };
  }
}

interface Traits<Null extends boolean, Default extends boolean> {
  isNull: Null;
  hasDefault: Default;
  sqlName?: string | undefined;
  words?: readonly string[] | undefined;
  lifecycle?: Lifecycle | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- any column, whatever it holds
export type AnyColumn = Column<any, boolean, boolean>;

function column<Value>(
  kind: Kind<Value>,
  traits: Pick<Traits<false, false>, 'words' | 'lifecycle'> = {},
): Column<Value> {
  return new Column(kind, { isNull: false, hasDefault: false, ...traits });
}

const asIs = <Value>(value: Value): unknown => value;
const asText = (value: { toString(): string }): unknown => value.toString();

/** BIGINT that stays below 2^53: an id of another row, or a count. */
export const ref = (): Column<number> =>
  column({ name: 'ref', types: ['bigint'], read: Number, write: asIs });

/** The table's own identity. */
export const id = (): Column<number, false, true> => ref().byDefault();

/** Money: whole nanos (1e-9) of the platform's currency. */
export const nanos = (): Column<bigint> =>
  column({
    name: 'nanos',
    types: ['bigint'],
    // Most figures that are kept for long are nothing yet, and nothing is one value.
    read: (raw) => (raw === '0' ? 0n : BigInt(raw as string | number | bigint)),
    write: asText,
  });

export const whole = (): Column<number> =>
  column({ name: 'whole', types: ['integer', 'smallint'], read: Number, write: asIs });

/** NUMERIC that is no money: a float may hold it. */
export const decimal = (): Column<number> =>
  column({ name: 'decimal', types: ['numeric', 'double precision'], read: Number, write: asIs });

/**
 * `text<PayoutChannel>()` where our own code writes a closed list that the database does not check.
 * Two signatures, because a table's declaration would infer `any` for a parameter that is left out.
 */
export function text(): Column<string>;
export function text<Value extends string>(): Column<Value>;
export function text(): Column<string> {
  return column({ name: 'text', types: ['text', 'character'], read: String, write: asIs });
}

/**
 * The list's own string for one that the driver made: rows that are kept by the hundred thousand hold it once,
 * and comparing it is comparing an address. What the list does not know, as of a newer database, stays as it is.
 */
export function oneOf<Word extends string>(words: readonly Word[]): (raw: unknown) => Word {
  const known = new Map<unknown, Word>(words.map((each) => [each, each]));
  return (raw) => known.get(raw) ?? (raw as Word);
}

/** Text that is one of a closed list; the database checks the same list. */
export const word = <Word extends string>(words: readonly Word[]): Column<Word> =>
  column({ name: 'text', types: ['text'], read: oneOf(words), write: asIs }, { words });

/** A status. A row is made with one of the words it may begin with, and then moves by `move` only. */
export class StateColumn<
  Status extends string,
  Action extends string,
  Default extends boolean = false,
> extends Column<Status, false, Default> {
  /** Never set: carries the type of its actions, so that a move names a real one. */
  declare readonly action: Action;

  override byDefault(): StateColumn<Status, Action, true> {
    return new StateColumn(this.kind, { ...this.traits(), hasDefault: true as const });
  }
}

export const state = <Status extends string, Action extends string>(
  lifecycle: Lifecycle<Status, Action>,
): StateColumn<Status, Action> =>
  new StateColumn<Status, Action>(
    { name: 'text', types: ['text'], read: oneOf(lifecycle.statuses), write: asIs },
    {
      isNull: false,
      hasDefault: false,
      words: lifecycle.statuses,
      lifecycle: lifecycle as unknown as Lifecycle,
    },
  );

export const flag = (): Column<boolean> =>
  column({ name: 'flag', types: ['boolean'], read: Boolean, write: asIs });

export const time = (): Column<Date> =>
  column({
    name: 'time',
    types: ['timestamp with time zone'],
    read: (raw) => (raw instanceof Date ? raw : new Date(String(raw))),
    write: asIs,
  });

/** A whole day, `YYYY-MM-DD`; the driver would make it a moment of the machine's own time zone. */
export const day = (): Column<string> =>
  column({
    name: 'day',
    types: ['date'],
    read: String,
    write: asIs,
    selected: (expression) => `${expression}::text`,
  });

/** JSONB. Its shape is ours: every writer goes through a typed column. */
export const json = <Value extends object | string | number | boolean>(): Column<Value> =>
  column({
    name: 'json',
    types: ['jsonb'],
    read: (raw) => raw as Value,
    write: (value) => JSON.stringify(value),
  });

export const bytes = (): Column<Buffer> =>
  column({ name: 'bytes', types: ['bytea'], read: (raw) => raw as Buffer, write: asIs });

/** BIGINT[] of ids. */
export const refs = (): Column<number[]> =>
  column({
    name: 'refs',
    types: ['ARRAY'],
    read: (raw) => (raw as unknown[]).map(Number),
    write: asIs,
  });

/** BIGINT beyond 2^53 that nobody counts with, such as the server's own identifier. */
export const digits = (): Column<string> =>
  column({ name: 'digits', types: ['bigint'], read: String, write: asIs });

/** A transaction id of the server, as text. */
export const xid8 = (): Column<string> =>
  column({ name: 'xid8', types: ['xid8'], read: String, write: asIs });

export const uuid = (): Column<string> =>
  column({ name: 'uuid', types: ['uuid'], read: String, write: asIs });
