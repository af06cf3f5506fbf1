import type { Request } from 'express';
import * as yup from 'yup';
import { DomainError, type FieldError, invalid, notFound } from '../../domain/errors.ts';
import { parseAmount, presentAmount } from '../../domain/money.ts';

/**
 * Reads the JSON body by a strict schema: no coercion but of amounts, unknown fields refused, every wrong
 * field named at once (interface 2.1).
 */
export function readBody<Schema extends yup.AnyObjectSchema>(
  req: Request,
  schema: Schema,
): yup.InferType<Schema> {
  return checkBody(objectOf(req), schema);
}

/** The body as it came: an object of a size that may be looked at. */
export function objectOf(req: Request): object {
  // Uploads pass the JSON parser unread: an absent body must not stand for an empty one.
  if (typeof req.is('multipart/form-data') === 'string') throw new DomainError('unsupported_media');
  const body: unknown = req.body ?? {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('malformed_request', { message: 'A JSON object is expected.' });
  }
  refuseCrowds(body);
  return body;
}

/** `faults` were found before, and are named together with the schema's. */
export function checkBody<Schema extends yup.AnyObjectSchema>(
  body: object,
  schema: Schema,
  faults: FieldError[] = [],
): yup.InferType<Schema> {
  const strict = schema.noUnknown(true);
  const sent = readAmounts(body, schema);
  if (faults.length === 0) return check(strict, sent, true);
  throw invalid(...faults, ...faultsOf(strict, sent, true));
}

/** A money field also takes decimal text, for senders whose numbers are floats; from here on it is the number. */
export function readAmounts(body: object, schema: yup.AnyObjectSchema): object {
  const entries = Object.entries(body).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'string' || !Object.hasOwn(schema.fields, name)) return [name, value];
    const field = schema.fields[name];
    if (!(field instanceof yup.Schema) || field.spec.meta?.kind !== 'amount') return [name, value];
    const nanos = parseAmount(value);
    return [name, nanos === undefined ? value : presentAmount(nanos)];
  });
  return Object.fromEntries(entries) as object;
}

/** More than any field of ours holds: 300 countries, or an adjustment for each of them. */
const FIELD_ENTRIES_MAX = 500;
const FIELDS_MAX = 200;

/** Each wrong entry is an error of its own: 100,000 of them would hold the process for seconds. */
function refuseCrowds(body: object): void {
  const fields = Object.entries(body);
  if (fields.length > FIELDS_MAX) {
    throw new DomainError('malformed_request', { message: 'The body has too many fields.' });
  }
  const crowded = fields.filter(
    ([, value]) => countEntries(value, FIELD_ENTRIES_MAX) > FIELD_ENTRIES_MAX,
  );
  if (crowded.length === 0) return;
  const message = `Holds more than ${FIELD_ENTRIES_MAX} entries.`;
  throw invalid(...crowded.map(([field]) => ({ field, code: 'max', message })));
}

/** Of all levels together; stops counting once it is above `enough`. */
function countEntries(value: unknown, enough: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const entries: unknown[] = Object.values(value);
  let count = entries.length;
  for (const entry of entries) {
    if (count > enough) break;
    count += countEntries(entry, enough - count);
  }
  return count;
}

/** What pages add so that no cache answers; it says nothing. */
const CACHE_BUSTER = '_';

/** As a person writes one: `0x1`, `1e3`, `+1` and ` 1` are numbers to a program alone. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Reads the query string: text is coerced to the schema's types, numbers from plain decimals alone; unknown and
 * repeated parameters are refused. An empty one counts as absent, as forms send what nobody filled in (interface 2.1).
 */
export function readQuery<Schema extends yup.AnyObjectSchema>(
  req: Request,
  schema: Schema,
): yup.InferType<Schema> {
  const faults: FieldError[] = [];
  const known: Record<string, string> = {};
  for (const [name, sent] of Object.entries(req.query)) {
    const value = filledOf(sent);
    if (name === CACHE_BUSTER || value === undefined) continue;
    // Found here and not by yup, which takes `constructor` for a field of every schema.
    if (!Object.hasOwn(schema.fields, name)) faults.push(unknownField(name));
    else if (typeof value === 'string') {
      if (isNoNumber(schema, name, value)) faults.push(noNumber(name));
      else known[name] = value;
    } else faults.push({ field: name, code: 'repeated', message: 'Must be given once.' });
  }
  if (faults.length === 0) return check(schema, known, false);
  const named = new Set(faults.map(({ field }) => field));
  const others = faultsOf(schema, known, false).filter(({ field }) => !named.has(field));
  throw new DomainError('validation_failed', { errors: [...faults, ...others] });
}

function isNoNumber(schema: yup.AnyObjectSchema, name: string, value: string): boolean {
  return schema.fields[name] instanceof yup.NumberSchema && !DECIMAL.test(value);
}

const noNumber = (field: string): FieldError => ({
  field,
  code: 'type',
  message: 'Must be a plain decimal number.',
});

function filledOf(sent: unknown): unknown {
  if (!Array.isArray(sent)) return sent === '' ? undefined : sent;
  const filled = sent.filter((each) => each !== '');
  return filled.length > 1 ? filled : filled[0];
}

/** What else is wrong: a 422 names every field at once. */
function faultsOf(schema: yup.AnyObjectSchema, value: object, strict: boolean): FieldError[] {
  try {
    check(schema, value, strict);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.errors ?? [];
    throw error;
  }
}

const unknownField = (field: string): FieldError => ({
  field,
  code: 'unknown_field',
  message: 'This field is not known.',
});

/** A path id: a positive integer, otherwise the thing does not exist. */
export function readId(req: Request, name = 'id'): number {
  const text = req.params[name];
  if (typeof text !== 'string' || !/^[1-9]\d{0,14}$/.test(text)) throw notFound();
  return Number(text);
}

function check<Schema extends yup.AnyObjectSchema>(
  schema: Schema,
  value: unknown,
  strict: boolean,
): yup.InferType<Schema> {
  try {
    // Without stripUnknown: false a cast drops unknown fields before noUnknown can name them.
    const options = { abortEarly: false, strict, stripUnknown: false, disableStackTrace: true };
    return schema.validateSync(value, options) as yup.InferType<Schema>;
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    throw new DomainError('validation_failed', { errors: fieldErrors(error) });
  }
}

function fieldErrors(error: yup.ValidationError): FieldError[] {
  const faults = error.inner.length > 0 ? error.inner : [error];
  // What is no text is none of the words it may be either: that is said once.
  const mistyped = new Set(
    faults.filter(({ type }) => type === 'typeError').map(({ path }) => path),
  );
  return faults.flatMap((fault) => {
    if (fault.type === 'noUnknown') {
      const unknown = fault.params?.['unknown'];
      const names = typeof unknown === 'string' ? unknown.split(', ') : [];
      return names.map((name) =>
        unknownField(
          fault.path === undefined || fault.path === '' ? name : `${fault.path}.${name}`,
        ),
      );
    }
    if (fault.type === 'typeError') return [typeFault(fault)];
    if (mistyped.has(fault.path)) return [];
    return [
      {
        field: fault.path ?? '',
        code: FIELD_CODES[fault.type ?? ''] ?? fault.type ?? 'invalid',
        message: fault.errors[0] ?? 'Not valid.',
      },
    ];
  });
}

/** A schema's own words, where it has some; the library's would show the value, which may be a secret. */
function typeFault({ path: field = '', params, errors }: yup.ValidationError): FieldError {
  const code = 'type';
  const [own] = errors;
  if (own !== undefined && !BY_LIBRARY.test(own)) return { field, code, message: own };
  switch (params?.['type']) {
    case 'string':
      return { field, code, message: `${field} must be text` };
    case 'number':
      return { field, code, message: `${field} must be a number` };
    case 'boolean':
      return { field, code, message: `${field} must be true or false` };
    case 'array':
      return { field, code, message: `${field} must be a list` };
    case 'object':
      return { field, code, message: `${field} must be an object` };
    default:
      return { field, code, message: `${field} is of another type` };
  }
}

const BY_LIBRARY = /but the final value was: |must match the configured type/;

/** yup's test names that read better under ours. */
const FIELD_CODES: Record<string, string> = {
  optionality: 'required',
  nullable: 'required',
  oneOf: 'one_of',
};
