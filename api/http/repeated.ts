import type { FieldError } from '../../domain/errors.ts';

/**
 * interface 2.1, for what is read without a schema: a parameter that is known and given twice, or written
 * as a list (`zone_id[]`), is 422, for nobody can say which one was meant. Empty ones are absent.
 */
export const repeated = (field: string): FieldError => ({
  field,
  code: 'repeated',
  message: 'Must be given once.',
});

/** Of a name written as a list: the parameter it stands for; undefined of a plain name. */
export function listedName(name: string): string | undefined {
  const cut = name.endsWith(']') ? name.indexOf('[') : -1;
  return cut < 1 ? undefined : name.slice(0, cut);
}

/** Which of these a query gives twice, or as a list. */
export function repeatedIn(query: URLSearchParams, known: readonly string[]): FieldError[] {
  const listed = new Set([...query.keys()].map(listedName));
  return known
    .filter((name) => listed.has(name) || query.getAll(name).filter(Boolean).length > 1)
    .map(repeated);
}
