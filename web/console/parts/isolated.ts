const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** Between marks that are not seen, and that only such a name gets. */
const apart = (value: unknown): unknown =>
  typeof value === 'string' && RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;

/**
 * Texts whose values keep their own direction: a name that is written from the right does not take the words and figures
 * beside it along (UAX 9, isolates).
 */
export const isolated = <T extends object>(tree: T): T =>
  Object.fromEntries(
    Object.entries(tree).map(([key, text]: [string, unknown]) => [
      key,
      typeof text === 'function'
        ? (...values: unknown[]): unknown => text(...values.map(apart))
        : typeof text === 'object' && text !== null
          ? isolated(text)
          : text,
    ]),
  ) as T;
