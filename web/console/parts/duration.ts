/** A length of time as people say it; the API counts seconds. */
export const UNIT_SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
export type Unit = keyof typeof UNIT_SECONDS;

/** The largest unit that says it in whole numbers. */
export const unitOf = (seconds: number): Unit =>
  (['day', 'hour', 'minute'] as const).find((unit) => seconds % UNIT_SECONDS[unit] === 0) ??
  'second';

/** `3 days`, `90 minutes`. */
export function durationIn(seconds: number, language: string): string {
  const unit = unitOf(seconds);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    seconds / UNIT_SECONDS[unit],
  );
}

/** In the largest unit of which it is one, rounded up: what is said to lie within it does. */
export function withinIn(seconds: number, language: string): string {
  const unit =
    (['day', 'hour', 'minute'] as const).find((each) => seconds >= UNIT_SECONDS[each]) ?? 'second';
  const count = Math.ceil((seconds / UNIT_SECONDS[unit]) * 10) / 10;
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    count,
  );
}
