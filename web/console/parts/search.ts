/** A list's state in its address: a bad value becomes its default and never an error page. */
export interface ListSearch {
  page?: number;
  sort?: string;
  keyword?: string;
}

type Raw = Record<string, unknown>;

export const textOf = (raw: unknown, max = 200): string | undefined =>
  typeof raw === 'string' && raw !== '' ? raw.slice(0, max) : undefined;

export function numberOf(raw: unknown): number | undefined {
  const number = typeof raw === 'string' || typeof raw === 'number' ? Number(raw) : Number.NaN;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** `?mine=true` comes from the router as a boolean. */
export const oneOf = <Word extends string>(
  words: readonly Word[],
  raw: unknown,
): Word | undefined => words.find((word) => word === (raw === true ? 'true' : raw));

/** `page`, `sort` and `keyword`; further filters are spread beside them. */
export const listSearch = (raw: Raw): ListSearch =>
  stated({
    page: numberOf(raw['page']),
    sort: textOf(raw['sort']),
    keyword: textOf(raw['keyword']),
  });

/** Without what is not set: it should not stand in the address either. */
export const stated = <T extends object>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** `$id` of an address: a number inside, text in the address. */
export const idParams = {
  parse: ({ id }: { id: string }) => ({ id: Number(id) }),
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
};
