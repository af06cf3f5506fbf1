/** A text, or one that is made of values: `({ count }) => …`. */
// oxlint-disable-next-line typescript/no-explicit-any -- the one place where any arguments fit
type Text = string | ((...values: any[]) => string);
export interface Tree {
  readonly [key: string]: Text | Tree;
}

/** Texts of whose values each stands by itself: a name that is written from right to left turns nothing around it. */
export const isolating = (words: Tree): Tree =>
  Object.fromEntries(
    Object.entries(words).map(([key, text]) => [
      key,
      typeof text === 'function'
        ? // oxlint-disable-next-line typescript/no-unsafe-argument -- whatever it takes
          (...values: unknown[]) => text(...values.map(isolated))
        : typeof text === 'string'
          ? text
          : isolating(text),
    ]),
  );

/** Hebrew, Arabic and their like, and the marks that turn a direction by themselves. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202a-\u202e\ufb1d-\ufdff\ufe70-\ufefc]/;

function isolated(value: unknown): unknown {
  if (typeof value === 'string') return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
  if (Array.isArray(value)) return value.map(isolated);
  if (typeof value !== 'object' || value === null) return value;
  // An element, a date: nothing of theirs is filled in by itself.
  if (Object.getPrototypeOf(value) !== Object.prototype || '$$typeof' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, isolated(each)]));
}
