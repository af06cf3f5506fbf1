import type * as yup from 'yup';
import { presentAmount } from '../../domain/money.ts';

/**
 * The one rule between names on the wire and names in code: `landing_url` is `landingUrl`, an
 * `adgroup` is an `adGroup`, and the amount `daily_budget` is `dailyBudgetNanos`. A column that keeps to it
 * is named in its table, in the fields of its request and in the shape of its answer, nowhere else.
 */
type CamelCase<Name extends string> = Name extends `adgroup_${infer Rest}`
  ? CamelCase<`ad_group_${Rest}`>
  : Name extends `${infer Head}_${infer Rest}`
    ? `${Head}${Capitalize<CamelCase<Rest>>}`
    : Name;

const camelCase = (name: string): string =>
  name
    .replace(/^adgroup_/, 'ad_group_')
    .replace(/_(\w)/g, (_, first: string) => first.toUpperCase());

/** Only fields that are a column; an amount is none, its column holds nanos. */
type FieldsOfColumns<Body, Name> = {
  [Field in keyof Body]: Field extends string
    ? CamelCase<Field> extends Name
      ? Body[Field]
      : never
    : never;
};

type Columns<Body> = { [Field in keyof Body & string as CamelCase<Field>]: Body[Field] };

/**
 * A request's fields as columns of these names. Whatever else a body holds is left out, so that no
 * caller writes a column that is not theirs.
 */
export function columnsFrom<Body extends object, Name extends string>(
  body: Body & FieldsOfColumns<Body, Name>,
  names: readonly Name[],
): Columns<Body> {
  const known: ReadonlySet<string> = new Set(names);
  const entries = Object.entries(body).map(([field, value]) => [camelCase(field), value] as const);
  return Object.fromEntries(entries.filter(([name]) => known.has(name))) as Columns<Body>;
}

type OnWire<Value> = Value extends Date ? string : Value extends bigint ? number : Value;

type Shown<Row> = {
  [Name in keyof Row & string as Name extends `${infer Amount}Nanos` ? Amount : Name]: OnWire<
    Row[Name]
  >;
};

/** Fields of an answer that its row does not hold, or not as they are shown. */
type Rest<Answer, Row> = {
  [
    Field in keyof Answer & string as CamelCase<Field> extends keyof Shown<Row>
      ? Shown<Row>[CamelCase<Field>] extends Answer[Field]
        ? never
        : Field
      : Field
  ]: Answer[Field];
};

/** A row in the shape of its answer: times as RFC 3339, nanos as amounts; `rest` says what the row does not. */
export function presentRow<Shape extends yup.AnyObjectSchema, Row extends object>(
  shape: Shape,
  row: Row,
  rest: Rest<yup.InferType<Shape>, Row> & Partial<yup.InferType<Shape>>,
): yup.InferType<Shape> {
  const columns = row as Readonly<Record<string, unknown>>;
  const answer: Record<string, unknown> = {};
  for (const field of Object.keys(shape.fields)) {
    const name = camelCase(field);
    answer[field] = onWire(name in columns ? columns[name] : columns[`${name}Nanos`]);
  }
  return Object.assign(answer, rest);
}

function onWire(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? presentAmount(value) : value;
}
