import type { Request } from 'express';
import * as yup from 'yup';
import { DomainError, type FieldError, notFound } from '../../domain/errors.ts';

/**
 * Reads the JSON body by a strict schema: no coercion, unknown fields refused, every wrong field
 * named at once (decisions 2).
 */
export function readBody<Schema extends yup.AnyObjectSchema>(
  req: Request,
  schema: Schema,
): yup.InferType<Schema> {
  const body: unknown = req.body ?? {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('malformed_request', { message: 'A JSON object is expected.' });
  }
  return check(schema.noUnknown(true), body, true);
}

/** Reads the query string: text is coerced to the schema's types, unknown parameters are refused. */
export function readQuery<Schema extends yup.AnyObjectSchema>(
  req: Request,
  schema: Schema,
): yup.InferType<Schema> {
  return check(schema.noUnknown(true), { ...req.query }, false);
}

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
    const options = { abortEarly: false, strict, stripUnknown: false };
    return schema.validateSync(value, options) as yup.InferType<Schema>;
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    throw new DomainError('validation_failed', { errors: fieldErrors(error) });
  }
}

function fieldErrors(error: yup.ValidationError): FieldError[] {
  const faults = error.inner.length > 0 ? error.inner : [error];
  return faults.flatMap((fault) => {
    if (fault.type === 'noUnknown') {
      const unknown = fault.params?.['unknown'];
      const names = typeof unknown === 'string' ? unknown.split(', ') : [];
      return names.map((name) => ({
        field: fault.path === undefined || fault.path === '' ? name : `${fault.path}.${name}`,
        code: 'unknown_field',
        message: 'This field is not known.',
      }));
    }
    return [
      {
        field: fault.path ?? '',
        code: FIELD_CODES[fault.type ?? ''] ?? fault.type ?? 'invalid',
        message: fault.errors[0] ?? 'Not valid.',
      },
    ];
  });
}

/** yup's test names that read better under ours. */
const FIELD_CODES: Record<string, string> = {
  optionality: 'required',
  nullable: 'required',
  typeError: 'type',
  oneOf: 'one_of',
};
