/** Formats of a language and zone, each made once: making one costs more than a hundred uses. */
const made = new Map<string, unknown>();

function once<Format>(kind: string, key: unknown, make: () => Format): Format {
  const name = kind + JSON.stringify(key);
  const known = made.get(name) as Format | undefined;
  if (known !== undefined) return known;
  const format = make();
  made.set(name, format);
  return format;
}

export const numberFormat = (language: string, options: Intl.NumberFormatOptions = {}) =>
  once('number', [language, options], () => new Intl.NumberFormat(language, options));

export const dateFormat = (language: string, options: Intl.DateTimeFormatOptions) =>
  once('date', [language, options], () => new Intl.DateTimeFormat(language, options));

/** `3 hours ago`, `tomorrow`. */
export const agoFormat = (language: string) =>
  once('ago', language, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
