import * as yup from 'yup';
import type { FieldError } from '../../domain/errors.ts';
import { parseAmount, WIRE_UNITS_MAX } from '../../domain/money.ts';
import { findTextFault, TEXT_FAULTS } from '../../domain/readable-text.ts';
import { parseUrl } from '../../domain/url.ts';
import { LINES, NAMING_LINE, SPACE_OR_CONTROL } from '../../domain/control-characters.ts';

/** Building blocks of the schemas of requests; each says the rule it enforces. */

declare module 'yup' {
  interface CustomSchemaMetadata {
    /** What a test puts in its place, where the type alone does not say it. */
    kind?:
      | 'name'
      | 'secret'
      | 'code'
      | 'word'
      | 'url'
      | 'day'
      | 'amount'
      | 'token'
      | 'part'
      | 'map';
    /** Added to the JSON Schema of the field. */
    schema?: Record<string, unknown>;
    /** Makes an object a component of the document, under this name. */
    name?: string;
    /** Schema of each value of a map. */
    values?: yup.AnySchema;
    description?: string;
    /** Of an answer: changes without its owner, so that a copy may be old (api/http/write-back.ts). */
    moving?: true;
  }
}

const TEXT_MAX = 255;

/** Characters as a person counts them and the document does, not UTF-16 units. */
const upTo = (schema: yup.StringSchema, max: number) =>
  schema.test({
    name: 'max',
    exclusive: true,
    skipAbsent: true,
    params: { max },
    message: yup.defaultLocale.string?.max ?? '',
    test: (value?: string) =>
      value === undefined ||
      value.length <= max ||
      (value.length <= 2 * max && Array.from(value).length <= max),
  });

/** Code of one or more lines, kept as it is; no control characters, of which PostgreSQL cannot hold NUL. */
export const code = (max: number) =>
  upTo(yup.string(), max).matches(LINES, 'must be readable text').meta({ kind: 'code' });

/** domain/readable-text.ts */
export const readable = () =>
  yup.string().test('readable', TEXT_FAULTS.control, (value, context) => {
    const fault = typeof value === 'string' ? findTextFault(value) : null;
    return fault === null || context.createError({ type: fault, message: TEXT_FAULTS[fault] });
  });

/** Text of one or more lines that others read, kept as it is. */
export const lines = (max: number) => upTo(readable(), max);

export const text = (max = TEXT_MAX) => lines(max).trim();

/** A name that a person types: not empty, at most 255 characters, no control characters. */
export const name = (max = TEXT_MAX) =>
  lines(max).min(1).matches(NAMING_LINE, 'must be readable text').meta({ kind: 'name' });

/** The bound is of the number, the pattern of the text. */
const amountSchema = (bound: { minimum: 0 } | { exclusiveMinimum: 0 }) => ({
  type: ['number', 'string'],
  format: 'amount',
  ...bound,
  pattern: '^\\d{1,10}(\\.\\d{1,6})?$',
});
const AMOUNT_RULE = `must be an amount from 0 to ${WIRE_UNITS_MAX} with at most six decimals`;

/**
 * Wire money: a JSON number or decimal text with at most six decimals, not negative; text is a number before
 * this looks at it (readAmounts). Parse with parseAmount.
 */
export const amount = () =>
  yup
    .number()
    .typeError(AMOUNT_RULE)
    .test('amount', AMOUNT_RULE, (value) =>
      value === undefined || value === null ? true : parseAmount(value) !== undefined,
    )
    .meta({ kind: 'amount', schema: amountSchema({ minimum: 0 }) });

/** In an address, where everything is text: of what is not there yet, so never nothing. */
export const amountText = () =>
  text(20).test(
    'amount',
    'must be an amount above 0 with at most six decimals',
    (value) => value === undefined || (parseAmount(value) ?? 0n) > 0n,
  );

export const BUDGET_RULE = 'must be above 0; null means no limit';

/** A cap on what is spent: one that is none is null, never 0 (interface 2.3). */
export const budget = () =>
  amount()
    .nullable()
    .test('min', BUDGET_RULE, (value) => value !== 0)
    .meta({ schema: amountSchema({ exclusiveMinimum: 0 }) });

/** A whole day, `YYYY-MM-DD`, from 1970 on: years near 0 are beyond what PostgreSQL calls a date. */
export const day = () =>
  yup
    .string()
    .test('day', 'must be a date as YYYY-MM-DD', (value) => {
      if (value === undefined || value === null) return true;
      if (!/^(19[7-9]\d|[2-9]\d{3})-\d{2}-\d{2}$/.test(value)) return false;
      const parsed = new Date(`${value}T00:00:00Z`);
      return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
    })
    .meta({ kind: 'day', schema: { format: 'date' } });

/**
 * Programs read these differently (RFC 3986 against browsers): for some, `https://a.example\@b.example` is
 * b.example, and `https:a.example` has no host at all.
 */
const AMBIGUOUS = /\\|^(?!https?:\/\/[^/])/i;

/** http or https, at most 2048 characters, no user part, no control characters, one reading alone. */
export const webUrl = () =>
  yup
    .string()
    .max(2048)
    .test('url', 'must be an http or https address', (value) => {
      if (value === undefined || value === null || value === '') return true;
      if (SPACE_OR_CONTROL.test(value) || findTextFault(value) !== null) return false;
      if (AMBIGUOUS.test(value)) return false;
      const url = parseUrl(value);
      if (url === null) return false;
      return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    })
    .meta({ kind: 'url', schema: { format: 'uri' } });

/** What an owner says against a rejection. */
export const appealBody = yup.object({
  text: lines(2_000).matches(/\S/, 'must not be empty').required(),
});

/** Rules over several fields, as a test of their object: their faults are named together with those of single fields. */
export const objectRules =
  <Body>(faultsOf: (body: Body) => FieldError[]): yup.TestFunction<Body> =>
  (body, context) => {
    const errors = faultsOf(body).map(({ field, code: type, message }) =>
      context.createError({ path: field, type, message }),
    );
    return errors.length === 0 || new yup.ValidationError(errors, body);
  };

export const id = () => yup.number().integer().min(1).max(Number.MAX_SAFE_INTEGER);
