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

/** Of a rate: in a column their points stand below each other, as those of amounts do. */
export const RATE = {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
} as const;

export const CENTS = 2;
/** The API's amounts have no more. */
export const DECIMALS_MAX = 6;

/** What the most exact of these amounts needs: in a column their points stand below each other. */
export function decimalsOf(amounts: readonly number[]): number {
  const needed = amounts.map((amount) => {
    const [, decimals = ''] = amount.toFixed(DECIMALS_MAX).split('.');
    return decimals.replace(/0+$/, '').length;
  });
  return Math.max(CENTS, ...needed);
}

/** An hour as on a clock. */
export const hourText = (hour: number | string): string => `${String(hour).padStart(2, '0')}:00`;
