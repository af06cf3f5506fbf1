/** What a history tells of one field. */
export interface Told {
  field: string;
  before: unknown;
  after: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** What to write back, as a diff of what it will do; or what stands in its way. */
export type Undo =
  | { body: Record<string, unknown>; changes: Told[]; conflict: null }
  | { body: null; changes: null; conflict: Told[] };

/** A history cuts a text there and says so by the sign. */
const CUT_AT = 200;
const isCut = (value: unknown): boolean =>
  typeof value === 'string' && value.length === CUT_AT + 1 && value.endsWith('…');

/** False where the history holds less than the values themselves: a cut text, or only that something changed. */
export const isKept = (changes: readonly Told[]): boolean =>
  changes.every(
    ({ before, after }) =>
      !isCut(before) && !isCut(after) && canonical(before) !== canonical(after),
  );

/**
 * The way back from one change of a record, as the record is now: the earlier values of exactly the fields
 * that the change touched, while each still has what the change gave it.
 */
export function undoOf(told: readonly Told[], record: Values): Undo {
  const fields = told.flatMap((change) => (isWhole(change, record) ? [change] : partsOf(change)));
  const conflict = fields
    .filter(({ field, after }) => canonical(record[field]) !== canonical(after))
    .map(({ field, after }) => ({ field, before: after, after: record[field] ?? null }));
  if (conflict.length > 0) return { body: null, changes: null, conflict };
  // What a record did not have before goes by itself with what brought it.
  const changes = fields
    .filter(({ before }) => before !== undefined)
    .map(({ field, before, after }) => ({ field, before: after, after: before }));
  const body = Object.fromEntries(changes.map(({ field, after }) => [field, after]));
  return { body, changes, conflict: null };
}

/** Some of what is stored as one is shown field by field. */
const isWhole = ({ field, before, after }: Told, record: Values): boolean =>
  field in record || [before, after].some((value) => typeof value !== 'object');

function partsOf({ before, after }: Told): Told[] {
  const [from, to] = [(before ?? {}) as Values, (after ?? {}) as Values];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((field) => canonical(from[field]) !== canonical(to[field]))
    .map((field) => ({ field, before: from[field], after: to[field] ?? null }));
}

/** The same text for the same value, in whatever order its fields were written. */
const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
