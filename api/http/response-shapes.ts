import * as yup from 'yup';

/**
 * Shapes of what we answer. Every field is always there; what may be unknown is null. Presenters
 * are typed by them, tests hold real answers against them, and docs/openapi.yaml shows them.
 */
export const whole = () => yup.number().integer().defined();
export const wholeOrNull = () => whole().nullable();
export const fraction = () => yup.number().defined();
export const fractionOrNull = () => fraction().nullable();
export const words = () => yup.string().defined();
export const wordsOrNull = () => words().nullable();
export const flag = () => yup.boolean().defined();

export const idOf = () => whole().min(1);
export const idOrNullOf = () => idOf().nullable();

/** Money as a JSON number with at most six decimals (interface 2.1); may be negative in a ledger. */
export const money = () =>
  yup
    .number()
    .defined()
    .meta({ schema: { format: 'amount' } });
export const moneyOrNull = () => money().nullable();

/** RFC 3339, UTC. */
export const time = () => words().meta({ schema: { format: 'date-time' } });
export const timeOrNull = () => time().nullable();

/** `YYYY-MM-DD`. */
export const date = () => words().meta({ schema: { format: 'date' } });
export const dateOrNull = () => date().nullable();

export const address = () => words().meta({ schema: { format: 'uri' } });
export const addressOrNull = () => address().nullable();

export const oneOf = <Word extends string>(values: readonly Word[]) =>
  yup
    .string<Word>()
    .oneOf([...values])
    .defined();
export const oneOfOrNull = <Word extends string>(values: readonly Word[]) =>
  yup
    .string<Word>()
    .oneOf([...values])
    .nullable()
    .defined();

/** What changes without its owner, or by another route: written back as it was read, it is ignored (interface 2.1). */
export const moving = <Shape extends yup.AnySchema>(shape: Shape): Shape =>
  shape.meta({ moving: true }) as Shape;

/** An object of exactly these fields. A name makes it a component of the document. */
export const record = <Fields extends yup.ObjectShape>(fields: Fields, name?: string) => {
  const shape = yup.object(fields).noUnknown(true).defined();
  return name === undefined ? shape : shape.meta({ name });
};

export const listOf = <Value>(item: yup.ISchema<Value>) => yup.array().of<Value>(item).defined();
export const listOrNullOf = <Value>(item: yup.ISchema<Value>) => listOf(item).nullable();

/** A map whose keys are data; `value` is the schema of each of them, any when absent. */
export const mapOf = (value?: yup.AnySchema) =>
  yup
    .mixed<object>()
    .defined()
    .meta({ schema: { type: 'object' }, ...(value === undefined ? {} : { values: value }) });

/** Any JSON: what differs by kind, or is the caller's own. */
export const anything = () => yup.mixed<NonNullable<unknown>>().nullable().defined();

/** interface 2.1: one page of a list. */
export const pageOfItems = <Value>(item: yup.ISchema<Value>) =>
  record({
    items: listOf(item),
    total: whole().min(0),
    page: whole().min(1),
    page_size: whole().min(1),
    total_pages: whole().min(0),
  });

/** For routes that have nothing to answer but that it is done. */
export const nothing = () => record({});

/** What a deletion leaves: rows that money refers to are archived. */
export const archived = () => record({ id: idOf(), status: oneOf(['ARCHIVED']) });
