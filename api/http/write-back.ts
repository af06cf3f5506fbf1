import { isDeepStrictEqual } from 'node:util';
import type * as yup from 'yup';
import type { FieldError } from '../../domain/errors.ts';

/**
 * "Read, change, write back" (interface 2.1): a body may bring the whole record as GET answers it.
 * What is as the record has it is no change; what the route does not edit may not differ.
 */
export interface WrittenBack {
  /** What is left to be validated and written. */
  body: object;
  faults: FieldError[];
}

/** Of one route: its record's shape, and what of it a body edits. */
export function writeBack(record: yup.AnySchema, edited: yup.AnyObjectSchema) {
  const shown = fieldsOf(record);
  const editable = fieldsOf(edited);
  return (body: object, current: Readonly<Record<string, unknown>>): WrittenBack => {
    const faults: FieldError[] = [];
    const changed = Object.entries(body).filter(([name, value]) => {
      const isEdited = Object.hasOwn(editable, name);
      if (Object.hasOwn(current, name) && isDeepStrictEqual(value, current[name])) {
        return isEdited && !isOptional(editable[name]);
      }
      const field = Object.hasOwn(shown, name) ? shown[name] : undefined;
      if (isEdited || field === undefined) return true;
      if (!isOlder(field, value)) faults.push(readOnly(name));
      return false;
    });
    return { body: Object.fromEntries(changed), faults };
  };
}

/** Fields that an answer of this route has and its body does not edit, for the document. */
export function readOnlyFields(
  record: yup.AnySchema,
  edited: yup.AnyObjectSchema,
): Readonly<Record<string, yup.AnySchema>> {
  const editable = fieldsOf(edited);
  return Object.fromEntries(
    Object.entries(fieldsOf(record)).filter(([name]) => !Object.hasOwn(editable, name)),
  );
}

const fieldsOf = (schema: yup.AnySchema): Readonly<Record<string, yup.AnySchema>> =>
  'fields' in schema
    ? ((schema as yup.AnyObjectSchema).fields as Record<string, yup.AnySchema>)
    : {};

const isOptional = (field: yup.AnySchema | undefined): boolean =>
  field === undefined || field.spec.optional;

/** A value that the record may have had when it was read: it has moved on by itself since. */
const isOlder = (field: yup.AnySchema, value: unknown): boolean =>
  field.spec.meta?.moving === true && field.isValidSync(value, { strict: true });

const readOnly = (field: string): FieldError => ({
  field,
  code: 'read_only',
  message: 'This field cannot be changed here; leave it out, or as the record has it.',
});
